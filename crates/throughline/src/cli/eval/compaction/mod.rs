//! `throughline eval compaction`: what compaction spares over long sessions, and whether what later steps need is still there.
//!
//! Each event goes through the real capture path at its own time, and jobs run as a server would run them. A need is met
//! when its words stand in what is held (the newest summary and the events after its range), or in one of the ten hits of
//! one recall.

mod recorded;
mod recording;
mod simulate;
mod trial;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;

use super::super::app::App;
use super::super::output::{Output, table};
use crate::config::Overrides;
use recording::Recording;
use trial::{Measured, Trial};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many made-up sessions of two thousand events
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..))]
    sessions: u64,
    /// Transcripts of real sessions to go through instead, as Claude Code and Codex keep them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "sessions")]
    transcripts: Vec<PathBuf>,
}

#[derive(Debug, Serialize)]
struct Report {
    sessions: Vec<Measured>,
    /// Over all events of all sessions.
    tokens_held_without: f64,
    tokens_held_with: f64,
    reduction: f64,
    needs: usize,
    needs_met: f64,
    /// By what was needed: how often, in what is held, by a recall.
    by_sort: BTreeMap<&'static str, [usize; 3]>,
    decisions_lost: usize,
    errors_lost: usize,
    /// Of the first session: the event, tokens held without and with compaction.
    curve: Vec<[i64; 3]>,
}

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let app = App::load(overrides, output)?;
    let mut sessions = vec![];
    for recording in recordings(args) {
        let recording = recording?;
        if !output.is_json() {
            output.say(&format!("session {}: {} events", recording.name, recording.steps.len()));
        }
        sessions.push(Trial::new(recording, &app)?.measure()?);
    }
    output.show(&Report::of(sessions), text);
    Ok(ExitCode::SUCCESS)
}

/// One at a time: a long session need not be in memory with all the others.
fn recordings(args: &Args) -> Box<dyn Iterator<Item = Result<Recording>> + '_> {
    match &args.transcripts[..] {
        [] => Box::new((1..=args.sessions).map(|seed| Ok(simulate::session(seed)))),
        files => Box::new(files.iter().map(|file| recorded::session(file))),
    }
}

impl Report {
    fn of(sessions: Vec<Measured>) -> Report {
        let mean = |of: &dyn Fn(&Measured) -> f64| {
            sessions.iter().map(of).sum::<f64>() / sessions.len().max(1) as f64
        };
        let (without, with) = (mean(&|one| one.without), mean(&|one| one.with));
        let sum = |of: &dyn Fn(&Measured) -> usize| sessions.iter().map(of).sum::<usize>();
        let needs = sum(&|one| one.needs);
        let mut by_sort: BTreeMap<&'static str, [usize; 3]> = BTreeMap::new();
        for (sort, counts) in sessions.iter().flat_map(|one| &one.by_sort) {
            let all = by_sort.entry(*sort).or_default();
            all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
        }
        Report {
            tokens_held_without: without.round(),
            tokens_held_with: with.round(),
            reduction: rounded(1.0 - with / without.max(1.0)),
            needs,
            needs_met: rounded(sum(&|one| one.in_hand + one.recalled) as f64 / needs.max(1) as f64),
            by_sort,
            decisions_lost: sum(&|one| one.decisions_lost),
            errors_lost: sum(&|one| one.errors_lost),
            curve: sessions.first().map(|one| one.curve.clone()).unwrap_or_default(),
            sessions,
        }
    }
}

fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}

fn text(report: &Report) -> String {
    let rows = report.sessions.iter().map(|one| {
        let causes: Vec<String> =
            one.causes.iter().map(|(cause, count)| format!("{count} {cause}")).collect();
        vec![
            one.name.clone(),
            one.events.to_string(),
            one.tokens.to_string(),
            format!("{:.0}", one.without),
            format!("{:.0}", one.with),
            one.most_held.to_string(),
            format!("{} ({})", one.compactions, causes.join(", ")),
            one.needs.to_string(),
            one.in_hand.to_string(),
            one.recalled.to_string(),
            (one.needs - one.in_hand - one.recalled).to_string(),
        ]
    });
    let header = [
        "session",
        "events",
        "tokens",
        "held without",
        "with",
        "most",
        "compactions",
        "needs",
        "held",
        "recalled",
        "missed",
    ];
    let sorts = report.by_sort.iter().map(|(sort, [needs, held, recalled])| {
        vec![
            (*sort).to_owned(),
            needs.to_string(),
            held.to_string(),
            recalled.to_string(),
            (needs - held - recalled).to_string(),
        ]
    });
    format!(
        "{}\n\n{}\n\ntokens held on average: {:.0} without, {:.0} with: {:.1} % less\n\
         needs met: {:.2} % of {}\ndecisions lost: {}, unresolved errors lost: {}",
        table(&header, rows),
        table(&["need", "needs", "held", "recalled", "missed"], sorts),
        report.tokens_held_without,
        report.tokens_held_with,
        report.reduction * 100.0,
        report.needs_met * 100.0,
        report.needs,
        report.decisions_lost,
        report.errors_lost
    )
}
