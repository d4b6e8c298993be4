//! `throughline bench search`: what remembering and searching cost as memories grow.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use serde::Serialize;
use throughline_engine::recall::{Found, Kind, Query};
use throughline_engine::remember::Statement;
use throughline_engine::store::memory::Filter;

use super::super::output::{Output, table};
use super::corpus::{Dice, question, statement};
use super::cost::{Spent, clock, resident_megabytes};
use super::place::Place;
use crate::config::Overrides;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many memories; may be given several times, or several with commas
    #[arg(long = "sizes", value_name = "N", value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    sizes: Vec<usize>,
    /// How many searches at each size
    #[arg(long, value_name = "N", default_value_t = 200)]
    searches: usize,
    /// Keep the database in this folder, to be used as THROUGHLINE_HOME afterwards
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct Answer {
    database: &'static str,
    rows: Vec<Row>,
}

/// Milliseconds of CPU time, and megabytes.
#[derive(Debug, Serialize)]
struct Row {
    memories: usize,
    bulk_store_ms: f64,
    store_p50_ms: f64,
    store_p95_ms: f64,
    search_p50_ms: f64,
    search_p95_ms: f64,
    search_p99_ms: f64,
    /// By the clock: the server's part and the connection's too.
    answer_p50_ms: f64,
    found_first: f64,
    background_s: f64,
    resident_mb: Option<f64>,
}

const AT_ONCE: usize = 1000;
const SINGLE_STORES: usize = 50;

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let mut sizes = args.sizes.clone();
    sizes.sort_unstable();
    if sizes.first().is_none_or(|size| *size <= SINGLE_STORES) {
        bail!("each size must be above {SINGLE_STORES}");
    }
    let place = Place::open(overrides, args.keep.as_deref())?;
    let there = place.engine.memories(&place.caller, &Filter::default(), SAMPLES)?;
    let kept = usize::try_from(there.total)?;
    let samples = there.memories.into_iter().map(|memory| memory.content).collect();
    let database = place.database;
    let mut bench = Bench { place, dice: Dice::new(kept as u64), kept, samples };
    let rows = sizes.iter().map(|size| bench.measure(*size, args.searches, output)).collect::<Result<_>>()?;
    output.show(&Answer { database, rows }, text);
    Ok(ExitCode::SUCCESS)
}

const SAMPLES: i64 = 5000;

struct Bench {
    place: Place,
    dice: Dice,
    kept: usize,
    /// Some of what was remembered, to be asked for.
    samples: Vec<String>,
}

impl Bench {
    fn measure(&mut self, size: usize, searches: usize, output: &Output) -> Result<Row> {
        output.say(&format!("remembering up to {size}"));
        let bulk = self.fill(size - SINGLE_STORES)?;
        let started = Spent::now();
        while self.place.engine.work_one("bench")?.is_some() {}
        let background_s = Spent::since(started).as_secs_f64();
        let mut stores = (0..SINGLE_STORES).map(|_| self.store(1)).collect::<Result<Vec<_>>>()?;
        output.say(&format!("searching among {size}"));
        let mut found = 0;
        let (mut times, mut answers) = (vec![], vec![]);
        for _ in 0..searches {
            let began = clock();
            let (time, first) = self.search()?;
            answers.push(began.elapsed());
            times.push(time);
            found += usize::from(first);
        }
        Ok(Row {
            memories: size,
            bulk_store_ms: bulk,
            store_p50_ms: percentile(&mut stores, 0.5),
            store_p95_ms: percentile(&mut stores, 0.95),
            search_p50_ms: percentile(&mut times, 0.5),
            search_p95_ms: percentile(&mut times, 0.95),
            search_p99_ms: percentile(&mut times, 0.99),
            answer_p50_ms: percentile(&mut answers, 0.5),
            found_first: found as f64 / searches.max(1) as f64,
            background_s,
            resident_mb: resident_megabytes().map(f64::round),
        })
    }

    /// Milliseconds for each memory.
    fn fill(&mut self, size: usize) -> Result<f64> {
        let (mut spent, mut stored) = (Duration::ZERO, 0);
        while self.kept < size {
            let count = AT_ONCE.min(size - self.kept);
            spent += self.store(count)?;
            stored += count;
        }
        Ok(spent.as_secs_f64() * 1000.0 / stored.max(1) as f64)
    }

    fn store(&mut self, count: usize) -> Result<Duration> {
        let texts: Vec<String> =
            (self.kept..self.kept + count).map(|number| statement(&mut self.dice, number)).collect();
        self.kept += count;
        self.samples.extend(texts.first().cloned());
        let statements = texts.into_iter().map(Statement::of).collect();
        let started = Spent::now();
        self.place.engine.remember(&self.place.caller, statements)?;
        Ok(Spent::since(started))
    }

    fn search(&mut self) -> Result<(Duration, bool)> {
        let sample = self.samples[self.dice.below(self.samples.len())].clone();
        let query = Query { kinds: vec![Kind::Memory], ..Query::of(question(&mut self.dice, &sample), 10) };
        let started = Spent::now();
        let recalled = self.place.engine.recall(&self.place.caller, &query)?;
        let spent = Spent::since(started);
        let first = recalled.hits.iter().any(|hit| match &hit.found {
            Found::Memory(memory) => memory.content == sample,
            Found::Event(_) | Found::Item(_) | Found::Resource(_) | Found::Code(_) => false,
        });
        Ok((spent, first))
    }
}

pub(super) fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    let place = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len().max(1)) - 1;
    times.get(place).map_or(0.0, |time| (time.as_secs_f64() * 1e6).round() / 1e3)
}

fn text(answer: &Answer) -> String {
    let header = [
        "memories",
        "bulk store ms",
        "store p50",
        "p95",
        "search p50 ms",
        "p95",
        "p99",
        "by the clock p50",
        "found in 10",
        "background s",
        "resident mb",
    ];
    let rows = answer.rows.iter().map(|row| {
        vec![
            row.memories.to_string(),
            format!("{:.3}", row.bulk_store_ms),
            format!("{:.3}", row.store_p50_ms),
            format!("{:.3}", row.store_p95_ms),
            format!("{:.3}", row.search_p50_ms),
            format!("{:.3}", row.search_p95_ms),
            format!("{:.3}", row.search_p99_ms),
            format!("{:.3}", row.answer_p50_ms),
            format!("{:.0} %", row.found_first * 100.0),
            format!("{:.2}", row.background_s),
            row.resident_mb.map_or_else(|| "?".to_owned(), |megabytes| format!("{megabytes:.0}")),
        ]
    });
    format!("CPU time on {}\n{}", answer.database, table(&header, rows))
}
