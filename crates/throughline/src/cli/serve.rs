//! `serve`: the interface and MCP over HTTP, and background work, until it is told to stop.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use rmcp::ServerHandler;
use serde::Serialize;
use tokio::time::timeout;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, Registry};

use super::browser;
use super::logging;
use super::output::Output;
use crate::config::{Overrides, ServerSettings, listen_address};
use crate::door::Door;
use crate::http::Listener;
use crate::mcp::{Server, Toolset, conformance};
use crate::places::Places;
use crate::stop::told_to_stop;
use crate::traces::{self, Counts};
use crate::worker;

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
/// Folding the log helps the next process, and must not keep this one.
const LAST_FOLD: Duration = Duration::from_millis(300);

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    crate::heap::give_back();
    let door = Arc::new(Door::load(overrides, |problem| output.warn(problem))?);
    // The fixtures leave nothing behind.
    let log = logging::file(&door.config).filter(|_| !args.conformance);
    let traces = start_telling(&door, log, output)?;
    let configured = &door.config.server;
    let settings = ServerSettings { listen: args.listen.unwrap_or(configured.listen), ..configured.clone() };
    let (at, tools) = ((&settings, Opening::Nothing), &args.mcp.tools);
    if args.conformance {
        let shared = conformance::Shared::new();
        serve(at, output, (door, None, traces), move || shared.server())?;
    } else {
        project(at, output, (door, traces), tools)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is done when the server can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    Nothing,
    Browser,
}

/// The same for a door that is open already, on any free port of this machine.
pub(super) fn any_port(door: Arc<Door>, output: &Output, opening: Opening) -> Result<()> {
    let listen = SocketAddr::from(([127, 0, 0, 1], 0));
    let settings = ServerSettings { listen, ..door.config.server.clone() };
    let traces = start_telling(&door, logging::file(&door.config), output)?;
    project((&settings, opening), output, (door, traces), &Toolset::USUAL)
}

fn project(
    at: (&ServerSettings, Opening),
    output: &Output,
    (door, traces): (Arc<Door>, Option<Arc<Counts>>),
    tools: &[Toolset],
) -> Result<()> {
    let places = Places::new(door.clone());
    let server = Server::new(places.clone(), tools);
    serve(at, output, (door, Some(places), traces), move || server.clone())
}

/// The log, and traces where they were asked for; says what becomes of those.
fn start_telling<L>(door: &Door, log: Option<L>, output: &Output) -> Result<Option<Arc<Counts>>>
where
    L: Layer<Registry> + Send + Sync,
{
    let begin = tracing_subscriber::registry().with(log).with(logging::layer(output));
    match &door.config.traces {
        None => {
            begin.init();
            Ok(None)
        }
        Some(settings) => {
            let (layer, counts) = traces::layer(settings)?;
            begin.with(layer).init();
            Ok(Some(counts))
        }
    }
}

fn serve<S: ServerHandler>(
    (settings, opening): (&ServerSettings, Opening),
    output: &Output,
    (door, places, traces): (Arc<Door>, Option<Places>, Option<Arc<Counts>>),
    server: impl Fn() -> S + Send + Sync + 'static,
) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(THREADS)
        .build()
        .context("cannot start the server's runtime")?;
    let served = runtime.block_on(async {
        let asked = door.clone();
        let has_token = async move {
            let asked = tokio::task::spawn_blocking(move || Ok(asked.engine()?.has_valid_token()?));
            asked.await.context("the tokens could not be looked at")?
        };
        let listener = Listener::open(settings, has_token).await?;
        // Whoever reads the address may send a signal at once.
        let told_to_stop = told_to_stop()?;
        let url = format!("http://{}", listener.address());
        if opening == Opening::Browser
            && let Err(why) = browser::open(&url)
        {
            output.warn(&format!("no browser could be started ({why}); open the address yourself"));
        }
        tracing::info!(%url, version = env!("CARGO_PKG_VERSION"), "listening");
        output.line(&Listening { mcp: format!("{url}/mcp"), url }, |listening| {
            format!("listening on {} (MCP: {}); stop with Ctrl-C", listening.url, listening.mcp)
        });
        let working = places.clone().map(|places| tokio::spawn(worker::work(places)));
        let looked_at = places.is_some().then(|| door.clone());
        let served = tokio::select! {
            served = listener.serve(server, (places, traces), told_to_stop) => served,
            damage = worker::damage(looked_at) => Err(damage),
        };
        match &served {
            Ok(()) => tracing::info!("stopped"),
            Err(error) => tracing::error!(error = %format_args!("{error:#}"), "stopped"),
        }
        working.iter().for_each(tokio::task::JoinHandle::abort);
        if timeout(LAST_FOLD, tokio::task::spawn_blocking(move || door.close())).await.is_err() {
            tracing::debug!("the write-ahead log was left to the next process");
        }
        served
    });
    // Calls that still run end with the process: what they had not committed did not happen.
    runtime.shutdown_background();
    served
}
