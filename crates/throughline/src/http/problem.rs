//! A request that is refused: with which status, and what to do about it.

use std::time::Duration;

use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};

use crate::wire::problem::Details;

/// Refused by the door itself, before the engine was asked.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{detail}")]
pub(super) struct Refused {
    status: StatusCode,
    kind: &'static str,
    detail: String,
    wait: Option<Duration>,
}

impl Refused {
    pub(super) fn new(status: StatusCode, kind: &'static str, detail: impl Into<String>) -> Refused {
        Refused { status, kind, detail: detail.into(), wait: None }
    }

    /// The request does not have the form that the interface's description gives it.
    pub(super) fn unreadable(detail: impl Into<String>) -> Refused {
        Refused::new(StatusCode::BAD_REQUEST, "unreadable", detail)
    }

    /// A text that no name here is.
    pub(super) fn nul(what: &str) -> Refused {
        let detail = format!("{what} has U+0000 in it, which no text here has; leave it out");
        Refused::new(StatusCode::UNPROCESSABLE_ENTITY, "usage", detail)
    }

    pub(super) fn too_slow() -> Refused {
        let detail = "the body did not come in time; send it faster";
        Refused::new(StatusCode::REQUEST_TIMEOUT, "too_slow", detail)
    }

    pub(super) fn forbidden(detail: impl Into<String>) -> Refused {
        Refused::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    pub(super) fn not_here() -> Refused {
        let detail = "there is nothing at this address; /api/openapi.json lists what there is";
        Refused::new(StatusCode::NOT_FOUND, "not_found", detail)
    }

    pub(super) fn after(self, wait: Duration) -> Refused {
        Refused { wait: Some(wait), ..self }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        response(&Details::new(self.status.as_u16(), self.kind, self.detail), self.wait)
    }
}

/// When to try again what another process was in the way of.
const WHEN_BUSY: Duration = Duration::from_secs(1);

/// The answer to a request that failed.
pub(super) fn failed(error: anyhow::Error) -> Response {
    let error = match error.downcast::<Refused>() {
        Ok(refused) => return refused.into_response(),
        Err(error) => error,
    };
    let details = Details::of(&error);
    if details.status() == 500 {
        tracing::error!(error = details.detail(), "a request failed");
    }
    response(&details, (details.status() == 503).then_some(WHEN_BUSY))
}

fn response(details: &Details, wait: Option<Duration>) -> Response {
    let status = StatusCode::from_u16(details.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let body = serde_json::to_vec(details).expect("our shapes are valid JSON");
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    if let Some(wait) = wait {
        headers.insert(RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
    }
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}
