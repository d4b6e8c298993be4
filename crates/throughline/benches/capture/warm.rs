//! The engine in one process.

use tempfile::TempDir;
use throughline_engine::capture::{Observation, SessionRef};
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::settings::Settings;
use throughline_engine::store::actor::Actor;
use throughline_engine::store::event::Kind;
use throughline_engine::store::{Location, Options, Store};
use throughline_engine::{Caller, Engine};

use crate::corpus::text;
use crate::measure::{Cost, Target, print, row, verdict};

const BATCHES: usize = 50;
const BATCH: usize = 1000;
const SINGLES: usize = 2000;

/// The engine in one process, on a file, each answer durable against loss of power.
pub(crate) fn append(folder: &TempDir) -> String {
    let location = Location::File(folder.path().join("warm.db"));
    let store = Store::open(location, Options::default()).expect("a database");
    let engine = Engine::new(store, Clock::system(), Ids::system(), Settings::default());
    let project = engine.project(&Folder::discover(folder.path()), Some("bench")).expect("a project");
    let actor: Actor = "agent:bench".parse().expect("an actor");
    let caller = Caller { project: project.id, actor };
    let capture = |count: usize, size: usize| {
        let batches: Vec<Vec<Observation>> =
            (0..count).map(|batch| (0..size).map(|n| observation(batch * size + n)).collect()).collect();
        let cost = Cost::of(|| {
            for batch in batches {
                engine.capture(&caller, batch).expect("an append");
            }
        });
        let events = (count * size) as f64;
        (events / cost.cpu_s, events / cost.wall_s)
    };
    let (cpu, wall) = capture(BATCHES, BATCH);
    let (single_cpu, single_wall) = capture(SINGLES, 1);
    print(&[String::new(), "appends in one process, SQLite file, durability \"power\"".to_owned()]);
    print(&[
        row(
            &format!("{BATCHES} batches of {BATCH}"),
            &format!("{cpu:.0}"),
            &format!("events per CPU second, {wall:.0} per second"),
        ),
        row(
            &format!("{SINGLES} single"),
            &format!("{single_cpu:.0}"),
            &format!("events per CPU second, {single_wall:.0} per second"),
        ),
    ]);
    verdict("batch append, events per CPU second", cpu, Target::AtLeast(50_000.0))
}

pub(crate) fn observation(n: usize) -> Observation {
    let kinds = [Kind::UserMessage, Kind::ModelMessage, Kind::Write];
    let session = SessionRef::Of { client: "bench".to_owned(), session: format!("session-{}", n % 4) };
    Observation {
        content: Some(text(n)),
        target: Some(format!("src/module_{}.rs", n % 100)),
        ..Observation::of(kinds[n % kinds.len()], session)
    }
}
