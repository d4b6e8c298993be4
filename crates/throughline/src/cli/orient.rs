//! `throughline orient`: where the project stands.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::orient::{Orientation, Request};

use super::app::App;
use crate::wire::orient::{Orient, text};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The item that is to be worked on
    #[arg(long, value_name = "ID")]
    focus: Option<String>,
    /// How many tokens the answer may have
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u64).range(200..=32_000))]
    max_tokens: u64,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let write = |orientation: &Orientation| {
        let orient = Orient::from(orientation);
        let json = || serde_json::to_string_pretty(&orient).expect("our shapes are valid JSON");
        if app.output.is_json() { json() } else { text(&orient) }
    };
    let request = Request {
        focus: args.focus.as_deref(),
        max_tokens: args.max_tokens,
        folder: app.own_folder(engine)?,
        asking: None,
    };
    let orientation = engine.orient(&caller, request, &write)?;
    app.output.show(&Orient::from(&orientation), text);
    Ok(ExitCode::SUCCESS)
}
