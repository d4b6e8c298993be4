//! An index that is made again from the records, and what a purge leaves of it.

use throughline_store::event::{Filter, Kind as EventKind};
use throughline_store::index_page::{self, Area, Collection, Index};

use super::{By, Fixture, Kind, Query};
use crate::capture::{Opening, SessionRef};
use crate::index::status::Standing;
use crate::remember::Statement;
use crate::testing::said;
use crate::work::Outcome;

fn work(fixture: &Fixture) {
    while let Some(run) = fixture.engine.work_one("w").unwrap() {
        assert_eq!(run.outcome, Outcome::Done, "{run:?}");
    }
}

/// A project with a partition and some that wait in each collection, a few of them gone.
fn full() -> Fixture {
    let fixture = Fixture::new();
    let content = |n: i32| format!("memory{n} speaks of apples{}", n % 50);
    let statements =
        (0..200).map(|n| Statement { tags: vec![format!("t{}", n % 3)], ..Statement::of(content(n)) });
    let remembered = fixture.engine.remember(&fixture.caller, statements.collect()).unwrap();
    let names: Vec<String> = [3, 170].map(|at: usize| remembered[at].memory.id.to_string()).into();
    fixture.engine.forget(&fixture.caller, &names, None, (&SessionRef::Own, &Opening::default())).unwrap();
    fixture.capture(
        (0..200).map(|n| said(EventKind::Read, "run", &format!("line{n} apples{}", n % 50))).collect(),
    );
    fixture.engine.index_events(&fixture.caller, 10_000).unwrap();
    fixture
}

/// What every sort of query finds, without the order of equals.
fn answers(fixture: &Fixture) -> Vec<(String, usize, Vec<String>)> {
    let tagged = |text: &str| Query { tags: vec!["t1".into()], ..Query::of(text, 100) };
    let of = |text: &str| Query { by: By::Words, floor: Some(0.0), ..Query::of(text, 100) };
    let queries =
        [of("apples7"), of("memory3"), of("memory170"), of("memory5"), of("line77"), tagged("apples20")];
    let answer = |query: Query| {
        let recalled = fixture.engine.recall(&fixture.caller, &query).unwrap();
        let mut found: Vec<String> = recalled.hits.iter().map(|hit| format!("{:?}", hit.found)).collect();
        found.sort_unstable();
        (query.text, recalled.total, found)
    };
    queries.into_iter().map(answer).collect()
}

fn standing(fixture: &Fixture, collection: Collection) -> Standing {
    let standings = fixture.engine.index_standing(&fixture.caller).unwrap();
    standings.into_iter().find(|standing| standing.collection == collection).unwrap()
}

/// Whether a word stands anywhere in the index in plain text.
fn stands_in_the_index(fixture: &Fixture, word: &str) -> bool {
    let index = Index { project: &fixture.caller.project, collection: Collection::Events };
    [Area::Pending, Area::Words, Area::Postings].into_iter().any(|area| {
        let pages =
            fixture.engine.store().read(|conn| index_page::range(conn, index, area, 0, i64::MAX)).unwrap();
        pages.iter().any(|page| page.data.windows(word.len()).any(|bytes| bytes == word.as_bytes()))
    })
}

#[test]
fn an_index_that_is_made_again_answers_the_same() {
    let fixture = full();
    let before = answers(&fixture);
    fixture.engine.rebuild_index(&fixture.caller).unwrap();
    assert_eq!(answers(&fixture), before, "at once");
    work(&fixture);
    assert_eq!(answers(&fixture), before);
    assert_eq!(standing(&fixture, Collection::Memories).documents, 198, "what is gone is not there any more");
    let events = standing(&fixture, Collection::Events);
    assert_eq!((events.documents, events.unindexed), (200, 0));
    let once = standing(&fixture, Collection::Memories);
    fixture.engine.rebuild_index(&fixture.caller).unwrap();
    work(&fixture);
    assert_eq!(standing(&fixture, Collection::Memories), once);
}

#[test]
fn a_damaged_index_is_mended_by_making_it_again() {
    let fixture = full();
    let before = answers(&fixture);
    for collection in Collection::ALL {
        let index = Index { project: &fixture.caller.project, collection: *collection };
        let page = index_page::Page { number: 0, part: 0, data: vec![99] };
        fixture.write(|tx| index_page::put(tx, index, Area::Catalogue, &page));
    }
    assert!(fixture.engine.recall(&fixture.caller, &Query::of("apples7", 1)).is_err());
    fixture.engine.rebuild_index(&fixture.caller).unwrap();
    work(&fixture);
    assert_eq!(answers(&fixture), before);
}

#[test]
fn memories_that_are_remembered_after_a_rebuild_are_found() {
    let fixture = full();
    fixture.engine.rebuild_index(&fixture.caller).unwrap();
    let more = (0..150).map(|n| Statement::of(format!("later{n} of pears")));
    fixture.engine.remember(&fixture.caller, more.collect()).unwrap();
    for word in ["later0", "later149", "memory5"] {
        let query = Query { by: By::Words, kinds: vec![Kind::Memory], ..Query::of(word, 5) };
        assert_eq!(fixture.engine.recall(&fixture.caller, &query).unwrap().total, 1, "{word}");
    }
}

#[test]
fn the_words_of_a_purged_event_are_in_no_page() {
    for others in [0, 200] {
        let fixture = Fixture::new();
        let secret = fixture.record(said(EventKind::UserMessage, "run", "the codename is swordfish"));
        fixture
            .capture((0..others).map(|n| said(EventKind::Read, "run", &format!("line{n} of it"))).collect());
        fixture.engine.index_events(&fixture.caller, 10_000).unwrap();
        // In a partition only what differs from the word before stands there: its first letter has a page alone here.
        assert!(stands_in_the_index(&fixture, "swordfish"), "{others}");
        let filter = Filter { ids: vec![secret.id], ..Filter::default() };
        fixture.engine.purge(&fixture.caller, &filter, "privacy").unwrap();
        assert!(!stands_in_the_index(&fixture, "swordfish"), "{others}");
        work(&fixture);
        assert!(!stands_in_the_index(&fixture, "swordfish"), "{others}");
        assert_eq!(standing(&fixture, Collection::Events).documents, others as u64);
    }
}

#[test]
fn meaning_is_found_among_thousands() {
    let fixture = Fixture::new();
    let filler =
        (0..2200).map(|n| Statement::of(format!("invoice {n} was paid by the customer in month {}", n % 12)));
    let mut statements: Vec<Statement> = filler.collect();
    statements.insert(1100, Statement::of("the cat sleeps on the sofa"));
    fixture.engine.remember(&fixture.caller, statements).unwrap();
    let query =
        Query { by: By::Meaning, kinds: vec![Kind::Memory], ..Query::of("a kitten naps on the couch", 1) };
    let hits = fixture.engine.recall(&fixture.caller, &query).unwrap().hits;
    assert!(format!("{:?}", hits[0].found).contains("the cat sleeps on the sofa"), "{hits:?}");
}
