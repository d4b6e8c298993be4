//! `throughline log tail`: the newest events, and with `--follow` each new one as it comes.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::store::event::{Event as Record, Filter, Order};
use throughline_engine::{Caller, Engine};

use super::super::app::App;
use super::super::output::table;
use super::Selection;
use crate::wire::error::Usage;
use crate::wire::event::{Event, short};
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many events at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    limit: u32,
    /// Go on printing new events; with --json one document a line
    #[arg(short, long)]
    follow: bool,
    #[command(flatten)]
    selection: Selection,
}

#[derive(Serialize)]
struct Answer {
    events: Vec<Event>,
    shown: usize,
    total: i64,
}

const POLL: Duration = Duration::from_millis(200);
const PAGE: i64 = 256;

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    if args.limit == 0 && !args.follow {
        return Err(
            Usage("--limit 0 shows nothing; give 1 or more, or --follow what comes".to_owned()).into()
        );
    }
    if args.follow && args.selection.has_end() {
        return Err(Usage("--follow waits for what comes; leave out --until and --before".to_owned()).into());
    }
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let filter = args.selection.filter(engine, &caller)?;
    if args.follow {
        // Whoever follows waits for events to come, also the first of a folder.
        let caller = app.caller(engine)?;
        return follow(args, filter, app, engine, &caller);
    }
    let mut page = engine.events(&caller, &filter, Order::NewestFirst, args.limit.into())?;
    page.events.reverse();
    let text = text(&page.events, page.total);
    let events: Vec<Event> = page.events.into_iter().map(Event::from).collect();
    app.output.show(&Answer { shown: events.len(), events, total: page.total }, |_| text);
    Ok(ExitCode::SUCCESS)
}

fn follow(
    args: &Args,
    mut filter: Filter,
    app: &App<'_>,
    engine: &Engine,
    caller: &Caller,
) -> Result<ExitCode> {
    // The position first: what comes between the two reads is shown by the loop, not lost.
    let newest = engine.events(caller, &Filter::default(), Order::NewestFirst, 1)?;
    let mut position = newest.events.first().map_or(0, |event| event.position);
    let first = Filter { before_position: filter.before_position.or(Some(position + 1)), ..filter.clone() };
    let mut newest = engine.events(caller, &first, Order::NewestFirst, args.limit.into())?.events;
    newest.reverse();
    loop {
        for event in newest {
            position = position.max(event.position);
            let text = row(&event).join("  ");
            app.output.line(&Event::from(event), |_| text);
        }
        std::thread::sleep(POLL);
        filter.after_position = Some(position);
        newest = engine.events(caller, &filter, Order::OldestFirst, PAGE)?.events;
    }
}

fn text(events: &[Record], total: i64) -> String {
    if events.is_empty() {
        return "no events".to_owned();
    }
    let header = ["position", "time (utc)", "session", "seq", "actor", "kind", "what"];
    let shown = format!("\n{} of {total} events", events.len());
    table(&header, events.iter().map(row)) + &shown
}

fn row(event: &Record) -> Vec<String> {
    vec![
        event.position.to_string(),
        readable(event.at),
        short(&event.session_id).to_owned(),
        event.sequence.to_string(),
        event.actor.to_string(),
        event.kind.to_string(),
        what(event),
    ]
}

pub(in crate::cli) fn what(event: &Record) -> String {
    let text = match event.target.as_deref().filter(|target| !event.summary.contains(target)) {
        Some(target) => format!("{target}: {}", event.summary),
        None => event.summary.clone(),
    };
    // What an event says must not move the cursor or ring the bell.
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
