//! A request as a trace shows it, with what it led to inside. Only where traces were asked for.

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use throughline_engine::span::TARGET;
use tracing::Instrument as _;
use tracing::field::Empty;

pub(super) async fn around(request: Request, next: Next) -> Response {
    if !tracing::enabled!(target: TARGET, tracing::Level::INFO) {
        return next.run(request).await;
    }
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str);
    let method = request.method().as_str();
    let span = tracing::info_span!(
        target: TARGET,
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        otel.parent = request.headers().get("traceparent").and_then(|header| header.to_str().ok()),
        http.request.method = method,
        http.route = route,
        url.path = request.uri().path(),
        url.scheme = "http",
        http.response.status_code = Empty,
        "error.type" = Empty,
    );
    let response = next.run(request).instrument(span.clone()).await;
    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("error.type", status.as_str());
    }
    response
}
