//! `serve`: MCP over HTTP, until it is told to stop.

use std::future::Future;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::app::App;
use crate::config::{ServerSettings, listen_address};
use crate::http::Door;
use crate::mcp::conformance;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Where to listen: ADDRESS:PORT, with port 0 for any free one [default: server.listen in the settings]
    #[arg(long, value_name = "ADDR", value_parser = listen_address)]
    listen: Option<SocketAddr>,
    /// Serve the fixtures of the official MCP conformance suite, and no project
    #[arg(long, hide = true)]
    conformance: bool,
}

#[derive(Debug, Serialize)]
struct Listening {
    url: String,
    mcp: String,
}

pub(super) fn run(args: &Args, app: &App) -> Result<ExitCode> {
    let configured = &app.config.server;
    let settings = ServerSettings { listen: args.listen.unwrap_or(configured.listen), ..configured.clone() };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the server's runtime")?;
    let served = runtime.block_on(serve(&settings, app));
    // Work that still blocks a thread must not keep the program from ending.
    runtime.shutdown_timeout(Duration::ZERO);
    served.map(|()| ExitCode::SUCCESS)
}

async fn serve(settings: &ServerSettings, app: &App<'_>) -> Result<()> {
    let door = Door::open(settings).await?;
    // Whoever reads the address may send a signal at once.
    let told_to_stop = told_to_stop()?;
    let url = format!("http://{}", door.address());
    app.output.line(&Listening { mcp: format!("{url}/mcp"), url }, |listening| {
        format!("listening on {} (MCP: {}); stop with Ctrl-C", listening.url, listening.mcp)
    });
    let shared = conformance::Shared::new();
    door.serve(move || shared.server(), told_to_stop).await
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
