//! The same answers whether the server compares the signs of vectors (pgvector) or this process does.
//!
//! Needs a server with pgvector in `TEST_PGVECTOR`, of which each test gets an empty database; `./test` starts one. The
//! same database is opened twice: by an engine that lets the server compare and by one that does not.

use throughline_store::event::{Filter, Kind as EventKind};
use throughline_store::index_page::{Collection, Index};
use throughline_store::time::Timestamp;
use throughline_store::vectors::{Comparison, in_server};
use throughline_store::{Location, Options, Pgvector, Store};

use super::{By, Found, Kind, Query};
use crate::capture::{Opening, SessionRef};
use crate::index::vectors::{self, Vector};
use crate::recall::Recalled;
use crate::remember::Statement;
use crate::settings::Settings;
use crate::testing::{Time, ids, plain, said};
use crate::{Caller, Engine};

/// More than are compared one by one, so that signs choose.
const MANY: usize = 2300;

struct Both {
    server: Engine,
    pages: Engine,
    caller: Caller,
}

impl Both {
    fn new(name: &str) -> Both {
        let database = database(name);
        let engine = |seed: u64, pgvector: Pgvector| {
            let options = Options { pgvector, ..Options::default() };
            let store = Store::open(Location::Server(database.clone()), options).unwrap();
            Engine::new(store, Time::new().clock(), ids(seed), Settings::default())
        };
        let (pages, server) = (engine(1, Pgvector::Never), engine(2, Pgvector::Always));
        assert!(matches!(server.comparison().unwrap(), Comparison::InServer { .. }));
        let project = server.project(&plain("/work/shop"), Some("shop")).unwrap();
        Both { server, pages, caller: Caller { project: project.id, actor: "agent:claude".parse().unwrap() } }
    }

    fn index(&self, collection: Collection) -> Index<'_> {
        Index { project: &self.caller.project, collection }
    }

    /// What both find, which must be the same to the last decimal.
    fn recall(&self, query: &Query) -> Recalled {
        let by_server = self.server.recall(&self.caller, query).unwrap();
        let by_pages = self.pages.recall(&self.caller, query).unwrap();
        assert_eq!(by_server.hits, by_pages.hits, "{query:?}");
        assert_eq!(by_server.total, by_pages.total, "{query:?}");
        by_server
    }

    /// Without the pending ones of whoever was faster: what signs choose in a collection by either way.
    fn chosen(&self, query: &Vector, count: usize, wanted: impl Fn(i64) -> bool + Copy) -> Vec<i64> {
        let index = self.index(Collection::Memories);
        let of = |engine: &Engine| {
            engine
                .store()
                .read(|conn| {
                    let asks = in_server(conn, index, &query.model)?.is_some();
                    Ok::<_, throughline_store::Error>((
                        asks,
                        vectors::nearest_by_signs(conn, index, query, count, wanted)?,
                    ))
                })
                .unwrap()
        };
        let ((true, by_server), (false, by_pages)) = (of(&self.server), of(&self.pages)) else {
            panic!("the one asks the server and the other does not");
        };
        assert_eq!(by_server, by_pages, "{count} of {}", query.model);
        by_server
    }

    fn remember(&self, engine: &Engine, statements: Vec<Statement>) -> Vec<String> {
        let some =
            statements.chunks(500).flat_map(|some| engine.remember(&self.caller, some.to_vec()).unwrap());
        some.map(|remembered| remembered.memory.id.to_string()).collect()
    }
}

#[test]
#[ignore = "needs a server with pgvector in TEST_PGVECTOR; ./test starts one"]
fn random_vectors_are_chosen_alike() {
    let both = Both::new("random");
    let index = both.index(Collection::Memories);
    let mut chance = Chance(7);
    // Lengths that are no whole number of bytes too, numbers with gaps, and few values, so that many are equal.
    for (model, dimensions, levels) in [("a", 256, 200), ("b", 100, 3), ("c", 7, 3), ("ab", 384, 2)] {
        let mut number = 0;
        for _ in 0..6 {
            let some: Vec<(i64, Vector)> = (0..600)
                .map(|_| {
                    number += 1 + chance.below(3) as i64 / 2;
                    (number, chance.vector(model, dimensions, levels))
                })
                .collect();
            both.server.store().write(|tx| vectors::write(tx, index, &some)).unwrap();
        }
        for round in 0..20 {
            let query = chance.vector(model, dimensions, levels);
            let count = [1, 7, 96, 3000, 1_000_000][round % 5];
            let step = 1 + chance.below(50) as i64;
            let found = both.chosen(&query, count, |number| number % step == 0);
            assert!(found.iter().all(|number| number % step == 0));
            let from = chance.below(number as u64) as i64;
            both.chosen(&query, count, |document| document > from);
        }
    }
}

#[test]
#[ignore = "needs a server with pgvector in TEST_PGVECTOR; ./test starts one"]
fn searches_find_the_same_and_what_is_gone_stays_gone() {
    let both = Both::new("searches");
    let mut chance = Chance(11);
    let statements: Vec<Statement> = (0..MANY).map(|n| statement(&mut chance, n)).collect();
    let names = both.remember(&both.server, statements.clone());
    for text in ["a green boat on the river", "who repaired the engine", "winter bread"] {
        assert!(!both.recall(&by_meaning(text)).hits.is_empty());
        both.recall(&Query::of(text, 20));
        let tagged = Query { tags: vec!["rare".into()], floor: Some(0.0), ..by_meaning(text) };
        let found = both.recall(&tagged);
        assert_eq!(
            found.hits.len(),
            tagged.limit,
            "a filter narrows the search, it does not thin the answer"
        );
    }

    let query = |at: usize| Query { floor: Some(0.0), ..by_meaning(&statements[at].content) };
    let holds = |recalled: &Recalled, at: usize| {
        recalled.hits.iter().any(|hit| match &hit.found {
            Found::Memory(memory) => memory.content == statements[at].content,
            Found::Event(_) | Found::Item(_) | Found::Resource(_) | Found::Code(_) => false,
        })
    };
    let session = (&SessionRef::Own, &Opening::default());
    for (at, engine) in [(10, &both.server), (2000, &both.pages)] {
        assert!(holds(&both.recall(&query(at)), at), "it is there before");
        engine.forget(&both.caller, &names[at..=at], None, session).unwrap();
        assert!(!holds(&both.recall(&query(at)), at), "forgotten");
    }
    let instead =
        Statement { supersedes: Some(names[30].clone()), ..Statement::of("the lighthouse is closed") };
    both.server.remember(&both.caller, vec![instead]).unwrap();
    assert!(!holds(&both.recall(&query(30)), 30), "superseded");

    both.pages.rebuild_index(&both.caller).unwrap();
    for gone in [10, 30, 2000] {
        assert!(!holds(&both.recall(&query(gone)), gone), "the index was made again");
    }
    assert!(holds(&both.recall(&query(40)), 40));
}

#[test]
#[ignore = "needs a server with pgvector in TEST_PGVECTOR; ./test starts one"]
fn what_was_purged_leaves_no_vector() {
    let both = Both::new("purged");
    let mut chance = Chance(13);
    let events = (0..MANY).map(|n| said(EventKind::UserMessage, "run", &statement(&mut chance, n).content));
    both.server.capture(&both.caller, events.collect()).unwrap();
    both.server.index_events(&both.caller, i64::MAX).unwrap();
    let index = both.index(Collection::Events);
    let model = Vector::by_table("a green boat").unwrap().model;
    let last = |engine: &Engine| {
        engine.store().read(|conn| {
            Ok::<_, throughline_store::Error>(in_server(conn, index, &model)?.unwrap().last_page)
        })
    };
    assert!(last(&both.server).unwrap() > 0);
    let everything = Filter { after_position: Some(0), ..Filter::default() };
    both.pages.purge(&both.caller, &everything, "privacy").unwrap();
    assert_eq!(last(&both.server).unwrap(), -1);
    let query = Query { kinds: vec![], floor: Some(0.0), ..by_meaning("a green boat on the river") };
    assert_eq!(both.recall(&query).hits, []);
}

#[test]
#[ignore = "needs a server with pgvector in TEST_PGVECTOR; ./test starts one"]
fn writers_that_know_of_it_and_writers_that_do_not_go_together() {
    let both = Both::new("writers");
    let session = (&SessionRef::Own, &Opening::default());
    std::thread::scope(|scope| {
        for (seed, engine) in [(17, &both.server), (19, &both.pages)] {
            let both = &both;
            scope.spawn(move || {
                let mut chance = Chance(seed);
                for round in 0..12 {
                    let some =
                        (0..100).map(|n| statement(&mut chance, seed as usize * 10_000 + round * 100 + n));
                    let names = both.remember(engine, some.collect());
                    engine.forget(&both.caller, &names[..3], None, session).unwrap();
                    engine.recall(&both.caller, &by_meaning("a green boat on the river")).unwrap();
                }
            });
        }
    });
    for text in ["a green boat on the river", "who repaired the engine", "winter bread"] {
        assert!(!both.recall(&by_meaning(text)).hits.is_empty());
        let query = Vector::by_table(text).unwrap();
        assert_eq!(both.chosen(&query, 300, |_| true).len(), 300);
    }
}

fn by_meaning(text: &str) -> Query {
    Query { kinds: vec![Kind::Memory], by: By::Meaning, ..Query::of(text, 25) }
}

fn statement(chance: &mut Chance, n: usize) -> Statement {
    const WHO: [&str; 8] = ["fisherman", "baker", "engineer", "teacher", "doctor", "pilot", "child", "king"];
    const DID: [&str; 8] = ["repaired", "painted", "lost", "sold", "found", "broke", "carried", "described"];
    const WHAT: [&str; 12] = [
        "boat", "bread", "engine", "window", "letter", "river", "garden", "clock", "bridge", "horse", "lamp",
        "road",
    ];
    const HOW: [&str; 8] = ["green", "old", "heavy", "frozen", "cheap", "broken", "golden", "quiet"];
    let mut one = |of: &[&'static str]| of[chance.below(of.len() as u64) as usize];
    let content =
        format!("the {} {} {} the {} {} case{n}", one(&HOW), one(&WHO), one(&DID), one(&HOW), one(&WHAT));
    let tags = if n.is_multiple_of(40) { vec!["rare".to_owned()] } else { vec![] };
    // What happened is compared with nothing that is known, which is not what these tests are about.
    Statement { tags, occurred_at: Some(Timestamp(n as i64)), ..Statement::of(content) }
}

/// The generator splitmix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end
    }

    fn vector(&mut self, model: &str, dimensions: usize, levels: u64) -> Vector {
        let value = |chance: &mut Chance| chance.below(levels) as f32 - levels as f32 / 2.5;
        let dimensions: Vec<f32> = (0..dimensions).map(|_| value(self)).collect();
        Vector::new(model, &dimensions)
    }
}

/// The address of an empty database on the server with pgvector.
fn database(name: &str) -> String {
    let server = std::env::var("TEST_PGVECTOR").expect("TEST_PGVECTOR names the test server with pgvector");
    let name = format!("engine_{name}_{}", std::process::id());
    let mut admin = postgres::Client::connect(&server, postgres::NoTls).unwrap();
    admin.batch_execute(&format!("drop database if exists {name}")).unwrap();
    admin.batch_execute(&format!("create database {name}")).unwrap();
    format!("{}/{name}", server.rsplit_once('/').unwrap().0)
}
