//! On the way to the collector: a queue with an end, and one thread that empties it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use ureq::Agent;
use ureq::http::Uri;

use super::Counts;
use super::otlp::{Span, request};
use crate::config::TraceSettings;

/// More than so many are not kept for a collector that does not come after.
const WAITING: usize = 2048;
/// So many are sent at once, and nothing waits longer for company.
const AT_ONCE: usize = 256;
const GATHER: Duration = Duration::from_millis(500);
/// A collector that needs longer has to do without.
const LONGEST: Duration = Duration::from_secs(5);

/// Where ended spans are put.
pub(super) struct Queue {
    waiting: SyncSender<Span>,
    counts: Arc<Counts>,
}

impl Queue {
    /// Waits for nothing.
    pub(super) fn push(&self, span: Span) {
        if self.waiting.try_send(span).is_err() {
            Counts::add(&self.counts.dropped, 1);
        }
    }
}

/// Starts the thread that sends; it ends with the process.
pub(super) fn start(settings: &TraceSettings, counts: Arc<Counts>) -> Result<Queue> {
    let collector = Collector::new(settings)?;
    let (waiting, spans) = sync_channel(WAITING);
    let told = counts.clone();
    let work = move || collector.send_all(&spans, &told);
    thread::Builder::new().name("traces".to_owned()).spawn(work)?;
    Ok(Queue { waiting, counts })
}

/// Whether the collector takes anything, for those who look for what is wrong.
pub(crate) fn probe(settings: &TraceSettings) -> Result<()> {
    Collector::new(settings)?.post(&[])
}

struct Collector {
    agent: Agent,
    url: String,
    headers: Vec<(String, String)>,
}

impl Collector {
    fn new(settings: &TraceSettings) -> Result<Collector> {
        let url: Uri =
            settings.url.parse().context("traces.endpoint is no address; write http://HOST:PORT")?;
        let host = url.host().context("traces.endpoint names no host; write http://HOST:PORT")?;
        let config = Agent::config_builder()
            .timeout_global(Some(LONGEST))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false);
        // No proxy leads to this machine.
        let is_here = host == "localhost" || host.starts_with("127.") || host == "[::1]";
        let config = if is_here { config.proxy(None) } else { config };
        let agent = config.build().new_agent();
        Ok(Collector { agent, url: settings.url.clone(), headers: settings.headers.clone() })
    }

    /// Until nobody makes spans any more.
    fn send_all(&self, spans: &Receiver<Span>, counts: &Counts) {
        while let Ok(first) = spans.recv() {
            let batch = gathered(first, spans);
            match self.post(&batch) {
                Ok(()) => Counts::add(&counts.sent, batch.len()),
                Err(error) => {
                    Counts::add(&counts.failed, batch.len());
                    tracing::warn!(%error, spans = batch.len(), "the collector did not take traces");
                }
            }
        }
    }

    fn post(&self, spans: &[Span]) -> Result<()> {
        let call = self.agent.post(&self.url).header("content-type", "application/json");
        let call = self.headers.iter().fold(call, |call, (name, value)| call.header(name, value));
        let status = call.send(request(spans).to_string())?.status();
        if !status.is_success() {
            bail!("it answers with status {}; check traces.endpoint", status.as_u16());
        }
        Ok(())
    }
}

fn gathered(first: Span, spans: &Receiver<Span>) -> Vec<Span> {
    let mut batch = vec![first];
    while batch.len() < AT_ONCE {
        match spans.recv_timeout(GATHER) {
            Ok(span) => batch.push(span),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    batch
}
