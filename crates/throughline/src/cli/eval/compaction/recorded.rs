//! Sessions that really took place, from the transcripts that clients keep, as hooks would have recorded them.
//!
//! Nobody has written down what a step of a real session needed to know. What can be told is this: an agent that names
//! a file or an identifier again, which nothing spoke of for a while, had to know that name. It asks with the words it
//! used for the step, without the name.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Result, bail};
use throughline_engine::capture::{Observation, SessionRef};
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

use super::recording::{Fact, Recording, Sort, Step};
use crate::import::{Keeper, whole};

/// What was named within so many events is before the model in any case.
const A_WHILE: usize = 30;
const SHORTEST_NAME: usize = 8;
const SHOWN_OF_A_COMMAND: usize = 30;
/// Commands that look, move and write; others run something that can be wrong.
const LOOKS: &str = "awk cat cd chmod cp curl diff echo export find git grep head ls mkdir mv nl patch pip pwd rg rm sed sort \
    tail test touch wc which xargs";

pub(super) fn session(path: &Path) -> Result<Recording> {
    let keeper = if Keeper::Codex.keeps(path) { Keeper::Codex } else { Keeper::ClaudeCode };
    let past = whole(keeper, path)?;
    let own = past.into_iter().map(|past| past.observation).filter(is_of_the_main_agent);
    let mut steps: Vec<Step> = own.map(step).collect();
    if steps.is_empty() {
        bail!("{} tells of no events; it takes a transcript of Claude Code or Codex", path.display());
    }
    see_what_is_needed(&mut steps);
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Recording { name, steps })
}

/// A sub-agent has a context of its own.
fn is_of_the_main_agent(observation: &Observation) -> bool {
    !matches!(&observation.session, SessionRef::Of { session, .. } if session.contains('/'))
}

fn step(observation: Observation) -> Step {
    let Observation { at, kind, target, content, parts, .. } = observation;
    let failed = kind == Kind::ToolResult && parts.as_ref().is_some_and(|parts| parts["ok"] == false);
    let ran = target.as_deref().filter(|_| failed).and_then(program_run);
    let fact = ran.map(|ran| Fact {
        sort: Sort::Error,
        phrase: ran.chars().take(SHOWN_OF_A_COMMAND).collect(),
        question: ran.to_owned(),
    });
    Step { at: at.unwrap_or(Timestamp(0)), kind, target, content, parts, fact, needs: vec![] }
}

/// The part of a command line that ran something; to look around in vain leaves nothing open.
fn program_run(line: &str) -> Option<&str> {
    let parts = line.split("&&").flat_map(|part| part.split(';')).map(str::trim);
    let of_program = |part: &&str| {
        let mut words = part.split_whitespace();
        let program = words.find(|word| !word.contains('=')).unwrap_or_default();
        let name = program.rsplit('/').next().unwrap_or(program);
        !LOOKS.split(' ').any(|look| look == name) && part.contains(' ') && !part.ends_with("--version")
    };
    // What is given as text, in place of a file, nobody runs a second time.
    parts.into_iter().find(of_program).filter(|_| !line.contains(" -c "))
}

fn see_what_is_needed(steps: &mut [Step]) {
    let mut last_named: HashMap<String, usize> = HashMap::new();
    let mut thought = String::new();
    for (place, step) in steps.iter_mut().enumerate() {
        let target = step.target.clone().unwrap_or_default();
        if matches!(step.kind, Kind::ToolCall | Kind::Read | Kind::Write | Kind::Search) {
            let is_back = |name: &&str| {
                last_named.get(*name).is_some_and(|last| place - last > A_WHILE) && !is_made_by(&target, name)
            };
            step.needs = names(&target).filter(is_back).map(|name| need(name, &thought, &target)).collect();
        }
        if matches!(step.kind, Kind::ModelMessage | Kind::UserMessage) {
            thought = step.content.clone().unwrap_or_default();
        }
        for text in [step.target.as_deref(), step.content.as_deref()].into_iter().flatten() {
            last_named.extend(names(text).map(|name| (name.to_owned(), place)));
        }
    }
}

/// A file that the step itself makes has its name from nowhere else.
fn is_made_by(command: &str, name: &str) -> bool {
    let before = command.split(name).next().unwrap_or_default().trim_end();
    ["> ", ">> ", "tee ", "touch ", "mkdir ", "mkdir -p "]
        .iter()
        .any(|made| before.ends_with(made.trim_end()))
}

fn need(name: &str, thought: &str, target: &str) -> Fact {
    let question = format!("{thought} {target}").replace(name, " ");
    Fact { sort: Sort::Name, phrase: name.to_owned(), question }
}

/// Paths and identifiers: words that stand in no dictionary.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "_./-".contains(c);
    text.split(move |c| !is_part(c)).map(|word| word.trim_matches(['.', '-', '/'])).filter(|word| {
        let inner_capital =
            word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
        let is_path = word.contains('/') && word.split('/').all(|part| part.len() > 1);
        let is_word = !word.contains('/') && (word.contains('_') || inner_capital);
        word.len() >= SHORTEST_NAME && (is_path || is_word)
    })
}
