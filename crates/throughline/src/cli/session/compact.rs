//! `throughline session compact`: the older part of a session gives way to a summary, now.

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use throughline_engine::compact::Writer;
use throughline_engine::session::Strategy;

use super::super::app::App;
use super::Named;
use crate::wire::hold::checkpoint::Compacted;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    named: Named,
    /// How it is shortened [default: as the settings say]
    #[arg(long, value_name = "STRATEGY", value_parser = PossibleValuesParser::new(["sliding_window", "token_truncation", "recursive_summarization"]).map(strategy))]
    strategy: Option<Strategy>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let done = engine.compact_session(&caller, args.named.session.as_deref(), args.strategy)?;
    let text = match &done {
        None => "the session is too short to be compacted".to_owned(),
        Some(done) => format!(
            "events {} to {} gave way to {}: {} tokens became {}{}",
            done.range.0,
            done.range.1,
            done.summary,
            done.tokens_before,
            done.tokens_after,
            writer(&done.writer)
        ),
    };
    app.output.show(&Compacted::from(done), |_| text);
    Ok(ExitCode::SUCCESS)
}

/// Who wrote it, where it could have been a model.
fn writer(writer: &Writer) -> String {
    match writer {
        Writer::BuiltIn { without: None } => String::new(),
        Writer::BuiltIn { without: Some(why) } => format!("; the built-in summary, without the model: {why}"),
        Writer::Model(model) => format!("; written by {model}"),
    }
}

fn strategy(name: String) -> Strategy {
    serde_json::from_value(name.into()).expect("one of the possible values")
}
