//! A file's text in pieces that say something by themselves: functions, types, sections, each with its symbols, its
//! signature, what is said about it and its lines. What has no known syntax falls apart at empty lines.

mod doc;
mod grammar;
mod keys;
mod lines;
mod section;
mod shape;
mod statement;
mod syntax;

use std::fmt;

use crate::Language;
use lines::Lines;
use shape::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// What is defined here, or for a part of something large what it is a part of. Several where small ones share a chunk.
    pub symbols: Vec<Symbol>,
    /// How the first symbol is declared, in one line.
    pub signature: String,
    /// What comments beside the definitions say.
    pub doc: String,
    /// From 1, both included.
    pub first_line: usize,
    pub last_line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// With what it is in: `Engine::recall`, `Store.open`, `Install > From source`.
    pub path: String,
    pub kind: SymbolKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    Function,
    Type,
    Module,
    Constant,
    Section,
    Key,
    Table,
}

impl SymbolKind {
    pub fn as_str(self) -> &'static str {
        match self {
            SymbolKind::Function => "function",
            SymbolKind::Type => "type",
            SymbolKind::Module => "module",
            SymbolKind::Constant => "constant",
            SymbolKind::Section => "section",
            SymbolKind::Key => "key",
            SymbolKind::Table => "table",
        }
    }
}

impl fmt::Display for SymbolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The chunks of a file, in order; every line with something on it is in exactly one.
pub fn chunks(path: &str, text: &str) -> Vec<Chunk> {
    let lines = Lines::of(text);
    let spans = Language::of_path(path).and_then(|language| spans(language, path, text, &lines));
    shape::chunks(&lines, spans.unwrap_or_default())
}

/// The text of each chunk of a file.
pub fn texts<'a>(text: &'a str, chunks: &[Chunk]) -> Vec<&'a str> {
    let lines = Lines::of(text);
    chunks.iter().map(|chunk| lines.slice(chunk.first_line.saturating_sub(1), chunk.last_line)).collect()
}

/// The text of these lines, from 1 and both included.
pub fn text_of(text: &str, first_line: usize, last_line: usize) -> &str {
    let from = first_line.saturating_sub(1);
    let rest = &text[after(text, from)..];
    &rest[..after(rest, last_line.saturating_sub(from))]
}

/// Where so many lines end: what comes after them is not looked at.
fn after(text: &str, lines: usize) -> usize {
    text.split_inclusive('\n').take(lines).map(str::len).sum()
}

/// Nothing where the syntax could not be read: the lines alone must do then.
fn spans(language: Language, path: &str, text: &str, lines: &Lines<'_>) -> Option<Vec<Span>> {
    match language {
        Language::Markdown => Some(section::spans(lines)),
        Language::Json | Language::Toml | Language::Yaml => Some(keys::spans(language, lines)),
        Language::Sql => Some(statement::spans(lines)),
        Language::C
        | Language::CSharp
        | Language::Cpp
        | Language::Go
        | Language::Java
        | Language::JavaScript
        | Language::Php
        | Language::Python
        | Language::Ruby
        | Language::Rust
        | Language::Shell
        | Language::TypeScript => syntax::spans(grammar::of(language, path)?, text, lines),
    }
}

#[cfg(test)]
mod tests;
