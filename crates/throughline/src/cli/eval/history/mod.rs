//! `throughline eval history`: what is remembered after some weeks of sessions, told by people and agents, with their changes
//! of mind and everything that must not be remembered.
//!
//! Each event goes through the real capture path at its own time, sessions end, and jobs run as a server would run them.
//! Then every way to what is remembered is asked: a fact is present when a memory in use tells it as it holds now; what held
//! once must not come back by any of them.

mod recorded;
mod report;
mod story;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use anyhow::{Context as _, Result};
use throughline_engine::backlog::NewItem;
use throughline_engine::capture::{During, Observation, Opening, SessionRef};
use throughline_engine::clock::Clock;
use throughline_engine::hydrate::{Focus, Rendering as _, Request};
use throughline_engine::ids::Ids;
use throughline_engine::orient;
use throughline_engine::recall::{Files, Found, Kind as Sort, Query};
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::event::Kind;
use throughline_engine::store::memory::{Filter, Memory};
use throughline_engine::store::session::EndReason;
use throughline_engine::store::time::Timestamp;
use throughline_engine::store::{Location, Options, Store};
use throughline_engine::turn::{Need, Turn};
use throughline_engine::{Caller, Engine};

use super::super::app::App;
use super::super::output::Output;
use super::{SETS, read};
use crate::config::Overrides;
use crate::wire;
use crate::wire::context::Format;
use report::{Measured, Report, text};
use story::{Material, Session, Step, Story, Truth, Wording, is_any_in};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What is said in histories, of which chance makes many, or recordings, which are told as they are (`recorded/`)
    #[arg(value_name = "FILE", default_values = ["evals/history/seen.json", "evals/history/held.json", "evals/history/later.json", "evals/history/broad.json", "evals/history/unseen.json", "evals/history/fresh.json", "evals/history/apart.json", "evals/history/another.json", "evals/history/beyond.json", "evals/history/onward.json", "evals/history/evenly.json", "evals/history/quarterly.json", "evals/history/monthly.json", "evals/history/yearly.json", "evals/history/weekly.json", "evals/history/daily.json"])]
    files: Vec<PathBuf>,
    /// Only this history
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many histories of each file
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "seed")]
    seeds: u64,
    /// How many days each has
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u64).range(1..=90))]
    days: u64,
    /// List what is missing, stale or junk
    #[arg(long)]
    errors: bool,
    /// Keep each history in a database of this folder, to be looked at as any other
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

impl Args {
    /// A recording is told once.
    fn seeds_of(&self, material: &Material) -> RangeInclusive<u64> {
        let last = if matches!(material, Material::Recorded(_)) { 1 } else { self.seeds };
        self.seed.map_or(1..=last, |seed| seed..=seed)
    }

    fn kept(&self, material: &Material, seed: u64) -> Result<Location> {
        let Some(folder) = &self.keep else { return Ok(Location::Memory) };
        std::fs::create_dir_all(folder)?;
        let file = folder.join(format!("{}-{seed}.db", material.name()));
        anyhow::ensure!(
            !file.exists(),
            "{} is there already: remove it, or name another folder",
            file.display()
        );
        Ok(Location::File(file))
    }
}

const START: i64 = 1_767_600_000_000_000;
const MINUTE: i64 = 60_000_000;
const DAY: i64 = 24 * 60 * MINUTE;
const HITS: usize = 10;
const ROOM: u64 = 1500;

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let app = App::load(overrides, output)?;
    let mut histories = vec![];
    for file in &args.files {
        let material: Material = read(file, "history").context(SETS)?;
        for seed in args.seeds_of(&material) {
            let story = story::told(&material, seed, args.days as usize);
            let kept = args.kept(&material, seed)?;
            let mut measured = Trial::new(&material, (seed, kept), &app)?.measure(&story)?;
            if !args.errors {
                measured.errors.clear();
            }
            histories.push(measured);
        }
    }
    output.show(&Report::of(args.days, histories), text);
    Ok(ExitCode::SUCCESS)
}

struct Trial {
    engine: Engine,
    caller: Caller,
    hand: Arc<AtomicI64>,
    /// The project's folder, with its file for agents.
    folder: tempfile::TempDir,
    measured: Measured,
}

impl Trial {
    fn new(material: &Material, (seed, kept): (u64, Location), app: &App<'_>) -> Result<Trial> {
        let hand = Arc::new(AtomicI64::new(START));
        let clock = hand.clone();
        let clock = Clock::from_fn(move || Timestamp(clock.load(Ordering::Relaxed)));
        let chance = AtomicU64::new(seed);
        let ids = Ids::from_fn(move || {
            let step = chance.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
            (step ^ (step >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
        });
        let store = Store::open(kept, Options::default())?;
        let engine = Engine::new(store, clock, ids, app.config.settings.clone());
        let project = engine.project(&app.folder, Some("simulated"))?;
        let actor = Actor { kind: ActorKind::User, name: "ann".to_owned() };
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("AGENTS.md"), material.boot().join("\n"))?;
        let measured = Measured { file: material.name().to_owned(), seed, ..Measured::default() };
        Ok(Trial { engine, caller: Caller { project: project.id, actor }, hand, folder, measured })
    }

    fn measure(mut self, story: &Story) -> Result<Measured> {
        let mut day = 0;
        for (number, session) in story.sessions.iter().enumerate() {
            if session.day != day {
                day = session.day;
                self.hand.store(START + day as i64 * DAY, Ordering::Relaxed);
            }
            self.live(number, session)?;
        }
        self.hand.fetch_add(DAY, Ordering::Relaxed);
        self.work()?;
        self.measured.sessions = story.sessions.len();
        (self.measured.said, self.measured.traps) = (story.said, story.trapped);
        self.look(story)?;
        for truth in &story.truths {
            self.ask(truth)?;
        }
        self.begin(&story.truths)?;
        Ok(self.measured)
    }

    fn live(&mut self, number: usize, session: &Session) -> Result<()> {
        let name = format!("session-{number}");
        let run = SessionRef::Of { client: session.client.clone(), session: name.clone() };
        for step in &session.steps {
            self.hand.fetch_add(2 * MINUTE, Ordering::Relaxed);
            self.engine.capture(&self.caller, vec![self.observation(step, session, &run)])?;
            self.measured.events += 1;
        }
        if !session.steps.is_empty() {
            self.engine.end_session(&self.caller, Some(&name), EndReason::Client)?;
        }
        self.work()
    }

    fn observation(&self, step: &Step, session: &Session, run: &SessionRef) -> Observation {
        let is_person = step.kind == Kind::UserMessage;
        let agent = Actor { kind: ActorKind::Agent, name: session.client.clone() };
        Observation {
            actor: Some(if is_person { self.caller.actor.clone() } else { agent }),
            opening: Opening {
                workspace: Some(self.folder.path().display().to_string()),
                ..Opening::default()
            },
            target: step.target.clone(),
            content: step.content.clone(),
            parts: step.parts.clone(),
            ..Observation::of(step.kind, run.clone())
        }
    }

    fn work(&self) -> Result<()> {
        while self.engine.work_one("eval")?.is_some() {}
        Ok(())
    }

    /// All that is in use: what of it is true, what is past, what is neither.
    fn look(&mut self, Story { truths, fine, .. }: &Story) -> Result<()> {
        let filter = Filter { active_at: Some(self.engine.now()), ..Filter::default() };
        let memories = self.engine.memories(&self.caller, &filter, i64::MAX)?.memories;
        for memory in &memories {
            self.judge(memory, truths, fine)?;
        }
        let all = self.engine.memories(&self.caller, &Filter::default(), i64::MAX)?.memories;
        for truth in truths {
            let telling = memories.iter().filter(|memory| truth.is_told_in(&memory.content)).count();
            self.measured.present += usize::from(telling > 0);
            self.measured.doubled += usize::from(telling > 1);
            if telling == 0 {
                let ended = ended(truth, &all);
                self.measured.errors.push(format!("missing: {}: {:?}{ended}", truth.name, truth.said));
            }
        }
        self.measured.facts = truths.len();
        self.measured.memories = memories.len();
        Ok(())
    }

    fn judge(&mut self, memory: &Memory, truths: &[Truth], fine: &[Wording]) -> Result<()> {
        let is_true = truths.iter().any(|truth| truth.is_told_in(&memory.content))
            || is_any_in(fine, &memory.content.to_lowercase());
        if let Some(past) = truths.iter().find(|truth| truth.is_past_in(&memory.content)) {
            *self.measured.stale.entry("memories").or_default() += 1;
            self.measured.errors.push(format!("stale: {}: {:?}", memory.content, past.said));
        } else if !is_true {
            self.measured.junk += 1;
            self.measured.errors.push(format!("junk: {}", memory.content));
        }
        let origins = self.engine.memory(&self.caller, memory.id.as_str())?.origins;
        self.measured.without_lineage += usize::from(origins.is_empty());
        Ok(())
    }

    /// The ways that lead from a question.
    fn ask(&mut self, truth: &Truth) -> Result<()> {
        for (way, kinds) in [("recall", vec![Sort::Memory]), ("search", vec![])] {
            let query = Query { kinds, ..Query::of(truth.ask.as_str(), HITS) };
            let hits = self.engine.recall(&self.caller, &query)?.hits;
            // The log says what was said, with its date.
            let memories = hits.into_iter().filter_map(|hit| match hit.found {
                Found::Memory(memory) => Some(memory.content),
                _ => None,
            });
            let memories: Vec<String> = memories.collect();
            memories.iter().for_each(|content| self.check(way, truth, content));
            self.count_answer(way, truth, memories.iter().map(String::as_str));
        }
        // What was told once is not told again.
        let asking = SessionRef::Of { client: "claude-code".to_owned(), session: truth.name.clone() };
        let turn = Turn {
            session: &asking,
            need: Need::Prompt(&truth.ask),
            orientation: None,
            max_tokens: ROOM,
            max_chars: usize::MAX,
            files: Files::Nowhere,
        };
        let told = self.engine.turn(&self.caller, &turn, &wire::turn::text)?;
        let told = told.as_ref().map_or("", |told| told.text.as_str());
        self.check_lines("turn", truth, told);
        self.count_answer("turn", truth, told.lines());
        let during = During { session: SessionRef::Own, opening: Opening::default() };
        let item = NewItem::of(truth.ask.as_str());
        let item = self.engine.create_item(&self.caller, item, &during)?.item;
        let request = Request::about(Focus::Id(item.id.to_string()));
        let context = self.engine.hydrate(&self.caller, &request, &Format::Markdown)?;
        self.check_lines("context", truth, &Format::Markdown.whole(&context));
        Ok(())
    }

    fn count_answer<'a>(
        &mut self,
        way: &'static str,
        truth: &Truth,
        mut told: impl Iterator<Item = &'a str>,
    ) {
        let is_answered = told.any(|text| truth.is_told_in(text));
        *self.measured.answered.entry(way).or_default() += usize::from(is_answered);
        if !is_answered {
            self.measured.errors.push(format!("not answered by {way}: {}", truth.ask));
        }
    }

    /// What somebody is told who comes new.
    fn begin(&mut self, truths: &[Truth]) -> Result<()> {
        let request = orient::Request { focus: None, max_tokens: ROOM, folder: None, asking: None };
        let write =
            |orientation: &orient::Orientation| wire::orient::text(&wire::orient::Orient::from(orientation));
        let orientation = self.engine.orient(&self.caller, request, &write)?;
        let text = write(&orientation);
        truths.iter().for_each(|truth| self.check_lines("orient", truth, &text));
        Ok(())
    }

    fn check_lines(&mut self, way: &'static str, truth: &Truth, text: &str) {
        // The question itself may name what held once.
        let lines = text.lines().filter(|line| !line.contains(&truth.ask));
        lines.for_each(|line| self.check(way, truth, line));
    }

    fn check(&mut self, way: &'static str, truth: &Truth, text: &str) {
        if truth.is_past_in(text) {
            *self.measured.stale.entry(way).or_default() += 1;
            self.measured.errors.push(format!("stale by {way} for {:?}: {text}", truth.name));
        }
    }
}

/// What told it once, and what took its place.
fn ended(truth: &Truth, all: &[Memory]) -> String {
    let told = all.iter().filter(|memory| truth.is_told_in(&memory.content));
    let by = |id| all.iter().find(|other| Some(&other.id) == id).map_or("nothing", |other| &other.content);
    told.map(|one| format!("; ended: {:?} by {:?}", one.content, by(one.superseded_by.as_ref()))).collect()
}
