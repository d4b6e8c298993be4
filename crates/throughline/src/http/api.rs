//! The interface: the list of its operations, and how a request comes to one of them and back.

use std::sync::Arc;

use anyhow::Result;
use axum::body::Body;
use axum::extract::{FromRequestParts as _, Query, RawPathParams, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, get, on};
use axum::{Json as AsJson, Router};
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::token::Role;

use super::admit::Admitted;
use super::call::{Asked, Call};
use super::operation::Operation;
use super::problem::{Refused, failed};
use super::{
    agents, body, checkpoints, context, events, handoffs, health, hooks, items, knowledge, memories, openapi,
    overview, projects, query, resources, search, sessions,
};
use crate::door::Door;
use crate::places::Places;
use crate::wire::health::Alive;

/// What every operation works with.
pub(super) struct Api {
    pub(super) places: Places,
    pub(super) max_request_bytes: usize,
    /// What is written without naming a session belongs to this run of the server.
    pub(super) session: String,
}

pub(super) fn operations() -> Vec<Operation> {
    [
        projects::operations(),
        overview::operations(),
        events::operations(),
        hooks::operations(),
        sessions::operations(),
        items::operations(),
        context::operations(),
        search::operations(),
        memories::operations(),
        knowledge::operations(),
        handoffs::operations(),
        checkpoints::operations(),
        resources::operations(),
        agents::operations(),
        health::operations(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub(super) fn routes(api: &Arc<Api>) -> Router {
    let operations = operations();
    let document = openapi::document(&operations).to_string();
    let mut router = Router::new().route("/api/health", get(async || AsJson(Alive::NOW))).route(
        "/api/openapi.json",
        get(async move |headers: HeaderMap| answer(&headers, document.into_bytes())),
    );
    for operation in operations {
        let filter = MethodFilter::try_from(operation.method.clone()).expect("operations have usual methods");
        // Only the last part of a path may have slashes in it.
        let path = operation.path.replace("{path}", "{*path}");
        let (api, operation) = (api.clone(), Arc::new(operation));
        let handler =
            async move |request: Request| answered(api, operation, request).await.unwrap_or_else(failed);
        router = router.route(&path, on(filter, handler));
    }
    router.method_not_allowed_fallback(not_allowed)
}

pub(super) async fn not_allowed() -> Response {
    let detail = "this address has no such method; /api/openapi.json says which it has";
    Refused::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail).into_response()
}

async fn answered(api: Arc<Api>, operation: Arc<Operation>, request: Request) -> Result<Response> {
    let (mut parts, body) = request.into_parts();
    let admitted = parts.extensions.get::<Admitted>().cloned().unwrap_or_else(nobody);
    if admitted.role < operation.needs {
        let why = format!(
            "this needs a token of the role {}, and this one has {}; use another",
            operation.needs, admitted.role
        );
        return Err(Refused::forbidden(why).into());
    }
    let (asked, query) = asked(&mut parts, &api, &operation, admitted).await?;
    let body = read_body(&parts, body, &api, &operation).await?;
    let run =
        move |door: &Door| operation.run(&Call { engine: door.engine()?, door, asked: &asked }, query, body);
    Ok(match parts.method {
        Method::GET | Method::HEAD => answer(&parts.headers, api.places.run(run).await?),
        _ => json(api.places.run_writing(run).await?),
    })
}

/// Requests that nobody looked at are asked by nobody who may do anything.
fn nobody() -> Admitted {
    let actor = Actor { kind: ActorKind::User, name: "nobody".to_owned() };
    Admitted { actor, role: Role::Read, project: None, token: None }
}

async fn asked(
    parts: &mut Parts,
    api: &Api,
    operation: &Operation,
    admitted: Admitted,
) -> Result<(Asked, serde_json::Map<String, Json>), Refused> {
    let path = RawPathParams::from_request_parts(parts, &()).await;
    let path = path.map_err(|problem| Refused::unreadable(problem.body_text()))?;
    let path: Vec<(String, String)> =
        path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    if path.iter().any(|(_, value)| value.contains('\0')) {
        return Err(Refused::nul("the path"));
    }
    if path.iter().any(|(_, value)| value.split(['/', '\\']).any(|part| part == "..")) {
        return Err(Refused::unreadable("no name here leads upwards with ..; write the name alone"));
    }
    let Query(mut given) = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
        .map_err(|problem| Refused::unreadable(problem.body_text()))?;
    let named: Vec<String> =
        given.extract_if(.., |(name, _)| name == "project").map(|(_, value)| value).collect();
    let project = match named.as_slice() {
        [] => None,
        [one] if one.contains('\0') => return Err(Refused::nul("project")),
        [one] => Some(one.clone()),
        _ => return Err(Refused::unreadable("give the name of one project, once")),
    };
    let query = query::read(&operation.query, given)?;
    Ok((Asked { project, path, admitted, session: api.session.clone() }, query))
}

async fn read_body(parts: &Parts, body: Body, api: &Api, operation: &Operation) -> Result<Json, Refused> {
    match operation.body {
        Some(_) => body::read(&parts.headers, body, api.max_request_bytes).await,
        None => Ok(Json::Null),
    }
}

/// What was asked for, unless whoever asks has it already.
fn answer(headers: &HeaderMap, written: Vec<u8>) -> Response {
    let tag = tag(&written);
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let is_known = known
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .any(|one| one == "*" || one.trim_start_matches("W/") == tag.trim_start_matches("W/"));
    let mut response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { json(written) };
    let headers = response.headers_mut();
    headers.insert(ETAG, HeaderValue::from_str(&tag).expect("a hash in quotes is a header"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, private"));
    response
}

/// Weak: the same answer may come compressed in several ways.
fn tag(written: &[u8]) -> String {
    let hash = Sha256::digest(written);
    let hex: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("W/\"{hex}\"")
}

fn json(written: Vec<u8>) -> Response {
    let mut response = written.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
