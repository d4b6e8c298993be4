//! Markdown by its headings.

use super::lines::Lines;
use super::shape::Span;
use super::{Symbol, SymbolKind};

pub(super) fn spans(lines: &Lines<'_>) -> Vec<Span> {
    let mut spans: Vec<Span> = vec![];
    let mut above: Vec<(usize, &str)> = vec![];
    let mut fence: Option<&str> = None;
    for line in 0..lines.count() {
        let text = lines.get(line);
        let trimmed = text.trim_start();
        match fence {
            Some(mark) => {
                if trimmed.starts_with(mark) {
                    fence = None;
                }
                continue;
            }
            None => fence = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark)),
        }
        let Some((level, title)) = heading(text) else { continue };
        if let Some(last) = spans.last_mut() {
            last.lines.end = line;
        }
        above.retain(|(upper, _)| *upper < level);
        above.push((level, title));
        let path = above.iter().map(|(_, title)| *title).collect::<Vec<_>>().join(" > ");
        spans.push(Span {
            lines: line..lines.count(),
            symbols: vec![Symbol { path, kind: SymbolKind::Section }],
            signature: title.to_owned(),
            doc: String::new(),
            within: 0,
        });
    }
    spans
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line[level..].strip_prefix(' ')?.trim().trim_end_matches('#').trim();
    ((1..=6).contains(&level) && !title.is_empty()).then_some((level, title))
}
