//! Diagnostics on stderr. Off unless `THROUGHLINE_LOG` names a level; a throw-away process must not pay for it.

use throughline_engine::span::TARGET;
use tracing::level_filters::LevelFilter;
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use super::output::Output;

pub(super) fn layer<S>(output: &Output) -> Option<impl Layer<S> + use<S>>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let level = crate::config::non_empty_env("THROUGHLINE_LOG")?;
    let Ok(level) = level.parse::<Level>() else {
        output.warn("THROUGHLINE_LOG is not one of error, warn, info, debug, trace");
        return None;
    };
    // The protocol library would log what is said in requests; spans are for traces.
    let targets = Targets::new()
        .with_default(level)
        .with_target("rmcp", level.min(Level::WARN))
        .with_target(TARGET, LevelFilter::OFF);
    Some(tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_filter(targets))
}
