//! The HTTP door: who may come in, where each path leads, and how it closes.

mod guard;
mod in_progress;
mod mcp;

use std::future::Future;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router, middleware};
use rmcp::ServerHandler;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use in_progress::InProgress;

use crate::config::ServerSettings;
use crate::wire::error::{Problem, Usage};

/// How long requests in progress may go on after the program was told to stop.
const LAST_REQUESTS: Duration = Duration::from_secs(5);

/// A port that is ours, before anybody is let in.
pub(crate) struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    max_request_bytes: usize,
}

impl Listener {
    pub(crate) async fn open(settings: &ServerSettings) -> Result<Listener> {
        let listen = settings.listen;
        if !listen.ip().is_loopback() {
            bail!(Usage(format!(
                "will not listen on {listen}: whoever reaches that address could read and write every project, \
                 because there are no access tokens yet. Use 127.0.0.1:{} and reach it through a tunnel",
                listen.port()
            )));
        }
        let socket = TcpListener::bind(listen).await.map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => anyhow!(
                "{listen} is in use by another program, perhaps another `throughline serve`; stop that one, or \
                 choose another port with --listen 127.0.0.1:PORT (port 0 takes a free one)"
            ),
            _ => anyhow!("cannot listen on {listen}: {error}"),
        })?;
        let address = socket.local_addr().context("the system does not say where it listens")?;
        Ok(Listener { socket, address, max_request_bytes: settings.max_request_bytes })
    }

    /// Where it really listens, also when any free port was asked for.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets requests in until `told_to_stop` is ready, then lets those inside finish for a while.
    pub(crate) async fn serve<S: ServerHandler>(
        self,
        server: impl Fn() -> S + Send + Sync + 'static,
        told_to_stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<()> {
        let (mcp, end_streams) = mcp::route(server, self.max_request_bytes);
        let requests = InProgress::default();
        let routes = routes(mcp, requests.clone(), self.max_request_bytes);
        let (stopping, stopped) = oneshot::channel();
        let until = async move {
            told_to_stop.await;
            tokio::spawn(async move {
                requests.end().await;
                end_streams();
            });
            // The other half is gone only when serving has already ended.
            let _ = stopping.send(());
        };
        let serving = axum::serve(self.socket, routes);
        tokio::select! {
            ended = serving.with_graceful_shutdown(until).into_future() => ended.context("cannot serve"),
            () = deadline(stopped) => {
                tracing::warn!("stopped with requests still in progress");
                Ok(())
            }
        }
    }
}

async fn deadline(stopped: oneshot::Receiver<()>) {
    if stopped.await.is_ok() {
        tokio::time::sleep(LAST_REQUESTS).await;
    } else {
        std::future::pending::<()>().await;
    }
}

fn routes(mcp: Router, requests: InProgress, max_request_bytes: usize) -> Router {
    mcp.route("/health", get(health))
        .fallback(async || refusal(StatusCode::NOT_FOUND, "not_found", "there is nothing at this address"))
        .layer(DefaultBodyLimit::max(max_request_bytes))
        .layer(middleware::from_fn_with_state(requests, in_progress::track))
        .layer(middleware::from_fn(guard::only_from_here))
}

async fn health() -> Json<Value> {
    Json(json!({"status": "ok"}))
}

fn refusal(status: StatusCode, kind: &'static str, message: &str) -> Response {
    (status, Json(Problem::new(kind, message.to_owned()))).into_response()
}
