//! The index against a plain list of documents: whatever was added, removed and merged in whatever order.

mod again;
mod damage;
mod merging;
mod pgvector;
mod renewed;
mod together;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use throughline_store::id::MemoryId;
use throughline_store::index_page::{Area, Collection, Index};
use throughline_store::memory::{self, Memory, Scope, Source, Status};

use super::terms::{TermId, label};
use super::{
    After, Catalogue, Document, INLINE_LEVEL, Pending, Text, add, merge, partition, pending, remove,
};
use crate::recall::{By, Found, Kind, Query};
use crate::testing::Fixture;

/// A project's memories and what should be found of them.
struct Library {
    fixture: Fixture,
    /// The words of each document that was added and not removed.
    model: BTreeMap<i64, Vec<String>>,
    last: i64,
}

impl Library {
    fn new() -> Library {
        Library { fixture: Fixture::new(), model: BTreeMap::new(), last: 0 }
    }

    fn index(&self) -> Index<'_> {
        Index { project: &self.fixture.caller.project, collection: Collection::Memories }
    }

    /// Adds documents of these words in one go, the way a write does.
    fn add(&mut self, documents: &[Vec<String>]) {
        self.insert(documents, true);
    }

    /// Adds documents that become a partition of their own, so that few of them make many levels.
    fn add_partition(&mut self, documents: &[Vec<String>]) {
        self.insert(documents, false);
        self.flush();
    }

    fn insert(&mut self, documents: &[Vec<String>], as_a_write_does: bool) {
        let records: Vec<Memory> =
            (self.last + 1..).zip(documents).map(|(n, words)| record(n, words)).collect();
        self.fixture.write(|tx| {
            let project = &self.fixture.caller.project;
            records.iter().try_for_each(|memory| memory::insert(tx, project, memory))?;
            let documents: Vec<Document> = records.iter().map(document).collect();
            match as_a_write_does {
                true if add(tx, self.index(), documents.clone())? == After::MergeDue => self.request(tx),
                true => Ok(()),
                false => super::wait(tx, self.index(), &documents),
            }
        });
        self.model.extend((self.last + 1..).zip(documents.iter().cloned()));
        self.last += documents.len() as i64;
    }

    /// Makes a partition of the pending documents, however few.
    fn flush(&self) {
        self.fixture.write(|tx| {
            let pages = pending(tx, self.index())?;
            let documents = pages
                .iter()
                .map(|page| Pending::read(page.number, &page.data)?.document())
                .collect::<throughline_store::Result<Vec<_>>>()?;
            throughline_store::index_page::remove(tx, self.index(), Area::Pending, 0, i64::MAX)?;
            let mut catalogue = Catalogue::read(tx, self.index())?;
            catalogue.partitions.extend(partition::flush(tx, self.index(), &documents)?);
            merge::inline(tx, self.index(), &mut catalogue, INLINE_LEVEL)?;
            catalogue.write(tx, self.index())?;
            match partition::due(&catalogue, partition::MAX_LEVEL) {
                Some(_) => self.request(tx),
                None => Ok(()),
            }
        });
    }

    fn request(&self, tx: &mut dyn throughline_store::Connection) -> throughline_store::Result<()> {
        match merge::request(tx, &self.fixture.engine, self.index()) {
            Ok(()) => Ok(()),
            Err(crate::Error::Store(error)) => Err(error),
            Err(error) => panic!("{error}"),
        }
    }

    fn remove(&mut self, number: i64) {
        self.fixture.write(|tx| remove(tx, self.index(), number));
        self.model.remove(&number);
    }

    /// Carries out the jobs that are due.
    fn work(&self) {
        while let Some(run) = self.fixture.engine.work_one("w").unwrap() {
            assert_eq!(run.outcome, crate::work::Outcome::Done, "{run:?}");
        }
    }

    fn catalogue(&self) -> Catalogue {
        self.fixture.engine.store().read(|conn| Catalogue::read(conn, self.index())).unwrap()
    }

    /// The documents that are found for a word, with their scores.
    fn scores(&self, word: &str) -> BTreeMap<i64, f64> {
        let query =
            Query { kinds: vec![Kind::Memory], by: By::Words, floor: Some(0.0), ..Query::of(word, 10_000) };
        let recalled = self.fixture.engine.recall(&self.fixture.caller, &query).unwrap();
        let scored = |hit: crate::recall::Hit| match hit.found {
            Found::Memory(memory) => (memory.number, hit.score.lexical),
            other => panic!("{other:?}"),
        };
        recalled.hits.into_iter().map(scored).collect()
    }

    fn found(&self, word: &str) -> BTreeSet<i64> {
        self.scores(word).into_keys().collect()
    }

    /// Every word finds its documents, and the partitions are in order.
    fn check(&self) {
        let words: BTreeSet<&String> = self.model.values().flatten().collect();
        for word in words {
            let having = |words: &Vec<String>| words.contains(word);
            let expected: BTreeSet<i64> =
                self.model.iter().filter(|(_, words)| having(words)).map(|(number, _)| *number).collect();
            assert_eq!(self.found(word), expected, "{word}");
        }
        let catalogue = self.catalogue();
        assert!(catalogue.partitions.iter().all(|part| part.first <= part.last), "{catalogue:?}");
        assert!(catalogue.partitions.is_sorted_by(|a, b| a.last < b.first), "{catalogue:?}");
        assert!(catalogue.partitions.iter().all(|part| part.level <= partition::MAX_LEVEL), "{catalogue:?}");
    }
}

fn record(number: i64, words: &[String]) -> Memory {
    let content = words.join(" ");
    Memory {
        number,
        document: number,
        id: MemoryId::from(format!("memory-{number}")),
        kind: memory::Kind::Fact,
        scope: Scope::App,
        status: Status::Active,
        title: content.clone(),
        content,
        tags: vec![],
        importance: 0.5,
        confidence: 0.5,
        source: Source::Explicit,
        actor: "user:ann".parse().unwrap(),
        state_key: None,
        supersedes: None,
        superseded_by: None,
        created_at: crate::testing::START,
        occurred_at: None,
        expires_at: None,
        ended: None,
        last_used_at: None,
        use_count: 0,
        last_verified_at: None,
        cites: None,
        content_hash: number.to_string(),
    }
}

fn document(memory: &Memory) -> Document {
    let labels: [TermId; 1] = [label("kind", memory.kind.as_str())];
    Document::new(memory.document, Text { title: "", body: &memory.content }, &labels, None)
}

/// Words of a document: some of a few that many documents share, each with digits, so that it has no other form.
fn words() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec((0_u32..200).prop_map(|n| format!("w{n}")), 0..5)
}

#[derive(Debug, Clone)]
enum Act {
    Add(Vec<Vec<String>>),
    /// The document at this share of the way through those that are there.
    Remove(f64),
    Work,
}

fn act(at_once: std::ops::Range<usize>) -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => prop::collection::vec(words(), at_once).prop_map(Act::Add),
        3 => (0.0..1.0).prop_map(Act::Remove),
        1 => Just(Act::Work),
    ]
}

impl Library {
    fn act(&mut self, act: Act, add: fn(&mut Library, &[Vec<String>])) {
        match act {
            Act::Add(documents) => add(self, &documents),
            Act::Remove(share) => {
                let at = (share * self.model.len() as f64) as usize;
                let number = self.model.keys().nth(at).copied();
                number.into_iter().for_each(|number| self.remove(number));
            }
            Act::Work => self.work(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_added_and_removed_is_what_is_found(acts in prop::collection::vec(act(1..300), 1..12)) {
        let mut library = Library::new();
        for act in acts {
            library.act(act, Library::add);
        }
        library.check();
        library.work();
        library.check();
    }

    #[test]
    fn many_levels_of_partitions_find_the_same(acts in prop::collection::vec(act(1..3), 1..700)) {
        let mut library = Library::new();
        for act in acts {
            library.act(act, Library::add_partition);
        }
        library.check();
        library.work();
        library.check();
    }
}

#[test]
fn documents_come_one_by_one_or_all_together() {
    for at_once in [1, 127, 128, 129, 700, 1100] {
        let mut library = Library::new();
        let documents: Vec<Vec<String>> =
            (0..1100).map(|n| vec![format!("w{}", n % 7), format!("u{n}")]).collect();
        documents.chunks(at_once).for_each(|some| library.add(some));
        let levels: Vec<u8> = library.catalogue().partitions.iter().map(|part| part.level).collect();
        assert_eq!(levels, [1], "1100 documents are eight times 128 and some that wait ({at_once} at once)");
        for n in [0, 127, 128, 1023, 1024, 1099] {
            assert_eq!(library.found(&format!("u{n}")), BTreeSet::from([n + 1]), "{at_once} at once");
        }
    }
}

#[test]
fn a_score_stays_when_a_document_becomes_part_of_a_partition() {
    let mut library = Library::new();
    let document = |n: usize| {
        let filler = (0..n % 90).map(|i| format!("f{i}"));
        filler.chain((0..n % 3 + 1).map(|_| "common".to_owned())).chain([format!("u{n}")]).collect()
    };
    library.add(&(0..100).map(document).collect::<Vec<_>>());
    let before: Vec<BTreeMap<i64, f64>> = ["common", "u7", "f3"].map(|word| library.scores(word)).into();
    library.flush();
    assert_eq!(library.catalogue().partitions.len(), 1);
    for (before, word) in before.iter().zip(["common", "u7", "f3"]) {
        let after = library.scores(word);
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
        for (number, score) in before {
            assert!((score - after[number]).abs() < 1e-5, "{word} in {number}: {score} {}", after[number]);
        }
    }
}

#[test]
fn a_score_stays_when_partitions_are_merged() {
    let mut library = Library::new();
    let document = |n: usize| (0..n % 60 + 1).map(|i| format!("f{i}")).collect::<Vec<_>>();
    for n in 0..7 {
        library.add_partition(&[document(n * 7), document(n * 5)]);
    }
    library.insert(&[document(33)], false);
    let before = library.scores("f0");
    library.flush();
    assert_eq!(library.catalogue().partitions.len(), 1, "eight became one");
    let after = library.scores("f0");
    assert_eq!(before.len(), after.len());
    for (number, score) in &before {
        assert!((score - after[number]).abs() < 0.02, "{number}: {score} {}", after[number]);
    }
}

#[test]
fn documents_without_words_are_no_trouble() {
    let mut library = Library::new();
    library.add(&vec![vec![]; 300]);
    library.add(&[vec!["w1".into()]]);
    assert_eq!(library.found("w1"), BTreeSet::from([301]));
}

#[test]
fn what_is_removed_stays_removed_however_often_it_is_merged() {
    let mut library = Library::new();
    for n in 0..600 {
        library.add_partition(&[vec![format!("w{}", n % 5), format!("u{n}")]]);
        if n % 2 == 0 {
            library.remove(n + 1);
            library.remove(n + 1);
        }
    }
    library.work();
    library.check();
    assert_eq!(library.model.len(), 300);
    let partitions = library.catalogue().partitions;
    assert_eq!(partitions.iter().map(|part| part.level).max(), Some(3));
    let documents: u64 = partitions.iter().map(|part| part.documents).sum();
    assert!((300..310).contains(&documents), "{documents}: merging leaves out what is gone");
}
