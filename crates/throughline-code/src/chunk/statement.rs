//! SQL by what it creates.

use super::lines::Lines;
use super::shape::Span;
use super::{Symbol, SymbolKind, doc};

const SKIPPED: [&str; 14] = [
    "or",
    "replace",
    "unique",
    "temporary",
    "temp",
    "if",
    "not",
    "exists",
    "materialized",
    "external",
    "unlogged",
    "recursive",
    "concurrently",
    "global",
];

pub(super) fn spans(lines: &Lines<'_>) -> Vec<Span> {
    let mut spans: Vec<Span> = vec![];
    for line in 0..lines.count() {
        let Some(symbol) = created(lines.get(line)) else { continue };
        let not_before = spans.last().map_or(0, |span| span.lines.start + 1);
        let start = doc::start(lines, line, not_before);
        if let Some(last) = spans.last_mut() {
            last.lines.end = start;
        }
        spans.push(Span {
            lines: start..lines.count(),
            symbols: vec![symbol],
            signature: lines.get(line).trim().to_owned(),
            doc: doc::text(lines, start, line, line),
            within: 0,
        });
    }
    spans
}

fn created(line: &str) -> Option<Symbol> {
    let mut words = line.split(|c: char| c.is_whitespace() || c == '(').filter(|word| !word.is_empty());
    if !words.next()?.eq_ignore_ascii_case("create") {
        return None;
    }
    let mut words = words.filter(|word| !SKIPPED.iter().any(|skipped| word.eq_ignore_ascii_case(skipped)));
    let what = words.next()?.to_ascii_lowercase();
    let name = words.next()?.trim_matches(['"', '`', '[', ']', ';']);
    let kind = match what.as_str() {
        "function" | "procedure" | "trigger" => SymbolKind::Function,
        "type" | "domain" | "enum" => SymbolKind::Type,
        "schema" | "database" | "extension" => SymbolKind::Module,
        _ => SymbolKind::Table,
    };
    Some(Symbol { path: name.to_owned(), kind })
}
