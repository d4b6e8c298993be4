//! `/mcp`: MCP over streamable HTTP, both with a session per client (2025-11-25 and before) and without (2026-07-28).

use std::sync::Arc;

use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::{Json, Router, middleware};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, ServerHandler};
use serde_json::json;

use super::mcp_sessions::{Sessions, bounded};

const JSON: &[u8] = b"application/json";

/// The route, and what ends its open streams and sessions.
pub(super) fn route<S: ServerHandler>(
    server: impl Fn() -> S + Send + Sync + 'static,
    max_request_bytes: usize,
) -> (Router, impl FnOnce() + Send + 'static) {
    let config = StreamableHttpServerConfig::default()
        // `guard` has looked at Host and Origin, for this path as for all others.
        .disable_allowed_hosts()
        .with_json_response(true)
        .with_max_request_body_bytes(max_request_bytes);
    let streams = config.cancellation_token.clone();
    let sessions = Arc::new(Sessions::default());
    let service = StreamableHttpService::new(move || Ok(server()), sessions.kept.clone(), config);
    let route = Router::new()
        .route_service("/mcp", service)
        .layer(middleware::from_fn_with_state(sessions, bounded))
        .layer(middleware::from_fn(as_expected));
    (route, move || streams.cancel())
}

/// Where the library's HTTP status is not what clients expect.
async fn as_expected(request: Request, next: Next) -> Response {
    let ends_session = request.method() == Method::DELETE;
    let says_json = request.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(JSON));
    let mut response = next.run(request).await;
    match response.status() {
        // The official Python client takes 202 for a failure.
        StatusCode::ACCEPTED if ends_session => *response.status_mut() = StatusCode::NO_CONTENT,
        // The media type was right, the body was not.
        StatusCode::UNSUPPORTED_MEDIA_TYPE if says_json => response = no_message(),
        _ => {}
    }
    response
}

fn no_message() -> Response {
    let error = ErrorData::parse_error("the body is not one JSON-RPC message", None);
    let answer = json!({"jsonrpc": "2.0", "id": null, "error": error});
    (StatusCode::BAD_REQUEST, Json(answer)).into_response()
}
