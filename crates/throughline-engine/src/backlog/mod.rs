//! The work: items in a tree with what they depend on, and the documents kept beside them. Every change is an event of
//! the session it was made in, written in the same transaction.

mod batch;
mod blocking;
mod change;
mod complete;
mod delete;
mod depend;
mod draft;
mod import;
mod look;
mod mention;
pub(crate) mod recent;
mod resource;
mod tree;
mod uri;

use serde_json::{Value as Json, json};
use throughline_store::Connection;
use throughline_store::event::Kind as EventKind;
use throughline_store::id::{EventId, ItemId};
use throughline_store::index_page::{Collection, Index};
use throughline_store::item::{self, Context, Item, Priority};
use throughline_store::link::{self, Kind as LinkKind, Node, Origin};

pub use blocking::Blocking;
pub(crate) use change::phrase;
pub use change::{Patch, Set, blocked_reason};
pub use delete::Deleted;
pub use draft::{NewItem, date, title};
pub use import::{Imported, Outcome, Says, Source};
pub use look::{Entry, Listed, Query};
pub(crate) use look::{NO_ITEMS, entry, named};
pub use mention::ids_in;
pub use recent::{Blocker, Completed, RecentWork};
pub use resource::{Edit, Written, path_of as resource_path};
pub(crate) use resource::{document as resource_document, existing, meaning as resource_meaning};
pub use uri::Uri;

use batch::Batch;

use crate::capture::{During, Observation};
use crate::index::{self, After, Document, Text, embed, merge, vectors::Vector};
use crate::{Caller, Engine, Result};

/// What the numbers of documents are counted by.
pub(crate) const ITEM_DOCUMENT: &str = "document";
pub(crate) const RESOURCE_DOCUMENT: &str = "resource_document";

/// What somebody did to an item.
pub(crate) struct Act<'a> {
    pub(crate) kind: EventKind,
    pub(crate) summary: String,
    pub(crate) content: Option<String>,
    pub(crate) parts: Json,
    pub(crate) during: &'a During,
}

impl Engine {
    /// Adds an item to the backlog.
    pub fn create_item(&self, caller: &Caller, new: NewItem, during: &During) -> Result<Entry> {
        let draft = self.draft_item(new)?;
        self.write(caller, |tx| {
            let mut batch = Batch::default();
            let mut item = batch.numbered(tx, caller, &draft)?;
            item.parent = match &draft.parent {
                Some(parent) => Some(named(tx, caller, parent)?.id),
                None => None,
            };
            let depends_on = depend::resolve(tx, caller, &item.id, &draft.depends_on)?;
            let blocks = depend::resolve(tx, caller, &item.id, &draft.blocks)?;
            self.insert_item(tx, caller, &item, &mut batch)?;
            batch.settle(tx, caller)?;
            self.add_documents(tx, items(caller), batch.documents)?;
            depend::set(tx, caller, &item, &depends_on)?;
            depend::set_blocks(tx, caller, &item, &blocks)?;
            self.capture_within(tx, caller, created(&item, (&depends_on, &blocks), during))?;
            entry(tx, caller, item)
        })
    }

    /// Puts an item, whose parent is there, into the tree; what else is to be written for it waits in the batch.
    fn insert_item(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        item: &Item,
        batch: &mut Batch,
    ) -> Result<()> {
        item::insert(tx, &caller.project, item)?;
        batch.hang(tx, caller, item)?;
        self.note_mentions(tx, caller, item)?;
        batch.documents.push(document(item));
        Ok(())
    }

    /// Makes the links from an item's texts to what they name.
    fn note_mentions(&self, tx: &mut dyn Connection, caller: &Caller, item: &Item) -> Result<()> {
        let node = Node::item(&item.id);
        let origin = Origin { node: &node, number: item.number };
        Ok(link::set(tx, &caller.project, origin, LinkKind::References, &mention::in_item(item))?)
    }

    pub(crate) fn add_document(
        &self,
        tx: &mut dyn Connection,
        index: Index<'_>,
        document: Document,
    ) -> Result<()> {
        self.add_documents(tx, index, vec![document])
    }

    fn add_documents(
        &self,
        tx: &mut dyn Connection,
        index: Index<'_>,
        documents: Vec<Document>,
    ) -> Result<()> {
        if index::add(tx, index, documents)? == After::MergeDue {
            merge::request(tx, self, index)?;
        }
        embed::request(tx, self, index)
    }

    /// Records what was done to an item.
    fn note_act(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        item: &ItemId,
        act: Act<'_>,
    ) -> Result<EventId> {
        Ok(self.capture_within(tx, caller, act.observed(item))?.id)
    }
}

impl Act<'_> {
    fn observed(self, item: &ItemId) -> Observation {
        Observation {
            opening: self.during.opening.clone(),
            summary: Some(self.summary),
            content: self.content,
            parts: Some(self.parts),
            item_id: Some(item.to_string()),
            target: Some(item.to_string()),
            ..Observation::of(self.kind, self.during.session.clone())
        }
    }
}

/// What the log has of an item that was created.
fn created(item: &Item, (depends_on, blocks): (&[ItemId], &[ItemId]), during: &During) -> Observation {
    let act = Act {
        kind: EventKind::ItemCreated,
        summary: format!("created {}: {}", item.id, item.title),
        content: None,
        parts: json!({ "item": record(item, depends_on, blocks) }),
        during,
    };
    act.observed(&item.id)
}

pub(crate) fn items(caller: &Caller) -> Index<'_> {
    Index { project: &caller.project, collection: Collection::Items }
}

pub(crate) fn resources(caller: &Caller) -> Index<'_> {
    Index { project: &caller.project, collection: Collection::Resources }
}

/// Of a long text, so many bytes from its beginning are indexed.
const INDEXED_BYTES: usize = 32 * 1024;

/// What an item is found by.
pub(crate) fn document(item: &Item) -> Document {
    let mut body = beginning(&item.description).to_owned();
    let titles = item.references.iter().filter_map(|reference| reference.title.as_ref());
    let more = item.evidence.iter().chain(&item.blocked_reason).chain(&item.summary).chain(titles);
    let mut left = INDEXED_BYTES;
    for text in more {
        let part = &text[..text.floor_char_boundary(left)];
        left -= part.len();
        body.push('\n');
        body.push_str(part);
    }
    let title = format!("{} {}", item.id, item.title);
    let vector = Vector::by_table(&meaning(item));
    let labels = [index::terms::label("type", item.item_type.as_str())];
    Document::new(item.document, Text { title: &title, body: &body }, &labels, vector)
}

/// The text whose meaning an item is found by.
pub(crate) fn meaning(item: &Item) -> String {
    format!("{}\n{}", item.title, beginning(&item.description))
}

/// The part of a text that is indexed.
pub(crate) fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(INDEXED_BYTES)]
}

/// An item as its events keep it: enough to make it again from the log.
fn record(item: &Item, depends_on: &[ItemId], blocks: &[ItemId]) -> Json {
    let references: Vec<Json> =
        item.references.iter().map(|it| json!({ "url": it.url, "title": it.title })).collect();
    json!({
        "id": item.id.as_str(),
        "type": item.item_type.as_str(),
        "title": item.title,
        "description": item.description,
        "status": item.status.as_str(),
        "parent_id": item.parent.as_ref().map(ItemId::as_str),
        "priority": item.priority.map(Priority::as_str),
        "due_date": item.due_date,
        "context": item.context.map(Context::as_str),
        "references": references,
        "depends_on": texts(depends_on),
        "blocks": texts(blocks),
        "evidence": item.evidence,
        "blocked_reason": item.blocked_reason,
        "summary": item.summary,
        "validation": item.validation.as_ref().map(|it| json!({ "valid": it.valid, "report": it.report })),
        "extra": item.extra.as_deref().and_then(|extra| serde_json::from_str::<Json>(extra).ok()),
        "source_key": item.source_key,
        "created_at": item.created_at.0,
    })
}

fn texts(ids: &[ItemId]) -> Vec<&str> {
    ids.iter().map(ItemId::as_str).collect()
}

#[cfg(test)]
mod tests;
