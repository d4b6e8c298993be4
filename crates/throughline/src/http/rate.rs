//! How many requests anybody may make: so many a second, and as many at once, for each address and each token.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use throughline_engine::clock::Clock;
use throughline_engine::store::id::TokenId;
use throughline_engine::store::time::Timestamp;

use super::admit::Admitted;
use super::connections::Peer;
use super::problem::Refused;

pub(super) struct Rate {
    /// Nobody is held back at 0.
    per_second: u32,
    clock: Clock,
    askers: Mutex<HashMap<Asker, Bucket>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Asker {
    Token(TokenId),
    Address(Option<IpAddr>),
}

/// What is left, as of a moment.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Timestamp,
}

/// Those who have not asked for a while are forgotten beyond so many.
const REMEMBERED: usize = 10_000;

/// Before it is known who asks: guessing tokens is asking, too.
pub(super) async fn of_address(State(rate): State<Arc<Rate>>, request: Request, next: Next) -> Response {
    let address = request.extensions().get::<Peer>().map(|peer| peer.0);
    rate.limit(Asker::Address(address), request, next).await
}

pub(super) async fn of_token(State(rate): State<Arc<Rate>>, request: Request, next: Next) -> Response {
    let token = request.extensions().get::<Admitted>().and_then(|admitted| admitted.token.clone());
    match token {
        Some(token) => rate.limit(Asker::Token(token), request, next).await,
        None => next.run(request).await,
    }
}

impl Rate {
    pub(super) fn new(per_second: u32) -> Rate {
        Rate { per_second, clock: Clock::system(), askers: Mutex::default() }
    }

    async fn limit(&self, asker: Asker, request: Request, next: Next) -> Response {
        let Err(wait) = self.take(asker) else { return next.run(request).await };
        let most = self.per_second;
        let detail = format!("more than {most} requests a second; server.requests_per_second sets the limit");
        Refused::new(StatusCode::TOO_MANY_REQUESTS, "too_many", detail).after(wait).into_response()
    }

    /// Takes one request, or says how long to wait for it.
    fn take(&self, asker: Asker) -> Result<(), Duration> {
        if self.per_second == 0 {
            return Ok(());
        }
        let (now, full) = (self.clock.now(), f64::from(self.per_second));
        let refilled = |bucket: &Bucket| (bucket.left + now.since(bucket.at).as_secs_f64() * full).min(full);
        let mut askers = self.askers.lock().unwrap_or_else(PoisonError::into_inner);
        if askers.len() >= REMEMBERED {
            askers.retain(|_, bucket| refilled(bucket) < full);
        }
        let bucket = askers.entry(asker).or_insert(Bucket { left: full, at: now });
        let left = refilled(bucket);
        if left < 1.0 {
            *bucket = Bucket { left, at: now };
            return Err(Duration::from_secs_f64((1.0 - left) / full));
        }
        *bucket = Bucket { left: left - 1.0, at: now };
        Ok(())
    }
}
