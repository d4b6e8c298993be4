//! What else bears on an item: other items, memories, decisions and documents that are about the same.

use std::collections::HashSet;

use throughline_store::Connection;
use throughline_store::item::Item;
use throughline_store::memory::Kind as MemoryKind;

use super::answer::{Brief, Document, Entity, Known};
use super::found::Found;
use super::relations::Candidates;
use super::request::Limits;
use crate::recall::{self, Breadth, Hit, Kind, Query, Recalled, Weights};
use crate::{Caller, Engine, Result};

#[derive(Debug, Default)]
pub(super) struct Related {
    pub(super) items: Candidates<Entity>,
    pub(super) memories: Candidates<Known>,
    pub(super) decisions: Candidates<Known>,
    pub(super) documents: Candidates<Document>,
}

/// An item is about its title and the beginning of its description.
const QUERY_BYTES: usize = 160;
/// So many of the rarest words are looked up: a text is not a question, most of its words say little.
const TELLING_WORDS: usize = 8;
/// So many memories are looked at to find those that are decisions and those that are not.
const MEMORIES: usize = 20;

pub(super) fn enrich(
    engine: &Engine,
    conn: &mut dyn Connection,
    caller: &Caller,
    focal: &Item,
    (limits, documents): (&Limits, &[Document]),
    found: &mut Found,
) -> Result<Related> {
    let text = format!("{}\n{}", focal.title, focal.description);
    let text = &text[..text.floor_char_boundary(QUERY_BYTES)];
    let mut ask = |kind: Kind, limit: usize, except: HashSet<i64>| {
        // Among items the focal one is found by all of its words, and by those that it has alone nobody else.
        let documents = if kind == Kind::Task { 2 } else { 1 };
        let query = Query {
            kinds: vec![kind],
            weights: Some(Weights::RELEVANCE),
            breadth: Breadth::Telling { words: TELLING_WORDS, documents },
            except,
            ..Query::of(text, limit)
        };
        engine.recall_within(conn, caller, &query)
    };
    let items = ask(Kind::Task, limits.related, found.documents())?;
    let known_documents = documents.iter().map(|document| document.resource.document).collect();
    let documents = ask(Kind::Resource, limits.resources, known_documents)?;
    let memories = ask(Kind::Memory, MEMORIES.max(limits.memories + limits.decisions), HashSet::new())?;
    let (memories, decisions) = known(memories, limits);
    Ok(Related {
        items: entities(items, limits.related, found),
        memories,
        decisions,
        documents: other_documents(documents, limits.resources),
    })
}

fn entities(recalled: Recalled, limit: usize, found: &mut Found) -> Candidates<Entity> {
    let total = recalled.total;
    let entity = |hit: Hit| {
        let recall::Found::Item(item) = hit.found else { return None };
        let place = found.place(&item)?;
        Some(Entity { relevance: Some(hit.score.matching), ..Entity::new(place, *item, Brief::Summary) })
    };
    Candidates::capped(recalled.hits.into_iter().filter_map(entity).collect(), limit, total)
}

/// Memories apart from decisions.
fn known(recalled: Recalled, limits: &Limits) -> (Candidates<Known>, Candidates<Known>) {
    let known = |hit: Hit| match hit.found {
        recall::Found::Memory(memory) => Some(Known {
            memory,
            fidelity: Brief::Summary,
            relevance: hit.score.matching,
            confidence: hit.score.confidence,
        }),
        recall::Found::Event(_)
        | recall::Found::Item(_)
        | recall::Found::Resource(_)
        | recall::Found::Code(_) => None,
    };
    // Of those that were not looked at, nothing tells which are decisions; they count as memories.
    let unseen = recalled.total.saturating_sub(recalled.hits.len());
    let (decisions, others): (Vec<Known>, Vec<Known>) = recalled
        .hits
        .into_iter()
        .filter_map(known)
        .partition(|known| known.memory.kind == MemoryKind::Decision);
    let (all_others, all_decisions) = (others.len() + unseen, decisions.len());
    (
        Candidates::capped(others, limits.memories, all_others),
        Candidates::capped(decisions, limits.decisions, all_decisions),
    )
}

fn other_documents(recalled: Recalled, limit: usize) -> Candidates<Document> {
    let total = recalled.total;
    let document = |hit: Hit| {
        let recall::Found::Resource(resource) = hit.found else { return None };
        Some(Document { resource, fidelity: Brief::Summary, relevance: Some(hit.score.matching) })
    };
    Candidates::capped(recalled.hits.into_iter().filter_map(document).collect(), limit, total)
}
