//! What files and their chunks are found by.

use std::path::Path;

use throughline_code::Language;
use throughline_code::chunk::{self, Chunk};
use throughline_store::chunk::Chunk as Record;
use throughline_store::revision::Revision;

use crate::index::terms::{TermId, label};
use crate::index::vectors::Vector;
use crate::index::{Document, Text};

/// A file's text as the index takes it in; numbers are given when it is written.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) language: Option<Language>,
    pub(super) lines: usize,
    pub(super) chunks: Vec<(Record, Document)>,
    /// The symbols and the beginning, which a file is found by beside its path.
    outline: String,
}

/// Of a file with very many symbols, the first say what it is about.
const OUTLINE_BYTES: usize = 4000;
const HEAD_BYTES: usize = 400;

pub(super) fn source(path: &str, text: &str) -> Source {
    let language = Language::of_path(path);
    let chunks = chunk::chunks(path, text);
    let outline = outline(text, &chunks);
    let texts = chunk::texts(text, &chunks);
    let chunks = chunks.iter().zip(texts).map(|(chunk, body)| piece(language, body, chunk)).collect();
    Source { language, lines: text.lines().count(), chunks, outline }
}

fn piece(language: Option<Language>, body: &str, chunk: &Chunk) -> (Record, Document) {
    let body = clean(body);
    let symbols: Vec<String> = chunk.symbols.iter().map(|symbol| clean(&symbol.path)).collect();
    let (signature, doc) = (clean(&chunk.signature), clean(&chunk.doc));
    let title = format!("{} {signature} {doc}", symbols.join(" "));
    let vector = Vector::by_table(&format!("{title}\n{body}"));
    let record = Record {
        number: 0,
        file: 0,
        kind: chunk.symbols.first().map(|symbol| symbol.kind.to_string()),
        symbols,
        signature,
        first_line: chunk.first_line as i64,
        last_line: chunk.last_line as i64,
    };
    let labels = labels(language, &record.symbols);
    (record, Document::new(0, Text { title: &title, body: &body }, &labels, vector))
}

/// By its language, and by each symbol whole and by its last part.
fn labels(language: Option<Language>, symbols: &[String]) -> Vec<TermId> {
    let names = symbols.iter().flat_map(|symbol| [symbol.as_str(), last_part(symbol)]);
    let mut labels: Vec<TermId> = names.map(symbol_label).collect();
    labels.extend(language.map(|language| language_label(&language.to_string())));
    labels
}

pub(crate) fn symbol_label(name: &str) -> TermId {
    label("symbol", &name.to_lowercase())
}

pub(crate) fn language_label(name: &str) -> TermId {
    label("language", &name.to_lowercase())
}

pub(super) fn last_part(symbol: &str) -> &str {
    symbol.rsplit(['.', ':', '>', ' ']).next().unwrap_or(symbol)
}

/// A file by its path, what it defines, how it begins, and what those who changed it said of that.
pub(super) fn of_file(number: i64, path: &str, outline: &str, commits: &[Revision]) -> Document {
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let title = format!("{path} {stem}");
    let subjects: Vec<&str> = commits.iter().map(|commit| commit.subject.as_str()).collect();
    let body = format!("{outline}\n{}", subjects.join("\n"));
    let vector = Vector::by_table(&format!("{}\n{body}", path.replace(['/', '_', '-', '.'], " ")));
    Document::new(number, Text { title: &title, body: &body }, &[], vector)
}

impl Source {
    pub(super) fn file_document(&self, number: i64, path: &str, commits: &[Revision]) -> Document {
        of_file(number, path, &self.outline, commits)
    }
}

fn outline(text: &str, chunks: &[Chunk]) -> String {
    let mut outline = text[..text.floor_char_boundary(HEAD_BYTES)].to_owned();
    let mut seen = std::collections::HashSet::new();
    for symbol in chunks.iter().flat_map(|chunk| &chunk.symbols).map(|symbol| last_part(&symbol.path)) {
        if outline.len() > OUTLINE_BYTES {
            break;
        }
        if seen.insert(symbol) {
            outline.push(' ');
            outline.push_str(symbol);
        }
    }
    clean(&outline)
}

fn clean(text: &str) -> String {
    crate::capture::redacted(text.to_owned(), &mut 0)
}
