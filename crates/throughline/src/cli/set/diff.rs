//! `throughline set diff`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::hold::Known;

use super::super::app::App;
use super::super::lines::{SHORTEN, read_text};
use super::{Agent, listed};
use crate::wire::error::Usage;
use crate::wire::hold::Diff;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What you have, as a JSON object of ids and hashes; - reads it from stdin [default: what was given last]
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    #[command(flatten)]
    agent: Agent,
}

const MAX_KNOWN_BYTES: usize = 4 * 1024 * 1024;

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let known = match &args.known {
        Some(path) => Known::Said(read(path)?),
        None => Known::GivenLast,
    };
    let engine = app.engine()?;
    let diff = engine.diff_entries(&app.reader(engine)?, &args.agent.name(app), &known)?;
    app.output.show(&Diff::from(diff), |diff| {
        let mut text = String::new();
        for (what, entries) in [("added", &diff.added), ("changed", &diff.changed)] {
            if !entries.is_empty() {
                text.push_str(&format!("{what}\n{}\n", listed(entries)));
            }
        }
        if !diff.removed.is_empty() {
            text.push_str(&format!("removed\n{}\n", diff.removed.join("\n")));
        }
        format!("{text}{} unchanged", diff.unchanged)
    });
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<std::collections::BTreeMap<String, String>> {
    let text = read_text(path, MAX_KNOWN_BYTES, SHORTEN)?;
    Ok(serde_json::from_str(&text).map_err(|e| {
        Usage(format!(
            "what you have is no JSON object of ids and hashes: {e}; write for instance {{\"ID\": \"HASH\"}}"
        ))
    })?)
}
