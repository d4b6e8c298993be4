//! The statements about the pages of the search index.

use super::fixture::{project_id, read, write};
use crate::id::ProjectId;
use crate::index_page::{self, Area, Collection, Index, Page};
use crate::{Connection, Result, Store};

const AREAS: [Area<'static>; 10] = [
    Area::Catalogue,
    Area::Pending,
    Area::Postings,
    Area::Words,
    Area::Lengths,
    Area::Removed,
    Area::Codes("table"),
    Area::Vectors("table"),
    Area::Coverage("table"),
    Area::Vectors("another: 'model' %_"),
];

fn a_page_comes_back_byte_for_byte(store: &Store) {
    let every_byte: Vec<u8> = (0..=u8::MAX).collect();
    let large: Vec<u8> =
        (0..5_u32 * 1024 * 1024).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let pages = [(1, 0, vec![]), (2, 0, every_byte), (3, 0, large), (i64::MAX, i64::MAX, vec![7])];
    let pages: Vec<Page> = pages.map(|(number, part, data)| Page { number, part, data }).into();
    put(store, &memories(&p()), Area::Postings, &pages);
    for page in &pages {
        assert_eq!(
            get(store, &memories(&p()), Area::Postings, page.number, page.part).as_ref(),
            Some(&page.data)
        );
    }
    assert_eq!(range(store, &memories(&p()), Area::Postings, 0, i64::MAX), pages);
}

fn a_page_that_is_not_there_is_nothing(store: &Store) {
    put(store, &memories(&p()), Area::Words, &[page(1, 1, b"x")]);
    for (area, number, part) in [(Area::Words, 1, 0), (Area::Words, 0, 1), (Area::Lengths, 1, 1)] {
        assert_eq!(get(store, &memories(&p()), area, number, part), None, "{area:?} {number} {part}");
        assert_eq!(range(store, &memories(&p()), area, 2, 9), []);
    }
    assert_eq!(last(store, Area::Lengths), None);
    assert_eq!(numbers(store, Area::Lengths, 9), [0; 0]);
}

fn a_page_that_is_written_again_is_replaced(store: &Store) {
    put(store, &memories(&p()), Area::Pending, &[page(1, 0, b"first"), page(2, 0, b"stays")]);
    put(store, &memories(&p()), Area::Pending, &[page(1, 0, b"")]);
    let twice_in_one_go = [page(3, 0, b"a"), page(3, 0, b"b")];
    put(store, &memories(&p()), Area::Pending, &twice_in_one_go);
    let expected = [page(1, 0, b""), page(2, 0, b"stays"), page(3, 0, b"b")];
    assert_eq!(range(store, &memories(&p()), Area::Pending, 0, 9), expected);
}

fn pages_come_in_the_order_of_their_numbers(store: &Store) {
    let scattered = [(10, 1), (2, 5), (10, 0), (-3, 0), (2, 0), (7, 0)];
    let pages: Vec<Page> = scattered.iter().map(|(number, part)| page(*number, *part, b"x")).collect();
    put(store, &memories(&p()), Area::Words, &pages);
    let places = |first, last| -> Vec<(i64, i64)> {
        range(store, &memories(&p()), Area::Words, first, last)
            .iter()
            .map(|page| (page.number, page.part))
            .collect()
    };
    assert_eq!(places(i64::MIN, i64::MAX), [(-3, 0), (2, 0), (2, 5), (7, 0), (10, 0), (10, 1)]);
    assert_eq!(places(2, 7), [(2, 0), (2, 5), (7, 0)], "both ends belong");
    assert_eq!(places(7, 2), []);
    let all = collected(store, |conn, each| index_page::each(conn, memories(&p()), Area::Words, each));
    assert_eq!(all, range(store, &memories(&p()), Area::Words, i64::MIN, i64::MAX));
    assert_eq!(numbers(store, Area::Words, 3), [-3, 2, 2]);
    let mut distinct = read(store, |conn| index_page::distinct_numbers(conn, memories(&p()), Area::Words));
    distinct.sort_unstable();
    assert_eq!(distinct, [-3, 2, 7, 10]);
    assert_eq!(numbers(store, Area::Words, 0), [0; 0]);
    assert_eq!(last(store, Area::Words), Some(10));
}

fn pages_are_found_by_many_numbers_or_parts_at_once(store: &Store) {
    let pages: Vec<Page> = (1..=80).map(|n| page(n, 0, &[n as u8])).collect();
    let parts: Vec<Page> = (1..=80).map(|n| page(500, n, &[n as u8])).collect();
    put(store, &memories(&p()), Area::Postings, &pages);
    put(store, &memories(&p()), Area::Postings, &parts);
    put(store, &events(&p()), Area::Postings, &[page(3, 0, b"elsewhere")]);
    let sorted = |mut pages: Vec<Page>| {
        pages.sort_by_key(|page| (page.number, page.part));
        pages
    };
    let of_numbers = |numbers: &[i64]| {
        sorted(collected(store, |conn, each| {
            index_page::each_of_numbers(conn, memories(&p()), Area::Postings, numbers, each)
        }))
    };
    let parts_of = |number, parts: &[i64]| {
        sorted(read(store, |conn| index_page::parts_of(conn, memories(&p()), Area::Postings, number, parts)))
    };
    assert_eq!((of_numbers(&[]), parts_of(500, &[])), (vec![], vec![]));
    for count in [1, 31, 32, 33, 80] {
        let numbers: Vec<i64> = (1..=count).collect();
        assert_eq!(of_numbers(&numbers), pages[..count as usize]);
        assert_eq!(parts_of(500, &numbers), parts[..count as usize]);
    }
    assert_eq!(of_numbers(&[0, 81, 3, -1]), [page(3, 0, &[3])]);
    assert_eq!(of_numbers(&[500]), parts, "with all its parts");
    assert_eq!((parts_of(500, &[0, 81]), parts_of(501, &[1])), (vec![], vec![]));
}

fn removed_pages_are_gone_and_the_others_stay(store: &Store) {
    let pages = [page(1, 0, b"1"), page(2, 0, b"2"), page(2, 1, b"2"), page(3, 0, b"3")];
    put(store, &memories(&p()), Area::Lengths, &pages);
    put(store, &memories(&p()), Area::Words, &[page(2, 0, b"of another area")]);
    let remove =
        |first, last| write(store, |tx| index_page::remove(tx, memories(&p()), Area::Lengths, first, last));
    assert_eq!(remove(2, 2), 2, "with all its parts");
    assert_eq!(remove(2, 2), 0);
    assert_eq!(remove(3, 1), 0);
    assert_eq!(range(store, &memories(&p()), Area::Lengths, 0, 9), [page(1, 0, b"1"), page(3, 0, b"3")]);
    assert_eq!(range(store, &memories(&p()), Area::Words, 0, 9), [page(2, 0, b"of another area")]);
    assert_eq!(remove(i64::MIN, i64::MAX), 2);
}

fn areas_collections_and_projects_are_apart(store: &Store) {
    let (p, q) = (p(), project_id("q"));
    let indexes = [memories(&p), events(&p), memories(&q), events(&q)];
    let places: Vec<(Index<'_>, Area<'_>)> =
        indexes.iter().flat_map(|index| AREAS.iter().map(|area| (*index, *area))).collect();
    for ((index, area), n) in places.iter().zip(0_u8..) {
        put(store, index, *area, &[page(1, 1, &[n])]);
    }
    for ((index, area), n) in places.iter().zip(0_u8..) {
        assert_eq!(range(store, index, *area, 0, 9), [page(1, 1, &[n])], "{index:?} {area:?}");
    }
    assert_eq!(write(store, |tx| index_page::clear(tx, memories(&p))), AREAS.len() as u64);
    for (index, area) in &places {
        let cleared = index.project == &p && index.collection == Collection::Memories;
        assert_eq!(range(store, index, *area, 0, 9).len(), usize::from(!cleared), "{index:?} {area:?}");
    }
    assert_eq!(write(store, |tx| index_page::clear(tx, memories(&p))), 0);
}

fn the_size_of_an_index_is_its_pages_and_their_bytes(store: &Store) {
    let size = |index: &Index<'_>| read(store, |conn| index_page::size(conn, *index));
    assert_eq!(size(&memories(&p())), (0, 0));
    put(
        store,
        &memories(&p()),
        Area::Words,
        &[page(1, 0, "é".as_bytes()), page(2, 0, b""), page(3, 0, &[0; 10])],
    );
    put(store, &memories(&p()), Area::Codes("m"), &[page(1, 0, &[0xFF; 100])]);
    put(store, &events(&p()), Area::Words, &[page(1, 0, b"elsewhere")]);
    assert_eq!(size(&memories(&p())), (4, 112));
}

fn a_write_that_fails_leaves_the_pages_as_they_were(store: &Store) {
    put(store, &memories(&p()), Area::Words, &[page(1, 0, b"before")]);
    let failed: Result<()> = store.write(|tx| {
        index_page::put(tx, memories(&p()), Area::Words, &page(1, 0, b"after"))?;
        index_page::remove(tx, memories(&p()), Area::Words, 0, 9)?;
        Err(crate::Error::Corrupt("stop here".into()))
    });
    assert!(failed.is_err());
    assert_eq!(range(store, &memories(&p()), Area::Words, 0, 9), [page(1, 0, b"before")]);
}

fn p() -> ProjectId {
    project_id("p")
}

fn memories(project: &ProjectId) -> Index<'_> {
    Index { project, collection: Collection::Memories }
}

fn events(project: &ProjectId) -> Index<'_> {
    Index { project, collection: Collection::Events }
}

fn page(number: i64, part: i64, data: &[u8]) -> Page {
    Page { number, part, data: data.to_vec() }
}

fn put(store: &Store, index: &Index<'_>, area: Area<'_>, pages: &[Page]) {
    write(store, |tx| index_page::put_all(tx, *index, area, pages));
}

fn get(store: &Store, index: &Index<'_>, area: Area<'_>, number: i64, part: i64) -> Option<Vec<u8>> {
    read(store, |conn| index_page::get(conn, *index, area, number, part))
}

fn range(store: &Store, index: &Index<'_>, area: Area<'_>, first: i64, last: i64) -> Vec<Page> {
    read(store, |conn| index_page::range(conn, *index, area, first, last))
}

fn collected(
    store: &Store,
    look: impl Fn(&mut dyn Connection, &mut dyn FnMut(Page) -> Result<()>) -> Result<()>,
) -> Vec<Page> {
    read(store, |conn| {
        let mut pages = vec![];
        look(conn, &mut |page| {
            pages.push(page);
            Ok(())
        })?;
        Ok(pages)
    })
}

fn numbers(store: &Store, area: Area<'_>, limit: i64) -> Vec<i64> {
    read(store, |conn| index_page::numbers(conn, memories(&p()), area, limit))
}

fn last(store: &Store, area: Area<'_>) -> Option<i64> {
    read(store, |conn| index_page::last_number(conn, memories(&p()), area))
}

super::contract![
    a_page_comes_back_byte_for_byte,
    a_page_that_is_not_there_is_nothing,
    a_page_that_is_written_again_is_replaced,
    pages_come_in_the_order_of_their_numbers,
    pages_are_found_by_many_numbers_or_parts_at_once,
    removed_pages_are_gone_and_the_others_stay,
    areas_collections_and_projects_are_apart,
    the_size_of_an_index_is_its_pages_and_their_bytes,
    a_write_that_fails_leaves_the_pages_as_they_were,
];
