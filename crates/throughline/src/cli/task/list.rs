//! `throughline task list`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::backlog::Query;
use throughline_engine::store::item::{Cursor, Filter, Level, Status, Type};

use super::super::app::App;
use super::super::output::table;
use crate::wire::error::Usage;
use crate::wire::item::{Listed, cursor, item_type, status};
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Only these: open, in_progress, blocked, done, cancelled; may be given several times
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = status)]
    status: Vec<Status>,
    /// Only this type: task, epic, milestone, folder, artifact
    #[arg(long = "type", value_name = "TYPE", value_parser = item_type)]
    item_type: Option<Type>,
    /// Only those directly below this item
    #[arg(long, value_name = "ID")]
    parent: Option<String>,
    /// Only those about this, the best first
    #[arg(long, value_name = "TEXT", conflicts_with = "cursor")]
    query: Option<String>,
    /// How many at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Go on where the last answer ended
    #[arg(long, value_name = "CURSOR", value_parser = cursor)]
    cursor: Option<Cursor>,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    if args.query.as_ref().is_some_and(|text| text.trim().is_empty()) {
        return Err(Usage("the query is empty; leave it out to list all".to_owned()).into());
    }
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let parent = args.parent.map(|parent| engine.item(&caller, &parent)).transpose()?;
    let filter = Filter {
        statuses: args.status,
        item_type: args.item_type,
        parent: parent.map(|parent| parent.item.id),
        since: None,
        after: args.cursor,
        level: Level::Any,
    };
    let query = Query { filter, text: args.query };
    let listed = engine.items(&caller, &query, usize::try_from(args.limit).unwrap_or(usize::MAX))?;
    app.output.show(&Listed::from(listed), text);
    Ok(ExitCode::SUCCESS)
}

fn text(listed: &Listed) -> String {
    if listed.tasks.is_empty() {
        return "no items".to_owned();
    }
    let rows = listed.tasks.iter().map(|task| {
        vec![
            task.id.clone(),
            task.status.to_owned(),
            task.priority.unwrap_or_default().to_owned(),
            task.title.clone(),
            task.parent_id.clone().unwrap_or_default(),
            if task.child_count > 0 { task.child_count.to_string() } else { String::new() },
            readable(task.updated_at.0),
        ]
    });
    let header = ["id", "status", "priority", "title", "below", "has", "changed (utc)"];
    let at_least = if listed.total_is_at_least { "at least " } else { "" };
    let next = listed.cursor.as_ref().map(|cursor| format!(" (--cursor {cursor})")).unwrap_or_default();
    format!("{}\n{} of {at_least}{} items{next}", table(&header, rows), listed.shown, listed.total)
}
