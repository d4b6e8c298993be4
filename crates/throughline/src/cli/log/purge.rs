//! `throughline log purge`: erases what events say and leaves tombstones.

use std::process::ExitCode;

use anyhow::Result;
use clap::builder::NonEmptyStringValueParser;
use serde_json::json;
use throughline_engine::log::{Purged, Traces};
use throughline_engine::store::event::{Filter, Order};

use super::super::app::App;
use super::Selection;
use crate::wire::error::Usage;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Events by id; checkpoints and summaries of their sessions quote them and go as well
    #[arg(value_name = "EVENT")]
    events: Vec<String>,
    /// Why; kept with the tombstones
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    reason: String,
    /// Only say how many events it would be
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    selection: Selection,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let ids = args.events.iter().cloned().map(Into::into).collect();
    let filter = Filter { ids, ..args.selection.filter(engine, &caller)? };
    if filter == Filter::default() {
        return Err(Usage(
            "say which events to purge: by id, or with --session, --item, --kind, --by, --since …".into(),
        )
        .into());
    }
    let matching = engine.events(&caller, &filter, Order::OldestFirst, 0)?.total;
    if args.dry_run {
        engine.check_purge(&caller, &filter)?;
        app.output.show(&json!({ "would_purge": matching }), |_| {
            format!("would purge {matching} events, and the checkpoints of their sessions, which quote them")
        });
        return Ok(ExitCode::SUCCESS);
    }
    let Purged { count, checkpoints, traces } = engine.purge(&caller, &filter, &args.reason)?;
    if traces == Traces::UntilReadersEnd {
        app.output.warn("another process is still reading; the erased text leaves the disk when it is done");
    }
    let answer = json!({ "purged": count, "matching": matching, "checkpoints": checkpoints });
    app.output.show(&answer, |_| match (count, matching) {
        (0, 0) => "no event matches; nothing was purged".to_owned(),
        (0, _) => format!("all of the {matching} matching events were purged before"),
        _ => format!(
            "purged {count} of {matching} matching events and {checkpoints} checkpoints of their sessions; backups that \
             were made before still hold them"
        ),
    });
    Ok(ExitCode::SUCCESS)
}
