//! Traces for OpenTelemetry, where a collector was named: what the server was asked, and what that did to memory.
//!
//! Spans are made where the work is done, with `tracing`; here they become OTLP. Nothing waits for the collector: what it does
//! not take in time is dropped and counted. Names and times leave, never contents.

mod otlp;
mod send;
mod spans;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use throughline_engine::span::TARGET;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use crate::config::TraceSettings;

pub(crate) use send::probe;

/// What became of spans since the server began.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    sent: AtomicU64,
    /// There was no room for them.
    dropped: AtomicU64,
    /// The collector did not take them.
    failed: AtomicU64,
}

impl Counts {
    pub(crate) fn told(&self) -> [(&'static str, u64); 3] {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        [("sent", read(&self.sent)), ("dropped", read(&self.dropped)), ("failed", read(&self.failed))]
    }

    fn add(count: &AtomicU64, spans: usize) {
        count.fetch_add(spans as u64, Ordering::Relaxed);
    }
}

/// Hears of spans and passes them on, with what becomes of them.
pub(crate) fn layer<S>(settings: &TraceSettings) -> Result<(impl Layer<S> + use<S>, Arc<Counts>)>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let counts = Arc::<Counts>::default();
    let queue = send::start(settings, counts.clone())?;
    let only = Targets::new().with_target(TARGET, LevelFilter::INFO);
    Ok((spans::Spans::new(queue).with_filter(only), counts))
}
