//! Before there is an index: files whose path, or whose beginning, has the query's words.

use std::collections::HashSet;
use std::io::Read as _;
use std::path::Path;

use throughline_code::{Language, chunk, walk};
use throughline_store::chunk::Chunk;
use throughline_store::file::File;
use throughline_store::time::Timestamp;

use super::super::query::Query;
use super::super::score::{Score, Weights};
use super::super::{Found, Hit};
use super::{Code, Signals};
use crate::index::code::take;
use crate::index::terms::{Sort, TermId, terms};

/// So many files are looked at, and the beginnings of so many of them are read.
const FILES: usize = 20_000;
const HEADS: usize = 1_000;
const HEAD_BYTES: u64 = 1024;
/// A word in the path says more than one in the text.
const IN_PATH: f64 = 1.0;
const IN_HEAD: f64 = 0.5;

pub(super) fn search(root: &Path, query: &Query, now: Timestamp) -> Vec<Hit> {
    let wanted = words(&query.text);
    // Where symbols are defined is what an index knows.
    if wanted.is_empty() || query.code.symbol.is_some() {
        return vec![];
    }
    let narrowed = |path: &str| {
        super::is_wanted(query, path)
            && query.code.language.as_ref().is_none_or(|asked| {
                Language::of_path(path).is_some_and(|of| of.to_string().eq_ignore_ascii_case(asked))
            })
    };
    let files = walk::walk(root, FILES).files;
    let mut scored: Vec<(f64, walk::Entry)> = files
        .into_iter()
        .filter(|entry| narrowed(&entry.path))
        .map(|entry| (share(&wanted, &words(&entry.path)) * IN_PATH, entry))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.path.cmp(&b.1.path)));
    for (score, entry) in scored.iter_mut().take(HEADS) {
        *score += share(&wanted, &words(&head(root, &entry.path))) * IN_HEAD;
    }
    scored.retain(|(score, _)| *score > 0.0);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.path.cmp(&b.1.path)));
    scored.truncate(query.limit);
    scored
        .into_iter()
        .filter_map(|(score, entry)| hit(root, score / (IN_PATH + IN_HEAD), &entry, now))
        .collect()
}

fn words(text: &str) -> HashSet<TermId> {
    let mut words = HashSet::new();
    terms(text, |term| {
        if matches!(term.sort, Sort::Word | Sort::Sign) {
            words.insert(term.id);
        }
    });
    words
}

fn share(wanted: &HashSet<TermId>, present: &HashSet<TermId>) -> f64 {
    wanted.intersection(present).count() as f64 / wanted.len().max(1) as f64
}

/// What cannot be read has no words; the gates say what may be shown.
fn head(root: &Path, path: &str) -> String {
    let mut bytes = vec![];
    let read =
        std::fs::File::open(root.join(path)).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut bytes));
    read.map(|_| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// The first chunk of the file stands for it.
fn hit(root: &Path, score: f64, entry: &walk::Entry, now: Timestamp) -> Option<Hit> {
    let (bytes, stamp) = take::read(&std::fs::canonicalize(root).ok()?, &entry.path).ok()?;
    let text = throughline_code::read(&bytes).ok()?;
    let first = chunk::chunks(&entry.path, &text).into_iter().next()?;
    let file = File {
        number: 0,
        path: entry.path.clone(),
        hash: take::hash(&bytes),
        bytes: i64::try_from(stamp.bytes).unwrap_or(i64::MAX),
        modified: stamp.modified,
        language: Language::of_path(&entry.path).map(|language| language.to_string()),
        lines: text.lines().count() as i64,
        first_chunk: 0,
        chunks: 0,
        document: None,
        refused: None,
        indexed_at: now,
    };
    let chunk = Chunk {
        number: 0,
        file: 0,
        kind: first.symbols.first().map(|symbol| symbol.kind.to_string()),
        symbols: first.symbols.into_iter().map(|symbol| symbol.path).collect(),
        signature: first.signature,
        first_line: first.first_line as i64,
        last_line: first.last_line as i64,
    };
    let code = Code { chunk, file, text: None, reread: false };
    Some(Hit { found: Found::Code(Box::new(code)), score: score_of(score) })
}

fn score_of(matching: f64) -> Score {
    Score {
        total: 0.0,
        relevance: 0.0,
        matching,
        lexical: 0.0,
        semantic: None,
        recency: 0.0,
        importance: 0.4,
        confidence: 1.0,
        uses: 0,
        weights: Weights::RELEVANCE,
        code: Some(Signals { file: matching, ..Signals::default() }),
    }
}
