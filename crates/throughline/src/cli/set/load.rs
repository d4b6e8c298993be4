//! `throughline set load`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::hold::Wanted;
use throughline_engine::store::context_entry::Tier;

use super::super::app::App;
use super::super::one_of::one_of;
use super::{Agent, listed};
use crate::wire::hold::Loaded;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Entries by id or its beginning; each counts as accessed
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// Which tier; COLD has what was archived as well
    #[arg(long, value_name = "TIER", default_value = "HOT", conflicts_with_all = ["ids", "all"], value_parser = one_of::<Tier>(Tier::ALL.iter().map(|tier| tier.as_str())))]
    tier: Tier,
    /// All tiers
    #[arg(long, conflicts_with = "ids")]
    all: bool,
    #[command(flatten)]
    agent: Agent,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let wanted = match (args.ids.is_empty(), args.all) {
        (false, _) => Wanted::Ids(args.ids.clone()),
        (true, true) => Wanted::All,
        (true, false) => Wanted::Tier(args.tier),
    };
    let engine = app.engine()?;
    let entries = engine.load_entries(&app.reader(engine)?, &args.agent.name(app), &wanted)?;
    app.output.show(&Loaded::from(entries), |loaded| {
        format!("{}\n{} entries, {} tokens", listed(&loaded.items), loaded.items.len(), loaded.tokens)
    });
    Ok(ExitCode::SUCCESS)
}
