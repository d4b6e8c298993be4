//! Reading what others write: whatever is missing or of another type is not there.

use serde_json::Value as Json;

/// The first of these fields that is a text and says something.
pub(crate) fn text<'a>(json: &'a Json, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| json.get(*name)?.as_str().filter(|text| !text.trim().is_empty()))
}

pub(crate) fn number(json: &Json, names: &[&str]) -> Option<i64> {
    names.iter().find_map(|name| json.get(*name)?.as_i64())
}

pub(crate) fn is_true(json: &Json, name: &str) -> bool {
    json.get(name).and_then(Json::as_bool) == Some(true)
}

/// Texts of a list; other entries are left out.
pub(crate) fn texts<'a>(json: &'a Json, name: &str) -> Vec<&'a str> {
    let items = json.get(name).and_then(Json::as_array);
    items.map(|items| items.iter().filter_map(Json::as_str).collect()).unwrap_or_default()
}
