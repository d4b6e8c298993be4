//! `throughline handoff list`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::store::handoff::{Filter, Which};

use super::super::app::App;
use super::super::output::table;
use crate::wire::hold::handoff::{Handoff, Listed};
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Only for this role
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Also what was taken
    #[arg(long)]
    all: bool,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(i64).range(1..))]
    limit: i64,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let filter = Filter {
        to_role: args.role.clone(),
        workflow: None,
        which: if args.all { Which::All } else { Which::Pending },
        after: None,
    };
    let (found, total) = engine.handoffs(&app.reader(engine)?, &filter, args.limit)?;
    let listed = Listed { handoffs: found.into_iter().map(Handoff::from).collect(), total };
    app.output.show(&listed, |listed| {
        let rows = listed.handoffs.iter().map(|one| {
            vec![
                one.id.clone(),
                readable(one.given_at.0),
                one.from.clone(),
                one.to.clone(),
                one.workflow.clone().unwrap_or_default(),
                one.taken_by.clone().unwrap_or_else(|| "waits".to_owned()),
            ]
        });
        let table = table(&["id", "time (utc)", "from", "to", "workflow", "taken by"], rows);
        format!("{table}\n{} of {}", listed.handoffs.len(), listed.total)
    });
    Ok(ExitCode::SUCCESS)
}
