//! The schemas of what goes in and what comes out, made from the types that are read and written.

use rmcp::model::JsonObject;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value as Json, json};

/// What comes in: whole, without references.
pub(super) fn input<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    match settings.into_generator().into_root_schema_for::<T>().to_value() {
        Json::Object(mut schema) => {
            schema.shift_remove("title");
            bound(&mut schema);
            schema
        }
        other => unreachable!("what is read is an object, not {other}"),
    }
}

/// What goes out refers to shapes that all answers share.
pub(super) fn answers() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.meta_schema = None;
        settings.definitions_path = "/components/schemas".into();
    });
    settings.into_generator()
}

/// A whole number has 64 bits, which its format says to people and its bounds to programs.
fn bound(schema: &mut JsonObject) {
    let bits = schema.get("format").and_then(Json::as_str).map(str::to_owned);
    let bounds = match bits.as_deref() {
        Some("int64") => Some((json!(i64::MIN), json!(i64::MAX))),
        Some("uint64" | "uint") => Some((json!(0), json!(u64::MAX))),
        _ => None,
    };
    if let Some((least, most)) = bounds {
        schema.entry("minimum").or_insert(least);
        schema.entry("maximum").or_insert(most);
    }
    for value in schema.values_mut() {
        match value {
            Json::Object(inner) => bound(inner),
            Json::Array(list) => list.iter_mut().filter_map(Json::as_object_mut).for_each(bound),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
        }
    }
}
