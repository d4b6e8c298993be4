//! What a session did, one line each: the same thing done again is the same line, with how often.

use serde_json::Value as Json;
use throughline_store::event::{Event, Kind};

use super::Include;
use crate::capture::shortened;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The place of the first time in the session.
    pub sequence: i64,
    pub kind: Kind,
    pub target: Option<String>,
    /// What the target alone does not say.
    pub summary: Option<String>,
    pub rationale: Option<String>,
    pub times: usize,
    pub failures: usize,
    /// Whether it failed when it was done last.
    pub fails: bool,
}

const TARGET_CHARS: usize = 90;
const SUMMARY_CHARS: usize = 110;
const RATIONALE_CHARS: usize = 140;

/// Those that are asked for, in the order of the first time.
pub(super) fn all(events: &[Event], include: Include) -> Vec<Operation> {
    let mut operations: Vec<Operation> = vec![];
    for event in events.iter().filter(|event| is_listed(event, include)) {
        let again = |known: &&mut Operation| {
            may_repeat(event.kind) && known.kind == event.kind && known.is_of(event.target.as_deref())
        };
        match operations.iter_mut().find(again) {
            Some(known) => known.done_again(event),
            None => operations.push(Operation::of(event)),
        }
    }
    operations
}

/// What matters most to who goes on comes first: a lower number.
pub(super) fn rank(operation: &Operation) -> u8 {
    match operation.kind {
        Kind::Decision => 0,
        Kind::UserMessage | Kind::TaskCompleted | Kind::ValidationGate | Kind::Handoff => 1,
        Kind::ToolCall if operation.fails => 1,
        Kind::Write | Kind::ResourceWritten | Kind::ItemCreated | Kind::ItemUpdated | Kind::ItemDeleted => 2,
        Kind::ToolCall | Kind::Checkpoint => 3,
        Kind::Read | Kind::Search => 4,
        Kind::ModelMessage | Kind::ToolResult | Kind::MemoryRecall | Kind::SystemEvent => 5,
    }
}

fn is_listed(event: &Event, include: Include) -> bool {
    match event.kind {
        Kind::Decision => include.decisions,
        Kind::Read | Kind::Search => include.reads,
        Kind::Write | Kind::ResourceWritten => include.writes,
        Kind::UserMessage
        | Kind::ToolCall
        | Kind::ValidationGate
        | Kind::ItemCreated
        | Kind::ItemUpdated
        | Kind::ItemDeleted
        | Kind::TaskCompleted
        | Kind::Handoff
        | Kind::Checkpoint => true,
        // A result stands beside its call; the rest is said about the session, not done in it.
        Kind::ModelMessage | Kind::ToolResult | Kind::MemoryRecall | Kind::SystemEvent => false,
    }
}

fn may_repeat(kind: Kind) -> bool {
    matches!(kind, Kind::Read | Kind::Search | Kind::Write | Kind::ToolCall | Kind::ResourceWritten)
}

impl Operation {
    fn of(event: &Event) -> Operation {
        let fails = has_failed(event);
        Operation {
            sequence: event.sequence,
            kind: event.kind,
            target: event.target.as_deref().map(|target| shortened(target, TARGET_CHARS)),
            summary: beyond_target(event).map(|text| shortened(text, SUMMARY_CHARS)),
            rationale: event.rationale.as_deref().map(|text| shortened(text, RATIONALE_CHARS)),
            times: 1,
            failures: usize::from(fails),
            fails,
        }
    }

    fn is_of(&self, target: Option<&str>) -> bool {
        target.is_some_and(|target| self.target.as_deref() == Some(&shortened(target, TARGET_CHARS)))
    }

    fn done_again(&mut self, event: &Event) {
        self.fails = has_failed(event);
        self.times += 1;
        self.failures += usize::from(self.fails);
    }
}

/// "wrote src/cart.rs (3 lines)" says "(3 lines)" beyond its target.
fn beyond_target(event: &Event) -> Option<&str> {
    let summary = event.summary.as_str();
    let rest = match event.target.as_deref() {
        Some(target) => match summary.find(target) {
            Some(at) if at <= "resource_written ".len() => {
                summary[at + target.len()..].trim_start_matches([':', ' '])
            }
            _ => summary,
        },
        None => summary,
    };
    let rest = rest.trim_end_matches("(failed)").trim();
    // How many bytes were read tells nobody anything.
    let is_size =
        matches!(event.kind, Kind::Read | Kind::Search | Kind::ToolCall) && rest.ends_with(" bytes)");
    (!rest.is_empty() && !is_size).then_some(rest)
}

pub(super) fn has_failed(event: &Event) -> bool {
    let parts = event.parts.as_deref().and_then(|parts| serde_json::from_str::<Json>(parts).ok());
    parts.and_then(|parts| parts.get("ok")?.as_bool()) == Some(false)
}
