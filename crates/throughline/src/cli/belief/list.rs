//! `throughline belief list`.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::store::memory::{Filter, Kind};

use super::super::app::App;
use super::super::output::table;
use crate::wire::memory::Memory;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Also those that hold no more, and those in quarantine
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
struct Answer {
    beliefs: Vec<Memory>,
    shown: usize,
    total: i64,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let now = engine.now();
    let filter =
        Filter { kinds: vec![Kind::Belief], active_at: (!args.all).then_some(now), ..Filter::default() };
    let listed = engine.memories(&caller, &filter, i64::MAX)?;
    let mut beliefs = listed.memories;
    beliefs.sort_by(|a, b| b.confidence_at(now).total_cmp(&a.confidence_at(now)));
    beliefs.truncate(args.limit as usize);
    let beliefs: Vec<Memory> = beliefs.into_iter().map(|belief| Memory::at(belief, now)).collect();
    app.output.show(&Answer { shown: beliefs.len(), beliefs, total: listed.total }, text);
    Ok(ExitCode::SUCCESS)
}

fn text(answer: &Answer) -> String {
    if answer.beliefs.is_empty() {
        return "no beliefs".to_owned();
    }
    let rows = answer.beliefs.iter().map(|belief| {
        let conviction = belief.confidence_now.unwrap_or(belief.confidence);
        vec![belief.id.clone(), format!("{conviction:.2}"), belief.status.clone(), belief.title.clone()]
    });
    let mut text = table(&["id", "conviction", "status", "belief"], rows);
    if answer.total > answer.shown as i64 {
        text.push_str(&format!("\n{} of {} shown (--limit)", answer.shown, answer.total));
    }
    text
}
