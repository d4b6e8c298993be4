//! `throughline bench context`: what creating items and asking for their context cost as a backlog grows.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::backlog::{NewItem, Query, Says, Source};
use throughline_engine::capture::{During, Opening, SessionRef};
use throughline_engine::hydrate::{Depth, Focus, Request};
use throughline_engine::store::item::{Reference, Status, Type};

use super::super::output::{Output, table};
use super::corpus::{Dice, statement};
use super::cost::{Spent, resident_megabytes};
use super::place::Place;
use super::search::percentile;
use crate::config::Overrides;
use crate::wire::context::Format;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many items; may be given several times, or several with commas
    #[arg(long = "sizes", value_name = "N", value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    sizes: Vec<usize>,
    /// How many contexts at each size
    #[arg(long, value_name = "N", default_value_t = 200)]
    contexts: usize,
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: u64,
    /// Keep the database in this folder, to be used as THROUGHLINE_HOME afterwards
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct Answer {
    database: &'static str,
    depth: u64,
    rows: Vec<Row>,
}

/// Milliseconds of CPU time, and megabytes.
#[derive(Debug, Serialize)]
struct Row {
    items: usize,
    create_p50_ms: f64,
    context_p50_ms: f64,
    context_p95_ms: f64,
    context_p99_ms: f64,
    /// Of the first item, which everything is below.
    root_ms: f64,
    again_p50_ms: f64,
    resident_mb: Option<f64>,
}

const AT_ONCE: usize = 2000;
const SINGLE: usize = 50;
/// Each item has so many below it, until there are enough.
const BREADTH: usize = 12;

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let place = Place::open(overrides, args.keep.as_deref())?;
    let there = place.engine.items(&place.caller, &Query::default(), 0)?.total;
    let database = place.database;
    let mut bench = Bench { place, dice: Dice::new(7), there: usize::try_from(there)? };
    let mut sizes = args.sizes.clone();
    sizes.sort_unstable();
    let measured = sizes.iter().map(|size| bench.measure(*size, args, output));
    let rows = measured.collect::<Result<_>>()?;
    output.show(&Answer { database, depth: args.depth, rows }, text);
    Ok(ExitCode::SUCCESS)
}

struct Bench {
    place: Place,
    dice: Dice,
    there: usize,
}

impl Bench {
    fn measure(&mut self, size: usize, args: &Args, output: &Output) -> Result<Row> {
        output.say(&format!("creating up to {size}"));
        while self.there + SINGLE < size {
            let count = AT_ONCE.min(size - SINGLE - self.there);
            self.create(count)?;
        }
        while self.place.engine.work_one("bench")?.is_some() {}
        let mut creates = (0..SINGLE).map(|_| self.create(1)).collect::<Result<Vec<_>>>()?;
        output.say(&format!("contexts among {size}"));
        let (mut times, mut again) = (vec![], vec![]);
        for _ in 0..args.contexts {
            let id = id_of(self.dice.below(self.there));
            times.push(self.context(&id, args.depth)?);
            again.push(self.context(&id, args.depth)?);
        }
        Ok(Row {
            items: size,
            create_p50_ms: percentile(&mut creates, 0.5),
            context_p50_ms: percentile(&mut times, 0.5),
            context_p95_ms: percentile(&mut times, 0.95),
            context_p99_ms: percentile(&mut times, 0.99),
            root_ms: percentile(&mut [self.context(&id_of(0), args.depth)?], 0.5),
            again_p50_ms: percentile(&mut again, 0.5),
            resident_mb: resident_megabytes().map(f64::round),
        })
    }

    fn create(&mut self, count: usize) -> Result<Duration> {
        let sources = (self.there..self.there + count).map(|number| source(&mut self.dice, number)).collect();
        self.there += count;
        let started = Spent::now();
        let during = During {
            session: SessionRef::Of { client: "bench".to_owned(), session: format!("{}", self.there / 100) },
            opening: Opening::default(),
        };
        self.place.engine.import_items(&self.place.caller, sources, &during)?;
        Ok(Spent::since(started))
    }

    fn context(&self, id: &str, depth: u64) -> Result<Duration> {
        let request = Request { depth: Depth::new(depth)?, ..Request::about(Focus::Id(id.to_owned())) };
        let started = Spent::now();
        self.place.engine.hydrate(&self.place.caller, &request, &Format::Json)?;
        Ok(Spent::since(started))
    }
}

fn id_of(number: usize) -> String {
    format!("TASK-{:04}", number + 1)
}

/// The n-th item: below an earlier one, some after another, some naming others.
fn source(dice: &mut Dice, number: usize) -> Source {
    let parent = number.checked_sub(1).map(|before| id_of(before / BREADTH));
    let earlier = |dice: &mut Dice| id_of(dice.below(number.max(1)));
    let mut text = (0..4).map(|_| statement(dice, number)).collect::<Vec<_>>().join(". ");
    if number > 0 && dice.below(3) == 0 {
        text.push_str(&format!(". Compare {}", earlier(dice)));
    }
    let depends_on = if number > 0 && dice.below(5) == 0 { vec![earlier(dice)] } else { vec![] };
    let status = match dice.below(10) {
        0..4 => Status::Done,
        4 => Status::InProgress,
        5 => Status::Blocked,
        _ => Status::Open,
    };
    let title = statement(dice, number).chars().take(60).collect::<String>();
    let item = NewItem {
        description: text,
        item_type: Type::Task,
        parent,
        status,
        depends_on,
        references: vec![Reference { url: format!("https://example.com/issues/{number}"), title: None }],
        id: Some(id_of(number)),
        ..NewItem::of(title)
    };
    Source { key: id_of(number), place: format!("item {number}"), item, says: Says::Everything }
}

fn text(answer: &Answer) -> String {
    let header =
        ["items", "create p50 ms", "context p50 ms", "p95", "p99", "root", "again p50", "resident mb"];
    let rows = answer.rows.iter().map(|row| {
        let ms = |value: f64| format!("{value:.3}");
        vec![
            row.items.to_string(),
            ms(row.create_p50_ms),
            ms(row.context_p50_ms),
            ms(row.context_p95_ms),
            ms(row.context_p99_ms),
            ms(row.root_ms),
            ms(row.again_p50_ms),
            row.resident_mb.map_or_else(|| "?".to_owned(), |megabytes| format!("{megabytes:.0}")),
        ]
    });
    format!("CPU time on {}, depth {}\n{}", answer.database, answer.depth, table(&header, rows))
}
