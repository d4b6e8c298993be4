//! Pieces of the project's files: what a file is called and has in it speaks for its chunks, and so do those who worked
//! on it. What is shown is compared with the file as it is now.

mod fallback;
mod fuse;
mod gates;
mod history;
mod name;

use std::collections::{HashMap, HashSet};

use throughline_store::chunk::{self, Chunk};
use throughline_store::code_index::{self, Counts};
use throughline_store::event::{self, Filter, Kind as EventKind, Order};
use throughline_store::file::{self, File};
use throughline_store::id::SessionId;
use throughline_store::time::Timestamp;
use throughline_store::{Connection, Error as StoreError};

use super::allowed::Labels;
use super::fuse::{Candidate, best_first};
use super::prospect::{Depth, Prospect};
use super::query::{By, Files, Query};
use super::{Asked, Found, Recalled};
use crate::index::code::files;
use crate::{Caller, Engine, Error, Result};
use gates::Room;

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    pub chunk: Chunk,
    pub file: File,
    /// As it is in the file now; nothing when there was no more room for it, or no file to look at.
    pub text: Option<String>,
    /// The file has changed since it was indexed, and this is the same symbol in it now.
    pub reread: bool,
}

/// What speaks for a piece of code beside its own words and meaning; all between 0 and 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Signals {
    /// Its own words and meaning.
    pub chunk: f64,
    /// The words and meaning of the file's path, symbols and commits.
    pub file: f64,
    /// What the query has of the file's name and path.
    pub name: f64,
    /// How often it was changed lately.
    pub changes: f64,
    /// How often it changed together with files that match.
    pub together: f64,
    /// How much it was changed by commits that say something like the query.
    pub similar: f64,
    /// Whether the work that asks has touched it.
    pub touched: f64,
}

/// How a search of code was answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CodeSearch {
    pub answered_by: AnsweredBy,
    /// Results that were left out because their file is gone, no text, outside, or no longer has them.
    pub stale: usize,
    /// Results that were found again in a file that has changed.
    pub reread: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnsweredBy {
    #[default]
    Index,
    /// The index is being made; what is not in it yet is not found.
    PartOfIndex,
    /// There is no index yet: paths and the beginnings of files alone were compared.
    PathsAndHeads,
}

/// So many files have a say by their words, and those that are near.
const FILES: Depth = Depth { words: 120, near: 80 };
/// So many of the nearest files, where meaning is all there is.
const FILES_BY_MEANING: Depth = Depth { words: 120, near: 120 };
/// Of one file, so many chunks are shown.
const PER_FILE: usize = 3;
/// A file that matches is represented by a chunk, of the best so many.
const REPRESENTED: usize = 40;
/// So many of a session's newest events tell what it has touched.
const TOUCHED: i64 = 200;
/// Of the chunks of such a file, so many are looked at.
const LOOKED_AT: i64 = 40;

impl Code {
    pub fn changed_at(&self) -> Timestamp {
        if self.file.modified > 0 { Timestamp(self.file.modified) } else { self.file.indexed_at }
    }

    /// Where it is: `src/main.rs:3-9`.
    pub fn place(&self) -> String {
        format!("{}:{}-{}", self.file.path, self.chunk.first_line, self.chunk.last_line)
    }

    /// What it is called: its symbols, else its file.
    pub fn title(&self) -> String {
        match self.chunk.symbols.as_slice() {
            [] => self.file.path.clone(),
            symbols => symbols.join(", "),
        }
    }
}

/// More is looked for than was asked for, because some of it may not be shown.
pub(super) fn deeper(query: &Query) -> Query {
    let limit =
        if query.asks_for_code() { query.limit.saturating_mul(2).saturating_add(8) } else { query.limit };
    Query { limit, ..query.clone() }
}

pub(super) fn records(conn: &mut dyn Connection, caller: &Caller, numbers: &[i64]) -> Result<Vec<Code>> {
    let chunks = chunk::of_numbers(conn, &caller.project, numbers)?;
    let files = files_of(conn, caller, &chunks)?;
    let code = |chunk: Chunk| {
        let file = files.get(&chunk.file)?.clone();
        Some(Code { chunk, file, text: None, reread: false })
    };
    Ok(chunks.into_iter().filter_map(code).collect())
}

fn paths_of(
    conn: &mut dyn Connection,
    caller: &Caller,
    file_of: &HashMap<i64, i64>,
    known: &HashMap<i64, (Candidate, File)>,
) -> Result<HashMap<i64, String>> {
    let mut paths: HashMap<i64, String> =
        known.iter().map(|(number, (_, file))| (*number, file.path.clone())).collect();
    let mut numbers: Vec<i64> =
        file_of.values().copied().filter(|number| !paths.contains_key(number)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    paths.extend(file::paths(conn, &caller.project, &numbers)?);
    Ok(paths)
}

fn files_of(conn: &mut dyn Connection, caller: &Caller, chunks: &[Chunk]) -> Result<HashMap<i64, File>> {
    let mut numbers: Vec<i64> = chunks.iter().map(|chunk| chunk.file).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let files = file::of_numbers(conn, &caller.project, &numbers)?;
    Ok(files.into_iter().map(|file| (file.number, file)).collect())
}

/// Lets files speak for their chunks, and their history for both. Tells which file each chunk is in, by numbers.
pub(super) fn lend(
    engine: &Engine,
    conn: &mut dyn Connection,
    caller: &Caller,
    (prospect, asked, query): (&Prospect<'_>, &Asked, &Query),
    candidates: &mut Vec<Candidate>,
) -> Result<HashMap<i64, i64>> {
    let by_file = matching_files(conn, caller, (asked, query))?;
    represent(conn, prospect, &by_file, candidates)?;
    let file_of = files_by_chunk(conn, caller, &by_file, candidates)?;
    let paths = paths_of(conn, caller, &file_of, &by_file)?;
    let path_of = |number: i64| file_of.get(&number).and_then(|file| paths.get(file)).map(String::as_str);
    candidates.retain(|candidate| path_of(candidate.number).is_some_and(|path| is_wanted(query, path)));
    let of_file = |candidate: &Candidate| {
        let number = file_of.get(&candidate.number)?;
        Some((*number, by_file.get(number).map(|(file, _)| file)))
    };
    let absolute = fuse::mix(candidates, query.by, of_file);
    best_first(candidates);
    if query.by == By::WordsAndMeaning {
        name::lend(&query.text, &path_of, candidates);
        best_first(candidates);
        let asked = (query.text.as_str(), &path_of as &dyn Fn(i64) -> _, query.code.touched.as_slice());
        history::lend(engine, conn, caller, asked, candidates)?;
        best_first(candidates);
    }
    fuse::settle(candidates, absolute);
    Ok(file_of)
}

/// No more chunks of one file than are shown: what speaks for a file speaks for all of its chunks, and the many chunks of
/// one would leave no place for others. The rest of a file is found by opening it.
pub(super) fn few_of_each_file(file_of: &HashMap<i64, i64>, candidates: &mut Vec<Candidate>) {
    let mut kept: HashMap<i64, usize> = HashMap::new();
    candidates.retain(|candidate| {
        let Some(file) = file_of.get(&candidate.number) else { return true };
        let of_file = kept.entry(*file).or_default();
        *of_file += 1;
        *of_file <= PER_FILE
    });
}

fn is_wanted(query: &Query, path: &str) -> bool {
    query.code.path.as_ref().is_none_or(|wanted| {
        let wanted = wanted.trim_start_matches("./").trim_end_matches('/');
        path.starts_with(wanted) || path.contains(wanted)
    })
}

/// How relevant files are by themselves, by their numbers.
fn matching_files(
    conn: &mut dyn Connection,
    caller: &Caller,
    (asked, query): (&Asked, &Query),
) -> Result<HashMap<i64, (Candidate, File)>> {
    let anything = Query { except: HashSet::new(), ..query.clone() };
    let prospect = Prospect::open(conn, files(caller), &Labels::default(), &anything, asked)?;
    let found: HashMap<i64, Candidate> = prospect
        .candidates(conn, if query.by == By::Meaning { FILES_BY_MEANING } else { FILES })?
        .into_iter()
        .map(|candidate| (candidate.number, candidate))
        .collect();
    let documents: Vec<i64> = found.keys().copied().collect();
    let files = file::of_documents(conn, &caller.project, &documents)?;
    let with_candidate = files.into_iter().filter_map(|file| {
        let candidate = found.get(&file.document?)?;
        Some((file.number, (candidate.clone(), file)))
    });
    Ok(with_candidate.collect())
}

/// Files that match and none of whose chunks does get the chunk that is nearest.
fn represent(
    conn: &mut dyn Connection,
    prospect: &Prospect<'_>,
    by_file: &HashMap<i64, (Candidate, File)>,
    candidates: &mut Vec<Candidate>,
) -> Result<()> {
    let present: HashSet<i64> = candidates.iter().map(|candidate| candidate.number).collect();
    let mut files: Vec<&(Candidate, File)> = by_file.values().collect();
    files.sort_by(|a, b| b.0.relevance.total_cmp(&a.0.relevance).then(a.1.path.cmp(&b.1.path)));
    let mut absent: Vec<std::ops::Range<i64>> = files
        .into_iter()
        .take(REPRESENTED)
        .map(|(_, file)| file.first_chunk..file.first_chunk + file.chunks.min(LOOKED_AT))
        .filter(|chunks| !chunks.clone().any(|number| present.contains(&number)))
        .collect();
    absent.sort_by_key(|chunks| chunks.start);
    let allowed: Vec<i64> =
        absent.iter().cloned().flatten().filter(|number| prospect.allowed.contains(*number)).collect();
    // Of all files in one go: what they have lies on few pages.
    let mut near = prospect.by_meaning(conn, &allowed)?;
    for chunks in absent {
        let after = near.partition_point(|candidate| candidate.number < chunks.end);
        let mut of_file: Vec<Candidate> = near.drain(..after).collect();
        best_first(&mut of_file);
        candidates.extend(of_file.into_iter().next());
    }
    Ok(())
}

/// The file of each candidate, by number. That of a file which matches is known without asking.
fn files_by_chunk(
    conn: &mut dyn Connection,
    caller: &Caller,
    by_file: &HashMap<i64, (Candidate, File)>,
    candidates: &[Candidate],
) -> Result<HashMap<i64, i64>> {
    let mut ranges: Vec<&File> = by_file.values().map(|(_, file)| file).collect();
    ranges.sort_by_key(|file| file.first_chunk);
    let of_known = |number: i64| {
        let at = ranges.partition_point(|file| file.first_chunk <= number).checked_sub(1)?;
        ranges.get(at).filter(|file| number < file.first_chunk + file.chunks).map(|file| file.number)
    };
    let (mut file_of, mut unknown) = (HashMap::new(), vec![]);
    for candidate in candidates {
        match of_known(candidate.number) {
            Some(file) => drop(file_of.insert(candidate.number, file)),
            None => unknown.push(candidate.number),
        }
    }
    unknown.sort_unstable();
    file_of.extend(chunk::files(conn, &caller.project, &unknown)?);
    Ok(file_of)
}

/// Whether there is an index of these files to search: one that is not made yet is not waited for.
pub(crate) fn is_ready(conn: &mut dyn Connection, caller: &Caller, files: &Files) -> Result<bool> {
    match files {
        Files::Nowhere => Ok(false),
        Files::AsIndexed => Ok(true),
        Files::In(_) => {
            let index = code_index::get(conn, &caller.project)?;
            Ok(index.is_some_and(|index| index.finished_at.is_some()))
        }
    }
}

impl Engine {
    /// The files that a session has read and written, the newest first.
    pub fn touched_files(&self, caller: &Caller, session: &SessionId) -> Result<Vec<String>> {
        let kinds = vec![EventKind::Read, EventKind::Write];
        let filter = Filter { sessions: vec![session.clone()], kinds, ..Filter::default() };
        let events = self
            .store
            .read(|conn| event::list(conn, &caller.project, &filter, Order::NewestFirst, TOUCHED))?;
        let mut paths: Vec<String> = events.into_iter().filter_map(|event| event.target).collect();
        paths.dedup();
        Ok(paths)
    }

    /// Leaves out what is not in the files now, for an answer that is not searched for by itself.
    pub(crate) fn check_passages(&self, query: &Query, recalled: &mut Recalled) {
        if let Files::In(root) = &query.code.files {
            gates::check(root, self.room(query), recalled, &mut CodeSearch::default());
        }
    }

    /// Leaves out what may not be shown, and answers without an index while there is none.
    pub(super) fn check_code(&self, caller: &Caller, query: &Query, recalled: &mut Recalled) -> Result<()> {
        if !query.asks_for_code() {
            return Ok(());
        }
        let Files::In(root) = &query.code.files else {
            recalled.hits.truncate(query.limit);
            return Ok(());
        };
        let index = self.store.read(|conn| code_index::get(conn, &caller.project))?;
        let is_ready = index.as_ref().is_some_and(|index| index.finished_at.is_some());
        let mut search = CodeSearch::default();
        if !is_ready {
            search.answered_by = AnsweredBy::PartOfIndex;
        }
        gates::check(root, self.room(query), recalled, &mut search);
        let has_code = recalled.hits.iter().any(|hit| matches!(hit.found, Found::Code(_)));
        if !is_ready && !has_code {
            search.answered_by = AnsweredBy::PathsAndHeads;
            let mut hits = fallback::search(root, query, self.now());
            gates::check_hits(root, self.room(query), &mut hits, &mut search);
            recalled.total += hits.len();
            recalled.hits.extend(hits);
            super::score::total(&mut recalled.hits);
        }
        recalled.hits.truncate(query.limit);
        recalled.code = Some(search);
        self.count_search(caller, recalled);
        Ok(())
    }

    fn room(&self, query: &Query) -> Room {
        Room { hits: query.limit, bytes: self.settings.code.max_bytes }
    }

    /// A search is not worth failing, or waiting, for the sake of its being counted.
    fn count_search(&self, caller: &Caller, recalled: &Recalled) {
        let Some(search) = &recalled.code else { return };
        let shown = recalled.hits.iter().filter(|hit| matches!(hit.found, Found::Code(_))).count();
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let counts = Counts {
            searches: 1,
            answered: i64::from(shown > 0),
            fallbacks: i64::from(search.answered_by == AnsweredBy::PathsAndHeads),
            shown: number(shown),
            stale: number(search.stale + search.reread),
        };
        let counted = self.write_briefly(caller, |tx| Ok(code_index::count(tx, &caller.project, counts)?));
        match counted {
            Ok(()) | Err(Error::Store(StoreError::Busy { .. })) => {}
            Err(error) => tracing::debug!(%error, "a search of code was not counted"),
        }
    }
}
