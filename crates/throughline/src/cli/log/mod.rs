//! `throughline log …`: the append-only log itself.

pub(super) mod append;
pub(super) mod export;
mod import;
mod purge;
mod tail;

pub(super) use tail::what;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use throughline_engine::store::actor::Actor;
use throughline_engine::store::event::{Filter, Kind};
use throughline_engine::{Caller, Engine};

use super::app::App;
use super::one_of::one_of;
use crate::wire::error::Usage;
use crate::wire::time::Asked;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Record an event, or many
    Append(Box<append::Args>),
    /// Show the newest events
    Tail(tail::Args),
    /// Write the log as JSON lines: the project's audit log
    Export(export::Args),
    /// Read JSON lines that `export` wrote; what is there already is skipped
    Import(import::Args),
    /// Erase what events say, for privacy; a tombstone stays
    Purge(purge::Args),
}

pub(super) fn run(command: Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::Append(args) => append::run(*args, app),
        Command::Tail(args) => tail::run(&args, app),
        Command::Export(args) => export::run(&args, app),
        Command::Import(args) => import::run(&args, app),
        Command::Purge(args) => purge::run(&args, app),
    }
}

// Which events; all conditions hold together. Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
struct Selection {
    /// Only this session: an id or its beginning, or the client's own id for all its roles
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Only events that touch this item
    #[arg(long, value_name = "ID")]
    item: Option<String>,
    /// Only this kind; may be repeated
    #[arg(long, value_name = "KIND", value_parser = one_of::<Kind>(Kind::ALL.iter().map(|kind| kind.as_str())))]
    kind: Vec<Kind>,
    /// Only by this actor
    #[arg(long = "by", value_name = "ACTOR")]
    by: Option<Actor>,
    /// At this time or later: 2026-11-15T03:31:18Z, 2026-11-15, or how long ago: 2h
    #[arg(long, value_name = "TIME")]
    since: Option<Asked>,
    /// Before this time
    #[arg(long, value_name = "TIME")]
    until: Option<Asked>,
    /// After this position of the log
    #[arg(long, value_name = "POSITION")]
    after: Option<i64>,
    /// Before this position of the log
    #[arg(long, value_name = "POSITION")]
    before: Option<i64>,
}

impl Selection {
    fn has_end(&self) -> bool {
        self.until.is_some() || self.before.is_some()
    }

    fn filter(&self, engine: &Engine, caller: &Caller) -> Result<Filter> {
        let now = engine.now();
        let (since, until) = (self.since.map(|at| at.resolve(now)), self.until.map(|at| at.resolve(now)));
        check_order(("--since", since), ("--until", until))?;
        check_order(("--after", self.after), ("--before", self.before))?;
        let sessions = match &self.session {
            Some(name) => {
                engine.sessions_named(caller, name)?.into_iter().map(|session| session.id).collect()
            }
            None => Vec::new(),
        };
        Ok(Filter {
            sessions,
            item: self.item.clone(),
            kinds: self.kind.clone(),
            actor: self.by.clone(),
            ids: Vec::new(),
            target: None,
            informs: None,
            since,
            until,
            after_position: self.after,
            before_position: self.before,
        })
    }
}

/// What ends before it begins holds nothing, and was not meant.
fn check_order<T: PartialOrd>((from, begin): (&str, Option<T>), (to, end): (&str, Option<T>)) -> Result<()> {
    match (begin, end) {
        (Some(begin), Some(end)) if begin >= end => {
            Err(Usage(format!("{from} is not before {to}, so nothing lies between; exchange the two")).into())
        }
        _ => Ok(()),
    }
}
