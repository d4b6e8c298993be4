//! Which requests are still being answered, so that the end can wait for them and not for streams that never end.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use tokio::sync::RwLock;

use super::problem::Refused;

/// Each request in progress reads; whoever wants to write has waited for all of them.
#[derive(Clone, Default)]
pub(super) struct InProgress(Arc<RwLock<()>>);

impl InProgress {
    /// Waits until all are answered; none begins after that.
    pub(super) async fn end(self) {
        drop(self.0.write().await);
    }
}

pub(super) async fn track(State(requests): State<InProgress>, request: Request, next: Next) -> Response {
    if is_endless(&request) {
        return next.run(request).await;
    }
    let Ok(place) = requests.0.try_read_owned() else {
        let detail = "the server is about to end; try again when it is up";
        return Refused::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail).into_response();
    };
    let response = next.run(request).await;
    // The closure keeps the place for as long as there is a body, which is until the last of it is on its way.
    response.map(|body| {
        Body::new(body.map_err(move |error| {
            let _ = &place;
            error
        }))
    })
}

/// The streams on which a server speaks by itself: those that a GET opens, and `subscriptions/listen` by the header it must
/// carry.
fn is_endless(request: &Request) -> bool {
    let listens = |method: &[u8]| method == b"subscriptions/listen";
    let is_stream = ["/mcp", "/api/events/stream"].contains(&request.uri().path());
    (request.method() == Method::GET && is_stream)
        || request.headers().get("mcp-method").is_some_and(|method| listens(method.as_bytes()))
}
