//! Whether what a model wrote has the shape that was asked for, and what is wrong where it has not.
//!
//! Of JSON schemas it knows what our questions use: types, `properties` with `required` and nothing beside them, `items`
//! and `maxItems`, `enum`, `maxLength`, `minimum` and `maximum`.

use serde_json::Value as Json;

/// The document in a text, which models like to put between other words; the last that fits, as they try before they are
/// sure.
pub fn read(text: &str, schema: &Json) -> Result<Json, String> {
    let documents = match serde_json::from_str(text.trim()) {
        Ok(whole) => vec![whole],
        Err(_) => objects(after_thinking(text)),
    };
    let mut read = Err("there is no JSON document in the answer".to_owned());
    for document in documents {
        match check(&document, schema, "the answer") {
            Ok(()) => read = Ok(document),
            Err(why) if read.is_err() => read = Err(why),
            Err(_) => {}
        }
    }
    read
}

/// Without what a model says to itself; some servers leave out where that begins.
fn after_thinking(text: &str) -> &str {
    let said = text.rsplit_once("</think>").map_or(text, |(_, said)| said);
    said.split_once("<think>").map_or(said, |(said, _)| said)
}

/// The JSON objects between other words. No part of the text is parsed twice.
fn objects(text: &str) -> Vec<Json> {
    let (mut found, mut rest) = (vec![], text);
    while let Some(begin) = rest.find('{') {
        rest = &rest[begin..];
        let mut objects = serde_json::Deserializer::from_str(rest).into_iter();
        let used = match objects.next() {
            Some(Ok(object)) => {
                found.push(object);
                objects.byte_offset()
            }
            // It was cut off: what is whole inside of it is not the answer.
            Some(Err(error)) if error.is_eof() => break,
            Some(Err(error)) => place(rest, &error).max(1),
            None => break,
        };
        rest = &rest[rest.ceil_char_boundary(used)..];
    }
    found
}

/// Up to which byte a text could have been JSON.
fn place(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1)
}

fn check(value: &Json, schema: &Json, at: &str) -> Result<(), String> {
    match schema["type"].as_str() {
        Some("object") => object(value, schema, at),
        Some("array") => array(value, schema, at),
        Some("string") => string(value, schema, at),
        Some("integer") if value.as_i64().is_none() => Err(format!("{at} must be a whole number")),
        Some("integer" | "number") => number(value, schema, at),
        Some("boolean") if !value.is_boolean() => Err(format!("{at} must be true or false")),
        _ => Ok(()),
    }
}

fn object(value: &Json, schema: &Json, at: &str) -> Result<(), String> {
    let fields = value.as_object().ok_or_else(|| format!("{at} must be an object"))?;
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
    for name in required {
        if !fields.contains_key(name) {
            return Err(format!("{at} must have `{name}`"));
        }
    }
    for (name, field) in fields {
        match schema["properties"].get(name) {
            Some(schema) => check(field, schema, &format!("{at}.{}", shown(name)))?,
            None => return Err(format!("{at} must not have `{}`", shown(name))),
        }
    }
    Ok(())
}

fn array(value: &Json, schema: &Json, at: &str) -> Result<(), String> {
    let entries = value.as_array().ok_or_else(|| format!("{at} must be a list"))?;
    if let Some(most) = schema["maxItems"].as_u64()
        && entries.len() as u64 > most
    {
        return Err(format!("{at} must have at most {most} entries"));
    }
    entries
        .iter()
        .enumerate()
        .try_for_each(|(place, entry)| check(entry, &schema["items"], &format!("{at}[{place}]")))
}

fn string(value: &Json, schema: &Json, at: &str) -> Result<(), String> {
    let text = value.as_str().ok_or_else(|| format!("{at} must be a string"))?;
    if let Some(known) = schema["enum"].as_array()
        && !known.contains(value)
    {
        let known: Vec<&str> = known.iter().filter_map(Json::as_str).collect();
        return Err(format!("{at} must be one of {}", known.join(", ")));
    }
    match schema["maxLength"].as_u64() {
        Some(most) if text.chars().count() as u64 > most => {
            Err(format!("{at} must have at most {most} characters"))
        }
        _ => Ok(()),
    }
}

fn number(value: &Json, schema: &Json, at: &str) -> Result<(), String> {
    let number = value.as_f64().ok_or_else(|| format!("{at} must be a number"))?;
    let is_below = schema["minimum"].as_f64().is_some_and(|least| number < least);
    let is_above = schema["maximum"].as_f64().is_some_and(|most| number > most);
    match is_below || is_above {
        true => Err(format!("{at} must be between {} and {}", schema["minimum"], schema["maximum"])),
        false => Ok(()),
    }
}

/// What a model made up is repeated only so far.
fn shown(name: &str) -> String {
    name.chars().take(40).collect()
}
