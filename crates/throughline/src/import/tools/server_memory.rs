//! The official memory server's file, and those of its descendants: a graph of entities with observations and of relations
//! between them, one JSON object on a line, or one document with both lists.

use serde_json::Value as Json;
use throughline_engine::store::memory::Kind;

use super::{Kept, Told, kind_named};
use crate::wire::time::parse_exact;

pub(super) fn read(text: &str, file: &str) -> Kept {
    let mut kept = Kept::default();
    if let Ok(Json::Object(whole)) = serde_json::from_str::<Json>(text)
        && (whole.contains_key("entities") || whole.contains_key("relations"))
    {
        let list = |name: &str| whole.get(name).and_then(Json::as_array).into_iter().flatten();
        list("entities")
            .enumerate()
            .for_each(|(n, one)| entity(one, &format!("{file} entity {}", n + 1), &mut kept));
        list("relations")
            .enumerate()
            .for_each(|(n, one)| relation(one, &format!("{file} relation {}", n + 1), &mut kept));
        return kept;
    }
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("{file}:{}", number + 1);
        match serde_json::from_str::<Json>(line) {
            Ok(one) if one["type"] == "entity" => entity(&one, &place, &mut kept),
            Ok(one) if one["type"] == "relation" => relation(&one, &place, &mut kept),
            Ok(one) => kept.left_out.push(format!("{place}: unknown type {}", one["type"])),
            Err(error) => kept.left_out.push(format!("{place}: not JSON ({error})")),
        }
    }
    kept
}

/// Each observation is a statement about the entity; alone it would not say about what.
fn entity(entity: &Json, place: &str, kept: &mut Kept) {
    let (Some(name), Some(observations)) = (entity["name"].as_str(), entity["observations"].as_array())
    else {
        kept.left_out.push(format!("{place}: an entity without name or observations"));
        return;
    };
    let sort = entity["entityType"].as_str().unwrap_or_default();
    if observations.is_empty() {
        kept.left_out.push(format!("{place}: the entity {name:?} has no observations"));
    }
    for observation in observations {
        let Some(text) = observation.as_str().or_else(|| observation["content"].as_str()) else {
            kept.left_out.push(format!("{place}: an observation that is no text"));
            continue;
        };
        kept.add(Told {
            kind: kind_named(sort),
            title: None,
            text: if mentions(text, name) { text.to_owned() } else { format!("{name}: {text}") },
            tags: vec![name.to_owned(), sort.to_owned()],
            at: entity["createdAt"].as_str().and_then(|at| parse_exact(at).ok()),
            place: place.to_owned(),
        });
    }
}

fn relation(relation: &Json, place: &str, kept: &mut Kept) {
    let field = |name: &str| relation[name].as_str().filter(|text| !text.is_empty());
    let (Some(from), Some(to), Some(sort)) = (field("from"), field("to"), field("relationType")) else {
        kept.left_out.push(format!("{place}: a relation without from, to or relationType"));
        return;
    };
    kept.add(Told {
        kind: Kind::Fact,
        title: None,
        text: format!("{from} {} {to}", sort.replace('_', " ")),
        tags: vec![from.to_owned(), to.to_owned()],
        at: relation["createdAt"].as_str().and_then(|at| parse_exact(at).ok()),
        place: place.to_owned(),
    });
}

fn mentions(text: &str, name: &str) -> bool {
    text.to_lowercase().contains(&name.to_lowercase())
}
