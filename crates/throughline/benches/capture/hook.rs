//! What a hook costs the agent that waits for it, with a large store behind it.

use std::path::Path;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::remember::Statement;
use throughline_engine::settings::Settings;
use throughline_engine::store::{Durability, Location, Options, Store};
use throughline_engine::{Caller, Engine};

use crate::cold::empty_program;
use crate::corpus::lines;
use crate::measure::{Target, child_cpu_ms, command, fed_cpu_ms, median, print, row, verdict};
use crate::warm::observation;

const ROUNDS: usize = 200;
const EVENTS: usize = 100_000;
const MEMORIES: usize = 10_000;
const AT_ONCE: usize = 1000;

pub(crate) fn calls(folder: &TempDir) -> Vec<String> {
    let (home, work) = (folder.path().join("large"), folder.path().join("project"));
    for folder in [&home, &work] {
        std::fs::create_dir(folder).expect("a folder");
    }
    let mut notes = lines(MEMORIES + ROUNDS);
    let prompts = notes.split_off(notes.len() - ROUNDS);
    fill(&home, &work, notes);
    let hook = |event: serde_json::Value| fed_cpu_ms(&mut throughline(&home, &work), &event.to_string());
    let empty = empty_program(folder);
    let mut costs = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    for (n, prompt) in prompts.iter().enumerate() {
        costs[0].push(child_cpu_ms(&mut command(&empty)));
        costs[1].push(hook(json!({ "session_id": "bench", "cwd": work, "hook_event_name": "PostToolUse",
            "tool_name": "Read", "tool_use_id": format!("t{n}"), "tool_input": { "file_path": work.join("a.rs") },
            "tool_response": { "file": { "content": prompt } } })));
        costs[2]
            .push(hook(json!({ "session_id": "bench", "cwd": work, "hook_event_name": "UserPromptSubmit",
            "prompt": prompt, "prompt_id": format!("p{n}") })));
        costs[3].push(hook(
            json!({ "session_id": format!("s{n}"), "cwd": work, "hook_event_name": "SessionStart",
            "source": "startup" }),
        ));
    }
    let [empty, tool, prompt, start] = costs.map(median);
    print(&[
        String::new(),
        format!("hooks at {EVENTS} events and {MEMORIES} memories, CPU ms, median of {ROUNDS}"),
    ]);
    for (name, ms) in [
        ("empty Rust program", empty),
        ("a tool's end", tool),
        ("a prompt", prompt),
        ("session start", start),
    ] {
        print(&[row(name, &format!("{ms:.2}"), &format!("{:.2} times the empty program", ms / empty))]);
    }
    vec![
        verdict("hook that records, CPU ms", tool, Target::AtMost(4.0)),
        verdict("hook of a prompt with its search, CPU ms", prompt, Target::AtMost(10.0)),
    ]
}

fn throughline(home: &Path, work: &Path) -> Command {
    let mut command = command(env!("CARGO_BIN_EXE_throughline").as_ref());
    command.args(["hook", "claude-code"]).current_dir(work).env_clear();
    command.env("THROUGHLINE_HOME", home).env("USER", "bench");
    command
}

fn fill(home: &Path, work: &Path, notes: Vec<String>) {
    let options = Options { durability: Durability::Process, ..Options::default() };
    let store = Store::open(Location::File(home.join("throughline.db")), options).expect("a database");
    let engine = Engine::new(store, Clock::system(), Ids::system(), Settings::default());
    let project = engine.project(&Folder::discover(work), None).expect("a project");
    let caller = Caller { project: project.id, actor: "user:bench".parse().expect("an actor") };
    for some in notes.chunks(AT_ONCE) {
        let statements = some.iter().map(|note| Statement::of(note.clone())).collect();
        engine.remember(&caller, statements).expect("memories");
    }
    for some in 0..EVENTS / AT_ONCE {
        let events = (0..AT_ONCE).map(|n| observation(some * AT_ONCE + n)).collect();
        engine.capture(&caller, events).expect("events");
    }
    while engine.work_one("bench").expect("work").is_some() {}
    engine.store().fold_log().expect("a folded log");
}
