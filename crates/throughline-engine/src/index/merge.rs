//! Small partitions become large ones: at once when that is cheap, else as a job in steps that hold no lock for long.

use std::collections::HashSet;

use throughline_store::index_page::{self, Collection, Index};
use throughline_store::job::Job;
use throughline_store::{Connection, Result as Stored};

use super::catalogue::{Catalogue, Partition};
use super::partition::{self, Built, FAN_IN, MAX_LEVEL};
use crate::work::Next;
use crate::{Caller, Engine, Error, Result};

pub(crate) const KIND: &str = "merge_index";

/// So much is written before others get their turn.
const BYTES_AT_ONCE: usize = 2 * 1024 * 1024;

/// Merges what is due up to a level, within the transaction of a write.
pub(super) fn inline(
    tx: &mut dyn Connection,
    index: Index<'_>,
    catalogue: &mut Catalogue,
    up_to: u8,
) -> Stored<()> {
    while let Some(parts) = partition::due(catalogue, up_to).map(<[Partition]>::to_vec) {
        let Some(built) = partition::merge(tx, index, &parts)? else { return Ok(()) };
        let merged = built.partition;
        partition::write(tx, index, &built)?;
        for part in &parts {
            partition::erase(tx, index, part)?;
        }
        replace(catalogue, &parts, merged);
    }
    Ok(())
}

/// Asks for the merges that a write should not wait for.
pub(crate) fn request(tx: &mut dyn Connection, engine: &Engine, index: Index<'_>) -> Result<()> {
    engine.ask_for(tx, index.project, KIND, index.collection.as_str())
}

pub(crate) fn run(engine: &Engine, caller: &Caller, job: &Job) -> Result<Next> {
    let collection: Collection = job.key.parse().map_err(Error::Invalid)?;
    clean(engine, caller, Index { project: &caller.project, collection })?;
    while merge_one(engine, caller, Index { project: &caller.project, collection })? {}
    Ok(Next::Done)
}

/// A merge that was killed leaves pages of partitions that are not in the catalogue: not yet, or not any more. Whoever
/// holds the job is the only one who makes such pages.
fn clean(engine: &Engine, caller: &Caller, index: Index<'_>) -> Result<()> {
    engine.write(caller, |tx| {
        let catalogue = Catalogue::read(tx, index)?;
        let known: HashSet<i64> = catalogue.partitions.iter().map(Partition::page_number).collect();
        for area in partition::AREAS {
            for number in index_page::distinct_numbers(tx, index, area)? {
                if !known.contains(&number) {
                    index_page::remove(tx, index, area, number, number)?;
                }
            }
        }
        Ok(())
    })
}

/// Pages of a partition that is not in the catalogue are seen by nobody, so they are written bit by bit; then one
/// short transaction puts the new partition in the place of the old ones.
fn merge_one(engine: &Engine, caller: &Caller, index: Index<'_>) -> Result<bool> {
    let planned = engine.store.read(|conn| -> Result<Option<(Catalogue, Vec<Partition>, Built)>> {
        let catalogue = Catalogue::read(conn, index)?;
        let Some(parts) = partition::due(&catalogue, MAX_LEVEL).map(<[Partition]>::to_vec) else {
            return Ok(None);
        };
        Ok(partition::merge(conn, index, &parts)?.map(|built| (catalogue, parts, built)))
    })?;
    let Some((planned, parts, built)) = planned else { return Ok(false) };
    for step in built.steps(BYTES_AT_ONCE) {
        let goes_on = engine.write(caller, |tx| {
            // What was purged meanwhile must not be written any more.
            let same = Catalogue::read(tx, index)?.generation == planned.generation;
            if same {
                step.write(tx, index)?;
            }
            Ok(same)
        })?;
        if !goes_on {
            return Ok(true);
        }
    }
    let replaced = engine.write(caller, |tx| {
        let mut catalogue = Catalogue::read(tx, index)?;
        let ours = catalogue.generation == planned.generation && built.is_whole(tx, index)?;
        let replaced = ours && replace(&mut catalogue, &parts, built.partition);
        if replaced {
            catalogue.write(tx, index)?;
        }
        Ok(replaced)
    })?;
    // Pages that nobody refers to are removed when the job runs next.
    if replaced {
        for part in &parts {
            engine.write(caller, |tx| Ok(partition::erase(tx, index, part)?))?;
        }
    }
    Ok(true)
}

/// Puts a partition in the place of its parts; not when they are not there any more.
fn replace(catalogue: &mut Catalogue, parts: &[Partition], merged: Partition) -> bool {
    let Some(at) = catalogue.partitions.windows(FAN_IN).position(|window| window == parts) else {
        return false;
    };
    catalogue.partitions.splice(at..at + FAN_IN, [merged]);
    true
}
