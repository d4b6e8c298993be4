//! JSON schemas of arguments and answers, cut down to what a model needs: every byte of them is in its context.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value as Json, json};

/// What a tool takes: every argument with what it means.
pub(super) fn input<T: JsonSchema>() -> JsonObject {
    let mut schema = generated::<T>(SchemaSettings::draft2020_12());
    tidy(&mut schema);
    schema
}

/// What a tool answers: the properties that are always there, by name alone. Every byte counts, and what is inside them
/// shows in the answer.
pub(super) fn output<T: JsonSchema>(promised: &[&str]) -> JsonObject {
    let schema = generated::<T>(SchemaSettings::draft2020_12().for_serialize());
    let is_known = |name: &&str| schema.get("properties").is_some_and(|all| all.get(name).is_some());
    debug_assert!(promised.iter().all(is_known), "{promised:?} are properties of the answer");
    let required = (!promised.is_empty()).then(|| ("required".to_owned(), json!(promised)));
    std::iter::once(("type".to_owned(), json!("object"))).chain(required).collect()
}

fn generated<T: JsonSchema>(mut settings: SchemaSettings) -> JsonObject {
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    match settings.into_generator().into_root_schema_for::<T>().to_value() {
        Json::Object(schema) => schema,
        other => unreachable!("arguments and answers are objects, not {other}"),
    }
}

/// Removes what says nothing to a model, here and below.
fn tidy(schema: &mut JsonObject) {
    let is_empty = |value: &Json| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    schema.retain(|key, value| match key.as_str() {
        "title" | "format" => false,
        "default" => !is_empty(value),
        "minimum" => *value != json!(0),
        "additionalProperties" => false,
        _ => true,
    });
    without_null(schema);
    if schema.contains_key("properties") {
        // What the code says about a type is not for models.
        schema.shift_remove("description");
    }
    let properties = schema.get_mut("properties").and_then(Json::as_object_mut);
    properties.into_iter().flatten().filter_map(|(_, property)| property.as_object_mut()).for_each(tidy);
    schema.get_mut("items").and_then(Json::as_object_mut).into_iter().for_each(tidy);
}

/// An argument may always be left out; unions with null only say that, and some clients cannot read them.
fn without_null(schema: &mut JsonObject) {
    if let Some(Json::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Json::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Json::Array(branches)) = schema.get_mut("anyOf") {
        branches.retain(|branch| *branch != json!({ "type": "null" }));
        if let [Json::Object(only)] = branches.as_slice() {
            let only = only.clone();
            schema.shift_remove("anyOf");
            schema.extend(only);
        }
    }
}
