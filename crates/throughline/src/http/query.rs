//! The part of an address after the question mark: texts become what the schema of the parameters says they are.

use rmcp::model::JsonObject;
use serde_json::{Value as Json, json};

use super::problem::Refused;

/// Reads every parameter as its schema has it. One that nobody knows is refused: it would be left out silently else.
pub(super) fn read(schema: &JsonObject, given: Vec<(String, String)>) -> Result<JsonObject, Refused> {
    let mut read = JsonObject::new();
    let known = schema.get("properties").and_then(Json::as_object);
    for (name, text) in given {
        let Some(property) = known.and_then(|known| known.get(&name)) else {
            let names: Vec<&str> = known.into_iter().flat_map(JsonObject::keys).map(String::as_str).collect();
            let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(Refused::unreadable(format!(
                "there is no parameter {name:?} here; beside project there are: {there}"
            )));
        };
        if text.contains('\0') {
            return Err(Refused::nul(&name));
        }
        match list_of(property) {
            Some(element) => {
                let list = read.entry(&name).or_insert_with(|| json!([]));
                let texts: Vec<&str> = match element.contains_key("enum") {
                    true => text.split(',').collect(),
                    false => vec![&text],
                };
                for text in texts {
                    list.as_array_mut().expect("it was made a list").push(value(&name, element, text)?);
                }
            }
            None if read.contains_key(&name) => {
                return Err(Refused::unreadable(format!("{name} is given twice; give it once")));
            }
            None => {
                let property = property.as_object().cloned().unwrap_or_default();
                read.insert(name.clone(), value(&name, &property, &text)?);
            }
        }
    }
    Ok(read)
}

/// The schema of a list's elements.
fn list_of(property: &Json) -> Option<&JsonObject> {
    property.get("items").and_then(Json::as_object)
}

fn value(name: &str, schema: &JsonObject, text: &str) -> Result<Json, Refused> {
    let is = |wanted: &str| match schema.get("type") {
        Some(Json::String(one)) => one == wanted,
        Some(Json::Array(several)) => several.iter().any(|one| one == wanted),
        _ => false,
    };
    if is("integer") {
        let number: i64 = text
            .parse()
            .map_err(|_| Refused::unreadable(format!("{name} is {text:?}; write a whole number")))?;
        return Ok(json!(number));
    }
    if is("number") {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        return number
            .map(|number| json!(number))
            .ok_or_else(|| Refused::unreadable(format!("{name} is {text:?}; write a number")));
    }
    if is("boolean") {
        return match text {
            "true" | "" => Ok(json!(true)),
            "false" => Ok(json!(false)),
            _ => Err(Refused::unreadable(format!("{name} is {text:?}; write true or false"))),
        };
    }
    Ok(json!(text))
}
