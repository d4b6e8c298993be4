//! `throughline bench set`: what a working set costs as it grows.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::capture::{During, Opening, SessionRef};
use throughline_engine::hold::{Draft, Known, Wanted};
use throughline_engine::store::context_entry::Tier;

use super::super::output::{Output, table};
use super::corpus::{Dice, statement};
use super::cost::Spent;
use super::place::Place;
use super::search::percentile;
use crate::config::Overrides;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many entries; may be given several times, or several with commas
    #[arg(long = "sizes", value_name = "N", value_delimiter = ',', default_values_t = [100, 1_000])]
    sizes: Vec<usize>,
    /// How often each is done
    #[arg(long, value_name = "N", default_value_t = 20)]
    times: usize,
}

#[derive(Debug, Serialize)]
struct Answer {
    database: &'static str,
    rows: Vec<Row>,
}

/// Milliseconds of CPU time, the median; for flash saves and restores the longest.
#[derive(Debug, Serialize)]
struct Row {
    entries: usize,
    save_ms: f64,
    load_ms: f64,
    tiers_ms: f64,
    diff_ms: f64,
    stats_ms: f64,
    flash_ms: f64,
    restore_ms: f64,
}

const TYPES: [&str; 5] = ["TASK", "CODE", "ERROR", "TEST_RESULT", "PRD_SECTION"];

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let place = Place::open(overrides, None)?;
    let rows = args.sizes.iter().map(|size| measure(&place, *size, args.times)).collect::<Result<_>>()?;
    output.show(&Answer { database: place.database, rows }, text);
    Ok(ExitCode::SUCCESS)
}

fn measure(place: &Place, size: usize, times: usize) -> Result<Row> {
    let agent = format!("agent:{size}");
    let mut dice = Dice::new(3);
    let mut saves = vec![];
    for number in 0..size {
        // A third matters little, so that a flash save has something to put aside.
        let importance = (number % 3 == 0).then_some(0.2);
        let draft = Draft {
            entry_type: TYPES[number % TYPES.len()].to_owned(),
            content: (0..4).map(|_| statement(&mut dice, number)).collect::<Vec<_>>().join(". "),
            importance,
            ..Draft::default()
        };
        saves.push(spent(|| place.engine.save_entry(&place.caller, &agent, &draft))?.0);
    }
    let late = saves.len().saturating_sub(50);
    let during = During { session: SessionRef::Own, opening: Opening::default() };
    let repeat = |run: &dyn Fn() -> Result<Duration>| (0..times).map(|_| run()).collect::<Result<Vec<_>>>();
    let (engine, caller) = (&place.engine, &place.caller);
    let mut loads =
        repeat(&|| Ok(spent(|| engine.load_entries(caller, &agent, &Wanted::Tier(Tier::Hot)))?.0))?;
    let mut tiers = repeat(&|| Ok(spent(|| engine.update_tiers(caller, &agent))?.0))?;
    let mut diffs = repeat(&|| Ok(spent(|| engine.diff_entries(caller, &agent, &Known::GivenLast))?.0))?;
    let mut stats = repeat(&|| Ok(spent(|| engine.set_stats(caller, &agent))?.0))?;
    let (mut flashes, mut restores) = (vec![], vec![]);
    for _ in 0..times.min(5) {
        let (time, flashed) = spent(|| engine.flash_save(caller, &agent, &during))?;
        flashes.push(time);
        let id = flashed.checkpoint.to_string();
        restores.push(spent(|| engine.restore_checkpoint(caller, Some(&id), &during))?.0);
    }
    Ok(Row {
        entries: size,
        save_ms: percentile(&mut saves[late..], 0.5),
        load_ms: percentile(&mut loads, 0.5),
        tiers_ms: percentile(&mut tiers, 0.5),
        diff_ms: percentile(&mut diffs, 0.5),
        stats_ms: percentile(&mut stats, 0.5),
        flash_ms: percentile(&mut flashes, 1.0),
        restore_ms: percentile(&mut restores, 1.0),
    })
}

fn spent<T>(run: impl FnOnce() -> throughline_engine::Result<T>) -> Result<(Duration, T)> {
    let started = Spent::now();
    let answer = run()?;
    Ok((Spent::since(started), answer))
}

fn text(answer: &Answer) -> String {
    let header = ["entries", "save", "load", "tiers", "diff", "stats", "flash save", "restore"];
    let rows = answer.rows.iter().map(|row| {
        let times =
            [row.save_ms, row.load_ms, row.tiers_ms, row.diff_ms, row.stats_ms, row.flash_ms, row.restore_ms];
        let times = times.iter().map(|time| format!("{time} ms"));
        std::iter::once(row.entries.to_string()).chain(times).collect()
    });
    format!("{} (CPU time)\n{}", answer.database, table(&header, rows))
}
