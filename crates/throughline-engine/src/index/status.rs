//! How the search index stands, and making it again.

use throughline_store::index_page::{self, Collection, Index};
use throughline_store::vectors::{self, Comparison};
use throughline_store::{Connection, Result as Stored, item, memory, resource};

use super::{Catalogue, Document, add, code, embed, events, merge, pending};
use crate::index::After;
use crate::remember::{document, is_findable, with_wordings};
use crate::{Caller, Engine, Result, backlog};

/// The index of one collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    pub collection: Collection,
    pub documents: u64,
    /// Documents that are searched one by one.
    pub pending: usize,
    pub partitions: usize,
    /// Records that are not in the index yet.
    pub unindexed: i64,
    pub pages: i64,
    pub bytes: i64,
}

const AT_ONCE: i64 = 1024;

impl Engine {
    pub fn index_standing(&self, caller: &Caller) -> Result<Vec<Standing>> {
        let unindexed = self.unindexed_events(caller)?;
        self.store.read(|conn| {
            let mut standings = vec![];
            for collection in Collection::ALL {
                standings.push(standing(conn, caller, *collection, unindexed)?);
            }
            Ok(standings)
        })
    }

    /// What compares vectors: this process or the database's server.
    pub fn comparison(&self) -> Result<Comparison> {
        Ok(self.store.read(vectors::comparison)?)
    }

    /// Makes the index again from the records. Events are found again bit by bit, the oldest first, by the jobs this
    /// asks for; everything else all the time.
    pub fn rebuild_index(&self, caller: &Caller) -> Result<()> {
        self.write(caller, |tx| {
            self.rebuild_memory_index(tx, caller)?;
            self.rebuild_backlog_index(tx, caller)?;
            code::forget(tx, caller)?;
            self.forget_event_index(tx, caller)
        })
    }

    pub(crate) fn rebuild_memory_index(&self, tx: &mut dyn Connection, caller: &Caller) -> Result<()> {
        memory::number_documents(tx, &caller.project)?;
        self.rebuild(tx, Index { project: &caller.project, collection: Collection::Memories }, |tx, after| {
            let memories = memory::after_document(tx, &caller.project, after, AT_ONCE)?;
            let last = memories.last().map(|memory| memory.document);
            let findable = memories.into_iter().filter(|memory| is_findable(memory.status)).collect();
            let worded = with_wordings(tx, caller, findable)?;
            Ok((last, worded.iter().map(|of| document(&of.memory, &of.wordings)).collect()))
        })
    }

    pub(crate) fn rebuild_backlog_index(&self, tx: &mut dyn Connection, caller: &Caller) -> Result<()> {
        self.rebuild(tx, backlog::items(caller), |tx, after| {
            let items = item::after_document(tx, &caller.project, after, AT_ONCE)?;
            Ok((items.last().map(|item| item.document), items.iter().map(backlog::document).collect()))
        })?;
        self.rebuild(tx, backlog::resources(caller), |tx, after| {
            let resources = resource::after_document(tx, &caller.project, after, AT_ONCE)?;
            let documents = resources.iter().map(backlog::resource_document).collect();
            Ok((resources.last().map(|resource| resource.document), documents))
        })
    }

    /// Makes an index again from pages of records; each page says its last number, and nothing when it is empty.
    fn rebuild(
        &self,
        tx: &mut dyn Connection,
        index: Index<'_>,
        page: impl Fn(&mut dyn Connection, i64) -> Result<(Option<i64>, Vec<Document>)>,
    ) -> Result<()> {
        Catalogue::renew(tx, index)?;
        let mut after = 0;
        while let (Some(last), documents) = page(tx, after)? {
            after = last;
            if add(tx, index, documents)? == After::MergeDue {
                merge::request(tx, self, index)?;
            }
        }
        embed::request(tx, self, index)
    }

    /// Asks for everything that can be done in the background to make things findable.
    pub fn request_indexing(&self, caller: &Caller) -> Result<()> {
        self.request_embedding(caller)?;
        self.write(caller, |tx| events::request(tx, self, caller))
    }
}

fn standing(
    conn: &mut dyn Connection,
    caller: &Caller,
    collection: Collection,
    unindexed: i64,
) -> Stored<Standing> {
    let index = Index { project: &caller.project, collection };
    let catalogue = Catalogue::read(conn, index)?;
    let pending = pending(conn, index)?.len();
    let (pages, bytes) = index_page::size(conn, index)?;
    Ok(Standing {
        collection,
        documents: catalogue.partitions.iter().map(|partition| partition.documents).sum::<u64>()
            + pending as u64,
        pending,
        partitions: catalogue.partitions.len(),
        unindexed: if collection == Collection::Events { unindexed } else { 0 },
        pages,
        bytes,
    })
}
