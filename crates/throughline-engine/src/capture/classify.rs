//! What follows from an observation's kind: its role, and a one-line summary.

use throughline_store::actor::ActorKind;
use throughline_store::event::{Kind, Role};

const SUMMARY_CHARS: usize = 160;

pub(super) fn role(kind: Kind, actor: ActorKind) -> Role {
    match kind {
        Kind::UserMessage => Role::User,
        Kind::ModelMessage | Kind::ToolCall => Role::Assistant,
        Kind::ToolResult => Role::Tool,
        Kind::MemoryRecall | Kind::Checkpoint | Kind::SystemEvent | Kind::ValidationGate => Role::System,
        Kind::Read
        | Kind::Write
        | Kind::Search
        | Kind::Decision
        | Kind::ItemCreated
        | Kind::ItemUpdated
        | Kind::ItemDeleted
        | Kind::ResourceWritten
        | Kind::TaskCompleted
        | Kind::Handoff => match actor {
            ActorKind::User => Role::User,
            ActorKind::Agent => Role::Assistant,
        },
    }
}

/// The given summary, else the first line that says something, else what was done to what.
pub(super) fn summary(
    kind: Kind,
    given: Option<String>,
    content: Option<&str>,
    target: Option<&str>,
) -> String {
    let line = |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    let text = given
        .as_deref()
        .and_then(line)
        .or_else(|| content.and_then(line))
        .unwrap_or_else(|| target.map_or_else(|| kind.to_string(), |target| format!("{kind} {target}")));
    one_line(&text)
}

/// A summary's length, and no line breaks or other control characters.
pub(crate) fn one_line(text: &str) -> String {
    shortened(&without_controls(text), SUMMARY_CHARS)
}

/// A space for every line break and other control character.
pub(crate) fn without_controls(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// At most `chars` characters; a cut is shown.
pub(crate) fn shortened(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some(_) => text.chars().take(chars - 1).chain(['…']).collect(),
    }
}
