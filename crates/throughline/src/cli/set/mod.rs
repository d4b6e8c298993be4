//! `throughline set …`: what an agent holds while it works.

mod diff;
mod load;
mod remove;
mod save;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use throughline_engine::capture::{During, SessionRef};
use throughline_engine::hold::Removal;

use super::app::App;
use super::output::table;
use crate::wire::context::excerpt;
use crate::wire::hold::{Entry, Flashed, Stats, Tiers};

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Keep something in the working set
    Save(save::Args),
    /// Show what is held: HOT unless asked otherwise, or entries by id, which counts as an access
    Load(load::Args),
    /// What changed of the HOT entries since the last load or diff
    Diff(diff::Args),
    /// Recompute the tiers and say what moved
    Tiers(Agent),
    /// Keep everything in a checkpoint, put COLD entries aside, go on with HOT
    Flash(Agent),
    /// How many entries and tokens are in each tier
    Stats(Agent),
    /// Put entries aside
    Archive(remove::Args),
    /// Delete entries
    Delete(remove::Args),
}

// Whose working set. Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Agent {
    /// Whose working set [default: that of who acts]
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
}

impl Agent {
    fn name(&self, app: &App<'_>) -> String {
        self.agent.clone().unwrap_or_else(|| app.config.actor.to_string())
    }
}

pub(super) fn run(command: &Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::Save(args) => save::run(args, app),
        Command::Load(args) => load::run(args, app),
        Command::Diff(args) => diff::run(args, app),
        Command::Tiers(agent) => tiers(agent, app),
        Command::Flash(agent) => flash(agent, app),
        Command::Stats(agent) => stats(agent, app),
        Command::Archive(args) => remove::run(args, Removal::Archive, app),
        Command::Delete(args) => remove::run(args, Removal::Delete, app),
    }
}

fn tiers(agent: &Agent, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let moves = engine.update_tiers(&app.reader(engine)?, &agent.name(app))?;
    app.output.show(&Tiers::from(moves), |tiers| {
        let moved = tiers.moved.iter().map(|one| format!("{} {} to {}\n", one.id, one.from, one.to));
        format!("{}{}", moved.collect::<String>(), in_words(&tiers.stats))
    });
    Ok(ExitCode::SUCCESS)
}

fn flash(agent: &Agent, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let during = During { session: SessionRef::Own, opening: app.opening() };
    let flashed = engine.flash_save(&app.caller(engine)?, &agent.name(app), &during)?;
    app.output.show(&Flashed::from(flashed), |flashed| {
        format!(
            "checkpoint {}: {} tokens became {}, {} archived, {} HOT",
            flashed.checkpoint_id,
            flashed.tokens_before,
            flashed.tokens_after,
            flashed.items_archived,
            flashed.hot_items_retained
        )
    });
    Ok(ExitCode::SUCCESS)
}

fn stats(agent: &Agent, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let stats = engine.set_stats(&app.reader(engine)?, &agent.name(app))?;
    app.output.show(&Stats::from(stats), in_words);
    Ok(ExitCode::SUCCESS)
}

fn in_words(stats: &Stats) -> String {
    let due = if stats.flash_due { "; a flash save is due" } else { "" };
    format!(
        "{} entries, {} tokens of {}: {} HOT, {} WARM, {} COLD, {} archived{due}",
        stats.total_items,
        stats.total_tokens,
        stats.token_limit,
        stats.hot_count,
        stats.warm_count,
        stats.cold_count,
        stats.archived_count
    )
}

const EXCERPT_CHARS: usize = 80;

fn listed(entries: &[Entry]) -> String {
    let rows = entries.iter().map(|entry| {
        vec![
            entry.id.clone(),
            entry.entry_type.clone(),
            entry.tier.clone(),
            format!("{:.2}", entry.score),
            entry.tokens.to_string(),
            excerpt(&entry.content, EXCERPT_CHARS),
        ]
    });
    table(&["id", "type", "tier", "score", "tokens", "content"], rows)
}
