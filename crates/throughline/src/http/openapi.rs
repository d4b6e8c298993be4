//! The OpenAPI 3.1 document, made from the list of operations.

use rmcp::model::JsonObject;
use schemars::SchemaGenerator;
use serde_json::{Value as Json, json};

use super::operation::Operation;
use super::schema;
use super::stream::{self, Asked};
use crate::wire::health::Alive;
use crate::wire::problem::Details;
use crate::wire::stream::Change;

/// What can be wrong with any request: the door is closed, the request is not as described here, or it is too much.
const ALWAYS: [(u16, &str); 9] = [
    (400, "The request is not as described here"),
    (401, "A token is needed, or this one is not valid"),
    (403, "Not allowed: another host or site, another project, or a role that is too small"),
    (404, "There is no such thing"),
    (409, "In conflict with what is there"),
    (422, "The request can be read and makes no sense"),
    (429, "Too many requests; Retry-After says when to go on"),
    (500, "A fault of the server"),
    (503, "Not possible just now; Retry-After says when to try again"),
];
const WITH_BODY: [(u16, &str); 3] =
    [(408, "The body did not come in time"), (413, "The body is too large"), (415, "The body is not JSON")];

pub(super) fn document(operations: &[Operation]) -> Json {
    let mut shapes = schema::answers();
    let problem = shapes.subschema_for::<Details>().to_value();
    let mut paths = JsonObject::new();
    for operation in operations {
        let described = described(operation, &mut shapes, &problem);
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method.as_str().to_lowercase()] = described;
    }
    paths.insert("/api/health".to_owned(), health(&mut shapes, &problem));
    paths.insert(stream::PATH.to_owned(), followed(&mut shapes, &problem));
    let schemas = shapes.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Throughline",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "The context and memory engine for AI coding agents",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        // Without a token where the server wants none: a program of this machine.
        "security": [{}, { "token": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
    })
}

fn described(operation: &Operation, shapes: &mut SchemaGenerator, problem: &Json) -> Json {
    let answer = (operation.answer)(shapes).to_value();
    let mut responses = problems(ALWAYS.iter(), problem);
    responses.insert("200".to_owned(), json!({ "description": "The answer", "content": content(answer) }));
    let mut described = json!({
        "operationId": id(operation),
        "summary": operation.about,
        "description": format!("Needs the role {}.", operation.needs),
        "tags": [tag(operation.path)],
        "parameters": parameters(operation),
    });
    match &operation.body {
        Some(body) => {
            responses.extend(problems(WITH_BODY.iter(), problem));
            described["requestBody"] =
                json!({ "required": body.required, "content": content(json!(body.schema)) });
        }
        None if operation.method == "GET" => {
            let unchanged = json!({ "description": "The same as what If-None-Match names" });
            responses.insert("304".to_owned(), unchanged);
        }
        None => {}
    }
    responses.sort_keys();
    described["responses"] = json!(responses);
    described
}

fn health(shapes: &mut SchemaGenerator, problem: &Json) -> Json {
    let answer = shapes.subschema_for::<Alive>().to_value();
    let mut responses = problems(ALWAYS.iter().filter(|(status, _)| [403, 429].contains(status)), problem);
    responses.insert("200".to_owned(), json!({ "description": "It lives", "content": content(answer) }));
    let get = json!({
        "operationId": "get_health",
        "summary": "Whether the server lives",
        "tags": ["health"],
        "security": [],
        "responses": responses,
    });
    json!({ "get": get })
}

/// A WebSocket has no description of its own in OpenAPI: its messages stand with the answer that opens it.
fn followed(shapes: &mut SchemaGenerator, problem: &Json) -> Json {
    let message = shapes.subschema_for::<Change>().to_value();
    let mut responses = problems(ALWAYS.iter(), problem);
    let opened =
        json!({ "description": "The WebSocket is open; each message is", "content": content(message) });
    responses.insert("101".to_owned(), opened);
    responses.extend(problems([(426, "The request opens no WebSocket")].iter(), problem));
    responses.sort_keys();
    let get = json!({
        "operationId": "get_events_stream",
        "summary": "What changes, as it changes: a WebSocket",
        "description": "Needs the role read. A page gives its token as the protocol bearer.TOKEN.",
        "tags": ["events"],
        "parameters": [project(), parameter("from", &json!(stream_from()), false)],
        "responses": responses,
    });
    json!({ "get": get })
}

fn stream_from() -> Json {
    let asked = schema::input::<Asked>();
    asked.get("properties").and_then(|known| known.get("from")).cloned().unwrap_or_default()
}

fn content(schema: Json) -> Json {
    json!({ "application/json": { "schema": schema } })
}

fn problems<'a>(of: impl Iterator<Item = &'a (u16, &'a str)>, problem: &Json) -> JsonObject {
    let response = |(status, description): &(u16, &str)| {
        let content = json!({ "application/problem+json": { "schema": problem } });
        (status.to_string(), json!({ "description": description, "content": content }))
    };
    of.map(response).collect()
}

/// Those of the path, the project, and those after the question mark.
fn parameters(operation: &Operation) -> Vec<Json> {
    let in_path = variables(operation.path).map(|name| {
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } })
    });
    let required = operation.query.get("required").and_then(Json::as_array);
    let is_required = |name: &String| required.is_some_and(|all| all.contains(&json!(name)));
    let known = operation.query.get("properties").and_then(Json::as_object);
    let in_query =
        known.into_iter().flatten().map(|(name, schema)| parameter(name, schema, is_required(name)));
    in_path.chain([project()]).chain(in_query).collect()
}

fn project() -> Json {
    json!({
        "name": "project",
        "in": "query",
        "description": "The project by name; the server's own without it",
        "schema": { "type": "string" },
    })
}

fn parameter(name: &str, schema: &Json, required: bool) -> Json {
    let mut schema = schema.clone();
    let description = schema.as_object_mut().and_then(|schema| schema.shift_remove("description"));
    without_null(&mut schema);
    if schema["type"] == "boolean" {
        // `?explain` alone says yes.
        let default = schema["default"].take();
        schema = json!({ "anyOf": [{ "type": "boolean" }, { "const": "" }], "default": default });
    }
    let mut parameter = json!({ "name": name, "in": "query", "required": required, "schema": schema });
    if let Some(description) = description {
        parameter["description"] = description;
    }
    parameter
}

/// A parameter that is not there is left out; there is no null in an address.
fn without_null(schema: &mut Json) {
    if let Some(Json::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Json::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if schema.get("default").is_some_and(Json::is_null) {
        schema.as_object_mut().and_then(|schema| schema.shift_remove("default"));
    }
    let only = schema.get_mut("anyOf").and_then(Json::as_array_mut).and_then(|branches| {
        branches.retain(|branch| *branch != json!({ "type": "null" }));
        if let [only] = branches.as_slice() { Some(only.clone()) } else { None }
    });
    if let Some(only) = only {
        *schema = only;
    }
}

fn variables(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

/// The first word after `/api/`.
fn tag(path: &str) -> &str {
    path.split('/').nth(2).unwrap_or_default()
}

fn id(operation: &Operation) -> String {
    let path = operation.path.trim_start_matches("/api/").replace(['{', '}'], "");
    format!("{}_{}", operation.method.as_str().to_lowercase(), path.replace(['/', '-'], "_"))
}
