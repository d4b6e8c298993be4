//! `throughline session state`: the scratchpad, changed by a JSON merge patch.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Map, Value as Json};
use throughline_engine::session::Update;

use super::super::app::App;
use super::super::lines::{SHORTEN, read_text};
use super::Named;
use crate::wire::error::Usage;
use crate::wire::session::SessionState;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    named: Named,
    /// A JSON merge patch: null removes a key, objects merge, the rest replaces; - reads it from stdin
    #[arg(long, value_name = "JSON")]
    patch: Option<String>,
    /// Refuse when the scratchpad has another version by now
    #[arg(long, value_name = "VERSION", requires = "patch")]
    if_version: Option<i64>,
}

const MAX_PATCH_BYTES: usize = 1024 * 1024;

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let update = args.patch.as_deref().map(|text| update(text, args.if_version)).transpose()?;
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let name = args.named.session.as_deref();
    let scratchpad = match update {
        Some(update) => engine.update_scratchpad(&caller, name, &update)?,
        None => engine.scratchpad(&caller, name)?,
    };
    app.output.show(&SessionState::from(scratchpad), |state| {
        let pretty = serde_json::to_string_pretty(&state.state).expect("a scratchpad is valid JSON");
        format!("session {}, version {}\n{pretty}", state.session_id, state.version)
    });
    Ok(ExitCode::SUCCESS)
}

fn update(text: &str, if_version: Option<i64>) -> Result<Update> {
    let text =
        if text == "-" { read_text(Path::new("-"), MAX_PATCH_BYTES, SHORTEN)? } else { text.to_owned() };
    let told = |e| {
        Usage(format!(
            "the patch is no JSON object: {e}; write for instance '{{\"current_task\": \"TASK-0001\"}}'"
        ))
    };
    let patch: Map<String, Json> = serde_json::from_str(&text).map_err(told)?;
    Ok(Update { patch: Json::Object(patch), if_version })
}
