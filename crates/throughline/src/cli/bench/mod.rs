//! `throughline bench …`: what the product costs at real sizes, and what others of its kind cost on the same.
//!
//! One file for each thing that is measured; `report` has the one table for all of them.

mod amount;
mod append;
mod capture;
mod client;
mod compare;
mod context;
mod corpus;
mod cost;
mod dice;
mod fill;
mod index;
mod orient;
mod place;
mod process;
mod redact;
mod report;
mod search;
mod serve;
mod set;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use throughline_engine::store::Durability;

use super::output::Output;
use crate::config::Overrides;
use amount::Amount;
use place::Place;
use report::{Report, Row, text};

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// All of append, capture, search, context, orient, index and set
    All(Amount),
    /// Record events in one process
    Append(Amount),
    /// Hooks and a cold append, each a process of its own
    Capture(Amount),
    /// Ask for the context of items among so many
    Context(Amount),
    /// Read the files of a project and search in them
    Index(Amount),
    /// Ask where a project stands
    Orient(Amount),
    /// Remember so many memories and search among them
    Search(Amount),
    /// Fill a working set and load, compare and flash save it
    Set(Amount),
    /// Take secrets out of the files below a folder
    Redact(redact::Args),
    /// Many clients at once on a running server
    Serve(serve::Args),
    /// Other memory servers over MCP, on the same texts and questions
    Compare(compare::Args),
}

/// Fills a place to each size and says what things cost there.
struct Thing {
    name: &'static str,
    durability: Durability,
    measure: fn(&Place, &Amount, &Output) -> Result<Vec<Row>>,
}

const APPEND: Thing = Thing { name: "append", durability: Durability::Power, measure: append::measure };
const CAPTURE: Thing = Thing { name: "capture", durability: Durability::Process, measure: capture::measure };
const CONTEXT: Thing = Thing { name: "context", durability: Durability::Process, measure: context::measure };
const INDEX: Thing = Thing { name: "index", durability: Durability::Process, measure: index::measure };
const ORIENT: Thing = Thing { name: "orient", durability: Durability::Process, measure: orient::measure };
const SEARCH: Thing = Thing { name: "search", durability: Durability::Process, measure: search::measure };
const SET: Thing = Thing { name: "set", durability: Durability::Process, measure: set::measure };

pub(super) fn run(command: &Command, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let all = [APPEND, CAPTURE, SEARCH, CONTEXT, ORIENT, INDEX, SET];
    let measured = |things: &[Thing], amount| measure(things, amount, overrides, output);
    match command {
        Command::All(amount) => measured(&all, amount)?,
        Command::Append(amount) => measured(&[APPEND], amount)?,
        Command::Capture(amount) => measured(&[CAPTURE], amount)?,
        Command::Context(amount) => measured(&[CONTEXT], amount)?,
        Command::Index(amount) => measured(&[INDEX], amount)?,
        Command::Orient(amount) => measured(&[ORIENT], amount)?,
        Command::Search(amount) => measured(&[SEARCH], amount)?,
        Command::Set(amount) => measured(&[SET], amount)?,
        Command::Redact(args) => redact::run(args, output)?,
        Command::Serve(args) => return serve::run(args, output),
        Command::Compare(args) => return compare::run(args, output),
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(things: &[Thing], amount: &Amount, overrides: &Overrides, output: &Output) -> Result<()> {
    let (mut rows, mut database) = (vec![], "");
    for thing in things {
        let keep = amount.keep.as_ref().map(|folder| match things {
            [_] => folder.clone(),
            _ => folder.join(thing.name),
        });
        let place = Place::open(overrides, keep.as_deref(), thing.name, thing.durability)?;
        database = place.database;
        rows.extend((thing.measure)(&place, amount, output)?);
    }
    output.show(&Report { database, rows }, text);
    Ok(())
}
