//! `throughline checkpoint list`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::store::checkpoint::Filter;

use super::super::app::App;
use super::super::output::table;
use crate::wire::hold::checkpoint::Listed;
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Only of this session: its id, the client's own, or the beginning of either
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Only of this agent
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(i64).range(1..))]
    limit: i64,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let session = args.session.as_deref().map(|name| engine.session(&caller, Some(name))).transpose()?;
    let filter =
        Filter { agent: args.agent.clone(), session: session.map(|session| session.id), ..Filter::default() };
    let listed = Listed::from(engine.checkpoints(&caller, &filter, args.limit)?);
    app.output.show(&listed, |listed| {
        let rows = listed.checkpoints.iter().map(|one| {
            vec![
                one.id.clone(),
                readable(one.created_at.0),
                one.reason.clone(),
                one.agent.clone(),
                one.entries.to_string(),
                one.title.clone(),
            ]
        });
        let table = table(&["id", "time (utc)", "reason", "agent", "entries", "title"], rows);
        format!("{table}\n{} of {}", listed.checkpoints.len(), listed.total)
    });
    Ok(ExitCode::SUCCESS)
}
