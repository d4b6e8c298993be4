//! The events of a range as a model is shown them: a line for each, as long as there is room for all.

use throughline_inference::tokens;
use throughline_store::event::{Event, Kind};

use crate::capture::{shortened, without_controls};
use crate::unfinished::{flag, is_passed};

/// How much of what somebody says is shown, the most that leaves room for every event; of what a tool says, half.
const CHARS: [usize; 5] = [1200, 500, 200, 90, 40];
/// What it may take to say that some are not shown.
const NOTE_TOKENS: u64 = 20;

/// At most so many tokens. What finds no room even so is the oldest, and it is said how many events that are, with those that
/// were older still.
pub(super) fn within(events: &[Event], older: usize, max_tokens: u64) -> String {
    let without_note = max_tokens.saturating_sub(NOTE_TOKENS);
    let mut lines = vec![];
    for chars in CHARS {
        lines = events.iter().filter_map(|event| line(event, chars)).collect::<Vec<_>>();
        if older == 0 && tokens::fits(&lines.concat(), max_tokens) {
            return lines.concat();
        }
        if older > 0 && tokens::fits(&lines.concat(), without_note) {
            break;
        }
    }
    let mut left = without_note;
    let fits = |line: &&String| {
        let price = tokens::count(line);
        let fits = price <= left;
        left = left.saturating_sub(price);
        fits
    };
    let newest = lines.iter().rev().take_while(fits).count();
    let not_shown = lines.len() - newest;
    format!("({} events before are not shown)\n{}", older + not_shown, lines[not_shown..].concat())
}

/// A line cannot be taken for another one: it has no line breaks, and we say who speaks.
fn line(event: &Event, chars: usize) -> Option<String> {
    if event.purge.is_some() {
        return None;
    }
    let said = event.content.as_deref().unwrap_or(&event.summary);
    let told = |most: usize| shortened(without_controls(said).trim(), most);
    let target = shortened(&without_controls(event.target.as_deref().unwrap_or(&event.summary)), chars);
    let line = match event.kind {
        Kind::UserMessage => format!("user: {}", told(chars)),
        Kind::ModelMessage => format!("assistant: {}", told(chars)),
        Kind::Decision => format!("decided: {}", told(chars)),
        Kind::ToolCall => format!("ran: {target}{}", ended(event)),
        Kind::ToolResult => format!("output of {target}{}: {}", ended(event), told(chars / 2)),
        Kind::Read => format!("read: {target}"),
        Kind::Write | Kind::ResourceWritten => format!("wrote: {target}"),
        Kind::Search => format!("searched: {target}"),
        Kind::ValidationGate if is_passed(event) => format!("gate passed: {target}"),
        Kind::ValidationGate => format!("gate not passed: {target}"),
        Kind::SystemEvent if event.informs.is_some() => format!("remembered: {}", told(chars)),
        Kind::ItemCreated | Kind::ItemUpdated | Kind::ItemDeleted | Kind::TaskCompleted | Kind::Handoff => {
            format!("work: {}", shortened(&without_controls(&event.summary), chars))
        }
        Kind::MemoryRecall | Kind::Checkpoint | Kind::SystemEvent => return None,
    };
    Some(line + "\n")
}

fn ended(event: &Event) -> &'static str {
    match flag(event, &["ok"]) {
        Some(false) => " (failed)",
        Some(true) | None => "",
    }
}
