//! A hydrated context as it is sent: in JSON, as markdown for prompts, as a tree.

mod json;
#[cfg(test)]
mod laws;
mod markdown;
mod metadata;
mod passage;
mod shape;
mod tree;

use throughline_engine::hydrate::{Hydration, Piece, Rendering};

pub(crate) use metadata::Explanation;
pub(crate) use shape::{Context, Explained, excerpt};

/// What a context can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// One line.
    Json,
    /// For people.
    PrettyJson,
    Markdown,
    /// Markdown inside a JSON document.
    WrappedMarkdown,
    /// Nested, in JSON on one line.
    Tree,
    /// Nested, drawn.
    DrawnTree,
}

const ROOM_FOR_LINES: u64 = 1000;

impl Rendering for Format {
    fn whole(&self, answer: &Hydration) -> String {
        harmless(match self {
            Format::Json => json::compact(&Context::from(answer)),
            // A small budget is not spent on white space.
            Format::PrettyJson if answer.metadata.max_tokens.get() < ROOM_FOR_LINES => {
                json::compact(&Context::from(answer))
            }
            Format::PrettyJson => json::pretty(&Context::from(answer)),
            Format::Markdown => markdown::whole(answer),
            Format::WrappedMarkdown => json::compact(&shape::Wrapped { markdown: markdown::whole(answer) }),
            Format::Tree => json::compact(&tree::Nested::from(answer)),
            Format::DrawnTree => tree::drawn(answer),
        })
    }

    fn piece(&self, piece: &Piece<'_>) -> String {
        match self {
            Format::Json | Format::PrettyJson => json::piece(piece),
            Format::Markdown => markdown::piece(piece),
            Format::WrappedMarkdown => json::compact(&markdown::piece(piece)),
            // An item has a list of those below it.
            Format::Tree => json::piece(piece) + r#","children":[]"#,
            Format::DrawnTree => format!("│  │  ├─ {}", markdown::piece(piece)),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::PrettyJson => "pretty json",
            Format::Markdown => "markdown",
            Format::WrappedMarkdown => "wrapped markdown",
            Format::Tree => "tree",
            Format::DrawnTree => "drawn tree",
        }
    }
}

/// What was recorded may come from anywhere; it must not steer a terminal. Done here, because what is counted is what is
/// sent.
fn harmless(text: String) -> String {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    if text.contains(steers) { text.replace("\r\n", "\n").replace(steers, "\u{fffd}") } else { text }
}
