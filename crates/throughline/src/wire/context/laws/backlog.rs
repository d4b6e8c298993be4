//! A generated project: everything a hydration may meet, made from a seed through the engine's own verbs, and below
//! them where the engine would refuse.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use throughline_engine::backlog::{Edit, NewItem, Patch, Says, Set, Source};
use throughline_engine::capture::{During, Observation, Opening, SessionRef};
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::remember::Statement;
use throughline_engine::settings::Settings;
use throughline_engine::store::event::Kind as EventKind;
use throughline_engine::store::item::{Context, Priority, Reference, Status, Type};
use throughline_engine::store::memory::Kind as MemoryKind;
use throughline_engine::store::time::Timestamp;
use throughline_engine::store::{Durability, Location, Options, Store};
use throughline_engine::{Caller, Engine};

use super::broken;
use super::chance::{Chance, huge, text, words};

/// In every text of another project.
pub(super) const ELSEWHERE: &str = "ELSEWHERE";
/// In everything that a session noted for itself.
pub(super) const PRIVATE: &str = "PRIVATE";
const START: i64 = 1_767_225_600_000_000;

/// What the tree looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Each below the one before.
    Chain,
    /// Some have hundreds of children.
    Wide,
    Tree,
    /// Little tree, many references and dependencies.
    Web,
}

pub(super) struct Backlog {
    pub(super) seed: u64,
    pub(super) engine: Engine,
    pub(super) caller: Caller,
    pub(super) time: Time,
    /// Every item that is there, in the order of creation.
    pub(super) ids: Vec<String>,
    /// What each item depends on.
    pub(super) depends_on: BTreeMap<String, Vec<String>>,
}

/// The hand of the clock.
#[derive(Debug, Clone)]
pub(super) struct Time(Arc<AtomicI64>);

impl Time {
    pub(super) fn advance(&self, duration: Duration) {
        let micros = i64::try_from(duration.as_micros()).unwrap();
        self.0.fetch_add(micros, Ordering::Relaxed);
    }

    pub(super) fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::Relaxed))
    }
}

pub(super) fn minutes(n: u64) -> Duration {
    Duration::from_secs(60 * n)
}

pub(super) fn own() -> During {
    During { session: SessionRef::Own, opening: Opening::default() }
}

pub(super) fn session(name: &str) -> During {
    let session = SessionRef::Of { client: "claude-code".to_owned(), session: name.to_owned() };
    During { session, opening: Opening::default() }
}

impl Backlog {
    /// A project without items.
    pub(super) fn empty(seed: u64) -> Backlog {
        let options = Options { durability: Durability::Process, ..Options::default() };
        let store = Store::open(Location::Memory, options).unwrap();
        let time = Time(Arc::new(AtomicI64::new(START)));
        let clock = time.clone();
        let state = AtomicU64::new(seed);
        let random = move || Chance::new(state.fetch_add(1, Ordering::Relaxed)).next();
        let engine = Engine::new(
            store,
            Clock::from_fn(move || clock.now()),
            Ids::from_fn(random),
            Settings::default(),
        );
        let caller = caller(&engine, "shop", "agent:claude");
        Backlog { seed, engine, caller, time, ids: vec![], depends_on: BTreeMap::new() }
    }

    pub(super) fn by(&self, actor: &str) -> Caller {
        Caller { project: self.caller.project.clone(), actor: actor.parse().unwrap() }
    }

    pub(super) fn generate(seed: u64, shape: Shape, size: usize) -> Backlog {
        let mut backlog = Backlog::empty(seed);
        let mut chance = Chance::new(seed);
        backlog.import(&mut chance, shape, size);
        backlog.fill_elsewhere(&mut chance);
        backlog.write_documents(&mut chance);
        backlog.remember(&mut chance);
        backlog.work(&mut chance);
        broken::make(&mut backlog, &mut chance);
        backlog
    }

    fn import(&mut self, chance: &mut Chance, shape: Shape, size: usize) {
        let named: Vec<(Type, String)> = names(chance, size);
        self.ids = named.iter().map(|(_, id)| id.clone()).collect();
        let mut sources = vec![];
        for (place, (item_type, id)) in named.into_iter().enumerate() {
            let parent = parent(chance, shape, place).map(|above| self.ids[above].clone());
            let depends_on = self.waits_for(chance, shape, place);
            self.depends_on.insert(id.clone(), depends_on.clone());
            let created_at =
                chance.percent(20).then(|| Timestamp(START - (chance.below(900_000_000) as i64) * 100_000));
            let item = NewItem {
                id: Some(id.clone()),
                item_type,
                parent,
                depends_on,
                created_at,
                ..self.texts(chance, place, size)
            };
            sources.push(Source { key: id.clone(), place: id, item, says: Says::Everything });
        }
        self.engine.import_items(&self.by("user:ana"), sources, &own()).unwrap();
    }

    /// Earlier items only: the engine refuses a way round.
    fn waits_for(&self, chance: &mut Chance, shape: Shape, place: usize) -> Vec<String> {
        let percent = if shape == Shape::Web { 60 } else { 15 };
        if place == 0 || !chance.percent(percent) {
            return vec![];
        }
        let mut first: Vec<String> = vec![];
        for _ in 0..=chance.below(3) {
            // Many wait for the first ones.
            let bound = if chance.percent(40) { place.min(4) } else { place };
            let id = self.ids[chance.below(bound)].clone();
            if !first.contains(&id) {
                first.push(id);
            }
        }
        first
    }

    fn texts(&self, chance: &mut Chance, place: usize, size: usize) -> NewItem {
        let long = place < 2 && chance.percent(12) || chance.below(size.max(200)) == 0;
        let mut description = if long { huge(chance) } else { text(chance, 4) };
        for _ in 0..chance.below(3) {
            description.push_str(&self.mention(chance));
        }
        let many = chance.percent(3);
        let entries = |chance: &mut Chance| if many { 120 } else { chance.below(3) };
        let references = (0..entries(chance)).map(|_| self.reference(chance)).collect();
        let evidence = (0..entries(chance)).map(|_| words(chance, 8) + &self.mention(chance)).collect();
        let status = *chance.pick(Status::ALL);
        let reasons = usize::from(status == Status::Blocked);
        NewItem {
            description,
            status,
            references,
            evidence,
            blocked_reason: (0..reasons).map(|_| words(chance, 40)).collect(),
            priority: chance.percent(50).then(|| *chance.pick(Priority::ALL)),
            due_date: chance.percent(20).then(|| "2026-11-15".to_owned()),
            context: chance.percent(4).then_some(Context::Isolated),
            summary: chance.percent(5).then(|| text(chance, 5)),
            source_key: chance.percent(20).then(|| format!("{}/{place}", "issues/".repeat(chance.below(60)))),
            ..NewItem::of(format!("{} {}", words(chance, 9), place))
        }
    }

    fn reference(&self, chance: &mut Chance) -> Reference {
        let url = format!("https://tracker.example/{}", self.mention(chance).trim());
        Reference { url, title: chance.percent(50).then(|| words(chance, 4) + &self.mention(chance)) }
    }

    /// An item by its id, in the ways that people write one, and in ways that name none.
    fn mention(&self, chance: &mut Chance) -> String {
        // The first ones are named most.
        let bound = if chance.percent(40) { self.ids.len().min(5) } else { self.ids.len() };
        let id = &self.ids[chance.below(bound)];
        match chance.below(12) {
            0 => format!(" X{id}"),
            1 => format!(" {id}x"),
            2 => format!(" {}", id.replace("-0", "-")),
            3 => " TASK-987654".to_owned(),
            4 => format!(" {}", id.to_lowercase()),
            5 => format!(" ({id})"),
            6 => format!(" 见{id}"),
            7 => format!(" https://x.example/browse/{id}?tab=1"),
            8 => format!(" {id}, {id}"),
            _ => format!(" {id}"),
        }
    }

    /// The same ids in another project, about the same things.
    fn fill_elsewhere(&self, chance: &mut Chance) {
        let caller = caller(&self.engine, "elsewhere", "agent:claude");
        let sources = self.ids.iter().take(20).map(|id| {
            let item_type = *Type::ALL.iter().find(|it| id.starts_with(it.prefix())).unwrap();
            let item = NewItem {
                id: Some(id.clone()),
                item_type,
                description: format!("{ELSEWHERE}{}", self.mention(chance)),
                ..NewItem::of(format!("{ELSEWHERE} {}", words(chance, 6)))
            };
            Source { key: id.clone(), place: id.clone(), item, says: Says::Everything }
        });
        self.engine.import_items(&caller, sources.collect(), &own()).unwrap();
        let content = format!("{ELSEWHERE} {}", words(chance, 6));
        self.engine.remember(&caller, vec![Statement::of(content.clone())]).unwrap();
        let edit = Edit::Create { content };
        self.engine.write_resource(&caller, "throughline://resource/notes/plan.md", &edit, &own()).unwrap();
    }

    fn write_documents(&self, chance: &mut Chance) {
        for n in 0..chance.below(12) {
            let folder = match chance.below(3) {
                0 => format!("items/{}", chance.pick(&self.ids)),
                1 => "notes".to_owned(),
                _ => format!("{}/docs", chance.pick(&self.ids)),
            };
            let content = format!("# {}\n{}{}", words(chance, 5), text(chance, 6), self.mention(chance));
            let uri = format!("throughline://resource/{folder}/{n}.md");
            self.engine
                .write_resource(&self.caller, &uri, &Edit::Create { content }, &session("docs"))
                .unwrap();
        }
    }

    fn remember(&self, chance: &mut Chance) {
        let statements = (0..chance.below(16)).map(|_| Statement {
            kind: *chance.pick(&[MemoryKind::Fact, MemoryKind::Decision, MemoryKind::Rule]),
            ..Statement::of(format!("{} {}", words(chance, 12), chance.next() % 1000))
        });
        self.engine.remember(&self.caller, statements.collect()).unwrap();
    }

    /// Several people and agents, each in sessions of their own, with gaps of minutes to days.
    fn work(&mut self, chance: &mut Chance) {
        for _ in 0..10 + self.ids.len().min(60) / 2 {
            self.time.advance(minutes([0, 1, 5, 29, 31, 90, 60 * 24, 60 * 24 * 8][chance.below(8)]));
            let actor = *chance.pick(&["user:ana", "user:ben", "agent:claude", "agent:codex"]);
            let during =
                if actor.starts_with("user") { own() } else { session(["s1", "s2"][chance.below(2)]) };
            let bound = if chance.percent(50) { self.ids.len().min(6) } else { self.ids.len() };
            let id = self.ids[chance.below(bound)].clone();
            self.change(chance, (actor, &during), &id);
            if chance.percent(30) {
                self.note_privately(chance, &id);
            }
        }
    }

    fn change(&self, chance: &mut Chance, (actor, during): (&str, &During), id: &str) {
        let patch = match chance.below(5) {
            0 => Patch { add_evidence: vec![words(chance, 6)], ..Patch::default() },
            1 => Patch { priority: Set::To(*chance.pick(Priority::ALL)), ..Patch::default() },
            2 => Patch { title: Some(words(chance, 9)), ..Patch::default() },
            _ => Patch { status: Some(*chance.pick(Status::ALL)), ..Patch::default() },
        };
        self.engine.update_item(&self.by(actor), id, &patch, during).unwrap();
    }

    /// What another role notes about an item is in its own log alone, also when it says it happened long ago.
    fn note_privately(&self, chance: &mut Chance, id: &str) {
        let kind = *chance.pick(&[EventKind::ModelMessage, EventKind::ToolResult, EventKind::Decision]);
        let SessionRef::Of { client, session } = session("review").session else { unreachable!() };
        let observation = Observation {
            opening: Opening { chatmode: Some("reviewer".to_owned()), ..Opening::default() },
            at: chance.percent(30).then_some(Timestamp(START - 1_000_000)),
            content: Some(format!("{{\"{PRIVATE}\": \"{}\"}}", words(chance, 5))),
            item_id: Some(id.to_owned()),
            ..Observation::of(kind, SessionRef::Of { client, session })
        };
        self.engine.capture(&self.by("agent:reviewer"), vec![observation]).unwrap();
    }
}

fn caller(engine: &Engine, project: &str, actor: &str) -> Caller {
    let folder = Folder { root: PathBuf::from("/work").join(project), git: None };
    let project = engine.project(&folder, Some(project)).unwrap();
    Caller { project: project.id, actor: actor.parse().unwrap() }
}

fn names(chance: &mut Chance, size: usize) -> Vec<(Type, String)> {
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    (0..size)
        .map(|_| {
            let item_type = if chance.percent(70) { Type::Task } else { *chance.pick(Type::ALL) };
            let number = last.entry(item_type.prefix()).or_default();
            *number += 1;
            (item_type, format!("{}-{number:04}", item_type.prefix()))
        })
        .collect()
}

fn parent(chance: &mut Chance, shape: Shape, place: usize) -> Option<usize> {
    if place == 0 {
        return None;
    }
    match shape {
        Shape::Chain => Some(if chance.percent(95) { place - 1 } else { chance.below(place) }),
        Shape::Wide => chance.percent(97).then(|| {
            let hubs = (place / 60 + 1).min(place);
            if chance.percent(85) { chance.below(hubs) } else { chance.below(place) }
        }),
        Shape::Tree => chance.percent(90).then(|| chance.below(place) / 3),
        Shape::Web => chance.percent(25).then(|| chance.below(place)),
    }
}
