//! Whether what a model wrote has the shape that was asked for, and what is wrong where it has not.
//!
//! Of JSON schemas it knows what our questions use: types, `properties` with `required` and nothing beside them, `items`
//! and `maxItems`, `enum`, `maxLength`, `minimum` and `maximum`.

use serde_json::Value as Json;

/// The document in a text, which models like to put between other words.
pub fn read(text: &str, schema: &Json) -> Result<Json, String> {
    let document = find(text).ok_or("there is no JSON document in the answer")?;
    check(&document, schema, "the answer")?;
    Ok(document)
}

fn find(text: &str) -> Option<Json> {
    let whole = serde_json::from_str(text.trim()).ok();
    whole.or_else(|| serde_json::from_str(&text[text.find('{')?..=text.rfind('}')?]).ok())
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
