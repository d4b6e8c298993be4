//! What was read of some files goes into the database, in one transaction.

use throughline_code::walk::Entry;
use throughline_store::file::File;
use throughline_store::{Connection, chunk, file, item, revision};

use super::document::of_file;
use super::take::Taken;
use super::{chunks, files};
use crate::index::{After, Document, add, merge, remove_all};
use crate::{Caller, Engine, Result};

#[derive(Debug, Clone)]
pub(super) enum Change {
    Put(Taken),
    /// The same content under another path: its chunks stay as they are.
    Move {
        before: File,
        entry: Entry,
    },
    Gone(String),
}

/// What numbers are given out of.
pub(super) const FILE: &str = "file";
const FILE_DOCUMENT: &str = "file document";
pub(crate) const CHUNK: &str = "chunk";
/// A file is also found by what its newest commits say.
const COMMITS: i64 = 20;

/// Documents that come and go with the changes.
#[derive(Debug, Default)]
struct Documents {
    files: Vec<Document>,
    chunks: Vec<Document>,
    gone_files: Vec<i64>,
    gone_chunks: Vec<i64>,
}

pub(super) fn all(
    engine: &Engine,
    tx: &mut dyn Connection,
    caller: &Caller,
    changes: &[Change],
) -> Result<()> {
    let mut documents = Documents::default();
    for change in changes {
        match change {
            Change::Put(taken) => put(engine, tx, caller, taken, &mut documents)?,
            Change::Move { before, entry } => rename(engine, tx, caller, (before, entry), &mut documents)?,
            Change::Gone(path) => {
                if let Some(before) = file::by_path(tx, &caller.project, path)? {
                    drop_file(tx, caller, &before, &mut documents)?;
                }
            }
        }
    }
    documents.write(engine, tx, caller)
}

fn put(
    engine: &Engine,
    tx: &mut dyn Connection,
    caller: &Caller,
    taken: &Taken,
    documents: &mut Documents,
) -> Result<()> {
    // Read here, because another process may have been faster.
    let before = file::by_path(tx, &caller.project, &taken.path)?;
    let stamped = |file: File| File {
        bytes: i64::try_from(taken.stamp.bytes).unwrap_or(i64::MAX),
        modified: taken.stamp.modified,
        indexed_at: engine.now(),
        ..file
    };
    if let Some(before) = before.clone().filter(|before| before.hash == taken.hash) {
        return Ok(file::put(tx, &caller.project, &stamped(before))?);
    }
    let file_number = match &before {
        Some(before) => {
            drop_file(tx, caller, before, documents)?;
            before.number
        }
        None => item::take_number(tx, &caller.project, FILE)?,
    };
    let mut record = stamped(File {
        number: file_number,
        path: taken.path.clone(),
        hash: taken.hash.clone(),
        bytes: 0,
        modified: 0,
        language: None,
        lines: 0,
        first_chunk: 0,
        chunks: 0,
        document: None,
        refused: taken.content.as_ref().err().map(ToString::to_string),
        indexed_at: engine.now(),
    });
    if let Ok(source) = &taken.content {
        let document = item::take_number(tx, &caller.project, FILE_DOCUMENT)?;
        let last = item::last_number(tx, &caller.project, CHUNK)?;
        let numbered = source.chunks.iter().zip(last + 1..).map(|((record, document), number)| {
            let record = chunk::Chunk { number, file: file_number, ..record.clone() };
            (record, Document { number, ..document.clone() })
        });
        let (records, new): (Vec<chunk::Chunk>, Vec<Document>) = numbered.unzip();
        chunk::insert(tx, &caller.project, &records)?;
        item::note_number(tx, &caller.project, CHUNK, last + records.len() as i64)?;
        record.language = source.language.map(|language| language.to_string());
        record.lines = i64::try_from(source.lines).unwrap_or(i64::MAX);
        (record.first_chunk, record.chunks) = (last + 1, records.len() as i64);
        record.document = Some(document);
        documents.chunks.extend(new);
        let commits = revision::of_path(tx, &caller.project, &taken.path, COMMITS)?;
        documents.files.push(source.file_document(document, &taken.path, &commits));
    }
    Ok(file::put(tx, &caller.project, &record)?)
}

fn rename(
    engine: &Engine,
    tx: &mut dyn Connection,
    caller: &Caller,
    (before, entry): (&File, &Entry),
    documents: &mut Documents,
) -> Result<()> {
    let is_there = file::by_path(tx, &caller.project, &before.path)?.as_ref() == Some(before);
    if !is_there || file::by_path(tx, &caller.project, &entry.path)?.is_some() {
        return Ok(());
    }
    documents.gone_files.extend(before.document);
    let mut moved = File {
        path: entry.path.clone(),
        modified: entry.stamp.modified,
        indexed_at: engine.now(),
        ..before.clone()
    };
    if before.document.is_some() {
        let document = item::take_number(tx, &caller.project, FILE_DOCUMENT)?;
        let numbers: Vec<i64> = (before.first_chunk..before.first_chunk + before.chunks).collect();
        let symbols: Vec<String> = chunk::of_numbers(tx, &caller.project, &numbers)?
            .into_iter()
            .flat_map(|chunk| chunk.symbols)
            .collect();
        let commits = revision::of_path(tx, &caller.project, &before.path, COMMITS)?;
        documents.files.push(of_file(document, &entry.path, &symbols.join(" "), &commits));
        moved.document = Some(document);
    }
    Ok(file::put(tx, &caller.project, &moved)?)
}

fn drop_file(tx: &mut dyn Connection, caller: &Caller, file: &File, documents: &mut Documents) -> Result<()> {
    documents.gone_files.extend(file.document);
    documents.gone_chunks.extend(file.first_chunk..file.first_chunk + file.chunks);
    chunk::remove(tx, &caller.project, file.first_chunk, file.chunks)?;
    Ok(file::remove(tx, &caller.project, file.number)?)
}

impl Documents {
    fn write(self, engine: &Engine, tx: &mut dyn Connection, caller: &Caller) -> Result<()> {
        let collections =
            [(files(caller), self.files, self.gone_files), (chunks(caller), self.chunks, self.gone_chunks)];
        for (index, new, gone) in collections {
            remove_all(tx, index, &gone)?;
            if !new.is_empty() && add(tx, index, new)? == After::MergeDue {
                merge::request(tx, engine, index)?;
            }
        }
        Ok(())
    }
}
