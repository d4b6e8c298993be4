//! `throughline task create`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::backlog::{NewItem, date, title};
use throughline_engine::store::item::{Context, Priority, Type};

use super::super::app::App;
use super::{Within, changed, reference, text_or_stdin};
use crate::wire::error::Usage;
use crate::wire::item::{Reference, item_type, priority};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What is to be done, in a few words
    #[arg(value_name = "TITLE")]
    title: String,
    /// All about it; - reads it from stdin
    #[arg(short, long, value_name = "TEXT")]
    description: Option<String>,
    /// What sort of item: task, epic, milestone, folder, artifact
    #[arg(long = "type", value_name = "TYPE", default_value = "task", value_parser = item_type)]
    item_type: Type,
    /// The item it belongs to
    #[arg(long, value_name = "ID")]
    parent: Option<String>,
    /// What to read for it; may be given several times
    #[arg(long = "reference", value_name = "URL[=TITLE]", value_parser = reference)]
    references: Vec<Reference>,
    /// What must come first; may be given several times
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    depends_on: Vec<String>,
    /// What waits for it; may be given several times
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    blocks: Vec<String>,
    /// How urgent: critical, high, medium, low, lowest, or 0 to 4
    #[arg(long, value_name = "PRIORITY", value_parser = priority)]
    priority: Option<Priority>,
    /// Until when: a date, or a time
    #[arg(long, value_name = "DATE", value_parser = date)]
    due: Option<String>,
    /// Isolated work: no history and no code is put beside it
    #[arg(long)]
    no_context: bool,
    #[command(flatten)]
    within: Within,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let new = NewItem {
        description: args.description.map(text_or_stdin).transpose()?.unwrap_or_default(),
        item_type: args.item_type,
        parent: args.parent,
        references: args.references.into_iter().map(Into::into).collect(),
        depends_on: args.depends_on,
        blocks: args.blocks,
        priority: args.priority,
        due_date: args.due,
        context: args.no_context.then_some(Context::Isolated),
        ..NewItem::of(title(&args.title).map_err(Usage::of)?)
    };
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    let during = args.within.during(app)?;
    Ok(changed(engine.create_item(&caller, new, &during)?, "created", app))
}
