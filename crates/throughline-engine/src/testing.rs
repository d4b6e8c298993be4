//! A real engine on a database in memory, whose clock and chance belong to the test.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use throughline_store::event::{Event, Filter, Kind, Order};
use throughline_store::job::Job;
use throughline_store::session::{self, Session};
use throughline_store::time::Timestamp;
use throughline_store::{Connection, Durability, Location, Options, Pgvector, Store, integrity};

use crate::capture::{Observation, Opening, Recorded, SessionRef};
use crate::clock::Clock;
use crate::ids::Ids;
use crate::project::Folder;
use crate::settings::Settings;
use crate::{Caller, Engine};

/// When every test begins.
pub(crate) const START: Timestamp = Timestamp(1_767_225_600_000_000);
pub(crate) const CLIENT: &str = "claude-code";
/// What every redactor knows for a secret.
pub(crate) const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

pub(crate) struct Fixture {
    pub(crate) engine: Engine,
    pub(crate) caller: Caller,
    pub(crate) time: Time,
}

/// The hand of the clock, shared with the engines that look at it.
#[derive(Debug, Clone)]
pub(crate) struct Time(Arc<AtomicI64>);

impl Time {
    pub(crate) fn new() -> Time {
        Time(Arc::new(AtomicI64::new(START.0)))
    }

    pub(crate) fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::Relaxed))
    }

    pub(crate) fn advance(&self, duration: Duration) {
        self.0.store(self.now().plus(duration).0, Ordering::Relaxed);
    }

    /// As on a machine whose clock is set right.
    pub(crate) fn go_back(&self, duration: Duration) {
        self.0.store(self.now().0 - duration.as_micros() as i64, Ordering::Relaxed);
    }

    pub(crate) fn clock(&self) -> Clock {
        let time = self.clone();
        Clock::from_fn(move || time.now())
    }
}

impl Fixture {
    pub(crate) fn new() -> Fixture {
        Fixture::with(Settings::default())
    }

    pub(crate) fn with(settings: Settings) -> Fixture {
        Fixture::seeded(1, settings)
    }

    /// Another seed makes other ids: another machine.
    pub(crate) fn seeded(seed: u64, settings: Settings) -> Fixture {
        let time = Time::new();
        let engine = Engine::new(store(Location::Memory), time.clock(), ids(seed), settings);
        let caller = caller(&engine, "agent:claude");
        Fixture { engine, caller, time }
    }

    pub(crate) fn by(&self, actor: &str) -> Caller {
        caller(&self.engine, actor)
    }

    pub(crate) fn capture(&self, observations: Vec<Observation>) -> Vec<Recorded> {
        self.engine.capture(&self.caller, observations).unwrap()
    }

    pub(crate) fn record(&self, observation: Observation) -> Recorded {
        self.capture(vec![observation]).remove(0)
    }

    pub(crate) fn log(&self) -> Vec<Event> {
        self.matching(&Filter::default())
    }

    pub(crate) fn matching(&self, filter: &Filter) -> Vec<Event> {
        self.engine.events(&self.caller, filter, Order::OldestFirst, i64::MAX).unwrap().events
    }

    pub(crate) fn event(&self, recorded: &Recorded) -> Event {
        self.matching(&Filter { ids: vec![recorded.id.clone()], ..Filter::default() }).pop().unwrap()
    }

    pub(crate) fn last_event(&self) -> Event {
        self.log().pop().unwrap()
    }

    pub(crate) fn session(&self, name: &str) -> Session {
        self.engine.session(&self.caller, Some(name)).unwrap()
    }

    /// Newest activity first.
    pub(crate) fn sessions(&self) -> Vec<Session> {
        self.engine.sessions(&self.caller, &session::Filter::default(), i64::MAX).unwrap().sessions
    }

    pub(crate) fn jobs(&self) -> Vec<Job> {
        self.engine.jobs(&self.caller, i64::MAX).unwrap()
    }

    pub(crate) fn write<T>(&self, body: impl Fn(&mut dyn Connection) -> throughline_store::Result<T>) -> T {
        self.engine.store().write(body).unwrap()
    }

    /// What is wrong with the log, which must be nothing.
    pub(crate) fn violations(&self) -> Vec<String> {
        self.engine.store().read(|conn| integrity::violations(conn, &self.caller.project)).unwrap()
    }

    /// The log as a person would tell it: session, sequence, kind and summary of each event.
    pub(crate) fn story(&self) -> String {
        let sessions = self.sessions();
        let role = |event: &Event| {
            let session = sessions.iter().find(|session| session.id == event.session_id).unwrap();
            format!("{}/{}", session.client_session, session.chatmode)
        };
        let line =
            |event: &Event| format!("{} {} {}: {}", role(event), event.sequence, event.kind, event.summary);
        self.log().iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

pub(crate) fn store(location: Location) -> Store {
    let options =
        Options { durability: Durability::Process, pgvector: Pgvector::Always, ..Options::default() };
    Store::open(location, options).unwrap()
}

/// Somebody in the project that all tests are about.
pub(crate) fn caller(engine: &Engine, actor: &str) -> Caller {
    let project = engine.project(&plain("/work/shop"), Some("shop")).unwrap();
    Caller { project: project.id, actor: actor.parse().unwrap() }
}

/// A folder that is no repository, whether or not it exists.
pub(crate) fn plain(root: impl AsRef<Path>) -> Folder {
    Folder { root: root.as_ref().to_owned(), git: None }
}

/// The generator splitmix64: a counter would leave the high bits, which ids are made of, the same.
pub(crate) fn ids(seed: u64) -> Ids {
    let state = AtomicU64::new(seed);
    Ids::from_fn(move || {
        let mut z = state.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed).wrapping_mul(seed | 1);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
}

pub(crate) fn of(session: &str) -> SessionRef {
    SessionRef::Of { client: CLIENT.into(), session: session.into() }
}

pub(crate) fn named(session: &str) -> SessionRef {
    SessionRef::Named(session.into())
}

pub(crate) fn saw(kind: Kind, session: &str) -> Observation {
    Observation::of(kind, of(session))
}

pub(crate) fn said(kind: Kind, session: &str, content: &str) -> Observation {
    Observation { content: Some(content.into()), ..saw(kind, session) }
}

pub(crate) fn in_role(chatmode: &str, observation: Observation) -> Observation {
    Observation { opening: Opening { chatmode: Some(chatmode.into()), ..Opening::default() }, ..observation }
}

pub(crate) fn minutes(n: u64) -> Duration {
    Duration::from_secs(60 * n)
}

pub(crate) fn hours(n: u64) -> Duration {
    minutes(60 * n)
}

/// The message of what must have failed.
pub(crate) fn refused<T: std::fmt::Debug>(result: crate::Result<T>) -> String {
    match result.unwrap_err() {
        crate::Error::NotFound(text) => format!("not found: {text}"),
        crate::Error::Invalid(text) => format!("invalid: {text}"),
        crate::Error::Conflict(text) => format!("conflict: {text}"),
        crate::Error::Model(text) => format!("model: {text}"),
        crate::Error::Store(error) => format!("store: {error}"),
    }
}
