//! What every answer carries: the id of its request, and what a browser may do with it.

use axum::extract::Request;
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::middleware::Next;
use axum::response::Response;
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const MAX_ID_CHARS: usize = 100;
/// Pages get everything from this server, nothing from elsewhere and nothing inline, and are part of no other page.
const POLICY: &str =
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const ALWAYS: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

pub(super) async fn around(request: Request, next: Next) -> Response {
    let clock = Clock::system();
    let began = clock.now();
    let id = id(request.headers()).unwrap_or_else(|| Ids::system().next(began));
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = next.run(request).await;
    let (status, duration) = (response.status().as_u16(), clock.now().since(began));
    tracing::info!(request.id = id, %method, path, status, duration_ms = duration.as_millis() as u64, "request");
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    response
}

/// Its sender's own, where it can be shown in a log.
fn id(headers: &HeaderMap) -> Option<String> {
    let given = headers.get(REQUEST_ID)?.to_str().ok()?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/+=".contains(c);
    ((1..=MAX_ID_CHARS).contains(&given.len()) && given.chars().all(is_plain)).then(|| given.to_owned())
}
