//! The commands of a stretch of the log: what was run, how it ended, and what was written in between.

use serde_json::Value as Json;
use throughline_store::event::{Event, Kind};

/// One thing that an agent did, as far as commands and files go.
#[derive(Debug, Clone)]
pub(super) enum Step<'a> {
    Ran(Run<'a>),
    Wrote,
}

#[derive(Debug, Clone)]
pub(super) struct Run<'a> {
    pub(super) event: &'a Event,
    pub(super) line: &'a str,
    pub(super) outcome: Outcome,
    /// What it said when it failed.
    pub(super) error: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    Failed,
    /// Nobody told. Hooks always do, also when it passed; who else appends to the log may not.
    Unknown,
}

/// Longer commands are scripts, and nobody runs them again.
const MAX_CHARS: usize = 200;

/// Commands and writes in their order.
pub(super) fn steps(events: &[Event]) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = vec![];
    for event in events.iter().filter(|event| event.purge.is_none()) {
        match event.kind {
            Kind::ToolCall => steps.extend(run(event).map(Step::Ran)),
            Kind::ToolResult => answer(event, &mut steps),
            Kind::Write => steps.push(Step::Wrote),
            _ => {}
        }
    }
    steps
}

fn run(event: &Event) -> Option<Run<'_>> {
    let parts = parts(event);
    let tool = parts.get("tool").and_then(Json::as_str).unwrap_or_default().to_lowercase();
    let line = event.target.as_deref().map(str::trim).filter(|line| !line.is_empty())?;
    // Other tools have their own name as target.
    let is_shell = ["bash", "shell", "exec", "terminal", "command", "local_shell", "powershell"]
        .iter()
        .any(|shell| tool.contains(shell));
    let is_whole = event.content.as_deref().is_none_or(|content| content.trim() == line);
    (is_shell && is_whole && line.chars().count() <= MAX_CHARS && !line.contains('\n')).then(|| Run {
        event,
        line,
        outcome: outcome(&parts),
        error: "",
    })
}

/// An answer belongs to the last command of the same text.
fn answer<'a>(event: &'a Event, steps: &mut [Step<'a>]) {
    let runs = steps.iter_mut().rev().take(8).filter_map(|step| match step {
        Step::Ran(run) => Some(run),
        Step::Wrote => None,
    });
    let target = event.target.as_deref().map(str::trim);
    let mut runs = runs.filter(|run| target.is_none_or(|target| target == run.line));
    if let Some(run) = runs.next() {
        match outcome(&parts(event)) {
            Outcome::Unknown => {}
            told @ (Outcome::Passed | Outcome::Failed) => run.outcome = told,
        }
        if run.outcome == Outcome::Failed {
            run.error = event.content.as_deref().unwrap_or_default();
        }
    }
}

fn parts(event: &Event) -> Json {
    event.parts.as_deref().and_then(|parts| serde_json::from_str(parts).ok()).unwrap_or(Json::Null)
}

fn outcome(parts: &Json) -> Outcome {
    let code =
        parts.get("exit_code").or_else(|| parts.get("exit")).and_then(Json::as_i64).map(|code| code == 0);
    match parts.get("ok").and_then(Json::as_bool).or(code) {
        Some(true) => Outcome::Passed,
        Some(false) => Outcome::Failed,
        None => Outcome::Unknown,
    }
}
