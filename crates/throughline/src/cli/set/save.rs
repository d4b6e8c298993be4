//! `throughline set save`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::hold::Draft;

use super::super::app::App;
use super::super::lines::{SHORTEN, read_text};
use super::super::share::share;
use super::Agent;
use crate::wire::hold::Saved;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION, or another name in capitals
    #[arg(value_name = "TYPE")]
    entry_type: String,
    /// What to keep; - reads it from stdin
    #[arg(value_name = "CONTENT")]
    content: String,
    /// How much it matters, 0 to 1 [default: the weight of its type]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    importance: Option<f64>,
    /// The item it is about
    #[arg(long, value_name = "ID")]
    item: Option<String>,
    /// The entry whose content it replaces
    #[arg(long, value_name = "ID")]
    replaces: Option<String>,
    #[command(flatten)]
    agent: Agent,
}

const MAX_STDIN_BYTES: usize = 16 * 1024 * 1024;

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let content = match args.content.as_str() {
        "-" => read_text(Path::new("-"), MAX_STDIN_BYTES, SHORTEN)?,
        text => text.to_owned(),
    };
    let draft = Draft {
        entry_type: args.entry_type.clone(),
        content,
        importance: args.importance,
        item: args.item.clone(),
        replaces: args.replaces.clone(),
    };
    let engine = app.engine()?;
    let saved = engine.save_entry(&app.caller(engine)?, &args.agent.name(app), &draft)?;
    app.output.show(&Saved::from(saved), |saved| {
        let due = if saved.flash_due { "; a flash save is due" } else { "" };
        format!("{} {}: {} at {:.2}{due}", saved.action, saved.item_id, saved.tier, saved.score)
    });
    Ok(ExitCode::SUCCESS)
}
