//! A context in JSON.

use serde::Serialize;
use throughline_engine::hydrate::Piece;

use super::shape::{Activity, Dependency, Document, Entity, Known, SessionSummary, Suggestion};

/// On one line that ends.
pub(super) fn compact<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = serde_json::to_string(value).expect("our shapes are valid JSON");
    text.push('\n');
    text
}

pub(super) fn pretty<T: Serialize + ?Sized>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("our shapes are valid JSON");
    text.push('\n');
    text
}

/// One entry as a value.
pub(super) fn piece(piece: &Piece<'_>, write: fn(&serde_json::Value) -> String) -> String {
    let value = match piece {
        Piece::Session(session) => serde_json::to_value(SessionSummary::from(*session)),
        Piece::Suggestion(suggestion) => serde_json::to_value(Suggestion::from(*suggestion)),
        Piece::Dependency(dependency) => serde_json::to_value(Dependency::from(*dependency)),
        Piece::Entity(entity) => serde_json::to_value(Entity::from(*entity)),
        Piece::Known(known) => serde_json::to_value(Known::from(*known)),
        Piece::Document(document) => serde_json::to_value(Document::from(*document)),
        Piece::Activity(activity) => serde_json::to_value(Activity::from(*activity)),
    };
    write(&value.expect("our shapes are valid JSON"))
}
