//! Transcripts go into the log: read once from their beginning, some hundred events at a time, with little memory however
//! long they are.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use throughline_engine::capture::{Observation, Outcome, SessionRef};
use throughline_engine::store::actor::Actor;
use throughline_engine::store::event::{Filter, Order};
use throughline_engine::store::id::ProjectId;
use throughline_engine::{Caller, Engine};

use super::{Keeper, KnownBy, Line, Past, Source, Twins};
use crate::hooks::Place;

const BATCH: usize = 400;
const PROBLEMS_SHOWN: usize = 5;

/// What came of an import.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) transcripts: usize,
    pub(crate) sessions: HashSet<SessionRef>,
    pub(crate) appended: u64,
    pub(crate) already_there: u64,
    /// Lines and events that could not be taken in.
    pub(crate) unreadable: u64,
    /// The first of them.
    pub(crate) problems: Vec<Problem>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) what: String,
}

/// Whether the events are recorded, or only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    Record,
    Count,
}

/// One transcript and where its events go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub(crate) keeper: Keeper,
    pub(crate) path: &'a Path,
    /// Which session it is, where the file has several.
    pub(crate) session: Option<&'a str>,
    pub(crate) place: &'a Place,
    /// Where the client worked, as it says.
    pub(crate) worked_in: Option<&'a Path>,
}

/// Brings one transcript in. `read` hears how many bytes were read since it heard last.
pub(crate) fn bring(
    engine: &Engine,
    (project, aim): (&ProjectId, Aim),
    origin: Origin<'_>,
    tally: &mut Tally,
    read: &mut dyn FnMut(u64),
) -> Result<()> {
    let source = Source::open(origin.path, origin.session)?;
    let mut roots = origin.place.roots(origin.worked_in);
    roots.extend(origin.worked_in.map(Path::to_owned));
    let mut bringing = Bringing {
        engine,
        project,
        aim,
        origin,
        roots,
        batch: vec![],
        twins: HashMap::new(),
        touched: HashSet::new(),
        tally,
    };
    bringing.all(source, read)
}

struct Bringing<'a> {
    engine: &'a Engine,
    project: &'a ProjectId,
    aim: Aim,
    origin: Origin<'a>,
    roots: Vec<PathBuf>,
    batch: Vec<(Actor, Observation)>,
    twins: HashMap<SessionRef, Twins>,
    /// The sessions that got events.
    touched: HashSet<SessionRef>,
    tally: &'a mut Tally,
}

impl Bringing<'_> {
    fn all(&mut self, mut source: Source, read: &mut dyn FnMut(u64)) -> Result<()> {
        let Origin { keeper, path, .. } = self.origin;
        self.tally.transcripts += 1;
        let mut transcript = keeper.reader(&keeper.beside(path));
        let (mut past, mut told) = (vec![], 0);
        while let Some(line) = source.read()? {
            match line {
                Line::Said(line) => transcript.read(&line, &mut past),
                Line::TooLong(limit) => self.problem(source.number(), format!("longer than {limit} bytes")),
                Line::Broken(what) => self.problem(source.number(), what),
            }
            for past in past.drain(..) {
                self.take(past, source.number())?;
            }
            read(source.bytes() - told);
            told = source.bytes();
        }
        self.flush()?;
        self.settle()
    }

    fn take(&mut self, past: Past, line: usize) -> Result<()> {
        let observation = self.origin.place.located(&past.observation, &self.roots, None);
        if let Err(error) = self.engine.check_observation(&observation) {
            self.problem(line, error.to_string());
            return Ok(());
        }
        let past = Past { observation, ..past };
        if past.known_by == KnownBy::Time && self.twins(&past.observation.session)?.have(&past) {
            self.tally.already_there += 1;
            return Ok(());
        }
        self.batch.push((self.origin.place.actor(past.actor).clone(), past.observation));
        if self.batch.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    /// What hooks have recorded of the session before.
    fn twins(&mut self, session: &SessionRef) -> Result<&mut Twins> {
        if !self.twins.contains_key(session) {
            let caller = self.caller();
            let events = match self.engine.known_session(&caller, session)? {
                None => vec![],
                Some(known) => {
                    let filter = Filter { sessions: vec![known.id], ..Filter::default() };
                    self.engine.events(&caller, &filter, Order::OldestFirst, i64::MAX)?.events
                }
            };
            self.twins.insert(session.clone(), Twins::of(events));
        }
        Ok(self.twins.entry(session.clone()).or_default())
    }

    fn flush(&mut self) -> Result<()> {
        let batch = std::mem::take(&mut self.batch);
        let sessions: Vec<SessionRef> = batch.iter().map(|(_, seen)| seen.session.clone()).collect();
        let outcomes: Vec<Outcome> = match self.aim {
            Aim::Count => self.engine.foresee_past(self.project, &batch)?,
            Aim::Record => {
                let recorded = self.engine.capture_past(self.project, batch)?;
                recorded.into_iter().map(|recorded| recorded.outcome).collect()
            }
        };
        for (session, outcome) in sessions.into_iter().zip(outcomes) {
            match outcome {
                Outcome::AlreadyThere => self.tally.already_there += 1,
                Outcome::Appended => {
                    self.tally.appended += 1;
                    self.touched.insert(session);
                }
            }
        }
        Ok(())
    }

    fn settle(&mut self) -> Result<()> {
        let caller = self.caller();
        for session in self.touched.drain() {
            if self.aim == Aim::Record {
                self.engine.settle(&caller, &session)?;
            }
            self.tally.sessions.insert(session);
        }
        Ok(())
    }

    fn caller(&self) -> Caller {
        Caller { project: self.project.clone(), actor: self.origin.place.agent.clone() }
    }

    fn problem(&mut self, line: usize, what: String) {
        self.tally.unreadable += 1;
        if self.tally.problems.len() < PROBLEMS_SHOWN {
            self.tally.problems.push(Problem { file: self.origin.path.to_owned(), line, what });
        }
    }
}
