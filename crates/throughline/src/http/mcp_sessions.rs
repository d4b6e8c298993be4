//! Sessions of MCP clients: so many at most, so that a client that begins one for each request fills no memory. The one that
//! was used longest ago gives way; its client is told that it is gone, and begins another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{SessionId, SessionManager as _};

/// Each takes some 54 kB.
const MOST: usize = 1_000;
const SESSION: &str = "mcp-session-id";

#[derive(Debug, Default)]
pub(super) struct Sessions {
    pub(super) kept: Arc<LocalSessionManager>,
    used: Mutex<Used>,
}

/// When each was used last, counted in requests.
#[derive(Debug, Default)]
struct Used {
    requests: u64,
    last: HashMap<SessionId, u64>,
}

impl Used {
    /// The session that has to give way to this one.
    fn note(&mut self, session: SessionId) -> Option<SessionId> {
        self.requests += 1;
        self.last.insert(session, self.requests);
        let oldest = || self.last.iter().min_by_key(|(_, last)| **last).map(|(session, _)| session.clone());
        let oldest = (self.last.len() > MOST).then(oldest).flatten()?;
        self.last.remove(&oldest);
        Some(oldest)
    }
}

/// Notes which sessions are used, and ends one where there are too many.
pub(super) async fn bounded(State(sessions): State<Arc<Sessions>>, request: Request, next: Next) -> Response {
    let (asked, ends) = (named(request.headers()), request.method() == Method::DELETE);
    let response = next.run(request).await;
    let Some(session) = asked.or_else(|| named(response.headers())) else { return response };
    let gives_way = {
        let mut used = sessions.used.lock().unwrap_or_else(PoisonError::into_inner);
        match response.status() {
            status if ends || status == StatusCode::NOT_FOUND => {
                used.last.remove(&session);
                None
            }
            status if status.is_success() => used.note(session),
            _ => None,
        }
    };
    if let Some(session) = gives_way
        && let Err(error) = sessions.kept.close_session(&session).await
    {
        tracing::warn!(%error, "an MCP session could not be ended");
    }
    response
}

fn named(headers: &HeaderMap) -> Option<SessionId> {
    headers.get(SESSION)?.to_str().ok().map(SessionId::from)
}
