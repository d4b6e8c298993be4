//! `throughline eval compaction`: what compaction spares over long sessions, and whether what later steps need is still there.
//!
//! Each event goes through the real capture path at its own time, and jobs run as a server would run them. A need is met
//! when its words stand in what is held (the newest summary and the events after its range), or in one of the ten hits of
//! one recall.

mod simulate;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use anyhow::Result;
use serde::Serialize;
use throughline_engine::capture::{Observation, SessionRef};
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::recall::{Found, Query};
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::event::{Event, Kind};
use throughline_engine::store::time::Timestamp;
use throughline_engine::store::{Location, Options, Store};
use throughline_engine::tokens;
use throughline_engine::{Caller, Engine};

use super::super::app::App;
use super::super::output::{Output, table};
use crate::config::Overrides;
use simulate::{EVENTS, HOURS, Sort, Step};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many sessions of two thousand events
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..))]
    sessions: u64,
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

#[derive(Debug, Default, Serialize)]
struct Measured {
    seed: u64,
    tokens: i64,
    without: f64,
    with: f64,
    most_held: i64,
    compactions: usize,
    causes: BTreeMap<String, usize>,
    needs: usize,
    in_hand: usize,
    recalled: usize,
    decisions_lost: usize,
    errors_lost: usize,
    #[serde(skip)]
    by_sort: BTreeMap<&'static str, [usize; 3]>,
    #[serde(skip)]
    curve: Vec<[i64; 3]>,
}

const HITS: usize = 10;
const START: i64 = 1_767_600_000_000_000;
const CURVE_EVERY: usize = 20;
const SESSION: &str = "long";
const COMPACTION_JOB: &str = "compact_session";

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let app = App::load(overrides, output)?;
    let mut sessions = vec![];
    for seed in 1..=args.sessions {
        if !output.is_json() {
            output.say(&format!("session {seed} of {}", args.sessions));
        }
        sessions.push(Trial::new(seed, &app)?.measure()?);
    }
    output.show(&Report::of(sessions), text);
    Ok(ExitCode::SUCCESS)
}

struct Trial {
    engine: Engine,
    caller: Caller,
    hand: Arc<AtomicI64>,
    steps: Vec<Step>,
    measured: Measured,
    /// What is held: the summary's text and its tokens, then texts of events.
    summary: Option<Event>,
    held: Vec<(String, i64)>,
}

impl Trial {
    fn new(seed: u64, app: &App<'_>) -> Result<Trial> {
        let hand = Arc::new(AtomicI64::new(START));
        let clock = hand.clone();
        let clock = Clock::from_fn(move || Timestamp(clock.load(Ordering::Relaxed)));
        let chance = AtomicU64::new(seed);
        let ids = Ids::from_fn(move || {
            let step = chance.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
            (step ^ (step >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
        });
        let store = Store::open(Location::Memory, Options::default())?;
        let engine = Engine::new(store, clock, ids, app.config.settings.clone());
        let project = engine.project(&app.folder, Some("simulated"))?;
        let actor = Actor { kind: ActorKind::Agent, name: "simulated".to_owned() };
        let caller = Caller { project: project.id, actor };
        let measured = Measured { seed, ..Measured::default() };
        let steps = simulate::session(seed);
        Ok(Trial { engine, caller, hand, steps, measured, summary: None, held: vec![] })
    }

    fn measure(mut self) -> Result<Measured> {
        let micros = (HOURS * 3600 * 1_000_000 / EVENTS as u64) as i64;
        for place in 0..self.steps.len() {
            self.hand.fetch_add(micros, Ordering::Relaxed);
            self.meet_needs(place)?;
            self.record(place)?;
            self.work(place)?;
            let tokens = self.tokens_held();
            let total = self.measured.tokens;
            self.measured.most_held = self.measured.most_held.max(tokens);
            self.measured.without += total as f64 / self.steps.len() as f64;
            self.measured.with += tokens as f64 / self.steps.len() as f64;
            if place % CURVE_EVERY == 0 {
                self.measured.curve.push([place as i64, total, tokens]);
            }
        }
        Ok(self.measured)
    }

    fn record(&mut self, place: usize) -> Result<()> {
        let step = &self.steps[place];
        let session = SessionRef::Of { client: "simulated".to_owned(), session: SESSION.to_owned() };
        let observation = Observation {
            target: step.target.clone(),
            content: step.content.clone(),
            parts: step.parts.clone(),
            ..Observation::of(step.kind, session)
        };
        self.engine.capture(&self.caller, vec![observation])?;
        let text = format!(
            "{}\n{}",
            step.target.as_deref().unwrap_or_default(),
            step.content.as_deref().unwrap_or_default()
        );
        let tokens = i64::try_from(tokens::estimate(&text)).unwrap_or(i64::MAX);
        self.measured.tokens += tokens;
        self.held.push((text, tokens));
        Ok(())
    }

    /// Background jobs; after a compaction what is held begins anew.
    fn work(&mut self, place: usize) -> Result<()> {
        let mut was_looked_at = false;
        while let Some(run) = self.engine.work_one("eval")? {
            was_looked_at |= run.job.kind == COMPACTION_JOB;
        }
        if !was_looked_at {
            return Ok(());
        }
        let summary = self.engine.held(&self.caller, Some(SESSION))?.summary;
        if summary.as_ref().map(|event| &event.id) == self.summary.as_ref().map(|event| &event.id) {
            return Ok(());
        }
        let Some(summary) = summary else { return Ok(()) };
        let parts: serde_json::Value = serde_json::from_str(summary.parts.as_deref().unwrap_or("{}"))?;
        self.measured.compactions += 1;
        *self.measured.causes.entry(parts["cause"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
        let replaced = parts["to"].as_i64().unwrap_or_default();
        let kept = self.kept_after(replaced)?;
        let drop = self.held.len().saturating_sub(kept);
        self.held.drain(..drop);
        self.check(&summary, place + 1 - kept);
        self.summary = Some(summary);
        Ok(())
    }

    /// How many of our own events are after the range; notes of the product are not ours.
    fn kept_after(&self, sequence: i64) -> Result<usize> {
        let held = self.engine.held(&self.caller, Some(SESSION))?;
        let is_ours = |event: &&Event| !matches!(event.kind, Kind::SystemEvent | Kind::Checkpoint);
        Ok(held.events.iter().filter(|event| event.sequence > sequence).filter(is_ours).count())
    }

    /// Every decision, and every error that is not resolved, of the part that was replaced.
    fn check(&mut self, summary: &Event, replaced: usize) {
        let text = summary.content.as_deref().unwrap_or_default();
        let settled = |from: usize, test: Option<&String>| {
            self.steps[from + 1..replaced.max(from + 1)].iter().any(|later| {
                later.target.as_ref() == test && later.parts.as_ref().is_some_and(|parts| parts["ok"] == true)
            })
        };
        for (place, step) in self.steps[..replaced].iter().enumerate() {
            let Some(fact) = &step.fact else { continue };
            let is_lost = !text.contains(&fact.phrase);
            match fact.sort {
                Sort::Decision => self.measured.decisions_lost += usize::from(is_lost),
                Sort::Error if !settled(place, step.target.as_ref()) => {
                    self.measured.errors_lost += usize::from(is_lost);
                }
                Sort::Error | Sort::Correction | Sort::Remember | Sort::Detail | Sort::Said | Sort::File => {}
            }
        }
    }

    fn meet_needs(&mut self, place: usize) -> Result<()> {
        for need in self.steps[place].needs.clone() {
            let Some(fact) = self.steps[need].fact.clone() else { continue };
            let summary = self.summary.as_ref().and_then(|event| event.content.as_deref());
            let in_hand = self.held.iter().rev().any(|(text, _)| text.contains(&fact.phrase))
                || summary.is_some_and(|text| text.contains(&fact.phrase));
            let recalled = !in_hand && self.is_recalled(&fact)?;
            let counts = self.measured.by_sort.entry(fact.sort.as_str()).or_default();
            counts[0] += 1;
            counts[1] += usize::from(in_hand);
            counts[2] += usize::from(recalled);
            self.measured.needs += 1;
            self.measured.in_hand += usize::from(in_hand);
            self.measured.recalled += usize::from(recalled);
        }
        Ok(())
    }

    fn is_recalled(&self, fact: &simulate::Fact) -> Result<bool> {
        let hits = self.engine.recall(&self.caller, &Query::of(fact.question.clone(), HITS))?.hits;
        Ok(hits.iter().any(|hit| match &hit.found {
            Found::Event(event) => [event.target.as_deref(), event.content.as_deref()]
                .into_iter()
                .flatten()
                .any(|text| text.contains(&fact.phrase)),
            Found::Memory(_) | Found::Item(_) | Found::Resource(_) | Found::Code(_) => false,
        }))
    }

    fn tokens_held(&self) -> i64 {
        let summary = self.summary.as_ref().map_or(0, |event| event.tokens);
        self.held.iter().map(|(_, tokens)| tokens).sum::<i64>() + summary
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
            one.seed.to_string(),
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
