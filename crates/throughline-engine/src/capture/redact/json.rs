//! Which strings of a JSON value are secrets? Each string is a text of its own, and its key may name it.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{assignment, push_marker, text};

/// Redacts every string at any depth; returns how many secrets there were.
pub fn json(value: &mut Value) -> u32 {
    let mut count = 0;
    // A list instead of recursion: values made by a program may be nested deeper than the stack allows.
    let mut waiting = vec![(Cow::Borrowed(""), value)];
    while let Some((name, value)) = waiting.pop() {
        match value {
            Value::String(string) => count += redact(&name, string),
            Value::Array(items) => name_items(&name, items, &mut waiting),
            Value::Object(fields) => {
                count += redact_keys(fields);
                name_fields(fields, &mut waiting);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    count
}

type Named<'a> = (Cow<'a, str>, &'a mut Value);

/// The items of a list have its name, as in `{"Authorization": ["Bearer …"]}`, or that of the flag before
/// them, as in `["--password", "…"]`.
fn name_items<'a>(name: &str, items: &'a mut [Value], waiting: &mut Vec<Named<'a>>) {
    let mut flag = None;
    for item in items {
        let item_name = flag.take().unwrap_or_else(|| name.to_owned());
        flag = item.as_str().and_then(|text| text.strip_prefix("--")).map(str::to_owned);
        if item.is_string() || item.is_array() || item.is_object() {
            waiting.push((Cow::Owned(item_name), item));
        }
    }
}

/// A field has its key for a name; but `{"name": "DB_PASSWORD", "value": "…"}` names its value.
fn name_fields<'a>(fields: &'a mut Map<String, Value>, waiting: &mut Vec<Named<'a>>) {
    let described = ["name", "key"].iter().find_map(|key| fields.get(*key)?.as_str()).map(str::to_owned);
    for (key, value) in fields {
        let name = match &described {
            Some(described) if key == "value" => Cow::Owned(described.clone()),
            _ => Cow::Borrowed(key.as_str()),
        };
        waiting.push((name, value));
    }
}

/// A key can be a secret itself. Only then is the object made anew, in its order.
fn redact_keys(fields: &mut Map<String, Value>) -> u32 {
    let count = fields.keys().map(|key| text(key).count).sum();
    if count > 0 {
        let old = std::mem::take(fields);
        for (key, value) in old {
            let clean = text(&key).text.into_owned();
            // Two secrets have the same marker; a number keeps them apart.
            let numbered = (2..).map(|n| format!("{clean} {n}"));
            let free = std::iter::once(clean.clone()).chain(numbered).find(|key| !fields.contains_key(key));
            fields.insert(free.expect("some number is free"), value);
        }
    }
    count
}

fn redact(name: &str, string: &mut String) -> u32 {
    if let Some(secret) = assignment::in_named_string(name, string) {
        let mut marked = string[..secret.start].to_owned();
        push_marker(&mut marked, secret.rule);
        *string = marked;
        return 1;
    }
    let redacted = text(string);
    let count = redacted.count;
    if let Cow::Owned(clean) = redacted.text {
        *string = clean;
    }
    count
}
