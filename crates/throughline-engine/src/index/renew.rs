//! Another table inside the binary: what an earlier one has read is read again in the background, and found by its
//! words until then.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use throughline_inference::embed::Table;
use throughline_store::id::ProjectId;
use throughline_store::index_page::{self, Area, Collection, Index};
use throughline_store::job::Job;
use throughline_store::{Connection, Error as StoreError, Result as Stored, code_index};

use super::code::job as code;
use super::vectors::Vector;
use super::{Catalogue, embed};
use crate::work::Next;
use crate::{Caller, Engine, Error, Result};

pub(crate) const KIND: &str = "renew_vectors";
/// Tables that this program once had.
const EARLIER: &[&str] = &["throughline-static-1"];
/// So many texts are read again before they are written.
const BATCH: i64 = 256;
/// So many batches are made before another job gets its turn.
const BATCHES: usize = 16;

/// The projects whose vectors this process has looked at.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<HashSet<ProjectId>>);

impl Engine {
    /// Asks for vectors of this program's table where those of an earlier one are. Looked at once in a process's life, and
    /// not waited for.
    pub(crate) fn renew_vectors_later(&self, caller: &Caller) -> Result<()> {
        let seen = || self.seen.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen().contains(&caller.project) {
            return Ok(());
        }
        let stale = self.store.read(|conn| stale(conn, caller))?;
        if !stale.is_empty() {
            match self.write_briefly(caller, |tx| request(tx, self, caller, &stale)) {
                Err(Error::Store(StoreError::Busy { .. } | StoreError::Unavailable(_))) => return Ok(()),
                asked => asked?,
            }
        }
        seen().insert(caller.project.clone());
        Ok(())
    }
}

fn stale(conn: &mut dyn Connection, caller: &Caller) -> Stored<Vec<Collection>> {
    let mut stale = vec![];
    for collection in Collection::ALL {
        if !is_current(conn, Index { project: &caller.project, collection: *collection })? {
            stale.push(*collection);
        }
    }
    Ok(stale)
}

fn request(tx: &mut dyn Connection, engine: &Engine, caller: &Caller, stale: &[Collection]) -> Result<()> {
    for collection in stale {
        match collection {
            // What is in a file is not kept, so that its index is made again from the folder.
            Collection::Files | Collection::Chunks => {
                if code_index::get(tx, &caller.project)?.is_some() {
                    code::request(tx, engine, caller)?;
                }
            }
            Collection::Memories | Collection::Events | Collection::Items | Collection::Resources => {
                engine.ask_for(tx, &caller.project, KIND, collection.as_str())?;
            }
        }
    }
    Ok(())
}

pub(crate) fn run(engine: &Engine, caller: &Caller, job: &Job) -> Result<Next> {
    let collection: Collection = job.key.parse().map_err(Error::Invalid)?;
    let index = Index { project: &caller.project, collection };
    if engine.store.read(|conn| is_current(conn, index))? {
        return Ok(Next::Done);
    }
    let read = |texts: &[&str]| Ok(texts.iter().map(|text| Vector::by_table(text)).collect());
    for _ in 0..BATCHES {
        if !embed::batch(engine, caller, collection, (Table::built_in().model(), BATCH), read)? {
            engine.write(caller, |tx| {
                for model in EARLIER {
                    index_page::remove(tx, index, Area::Vectors(model), 0, i64::MAX)?;
                    index_page::remove(tx, index, Area::Codes(model), 0, i64::MAX)?;
                }
                Ok(set_current(tx, index)?)
            })?;
            return Ok(Next::Done);
        }
    }
    Ok(Next::Again(engine.now()))
}

/// Whether everything that this program's table can read has its vector.
pub(super) fn is_current(conn: &mut dyn Connection, index: Index<'_>) -> Stored<bool> {
    if embed::embedded_to(conn, index, Table::built_in().model())? == i64::MAX {
        return Ok(true);
    }
    Ok(Catalogue::read(conn, index)?.partitions.is_empty()
        && index_page::numbers(conn, index, Area::Pending, 1)?.is_empty())
}

/// From now on every document comes with its vector.
pub(super) fn set_current(tx: &mut dyn Connection, index: Index<'_>) -> Stored<()> {
    embed::set_embedded_to(tx, index, Table::built_in().model(), i64::MAX)
}
