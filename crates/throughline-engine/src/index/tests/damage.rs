//! Pages that were damaged: a search says so or finds what it can, and never breaks.

use proptest::prelude::*;
use throughline_inference::embed::Table;
use throughline_store::event::Kind as EventKind;
use throughline_store::index_page::{self, Area, Collection, Index, Page};
use throughline_store::{Error as StoreError, Result as Stored};

use super::{By, Catalogue, Fixture, Kind, Library, Query};
use crate::Error;
use crate::backlog::{Edit, NewItem};
use crate::capture::{During, Opening, SessionRef};
use crate::index::Partition;
use crate::remember::Statement;
use crate::testing::said;

/// A project with pages of every sort.
fn full() -> Fixture {
    let fixture = Fixture::new();
    let statements = (0..180).map(|n| Statement {
        tags: vec!["t".into()],
        ..Statement::of(format!("memory{n} of apples and pears"))
    });
    let remembered = fixture.engine.remember(&fixture.caller, statements.collect()).unwrap();
    let names: Vec<String> = [3, 170].map(|at: usize| remembered[at].memory.id.to_string()).into();
    fixture.engine.forget(&fixture.caller, &names, None, (&SessionRef::Own, &Opening::default())).unwrap();
    fixture.capture(
        (0..200).map(|n| said(EventKind::UserMessage, "run", &format!("event{n} apples"))).collect(),
    );
    fill_backlog(&fixture);
    fixture.engine.index_events(&fixture.caller, 10_000).unwrap();
    fixture
}

/// Items and resources with words of now and of before.
fn fill_backlog(fixture: &Fixture) {
    let (engine, caller) = (&fixture.engine, &fixture.caller);
    let during = During { session: SessionRef::Own, opening: Opening::default() };
    let uri = |n: usize| format!("throughline://resource/apples/{n}.md");
    let write = |n: usize, content: String| {
        engine.write_resource(caller, &uri(n), &Edit::Create { content }, &during).unwrap();
    };
    for n in 0..180 {
        engine.create_item(caller, NewItem::of(format!("item{n} of apples")), &during).unwrap();
        write(n, format!("resource{n} of apples and pears"));
    }
    engine.delete_item(caller, "TASK-0003", &during).unwrap();
    write(3, "no fruit".to_owned());
}

fn areas() -> [Area<'static>; 7] {
    let model = Table::built_in().model();
    [
        Area::Pending,
        Area::Postings,
        Area::Words,
        Area::Lengths,
        Area::Removed,
        Area::Codes(model),
        Area::Vectors(model),
    ]
}

/// Searches in every way; what goes wrong must be damage that is reported.
fn search(fixture: &Fixture) -> Result<(), TestCaseError> {
    for by in [By::Words, By::Meaning, By::WordsAndMeaning] {
        for (text, tags) in
            [("apples pears memory7", vec![]), ("aples peers", vec!["t".to_owned()]), ("event7", vec![])]
        {
            let query = Query { by, tags, floor: Some(0.0), ..Query::of(text, 50) };
            match fixture.engine.recall(&fixture.caller, &query) {
                Ok(_) | Err(Error::Store(StoreError::Corrupt(_))) => {}
                Err(error) => return Err(TestCaseError::fail(format!("{error:?}"))),
            }
        }
    }
    Ok(())
}

#[derive(Debug, Clone)]
enum Harm {
    Set(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Grow(Vec<u8>),
}

fn harm() -> impl Strategy<Value = Harm> {
    prop_oneof![
        4 => (any::<prop::sample::Index>(), any::<u8>()).prop_map(|(at, byte)| Harm::Set(at, byte)),
        1 => any::<prop::sample::Index>().prop_map(Harm::Cut),
        1 => prop::collection::vec(any::<u8>(), 1..40).prop_map(Harm::Grow),
    ]
}

fn harmed(mut data: Vec<u8>, harms: Vec<Harm>) -> Vec<u8> {
    for harm in harms {
        match harm {
            Harm::Set(at, byte) if !data.is_empty() => {
                let at = at.index(data.len());
                data[at] = byte;
            }
            Harm::Set(..) => {}
            Harm::Cut(at) => data.truncate(at.index(data.len() + 1)),
            Harm::Grow(bytes) => data.extend(bytes),
        }
    }
    data
}

#[test]
fn a_damaged_page_is_reported_and_breaks_nothing() {
    let fixture = full();
    let write =
        |index: Index<'_>, area, page: &Page| fixture.write(|tx| index_page::put(tx, index, area, page));
    let config = ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(
        area in prop::sample::select(areas().to_vec()),
        collection in prop::sample::select(Collection::ALL.to_vec()),
        which in any::<prop::sample::Index>(),
        harms in prop::collection::vec(harm(), 1..6),
    )| {
        let index = Index { project: &fixture.caller.project, collection };
        let pages = fixture.engine.store().read(|conn| index_page::range(conn, index, area, 0, i64::MAX)).unwrap();
        if pages.is_empty() {
            let is_code = matches!(collection, Collection::Files | Collection::Chunks);
            prop_assert!(is_code || area == Area::Removed && collection == Collection::Events, "{:?}", area);
            return Ok(());
        }
        let page = &pages[which.index(pages.len())];
        write(index, area, &Page { data: harmed(page.data.clone(), harms), ..page.clone() });
        let outcome = search(&fixture);
        write(index, area, page);
        outcome?;
    });
}

#[test]
fn a_page_that_is_missing_is_reported_or_passed_over() {
    for area in areas() {
        let fixture = full();
        for collection in Collection::ALL {
            let index = Index { project: &fixture.caller.project, collection: *collection };
            fixture.write(|tx| index_page::remove(tx, index, area, 0, i64::MAX));
        }
        search(&fixture).unwrap();
    }
}

/// What a search in a library says whose catalogue was changed so.
fn with_catalogue(change: fn(&mut Partition)) -> crate::Result<usize> {
    let mut library = Library::new();
    library.add_partition(&[vec!["w1".into()], vec!["w2".into()]]);
    library.fixture.write(|tx| {
        let mut catalogue = Catalogue::read(tx, library.index())?;
        change(&mut catalogue.partitions[0]);
        catalogue.write(tx, library.index())
    });
    let query = Query { by: By::Words, kinds: vec![Kind::Memory], ..Query::of("w1", 5) };
    library.fixture.engine.recall(&library.fixture.caller, &query).map(|recalled| recalled.total)
}

#[test]
fn a_catalogue_of_another_format_is_reported() {
    let library = Library::new();
    for data in
        [vec![], vec![2], vec![1], vec![1, 0x80], vec![1, 0, 0, 1], vec![1, 0, 1, 1, 0, 1, 1], vec![1; 4]]
    {
        library.fixture.write(|tx| {
            index_page::put(
                tx,
                library.index(),
                Area::Catalogue,
                &Page { number: 0, part: 0, data: data.clone() },
            )
        });
        let read = library
            .fixture
            .engine
            .store()
            .read(|conn| -> Stored<Catalogue> { Catalogue::read(conn, library.index()) });
        assert!(matches!(read, Err(StoreError::Corrupt(_))), "{data:?}: {read:?}");
    }
}

#[test]
fn a_damaged_catalogue_is_reported() {
    let changes: [fn(&mut Partition); 5] = [
        |part| part.last = part.first - 2,
        |part| part.last = i64::MAX,
        |part| part.first = i64::MAX,
        |part| part.bucket_bits = 65,
        |part| part.level = 200,
    ];
    for (n, change) in changes.into_iter().enumerate() {
        let found = std::panic::catch_unwind(|| with_catalogue(change));
        assert!(matches!(found, Ok(Err(Error::Store(StoreError::Corrupt(_))))), "{n}: {found:?}");
    }
}

#[test]
fn a_merge_of_damaged_pages_is_reported() {
    let mut library = Library::new();
    (0..7).for_each(|n| library.add_partition(&[vec![format!("w{n}")]]));
    library.fixture.write(|tx| {
        let pages = index_page::range(tx, library.index(), Area::Lengths, 0, i64::MAX)?;
        let longer = pages.iter().map(|page| Page { data: vec![7; 100], ..page.clone() });
        index_page::put_all(tx, library.index(), Area::Lengths, &longer.collect::<Vec<_>>())
    });
    let merged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        library.fixture.engine.store().read::<_, StoreError>(|conn| {
            let catalogue = Catalogue::read(conn, library.index())?;
            crate::index::partition::merge(conn, library.index(), &catalogue.partitions).map(|_| ())
        })
    }));
    assert!(matches!(merged, Ok(Err(StoreError::Corrupt(_)))), "{merged:?}");
}
