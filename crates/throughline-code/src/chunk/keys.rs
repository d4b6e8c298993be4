//! Settings and data by their outermost keys: JSON as it is usually laid out, TOML by its tables, YAML by what is not
//! indented.

use super::lines::Lines;
use super::shape::Span;
use super::{Symbol, SymbolKind};
use crate::Language;

pub(super) fn spans(language: Language, lines: &Lines<'_>) -> Vec<Span> {
    let outermost = if language == Language::Json { json_indent(lines) } else { 0 };
    let mut spans: Vec<Span> = vec![];
    for line in 0..lines.count() {
        if lines.indent(line) != Some(outermost) {
            continue;
        }
        let text = lines.get(line).trim();
        let key = match language {
            Language::Json => json_key(text),
            Language::Toml => toml_table(text),
            _ => yaml_key(text),
        };
        let Some(key) = key else { continue };
        if let Some(last) = spans.last_mut() {
            last.lines.end = line;
        }
        spans.push(Span {
            lines: line..lines.count(),
            symbols: vec![Symbol { path: key.to_owned(), kind: SymbolKind::Key }],
            signature: String::new(),
            doc: String::new(),
            within: 0,
        });
    }
    spans
}

/// How far the first key is indented.
fn json_indent(lines: &Lines<'_>) -> usize {
    (0..lines.count()).filter_map(|line| lines.indent(line)).find(|indent| *indent > 0).unwrap_or(0)
}

fn json_key(line: &str) -> Option<&str> {
    let (key, rest) = line.strip_prefix('"')?.split_once('"')?;
    rest.trim_start().starts_with(':').then_some(key)
}

fn toml_table(line: &str) -> Option<&str> {
    line.strip_prefix('[')?.split(']').next().map(|name| name.trim_matches('['))
}

fn yaml_key(line: &str) -> Option<&str> {
    let (key, rest) = line.split_once(':')?;
    let is_key = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    (is_key && !key.is_empty() && (rest.is_empty() || rest.starts_with(' '))).then_some(key)
}
