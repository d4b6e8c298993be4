//! `/mcp`: MCP over streamable HTTP, both with a session per client (2025-11-25 and before) and without (2026-07-28).

use std::sync::Arc;

use axum::Router;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

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
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server()), sessions, config);
    (Router::new().route_service("/mcp", service), move || streams.cancel())
}
