//! `serve`: MCP over HTTP, until it is told to stop.

use std::future::Future;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use rmcp::ServerHandler;
use serde::Serialize;

use super::output::Output;
use crate::config::{Overrides, ServerSettings, listen_address};
use crate::door::Door;
use crate::http::Listener;
use crate::mcp::{Server, conformance};

#[derive(Debug, clap::Args)]
#[group(id = "serve")] // The arguments of `mcp` inside have the usual name.
pub(super) struct Args {
    /// Where to listen: ADDRESS:PORT, with port 0 for any free one [default: server.listen in the settings]
    #[arg(long, value_name = "ADDR", value_parser = listen_address)]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    mcp: super::mcp::Args,
    /// Serve the fixtures of the official MCP conformance suite, and no project
    #[arg(long, hide = true)]
    conformance: bool,
}

#[derive(Debug, Serialize)]
struct Listening {
    url: String,
    mcp: String,
}

/// The calls of the engine, the jobs at the side, and the last fold.
const THREADS: usize = 16;

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let door = Arc::new(Door::load(overrides, |problem| output.warn(problem))?);
    let configured = &door.config.server;
    let settings = ServerSettings { listen: args.listen.unwrap_or(configured.listen), ..configured.clone() };
    if args.conformance {
        let shared = conformance::Shared::new();
        serve(&settings, output, move || shared.server())?;
    } else {
        let server = Server::new(door.clone(), &args.mcp.tools);
        serve(&settings, output, move || server.clone())?;
        door.close();
    }
    Ok(ExitCode::SUCCESS)
}

fn serve<S: ServerHandler>(
    settings: &ServerSettings,
    output: &Output,
    server: impl Fn() -> S + Send + Sync + 'static,
) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()
        .context("cannot start the server's runtime")?;
    let served = runtime.block_on(async {
        let listener = Listener::open(settings).await?;
        // Whoever reads the address may send a signal at once.
        let told_to_stop = told_to_stop()?;
        let url = format!("http://{}", listener.address());
        output.line(&Listening { mcp: format!("{url}/mcp"), url }, |listening| {
            format!("listening on {} (MCP: {}); stop with Ctrl-C", listening.url, listening.mcp)
        });
        listener.serve(server, told_to_stop).await
    });
    // Calls that still run end with the process: what they had not committed did not happen.
    runtime.shutdown_background();
    served
}

#[cfg(unix)]
fn told_to_stop() -> Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).context("cannot listen for signals");
    let (mut interrupt, mut terminate) = (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn told_to_stop() -> Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!(%error, "cannot listen for Ctrl-C");
            std::future::pending::<()>().await;
        }
    })
}
