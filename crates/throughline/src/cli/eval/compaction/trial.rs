//! One session gone through event by event, as it would be recorded, with the background work that falls due.

use std::collections::BTreeMap;
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

use super::super::super::app::App;
use super::recording::{Fact, Recording, Sort, Step};

#[derive(Debug, Default, Serialize)]
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) events: usize,
    pub(super) tokens: i64,
    pub(super) without: f64,
    pub(super) with: f64,
    pub(super) most_held: i64,
    pub(super) compactions: usize,
    pub(super) causes: BTreeMap<String, usize>,
    pub(super) needs: usize,
    pub(super) in_hand: usize,
    pub(super) recalled: usize,
    pub(super) decisions_lost: usize,
    pub(super) errors_lost: usize,
    /// What was needed and not there, or gone from a summary: the words, and how it was asked for.
    pub(super) missed: Vec<[String; 2]>,
    #[serde(skip)]
    pub(super) by_sort: BTreeMap<&'static str, [usize; 3]>,
    #[serde(skip)]
    pub(super) curve: Vec<[i64; 3]>,
}

const HITS: usize = 10;
const CURVE_EVERY: usize = 20;
const SESSION: &str = "long";
const COMPACTION_JOB: &str = "compact_session";

pub(super) struct Trial {
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
    pub(super) fn new(recording: Recording, app: &App<'_>) -> Result<Trial> {
        let Recording { name, steps } = recording;
        let start = steps.first().map_or(0, |step| step.at.0);
        let hand = Arc::new(AtomicI64::new(start));
        let clock = hand.clone();
        let clock = Clock::from_fn(move || Timestamp(clock.load(Ordering::Relaxed)));
        let chance = AtomicU64::new(steps.len() as u64);
        let ids = Ids::from_fn(move || {
            let step = chance.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
            (step ^ (step >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
        });
        let store = Store::open(Location::Memory, Options::default())?;
        let mut settings = app.config.settings.clone();
        // A model would be asked in real time, and what is measured are the rules.
        settings.model.choice = None;
        let engine = Engine::new(store, clock, ids, settings);
        let project = engine.project(&app.folder, Some("simulated"))?;
        let actor = Actor { kind: ActorKind::Agent, name: "simulated".to_owned() };
        let caller = Caller { project: project.id, actor };
        let measured = Measured { name, events: steps.len(), ..Measured::default() };
        Ok(Trial { engine, caller, hand, steps, measured, summary: None, held: vec![] })
    }

    pub(super) fn measure(mut self) -> Result<Measured> {
        for place in 0..self.steps.len() {
            self.hand.fetch_max(self.steps[place].at.0, Ordering::Relaxed);
            self.work(place)?;
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
        let settled = |from: usize, failed: &Step| {
            self.steps[from + 1..replaced.max(from + 1)].iter().any(|later| later.settles(failed))
        };
        for (place, step) in self.steps[..replaced].iter().enumerate() {
            let Some(fact) = &step.fact else { continue };
            let is_lost = !text.contains(&fact.phrase);
            let is_lasting = match fact.sort {
                Sort::Decision => true,
                Sort::Error => !settled(place, step),
                Sort::Correction | Sort::Remember | Sort::Detail | Sort::Said | Sort::File | Sort::Name => {
                    false
                }
            };
            if !is_lost || !is_lasting {
                continue;
            }
            self.measured.decisions_lost += usize::from(fact.sort == Sort::Decision);
            self.measured.errors_lost += usize::from(fact.sort == Sort::Error);
            self.measured.missed.push([fact.phrase.clone(), fact.question.clone()]);
        }
    }

    fn meet_needs(&mut self, place: usize) -> Result<()> {
        for fact in self.steps[place].needs.clone() {
            let summary = self.summary.as_ref().and_then(|event| event.content.as_deref());
            let in_hand = self.held.iter().rev().any(|(text, _)| text.contains(&fact.phrase))
                || summary.is_some_and(|text| text.contains(&fact.phrase));
            let recalled = !in_hand && self.is_recalled(&fact)?;
            if !in_hand && !recalled {
                self.measured.missed.push([fact.phrase.clone(), fact.question.clone()]);
            }
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

    fn is_recalled(&self, fact: &Fact) -> Result<bool> {
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
