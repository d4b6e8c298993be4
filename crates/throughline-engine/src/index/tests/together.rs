//! Two engines on one database: nothing is lost and nothing is there twice.

use std::collections::BTreeSet;

use throughline_store::Location;
use throughline_store::event::{Filter, Kind as EventKind};
use throughline_store::index_page::{self, Area, Collection, Index};

use super::{By, Catalogue, Found, Kind, Query, pending};
use crate::capture::{Opening, SessionRef};
use crate::index::Progress;
use crate::remember::Statement;
use crate::settings::Settings;
use crate::testing::{Time, ids, plain, said, store};
use crate::{Caller, Engine};

/// Makes two tests of each function: `sqlite::name` on a file and `postgres::name` on the test server.
macro_rules! on_each_database {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[test] fn $name() {
                let folder = tempfile::tempdir().unwrap();
                let file = super::Location::File(folder.path().join("throughline.db"));
                super::$name(&super::two(&file, stringify!($name)));
            })*
        }
        mod postgres {
            $(#[test]
            #[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
            fn $name() {
                let server = std::env::var("TEST_POSTGRES").expect("TEST_POSTGRES names the test server");
                super::$name(&super::two(&super::Location::Server(server), stringify!($name)));
            })*
        }
    };
}

/// Two engines, as two processes would have them, in a project of their own.
fn two(location: &Location, name: &str) -> [(Engine, Caller); 2] {
    let name = format!("{name} {}", std::process::id());
    let chance = name.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    [1, 2].map(|n| {
        let seed = chance.wrapping_add(n);
        let engine =
            Engine::new(store(location.clone()), Time::new().clock(), ids(seed), Settings::default());
        let project = engine.project(&plain("/work/shop"), Some(&name)).unwrap();
        let caller = Caller { project: project.id, actor: "agent:claude".parse().unwrap() };
        (engine, caller)
    })
}

/// How many documents the index of a collection has, and that its partitions are apart.
fn documents((engine, caller): &(Engine, Caller), collection: Collection) -> u64 {
    let index = Index { project: &caller.project, collection };
    let (catalogue, waiting) = engine
        .store()
        .read::<_, throughline_store::Error>(|conn| {
            Ok((Catalogue::read(conn, index)?, pending(conn, index)?))
        })
        .unwrap();
    assert!(catalogue.partitions.is_sorted_by(|a, b| a.last < b.first), "{catalogue:?}");
    let last = catalogue.partitions.last().map_or(0, |part| part.last);
    assert!(waiting.iter().all(|page| page.number > last), "what waits comes after the partitions");
    catalogue.partitions.iter().map(|part| part.documents).sum::<u64>() + waiting.len() as u64
}

fn two_engines_that_remember_at_once_lose_nothing(engines: &[(Engine, Caller); 2]) {
    std::thread::scope(|scope| {
        for (n, (engine, caller)) in engines.iter().enumerate() {
            scope.spawn(move || {
                for i in 0..100 {
                    let statements = (0..3).map(|j| Statement::of(format!("shared by{n}x{i}x{j}"))).collect();
                    engine.remember(caller, statements).unwrap();
                }
            });
        }
    });
    let (engine, caller) = &engines[0];
    assert_eq!(documents(&engines[0], Collection::Memories), 600);
    for word in ["by0x0x0", "by1x0x0", "by0x99x2", "by1x99x2", "by0x50x1"] {
        let query = Query { kinds: vec![Kind::Memory], by: By::Words, ..Query::of(word, 10) };
        let recalled = engine.recall(caller, &query).unwrap();
        assert_eq!(recalled.total, 1, "{word}");
    }
}

fn two_engines_that_search_at_once_take_each_event_in_once(engines: &[(Engine, Caller); 2]) {
    let (engine, caller) = &engines[0];
    let observations = (0..1500).map(|n| said(EventKind::Read, "run", &format!("line{n} of the file")));
    engine.capture(caller, observations.collect()).unwrap();
    let indexed: Vec<i64> = std::thread::scope(|scope| {
        let run = |(engine, caller): &'_ (Engine, Caller)| engine.index_events(caller, 10_000).unwrap();
        let threads: Vec<_> = engines.iter().map(|one| scope.spawn(move || run(one))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap().indexed).collect()
    });
    assert_eq!(indexed.iter().sum::<i64>(), 1500, "{indexed:?}");
    assert_eq!(documents(&engines[0], Collection::Events), 1500);
    assert_eq!(engine.index_events(caller, 10_000).unwrap(), Progress { indexed: 0, left: 0 });
    for n in [0, 511, 512, 1023, 1499] {
        let query = Query { by: By::Words, ..Query::of(format!("line{n}"), 10) };
        let hits = engine.recall(caller, &query).unwrap().hits;
        let positions: BTreeSet<i64> = hits
            .iter()
            .map(|hit| match &hit.found {
                Found::Event(event) => event.position,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!((hits.len(), positions), (1, BTreeSet::from([n + 1])));
    }
}

fn events_that_come_while_others_search_are_all_found(engines: &[(Engine, Caller); 2]) {
    std::thread::scope(|scope| {
        let [(writer, by_writer), (reader, by_reader)] = engines;
        scope.spawn(move || {
            for n in 0..200 {
                writer
                    .capture(by_writer, vec![said(EventKind::UserMessage, "run", &format!("line{n}"))])
                    .unwrap();
            }
        });
        scope.spawn(move || {
            for _ in 0..60 {
                reader.recall(by_reader, &Query::of("line7", 10)).unwrap();
            }
        });
    });
    let (engine, caller) = &engines[1];
    engine.index_events(caller, 10_000).unwrap();
    assert_eq!(documents(&engines[1], Collection::Events), 200);
}

#[test]
fn a_purge_while_another_searches_leaves_no_word() {
    let folder = tempfile::tempdir().unwrap();
    let file = Location::File(folder.path().join("throughline.db"));
    let [(writer, by_writer), (reader, by_reader)] = &two(&file, "purge");
    let filler = (0..300).map(|n| said(EventKind::UserMessage, "run", &format!("line{n} of much talk")));
    writer.capture(by_writer, filler.collect()).unwrap();
    for n in 0..12 {
        let secret = said(EventKind::UserMessage, "run", "the codename is swordfish");
        let recorded = writer.capture(by_writer, vec![secret]).unwrap().remove(0);
        let filter = Filter { ids: vec![recorded.id], ..Filter::default() };
        std::thread::scope(|scope| {
            scope.spawn(|| reader.index_events(by_reader, 10_000).unwrap());
            scope.spawn(|| writer.purge(by_writer, &filter, "privacy").unwrap());
        });
        let index = Index { project: &by_reader.project, collection: Collection::Events };
        for area in [Area::Pending, Area::Words] {
            let pages =
                reader.store().read(|conn| index_page::range(conn, index, area, 0, i64::MAX)).unwrap();
            let left = pages.iter().filter(|page| page.data.windows(9).any(|bytes| bytes == b"swordfish"));
            assert_eq!(left.count(), 0, "{area:?} after {n} purges");
        }
    }
}

fn what_two_engines_do_at_once_is_found_afterwards(engines: &[(Engine, Caller); 2]) {
    let [(one, by_one), (other, by_other)] = engines;
    let session = (&SessionRef::Own, &Opening::default());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for i in 0..60 {
                let statements = (0..5).map(|j| Statement::of(format!("kept x{i}y{j}"))).collect();
                one.remember(by_one, statements).unwrap();
                one.recall(by_one, &Query::of("kept", 5)).unwrap();
            }
        });
        scope.spawn(move || {
            for i in 0..20 {
                let gone = other.remember(by_other, vec![Statement::of(format!("gone z{i}"))]).unwrap();
                other.forget(by_other, &[gone[0].memory.id.to_string()], None, session).unwrap();
                if i % 5 == 0 {
                    other.rebuild_index(by_other).unwrap();
                }
            }
        });
    });
    for word in (0..60).map(|i| format!("x{i}y{}", i % 5)) {
        let query = Query { kinds: vec![Kind::Memory], by: By::Words, ..Query::of(&word, 10) };
        assert_eq!(one.recall(by_one, &query).unwrap().total, 1, "{word}");
    }
    let gone = Query { kinds: vec![Kind::Memory], by: By::Words, ..Query::of("gone", 10) };
    assert_eq!(other.recall(by_other, &gone).unwrap().total, 0);
}

on_each_database![
    two_engines_that_remember_at_once_lose_nothing,
    two_engines_that_search_at_once_take_each_event_in_once,
    events_that_come_while_others_search_are_all_found,
    what_two_engines_do_at_once_is_found_afterwards,
];
