//! A context in JSON.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value as Json;
use throughline_engine::hydrate::Piece;

use super::passage::Passage;
use super::shape::{Activity, Dependency, Document, Entity, Known, SessionSummary, Suggestion};

/// On one line that ends.
pub(super) fn compact<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = serde_json::to_string(value).expect("our shapes are valid JSON");
    text.push('\n');
    text
}

/// For people: one line for each field of a section and for each entry of a list.
pub(super) fn pretty<T: Serialize + ?Sized>(value: &T) -> String {
    let value = serde_json::to_value(value).expect("our shapes are valid JSON");
    let mut text = String::new();
    lay_out(&mut text, &value, "\n");
    text.push('\n');
    text
}

/// What every line of a section begins with.
const IN_A_SECTION: &str = "\n  ";

/// `line` is a line break with what every line begins with.
fn lay_out(text: &mut String, value: &Json, line: &str) {
    let inner = format!("{line}  ");
    match value {
        Json::Array(list) if is_open(list.iter(), line) => {
            text.push('[');
            for (place, entry) in list.iter().enumerate() {
                let _ = write!(text, "{}{inner}", if place == 0 { "" } else { "," });
                lay_out(text, entry, &inner);
            }
            let _ = write!(text, "{line}]");
        }
        Json::Object(fields) if is_open(fields.values(), line) => {
            text.push('{');
            for (place, (name, field)) in fields.iter().enumerate() {
                let between = if place == 0 { "" } else { "," };
                let _ = write!(text, "{between}{inner}{}: ", Json::from(name.as_str()));
                lay_out(text, field, &inner);
            }
            let _ = write!(text, "{line}}}");
        }
        short => text.push_str(&short.to_string()),
    }
}

fn is_open<'a>(mut inside: impl Iterator<Item = &'a Json>, line: &str) -> bool {
    line.len() <= IN_A_SECTION.len() || inside.any(|value| value.is_object() || value.is_array())
}

/// One entry.
pub(super) fn piece(piece: &Piece<'_>) -> String {
    match piece {
        Piece::Session(session) => compact(&SessionSummary::from(*session)),
        Piece::Suggestion(suggestion) => compact(&Suggestion::from(*suggestion)),
        Piece::Dependency(dependency) => compact(&Dependency::from(*dependency)),
        Piece::Entity(entity) => compact(&Entity::from(*entity)),
        Piece::Known(known) => compact(&Known::from(*known)),
        Piece::Passage(passage) => compact(&Passage::from(*passage)),
        Piece::Document(document) => compact(&Document::from(*document)),
        Piece::Activity(activity) => compact(&Activity::from(*activity)),
    }
}
