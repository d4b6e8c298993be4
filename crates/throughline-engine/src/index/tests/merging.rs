//! Merges that stop half-way, and what happens beside them.

use std::collections::BTreeSet;

use throughline_store::index_page;

use super::{Catalogue, Library, partition};
use crate::index::partition::Built;

/// A library whose job is due: eight partitions of the level that writes leave alone.
fn due() -> Library {
    let mut library = Library::new();
    for n in 0..512 {
        library.add_partition(&[vec![format!("w{}", n % 40), format!("u{n}")]]);
    }
    assert_eq!(library.catalogue().partitions.len(), 8);
    library
}

/// The merge that is due, before any of it is written.
fn plan(library: &Library) -> Built {
    let plan = |conn: &mut dyn throughline_store::Connection| {
        let catalogue = Catalogue::read(conn, library.index())?;
        let parts = partition::due(&catalogue, partition::MAX_LEVEL).unwrap();
        partition::merge(conn, library.index(), parts)
    };
    library.fixture.engine.store().read::<_, throughline_store::Error>(plan).unwrap().unwrap()
}

fn size(library: &Library) -> (i64, i64) {
    library.fixture.engine.store().read(|conn| index_page::size(conn, library.index())).unwrap()
}

/// Puts the merged partition in the place of its parts, without removing their pages.
fn swap(library: &Library, built: &Built) {
    library.fixture.write(|tx| {
        let mut catalogue = Catalogue::read(tx, library.index())?;
        catalogue.partitions.splice(..partition::FAN_IN, [built.partition]);
        catalogue.write(tx, library.index())
    });
}

#[test]
fn a_merge_that_stops_anywhere_leaves_everything_found() {
    let library = due();
    let built = plan(&library);
    for step in built.steps(2000) {
        library.fixture.write(|tx| step.write(tx, library.index()));
        assert_eq!(library.found("u300"), BTreeSet::from([301]));
    }
    library.check();
    library.work();
    assert_eq!(library.catalogue().partitions, [built.partition]);
    library.check();
}

#[test]
fn steps_are_small_and_write_everything() {
    let built = plan(&due());
    assert!(built.steps(1000).count() > built.steps(1_000_000).count());
    let library = due();
    for step in built.steps(1000) {
        library.fixture.write(|tx| step.write(tx, library.index()));
    }
    swap(&library, &built);
    library.check();
}

#[test]
fn a_merge_that_stops_before_it_cleans_up_leaves_everything_found() {
    let library = due();
    let built = plan(&library);
    library.fixture.write(|tx| partition::write(tx, library.index(), &built));
    swap(&library, &built);
    library.check();
    library.work();
    library.check();
}

#[test]
fn a_merge_that_stops_before_it_cleans_up_leaves_no_pages_for_good() {
    let whole = due();
    whole.work();
    let library = due();
    let built = plan(&library);
    library.fixture.write(|tx| partition::write(tx, library.index(), &built));
    swap(&library, &built);
    library.work();
    assert_eq!(size(&library), size(&whole));
}

#[test]
fn a_merge_that_is_asked_for_again_changes_nothing() {
    let library = due();
    library.work();
    let (catalogue, size_after) = (library.catalogue(), size(&library));
    library.fixture.write(|tx| library.request(tx));
    library.work();
    assert_eq!((library.catalogue(), size(&library)), (catalogue, size_after));
}

#[test]
fn what_is_removed_while_a_merge_is_under_way_stays_removed() {
    let mut library = due();
    let built = plan(&library);
    library.remove(301);
    library.fixture.write(|tx| partition::write(tx, library.index(), &built));
    swap(&library, &built);
    library.check();
}

#[test]
fn what_is_added_while_a_merge_is_under_way_is_found() {
    let mut library = due();
    let built = plan(&library);
    library.add_partition(&[vec!["u9999".into()]]);
    library.fixture.write(|tx| partition::write(tx, library.index(), &built));
    swap(&library, &built);
    assert_eq!(library.catalogue().partitions.len(), 2);
    library.check();
}
