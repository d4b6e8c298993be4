//! What mem0 gives out: its list of memories as JSON, whole or a line for each.

use serde_json::Value as Json;

use super::{Kept, Told, kind_named};
use crate::wire::time::parse_exact;

/// Where the list is, in the answers of its library, its server and its export.
const LISTS: [&str; 4] = ["results", "memories", "data", "items"];
/// What a memory is called in them.
const TEXTS: [&str; 4] = ["memory", "text", "content", "data"];

pub(super) fn read(text: &str, file: &str) -> Kept {
    let mut kept = Kept::default();
    match serde_json::from_str::<Json>(text) {
        Ok(whole) => {
            let listed = LISTS.iter().find_map(|name| whole[*name].as_array());
            match whole.as_array().or(listed) {
                Some(memories) => memories
                    .iter()
                    .enumerate()
                    .for_each(|(number, one)| memory(one, &format!("{file} #{}", number + 1), &mut kept)),
                // One memory on the only line.
                None => memory(&whole, file, &mut kept),
            }
        }
        Err(_) => lines(text, file, &mut kept),
    }
    kept
}

fn lines(text: &str, file: &str, kept: &mut Kept) {
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("{file}:{}", number + 1);
        match serde_json::from_str::<Json>(line) {
            Ok(one) => memory(&one, &place, kept),
            Err(error) => kept.left_out.push(format!("{place}: not JSON ({error})")),
        }
    }
}

fn memory(one: &Json, place: &str, kept: &mut Kept) {
    let Some(text) = TEXTS.iter().find_map(|name| one[*name].as_str()) else {
        kept.left_out.push(format!("{place}: no memory in it"));
        return;
    };
    let listed = one["categories"].as_array().into_iter().flatten().filter_map(Json::as_str);
    let category = one["metadata"]["category"].as_str();
    let tags: Vec<String> = listed.chain(category).map(str::to_owned).collect();
    let at = ["created_at", "createdAt"].iter().find_map(|name| parse_exact(one[*name].as_str()?).ok());
    let known_by = one["id"].as_str().map(|id| format!("{place} ({id})"));
    kept.add(Told {
        kind: tags.first().map_or_else(|| kind_named(""), |tag| kind_named(tag)),
        title: None,
        text: text.to_owned(),
        tags,
        at,
        place: known_by.unwrap_or_else(|| place.to_owned()),
    });
}
