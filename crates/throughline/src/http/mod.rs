//! The HTTP door: who may come in, where each path leads, and how it closes.

mod admit;
mod agents;
mod api;
mod body;
mod call;
mod checkpoints;
mod connections;
mod context;
mod cursor;
mod dashboard;
mod events;
mod guard;
mod handoffs;
mod headers;
mod health;
mod hooks;
mod in_progress;
mod items;
mod knowledge;
mod mcp;
mod mcp_sessions;
mod memories;
mod metrics;
mod openapi;
mod operation;
mod overview;
mod pace;
mod problem;
mod projects;
mod query;
mod rate;
mod resources;
mod schema;
mod search;
mod sessions;
mod stream;
mod traced;
mod within;

use std::future::Future;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use axum::{Json, Router, middleware};
use rmcp::ServerHandler;
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tower_http::compression::{CompressionLayer, CompressionLevel};

use admit::{Gate, Tokens};
use api::Api;
use connections::Connections;
use guard::Hosts;
use in_progress::InProgress;
use metrics::{Beside, Metrics};
use rate::Rate;
use stream::Hub;

use crate::config::ServerSettings;
use crate::places::Places;
use crate::traces::Counts;
use crate::wire::error::Usage;
use crate::wire::health::Alive;

/// How long requests in progress may go on after the program was told to stop.
const LAST_REQUESTS: Duration = Duration::from_secs(5);

/// A port that is ours, before anybody is let in.
pub(crate) struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    settings: ServerSettings,
}

impl Listener {
    /// Beyond this machine only where somebody could come in with a token; `has_token` finds that out.
    pub(crate) async fn open(
        settings: &ServerSettings,
        has_token: impl Future<Output = Result<bool>>,
    ) -> Result<Listener> {
        let listen = settings.listen;
        if !listen.ip().is_loopback() && !has_token.await? {
            return Err(Usage(format!(
                "will not listen on {listen}: whoever reaches that address could read and write every project, \
                 because there are no access tokens yet. Make one with `throughline token create NAME`, or use \
                 127.0.0.1:{} and reach it through a tunnel",
                listen.port()
            ))
            .into());
        }
        let socket = TcpListener::bind(listen).await.map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => anyhow!(
                "{listen} is in use by another program, perhaps another `throughline serve`; stop that one, or \
                 choose another port with --listen 127.0.0.1:PORT (port 0 takes a free one)"
            ),
            _ => anyhow!("cannot listen on {listen}: {error}; choose another with --listen 127.0.0.1:PORT"),
        })?;
        let address = socket.local_addr().context("the system does not say where it listens")?;
        Ok(Listener { socket, address, settings: settings.clone() })
    }

    /// Where it really listens, also when any free port was asked for.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets requests in until `told_to_stop` is ready, then lets those inside finish for a while. Without places there is no
    /// interface beside MCP.
    pub(crate) async fn serve<S: ServerHandler>(
        self,
        server: impl Fn() -> S + Send + Sync + 'static,
        (places, traces): (Option<Places>, Option<Arc<Counts>>),
        told_to_stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<()> {
        let (mcp, end_streams) = mcp::route(server, self.settings.max_request_bytes);
        let requests = InProgress::default();
        let doors = Connections::new(self.settings.slowest_client);
        let hub = places.as_ref().map(|places| Arc::new(Hub::new(places.door().clone())));
        let inside = match places.zip(hub.as_ref()) {
            Some((places, hub)) => {
                self.with_interface(mcp, places, Beside { hub: hub.clone(), doors: doors.clone(), traces })
            }
            None => mcp.route("/api/health", get(async || Json(Alive::NOW))),
        };
        let routes = self.surrounded(inside, requests.clone());
        let streams = hub.clone();
        let (stopping, stopped) = oneshot::channel();
        let until = async move {
            told_to_stop.await;
            hub.iter().for_each(|hub| hub.close());
            tokio::spawn(async move {
                requests.end().await;
                end_streams();
            });
            // The other half is gone only when serving has already ended.
            let _ = stopping.send(());
        };
        let serving = async {
            doors.serve(self.socket, routes, until).await;
            if let Some(streams) = streams {
                streams.left().await;
            }
        };
        tokio::select! {
            () = serving => Ok(()),
            () = deadline(stopped) => {
                tracing::warn!("stopped with requests still in progress");
                Ok(())
            }
        }
    }

    fn with_interface(&self, mcp: Router, places: Places, beside: Beside) -> Router {
        let tokens = match self.settings.require_token || !self.settings.listen.ip().is_loopback() {
            true => Tokens::Required,
            false => Tokens::Optional,
        };
        let api = Arc::new(Api {
            places: places.clone(),
            max_request_bytes: self.settings.max_request_bytes,
            session: Ids::system().next(Clock::system().now()),
        });
        let metrics = Arc::new(Metrics::default());
        let gate = Arc::new(Gate { places, tokens });
        let rate = Arc::new(Rate::new(self.settings.requests_per_second));
        mcp.layer(middleware::from_fn_with_state(gate.clone(), admit::to_mcp))
            .merge(api::routes(&api))
            .merge(stream::route(&api, &beside.hub))
            .merge(metrics::route(metrics.clone(), &api, beside))
            .layer(middleware::from_fn(traced::around))
            .layer(middleware::from_fn_with_state(metrics, metrics::count))
            .layer(middleware::from_fn_with_state(rate.clone(), rate::of_token))
            .layer(middleware::from_fn_with_state(gate, admit::with_token))
            .layer(middleware::from_fn_with_state(rate, rate::of_address))
    }

    /// What every request passes, whatever it is for.
    fn surrounded(&self, inside: Router, requests: InProgress) -> Router {
        let hosts = Arc::new(Hosts::new(self.settings.listen.ip(), &self.settings.allowed_hosts));
        inside
            .fallback(dashboard::show)
            .method_not_allowed_fallback(api::not_allowed)
            .layer(DefaultBodyLimit::max(self.settings.max_request_bytes))
            .layer(middleware::from_fn_with_state(self.settings.slowest_client, pace::of_bodies))
            .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
            .layer(middleware::from_fn_with_state(requests, in_progress::track))
            .layer(middleware::from_fn_with_state(hosts, guard::only_from_here))
            .layer(middleware::from_fn(headers::around))
    }
}

async fn deadline(stopped: oneshot::Receiver<()>) {
    if stopped.await.is_ok() {
        tokio::time::sleep(LAST_REQUESTS).await;
    } else {
        std::future::pending::<()>().await;
    }
}
