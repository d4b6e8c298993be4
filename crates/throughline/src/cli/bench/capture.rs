//! What a hook costs the agent that waits for it, as a process of its own with a large store behind it.

use anyhow::Result;
use serde_json::{Value as Json, json};

use super::super::output::Output;
use super::amount::Amount;
use super::corpus::{message, question, statement};
use super::cost::Cost;
use super::dice::Dice;
use super::fill;
use super::place::Place;
use super::process;
use super::report::Row;

/// Memories among the events.
const ONE_OF: usize = 10;

pub(super) fn measure(place: &Place, amount: &Amount, output: &Output) -> Result<Vec<Row>> {
    let mut rows = vec![];
    for size in amount.growing() {
        output.say(&format!("capture: up to {size} events"));
        fill::events(place, size)?;
        fill::memories(place, size / ONE_OF)?;
        fill::settle(place)?;
        place.engine.store().fold_log()?;
        rows.extend(among(place, amount, size)?);
    }
    Ok(rows)
}

/// In turns, so that whatever else the machine does falls on all alike.
fn among(place: &Place, amount: &Amount, size: usize) -> Result<Vec<Row>> {
    const KINDS: [&str; 5] =
        ["start (--version)", "log append", "hook: end of a tool", "hook: prompt", "hook: session start"];
    let mut dice = Dice::new(size as u64);
    let mut costs: [Vec<Cost>; KINDS.len()] = Default::default();
    for number in 0..amount.times {
        let said = message(&mut dice, number);
        let prompt = statement(&mut dice, number);
        let append = ["log", "append", "--kind", "user_message", "--session", "bench", "--content", &said];
        let one = [
            process::run(place, &["--version"], "")?,
            process::run(place, &append, "")?,
            hook(place, &tool(place, size + number, &said))?,
            hook(place, &asked(place, size + number, &question(&mut dice, &prompt)))?,
            hook(place, &start(place, size + number))?,
        ];
        costs.iter_mut().zip(one).for_each(|(costs, cost)| costs.push(cost));
    }
    let row = |(what, costs): (&'static str, &Vec<Cost>)| Row::of(what, (size, "events"), costs);
    Ok(KINDS.into_iter().zip(&costs).map(row).collect())
}

fn hook(place: &Place, event: &Json) -> Result<Cost> {
    process::run(place, &["hook", "claude-code"], &event.to_string())
}

fn tool(place: &Place, number: usize, read: &str) -> Json {
    json!({"session_id": "bench", "cwd": place.folder, "hook_event_name": "PostToolUse", "tool_name": "Read",
        "tool_use_id": format!("t{number}"), "tool_input": {"file_path": place.folder.join("a.rs")},
        "tool_response": {"file": {"content": read}}})
}

fn asked(place: &Place, number: usize, prompt: &str) -> Json {
    json!({"session_id": "bench", "cwd": place.folder, "hook_event_name": "UserPromptSubmit", "prompt": prompt,
        "prompt_id": format!("p{number}")})
}

fn start(place: &Place, number: usize) -> Json {
    json!({"session_id": format!("s{number}"), "cwd": place.folder, "hook_event_name": "SessionStart",
        "source": "startup"})
}
