//! A context in JSON.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value as Json;
use throughline_engine::hydrate::Piece;

use super::shape::{Activity, Dependency, Document, Entity, Known, SessionSummary, Suggestion};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Compact,
    Pretty,
}

impl Style {
    fn write<T: Serialize>(self, value: &T) -> String {
        match self {
            Style::Compact => compact(value),
            Style::Pretty => pretty(value),
        }
    }
}

/// On one line that ends.
pub(super) fn compact<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = serde_json::to_string(value).expect("our shapes are valid JSON");
    text.push('\n');
    text
}

/// For people: what holds nothing but short values stays on its line.
pub(super) fn pretty<T: Serialize + ?Sized>(value: &T) -> String {
    let value = serde_json::to_value(value).expect("our shapes are valid JSON");
    let mut text = String::new();
    lay_out(&mut text, &value, "\n");
    text.push('\n');
    text
}

const LINE_BYTES: usize = 100;

/// `line` is a line break with what every line begins with.
fn lay_out(text: &mut String, value: &Json, line: &str) {
    let inner = format!("{line}  ");
    let mut between = "";
    let mut next = |text: &mut String| {
        text.push_str(between);
        text.push_str(&inner);
        between = ",";
    };
    match value {
        Json::Array(list) if is_long(value, list.iter()) => {
            text.push('[');
            for entry in list {
                next(text);
                lay_out(text, entry, &inner);
            }
            let _ = write!(text, "{line}]");
        }
        Json::Object(fields) if is_long(value, fields.values()) => {
            text.push('{');
            for (name, field) in fields {
                next(text);
                let _ = write!(text, "{}: ", Json::from(name.as_str()));
                lay_out(text, field, &inner);
            }
            let _ = write!(text, "{line}}}");
        }
        short => text.push_str(&short.to_string()),
    }
}

fn is_long<'a>(value: &Json, mut inside: impl Iterator<Item = &'a Json>) -> bool {
    inside.any(|value| value.is_object() || value.is_array()) || value.to_string().len() > LINE_BYTES
}

/// One entry.
pub(super) fn piece(piece: &Piece<'_>, style: Style) -> String {
    match piece {
        Piece::Session(session) => style.write(&SessionSummary::from(*session)),
        Piece::Suggestion(suggestion) => style.write(&Suggestion::from(*suggestion)),
        Piece::Dependency(dependency) => style.write(&Dependency::from(*dependency)),
        Piece::Entity(entity) => style.write(&Entity::from(*entity)),
        Piece::Known(known) => style.write(&Known::from(*known)),
        Piece::Document(document) => style.write(&Document::from(*document)),
        Piece::Activity(activity) => style.write(&Activity::from(*activity)),
    }
}
