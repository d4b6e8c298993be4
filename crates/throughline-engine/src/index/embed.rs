//! Vectors of the model that was chosen, made in the background: batch by batch, with how far they go kept beside them.

use throughline_inference::embed::Model;
use throughline_store::event::{self, Filter, Order};
use throughline_store::index_page::{self, Area, Collection, Index, Page};
use throughline_store::job::Job;
use throughline_store::{Connection, Result as Stored, item, memory, project, resource};

use super::bytes::{Reader, put_varint};
use super::vectors::{self, Vector};
use super::{Catalogue, events};
use crate::remember::{Worded, is_findable, meaningful, with_wordings};
use crate::work::Next;
use crate::{Caller, Engine, Error, Result, backlog};

pub(crate) const KIND: &str = "embed_index";

/// So many texts are embedded before they are written.
const BATCH: i64 = 32;
/// So many batches are made before another job gets its turn.
const BATCHES: usize = 16;

/// How far a model's vectors go in a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    pub collection: Collection,
    /// Every record up to this number has its vector.
    pub embedded_to: i64,
    pub last: i64,
}

impl Engine {
    /// How far the vectors of the chosen model go; nothing when none is chosen.
    pub fn embedding_progress(&self, caller: &Caller) -> Result<Option<(String, Vec<Coverage>)>> {
        let Some(model) = self.model()? else { return Ok(None) };
        let coverages = self.store.read(|conn| {
            Collection::ALL
                .iter()
                .map(|collection| coverage(conn, caller, *collection, model))
                .collect::<Result<_>>()
        })?;
        Ok(Some((model.name().to_owned(), coverages)))
    }

    /// Asks for vectors of the chosen model for what has none yet.
    pub fn request_embedding(&self, caller: &Caller) -> Result<()> {
        self.write(caller, |tx| {
            for collection in Collection::ALL {
                request(tx, self, Index { project: &caller.project, collection: *collection })?;
            }
            Ok(())
        })
    }
}

/// Asks for the vectors of what was added just now, when a model is chosen that makes them in the background.
pub(crate) fn request(tx: &mut dyn Connection, engine: &Engine, index: Index<'_>) -> Result<()> {
    match engine.settings.embedding {
        Some(_) => engine.ask_for(tx, index.project, KIND, index.collection.as_str()),
        None => Ok(()),
    }
}

pub(crate) fn run(engine: &Engine, caller: &Caller, job: &Job) -> Result<Next> {
    let collection: Collection = job.key.parse().map_err(Error::Invalid)?;
    let Some(model) = engine.model()? else { return Ok(Next::Done) };
    let made = |texts: &[&str]| {
        let made = model.passages(texts).map_err(|error| Error::Model(error.to_string()))?;
        Ok(made.iter().map(|dimensions| Some(Vector::new(model.name(), dimensions))).collect())
    };
    for _ in 0..BATCHES {
        if !batch(engine, caller, collection, (model.name(), BATCH), made)? {
            return Ok(Next::Done);
        }
    }
    Ok(Next::Again(engine.now()))
}

/// Texts that are to be embedded, by number, and the number up to which that is all.
struct Texts {
    generation: u64,
    from: i64,
    to: i64,
    texts: Vec<(i64, String)>,
}

/// Embeds the next texts, at most so many; false when there are none.
pub(super) fn batch(
    engine: &Engine,
    caller: &Caller,
    collection: Collection,
    (model, at_once): (&str, i64),
    make: impl Fn(&[&str]) -> Result<Vec<Option<Vector>>>,
) -> Result<bool> {
    let index = Index { project: &caller.project, collection };
    let next = engine.store.read(|conn| next_texts(conn, caller, index, (model, at_once)))?;
    if next.to == next.from {
        return Ok(false);
    }
    let texts: Vec<&str> = next.texts.iter().map(|(_, text)| text.as_str()).collect();
    let numbers = next.texts.iter().map(|(number, _)| *number);
    let made = numbers.zip(make(&texts)?);
    let vectors: Vec<(i64, Vector)> = made.filter_map(|(number, vector)| Some((number, vector?))).collect();
    engine.write(caller, |tx| {
        // Another worker may have been faster, or the index made again because something was purged.
        let generation = Catalogue::read(tx, index)?.generation;
        if generation == next.generation && embedded_to(tx, index, model)? == next.from {
            vectors::write(tx, index, &vectors)?;
            set_embedded_to(tx, index, model, next.to)?;
        }
        Ok(())
    })?;
    Ok(true)
}

fn next_texts(
    conn: &mut dyn Connection,
    caller: &Caller,
    index: Index<'_>,
    (model, at_once): (&str, i64),
) -> Result<Texts> {
    let from = embedded_to(conn, index, model)?;
    let generation = Catalogue::read(conn, index)?.generation;
    let mut next = Texts { generation, from, to: from, texts: vec![] };
    match index.collection {
        Collection::Memories => {
            let memories = memory::after_document(conn, &caller.project, from, at_once)?;
            next.to = memories.last().map_or(from, |memory| memory.document);
            let found = memories.into_iter().filter(|memory| is_findable(memory.status)).collect();
            for Worded { memory, wordings } in with_wordings(conn, caller, found)? {
                next.texts.push((memory.document, meaningful(&memory, &wordings)));
            }
        }
        Collection::Events => {
            let filter = Filter { after_position: Some(from), ..Filter::default() };
            for event in event::list(conn, &caller.project, &filter, Order::OldestFirst, at_once)? {
                next.to = event.position;
                next.texts.extend(events::meaning(&event).map(|text| (event.position, text.to_owned())));
            }
        }
        Collection::Items => {
            for item in item::after_document(conn, &caller.project, from, at_once)? {
                next.to = item.document;
                next.texts.push((item.document, backlog::meaning(&item)));
            }
        }
        // What is in a file is not kept here, so that nothing but the table can read it.
        Collection::Files | Collection::Chunks => {}
        Collection::Resources => {
            for resource in resource::after_document(conn, &caller.project, from, at_once)? {
                next.to = resource.document;
                next.texts.push((resource.document, backlog::resource_meaning(&resource)));
            }
        }
    }
    Ok(next)
}

fn coverage(
    conn: &mut dyn Connection,
    caller: &Caller,
    collection: Collection,
    model: &Model,
) -> Result<Coverage> {
    let index = Index { project: &caller.project, collection };
    let last = match collection {
        Collection::Memories => memory::last_document(conn, &caller.project)?,
        Collection::Events => {
            project::by_id(conn, &caller.project)?.map_or(0, |project| project.last_position)
        }
        Collection::Items => item::last_number(conn, &caller.project, backlog::ITEM_DOCUMENT)?,
        Collection::Resources => item::last_number(conn, &caller.project, backlog::RESOURCE_DOCUMENT)?,
        Collection::Files | Collection::Chunks => 0,
    };
    Ok(Coverage { collection, embedded_to: embedded_to(conn, index, model.name())?, last })
}

/// The number up to which a model's vectors are there.
pub(crate) fn embedded_to(conn: &mut dyn Connection, index: Index<'_>, model: &str) -> Stored<i64> {
    match index_page::get(conn, index, Area::Coverage(model), 0, 0)? {
        Some(page) => Reader(&page).number(),
        None => Ok(0),
    }
}

pub(super) fn set_embedded_to(
    tx: &mut dyn Connection,
    index: Index<'_>,
    model: &str,
    number: i64,
) -> Stored<()> {
    let mut data = vec![];
    put_varint(&mut data, number as u64);
    index_page::put(tx, index, Area::Coverage(model), &Page { number: 0, part: 0, data })
}
