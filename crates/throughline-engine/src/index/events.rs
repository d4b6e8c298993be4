//! The log becomes findable: events that are not in the index yet are taken in, some at a time.

use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::index_page::{Collection, Index};
use throughline_store::{Connection, Error as StoreError, project};

use super::terms::{TermId, label};
use super::vectors::Vector;
use super::{After, Catalogue, Document, Text, add, embed, merge};
use crate::work::Next;
use crate::{Caller, Engine, Error, Result};

/// Of a long content, so many bytes from its beginning are indexed.
const INDEXED_BYTES: usize = 32 * 1024;
const EVENTS_AT_ONCE: i64 = 512;

/// How far the log is indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Events that were taken in now.
    pub indexed: i64,
    /// Events that are not in the index yet.
    pub left: i64,
}

impl Engine {
    /// Takes in events that are not indexed yet, at most about `limit` of them.
    pub fn index_events(&self, caller: &Caller, limit: i64) -> Result<Progress> {
        self.index_some(caller, limit, |batch| self.write(caller, batch))
    }

    /// The same, unless others write just now.
    pub(crate) fn index_events_briefly(&self, caller: &Caller, limit: i64) -> Result<Progress> {
        self.index_some(caller, limit, |batch| self.write_briefly(caller, batch))
    }

    fn index_some(
        &self,
        caller: &Caller,
        limit: i64,
        write: impl Fn(&dyn Fn(&mut dyn Connection) -> Result<i64>) -> Result<i64>,
    ) -> Result<Progress> {
        let mut indexed = 0;
        loop {
            let (batch, last) = self.store.read(|conn| unindexed(conn, caller))?;
            let left = last - batch.from;
            if batch.events.is_empty() || indexed >= limit {
                return Ok(Progress { indexed, left });
            }
            indexed += write(&self.taking_in(caller, &batch))?;
        }
    }

    /// Makes the index of the events again from the log, some at a time from now on. For when nothing of what was in
    /// it may be left.
    pub(crate) fn forget_event_index(&self, tx: &mut dyn Connection, caller: &Caller) -> Result<()> {
        Catalogue::renew(tx, index(caller))?;
        request(tx, self, caller)
    }

    /// Leaves the rest to a process that stays, where there is one. A search does not wait to ask for it.
    pub(crate) fn index_events_later(&self, caller: &Caller) -> Result<()> {
        match self.write_briefly(caller, |tx| request(tx, self, caller)) {
            Err(Error::Store(StoreError::Busy { .. } | StoreError::Unavailable(_))) => Ok(()),
            asked => asked,
        }
    }

    /// How many events wait to be indexed.
    pub fn unindexed_events(&self, caller: &Caller) -> Result<i64> {
        let index = index(caller);
        self.store.read(|conn| {
            let indexed_to = Catalogue::read(conn, index)?.indexed_to;
            Ok(last_position(conn, caller)? - indexed_to)
        })
    }

    /// What takes a batch in, in a transaction; it says how far.
    fn taking_in(&self, caller: &Caller, batch: &Batch) -> impl Fn(&mut dyn Connection) -> Result<i64> {
        let index = index(caller);
        let documents: Vec<Document> = batch.events.iter().filter_map(document).collect();
        let to = batch.events.last().map_or(batch.from, |event| event.position);
        move |tx| {
            // Another process may have taken in the same ones.
            let present = Catalogue::read(tx, index)?;
            if (present.generation, present.indexed_to) != (batch.generation, batch.from) {
                return Ok(0);
            }
            let after = add(tx, index, documents.clone())?;
            let catalogue = Catalogue { indexed_to: to, ..Catalogue::read(tx, index)? };
            catalogue.write(tx, index)?;
            match after {
                After::Nothing => {}
                After::MergeDue => merge::request(tx, self, index)?,
            }
            embed::request(tx, self, index)?;
            Ok(to - batch.from)
        }
    }
}

pub(crate) const KIND: &str = "index_events";
/// So many events are taken in before another job gets its turn.
const EVENTS_PER_RUN: i64 = 16 * EVENTS_AT_ONCE;

/// Asks for the events that are not indexed yet to be taken in.
pub(crate) fn request(tx: &mut dyn Connection, engine: &Engine, caller: &Caller) -> Result<()> {
    engine.ask_for(tx, &caller.project, KIND, "events")
}

pub(crate) fn run(engine: &Engine, caller: &Caller) -> Result<Next> {
    let progress = engine.index_events(caller, EVENTS_PER_RUN)?;
    Ok(if progress.left > 0 { Next::Again(engine.now()) } else { Next::Done })
}

/// Events that follow on what is indexed.
struct Batch {
    generation: u64,
    from: i64,
    events: Vec<Event>,
}

fn unindexed(conn: &mut dyn Connection, caller: &Caller) -> Result<(Batch, i64)> {
    let Catalogue { generation, indexed_to: from, .. } = Catalogue::read(conn, index(caller))?;
    let last = last_position(conn, caller)?;
    let filter = Filter { after_position: Some(from), ..Filter::default() };
    let events = if last > from {
        event::list(conn, &caller.project, &filter, Order::OldestFirst, EVENTS_AT_ONCE)?
    } else {
        vec![]
    };
    Ok((Batch { generation, from, events }, last))
}

fn last_position(conn: &mut dyn Connection, caller: &Caller) -> Result<i64> {
    Ok(project::by_id(conn, &caller.project)?.map_or(0, |project| project.last_position))
}

fn index(caller: &Caller) -> Index<'_> {
    Index { project: &caller.project, collection: Collection::Events }
}

fn document(event: &Event) -> Option<Document> {
    if event.purge.is_some() || !is_found(event.kind) || is_memory(event) {
        return None;
    }
    let title = event.target.as_deref().unwrap_or_default();
    let vector = meaning(event).and_then(Vector::by_table);
    Some(Document::new(event.position, Text { title, body: body(event) }, &labels(event), vector))
}

fn body(event: &Event) -> &str {
    event.content.as_deref().map_or(&event.summary, |content| beginning(content, INDEXED_BYTES))
}

/// The text whose meaning an event is found by; nothing for those that are found by their words alone.
pub(super) fn meaning(event: &Event) -> Option<&str> {
    (event.purge.is_none() && has_meaning(event.kind) && !is_memory(event)).then(|| body(event))
}

/// What the product itself notes would find a memory that was forgotten by the note that it was remembered, and an item
/// or a resource by what it was before.
pub(crate) fn is_found(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::SystemEvent
            | Kind::MemoryRecall
            | Kind::Checkpoint
            | Kind::ItemCreated
            | Kind::ItemUpdated
            | Kind::ItemDeleted
            | Kind::ResourceWritten
    )
}

/// A decision that is kept as a memory is found there, for as long as it holds.
pub(crate) fn is_memory(event: &Event) -> bool {
    event.kind == Kind::Decision && event.informs.is_some()
}

/// Paths and commands are found by their words; what people and models say, also by its meaning.
fn has_meaning(kind: Kind) -> bool {
    match kind {
        Kind::UserMessage
        | Kind::ModelMessage
        | Kind::Decision
        | Kind::ValidationGate
        | Kind::TaskCompleted
        | Kind::Handoff => true,
        Kind::ToolCall
        | Kind::ToolResult
        | Kind::Read
        | Kind::Write
        | Kind::Search
        | Kind::MemoryRecall
        | Kind::ItemCreated
        | Kind::ItemUpdated
        | Kind::ItemDeleted
        | Kind::ResourceWritten
        | Kind::Checkpoint
        | Kind::SystemEvent => false,
    }
}

fn labels(event: &Event) -> Vec<TermId> {
    vec![label("kind", event.kind.as_str()), label("session", event.session_id.as_str())]
}

/// At most so many bytes of a text, whole characters.
fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
