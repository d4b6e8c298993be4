//! Records haystacks and asks their questions, by each method in turn.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use throughline_engine::capture::{Observation, SessionRef};
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::recall::{By, Found, Hit, Kind, Query, Weights};
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::time::Timestamp;
use throughline_engine::store::{Durability, Location, Options, Store};
use throughline_engine::work::Outcome;
use throughline_engine::{Caller, Engine};

use super::super::output::Output;
use super::metrics::Answered;
use super::{Haystack, Question};
use crate::config::{Config, Overrides};

/// How many turns of an answer are looked at: enough to rank sessions.
const RANKED: usize = 150;
const ANSWER_TURNS: usize = 10;

/// A database for the evaluation alone, whose clock stands where a question is asked.
pub(super) struct Bench {
    engine: Engine,
    now: Arc<AtomicI64>,
    database: String,
    /// Lives as long as the database in it.
    _folder: Option<TempDir>,
}

#[derive(Debug)]
pub(super) struct Measured<'a> {
    pub(super) methods: Vec<Method<'a>>,
    pub(super) database: String,
}

#[derive(Debug)]
pub(super) struct Method<'a> {
    pub(super) name: String,
    pub(super) answers: Vec<(&'a Question, Answered<'a>)>,
}

impl Bench {
    /// In a temporary file, unless a database is named on the command line.
    pub(super) fn open(overrides: &Overrides, config: &Config) -> Result<Bench> {
        let (location, folder) = match &overrides.database {
            Some(_) => (config.location.clone(), None),
            None => {
                let folder = tempfile::tempdir().context(
                    "cannot create a folder for the evaluation; set TMPDIR to one that you may write to",
                )?;
                (Location::File(folder.path().join("throughline.db")), Some(folder))
            }
        };
        let database = location.database();
        let options = Options { durability: Durability::Process, ..config.options.clone() };
        let store = Store::open(location, options)?;
        let now = Arc::new(AtomicI64::new(0));
        let hand = Arc::clone(&now);
        let clock = Clock::from_fn(move || Timestamp(hand.load(Ordering::Relaxed)));
        let engine = Engine::new(store, clock, Ids::system(), config.settings.clone());
        Ok(Bench { engine, now, database: database.to_owned(), _folder: folder })
    }

    pub(super) fn measure<'a>(&self, haystacks: &'a [Haystack], output: &Output) -> Result<Measured<'a>> {
        let methods = [("words", By::Words), ("meaning", By::Meaning), ("hybrid", By::WordsAndMeaning)];
        let mut measured: Vec<Method<'a>> =
            methods.iter().map(|(name, _)| Method { name: (*name).to_owned(), answers: vec![] }).collect();
        for haystack in haystacks {
            let turns: usize = haystack.sessions.iter().map(|session| session.turns.len()).sum();
            output.say(&format!("{}: {turns} turns, {} questions", haystack.name, haystack.questions.len()));
            let caller = self.caller(&haystack.name)?;
            let recorded = self.record(&caller, haystack)?;
            for (method, (_, by)) in measured.iter_mut().zip(methods) {
                for question in &haystack.questions {
                    method.answers.push((question, self.ask(&caller, &recorded, question, by)?));
                }
            }
        }
        Ok(Measured { methods: measured, database: self.database.clone() })
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Somebody in a project of their own.
    pub(super) fn caller(&self, name: &str) -> Result<Caller> {
        let nonce: String = Ids::system().next(Timestamp(0));
        let root = std::env::temp_dir().join(format!("eval-{nonce}"));
        let folder = Folder { root, git: None };
        let project = self.engine.project(&folder, Some(&format!("eval {name} {nonce}")))?;
        Ok(Caller { project: project.id, actor: Actor { kind: ActorKind::User, name: "eval".to_owned() } })
    }

    /// Records every turn as an event of its session and takes all of them into the index.
    fn record<'a>(&self, caller: &Caller, haystack: &'a Haystack) -> Result<HashMap<i64, Recorded<'a>>> {
        let mut recorded = HashMap::new();
        for session in &haystack.sessions {
            self.now.store(session.at.0, Ordering::Relaxed);
            let name = SessionRef::Of { client: "eval".to_owned(), session: session.name.clone() };
            let observations = session.turns.iter().zip(0_u64..).map(|(turn, second)| Observation {
                at: Some(session.at.plus(Duration::from_secs(second))),
                content: Some(turn.text.clone()),
                ..Observation::of(turn.kind, name.clone())
            });
            let events = self.engine.capture(caller, observations.collect())?;
            for (turn, event) in session.turns.iter().zip(events) {
                let place = Recorded { turn: &turn.key, session: &session.name, text: &turn.text };
                recorded.insert(event.position, place);
            }
        }
        self.engine.index_events(caller, i64::MAX)?;
        while let Some(run) = self.engine.work_one("eval")? {
            if let Outcome::Failed { error, .. } | Outcome::Dead { error } = run.outcome {
                bail!("the job {} failed: {error}", run.job.kind);
            }
        }
        Ok(recorded)
    }

    fn ask<'a>(
        &self,
        caller: &Caller,
        recorded: &HashMap<i64, Recorded<'a>>,
        question: &'a Question,
        by: By,
    ) -> Result<Answered<'a>> {
        self.now.store(question.asked_at.0, Ordering::Relaxed);
        let query = Query {
            kinds: vec![Kind::Event],
            weights: Some(Weights::RELEVANCE),
            floor: Some(0.0),
            by,
            ..Query::of(&question.text, RANKED)
        };
        let started = instant();
        let recalled = self.engine.recall(caller, &query)?;
        let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
        let place = |hit: &Hit| match &hit.found {
            Found::Event(event) => recorded.get(&event.position),
            Found::Memory(_) | Found::Item(_) | Found::Resource(_) | Found::Code(_) => None,
        };
        let ranked: Vec<&Recorded<'a>> = recalled.hits.iter().filter_map(place).collect();
        let mut sessions: Vec<&str> = vec![];
        for hit in &ranked {
            if !sessions.contains(&hit.session) {
                sessions.push(hit.session);
            }
        }
        let best = ranked.iter().take(ANSWER_TURNS);
        Ok(Answered {
            tokens: best.map(|hit| throughline_engine::tokens::count(hit.text)).sum(),
            turns: ranked.iter().map(|hit| hit.turn).collect(),
            sessions,
            gold_turns: &question.turns,
            gold_sessions: &question.sessions,
            milliseconds,
        })
    }
}

/// A turn that is in the log.
struct Recorded<'a> {
    turn: &'a str,
    session: &'a str,
    text: &'a str,
}

#[expect(clippy::disallowed_methods, reason = "how long an answer takes is real time")]
fn instant() -> Instant {
    Instant::now()
}
