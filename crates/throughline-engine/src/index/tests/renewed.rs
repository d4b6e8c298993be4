//! A database whose vectors an earlier table made.

use throughline_inference::embed::Table;
use throughline_store::event::Kind as EventKind;
use throughline_store::index_page::{self, Area, Collection, Index};

use super::{By, Fixture, Kind, Query};
use crate::remember::Statement;
use crate::testing::said;
use crate::work::Outcome;

const EARLIER: &str = "throughline-static-1";

/// Memories and events, most in a partition and some waiting, as an older program left them.
fn old() -> Fixture {
    let fixture = Fixture::new();
    let contents = (0..200).map(|n| Statement::of(format!("parcel {n} goes by ship to harbour {}", n % 20)));
    fixture.engine.remember(&fixture.caller, contents.collect()).unwrap();
    let told = |n: i32| said(EventKind::UserMessage, "run", &format!("the dog of keeper {n} was fed"));
    fixture.capture((0..200).map(told).collect());
    fixture.engine.index_events(&fixture.caller, 10_000).unwrap();
    for collection in [Collection::Memories, Collection::Events] {
        grow_old(&fixture, collection);
    }
    fixture
}

/// Every vector under the name of the earlier table, and nothing that says otherwise.
fn grow_old(fixture: &Fixture, collection: Collection) {
    let index = Index { project: &fixture.caller.project, collection };
    let (now, before) = (Table::built_in().model(), EARLIER);
    fixture.write(|tx| {
        for (area, old) in
            [(Area::Vectors(now), Area::Vectors(before)), (Area::Codes(now), Area::Codes(before))]
        {
            let pages = index_page::range(tx, index, area, 0, i64::MAX)?;
            assert!(!pages.is_empty());
            index_page::put_all(tx, index, old, &pages)?;
            index_page::remove(tx, index, area, 0, i64::MAX)?;
        }
        let mut waiting = index_page::range(tx, index, Area::Pending, 0, i64::MAX)?;
        assert!(!waiting.is_empty());
        for page in &mut waiting {
            let at = page.data.windows(now.len()).position(|bytes| bytes == now.as_bytes()).unwrap();
            page.data[at..at + now.len()].copy_from_slice(before.as_bytes());
        }
        index_page::put_all(tx, index, Area::Pending, &waiting)?;
        index_page::remove(tx, index, Area::Coverage(now), 0, i64::MAX)?;
        Ok(())
    });
}

fn near(fixture: &Fixture, kind: Kind, text: &str) -> Vec<String> {
    let query = Query { kinds: vec![kind], by: By::Meaning, floor: Some(0.0), ..Query::of(text, 500) };
    let recalled = fixture.engine.recall(&fixture.caller, &query).unwrap();
    recalled.hits.iter().map(|hit| format!("{:?}", hit.found)).collect()
}

#[test]
fn vectors_of_an_earlier_table_are_made_again() {
    let fixture = old();
    assert_eq!(near(&fixture, Kind::Memory, "freight sent across the sea"), Vec::<String>::new());
    let words = Query { kinds: vec![Kind::Event], ..Query::of("keeper 77 dog", 3) };
    assert!(!fixture.engine.recall(&fixture.caller, &words).unwrap().hits.is_empty(), "by its words");
    while let Some(run) = fixture.engine.work_one("w").unwrap() {
        assert_eq!(run.outcome, Outcome::Done, "{run:?}");
    }
    assert_eq!(near(&fixture, Kind::Memory, "freight sent across the sea").len(), 200);
    assert_eq!(near(&fixture, Kind::Event, "pets got their food").len(), 200);
    for collection in [Collection::Memories, Collection::Events] {
        let index = Index { project: &fixture.caller.project, collection };
        let left =
            fixture.engine.store().read(|conn| index_page::last_number(conn, index, Area::Vectors(EARLIER)));
        assert_eq!(left.unwrap(), None, "{collection:?}");
    }
}

#[test]
fn a_database_of_this_program_has_nothing_to_make_again() {
    let fixture = Fixture::new();
    let contents = (0..300).map(|n| Statement::of(format!("parcel {n} goes by ship")));
    fixture.engine.remember(&fixture.caller, contents.collect()).unwrap();
    near(&fixture, Kind::Memory, "freight");
    let jobs = fixture.engine.jobs(&fixture.caller, 100).unwrap();
    assert!(jobs.iter().all(|job| job.kind != "renew_vectors"), "{jobs:?}");
}
