//! Diagnostics: on stderr where `THROUGHLINE_LOG` names a level, and in a file by processes that stay. A throw-away process
//! must not pay for either.

use std::sync::Arc;

use throughline_engine::span::TARGET;
use tracing::level_filters::LevelFilter;
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

use super::output::Output;
use crate::config::Config;
use crate::log_file::LogFile;

pub(super) fn layer<S>(output: &Output) -> Option<impl Layer<S> + use<S>>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let level = crate::config::non_empty_env("THROUGHLINE_LOG")?;
    let Ok(level) = level.parse::<Level>() else {
        output.warn("THROUGHLINE_LOG is not one of error, warn, info, debug, trace");
        return None;
    };
    let targets = targets(LevelFilter::from_level(level));
    Some(tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_filter(targets))
}

/// The file, unless it is switched off.
pub(super) fn file<S>(config: &Config) -> Option<impl Layer<S> + use<S>>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let settings = &config.diagnostics;
    let writer = Arc::new(LogFile::new(&config.home, settings));
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer);
    // A fault of a client's is told to the client, in its own words; it is nothing to keep.
    let targets = targets(settings.level).with_target("rmcp", settings.level.min(LevelFilter::ERROR));
    (settings.level != LevelFilter::OFF).then(|| layer.with_filter(targets))
}

/// The protocol library would log what is said in requests; spans are for traces.
fn targets(level: LevelFilter) -> Targets {
    Targets::new()
        .with_default(level)
        .with_target("rmcp", level.min(LevelFilter::WARN))
        .with_target(TARGET, LevelFilter::OFF)
}
