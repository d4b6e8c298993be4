//! What is said about a definition: comments and attributes above it, or a text at the beginning of its body.

use super::lines::Lines;

/// More of a comment is not told.
const MAX_BYTES: usize = 600;
/// No comment above a definition is longer.
const MAX_LINES: usize = 40;
const MARKS: [&str; 9] = ["///", "//!", "//", "/**", "/*", "*/", "*", "#", "--"];

/// Where the comments and attributes that belong to a definition begin.
pub(super) fn start(lines: &Lines<'_>, definition: usize, not_before: usize) -> usize {
    let mut start = definition;
    while start > not_before && definition - start < MAX_LINES && belongs_below(lines.get(start - 1)) {
        start -= 1;
    }
    start
}

fn belongs_below(line: &str) -> bool {
    let line = line.trim_start();
    let is_include = ["#include", "#define", "#if", "#endif", "#else", "#pragma", "#!"];
    let comment = ["//", "/*", "*", "#", "--", "@", "\"\"\""].iter().any(|mark| line.starts_with(mark));
    comment && !is_include.iter().any(|mark| line.starts_with(mark))
}

/// The words of the comments above, and of a text that opens the body.
pub(super) fn text(lines: &Lines<'_>, start: usize, definition: usize, end: usize) -> String {
    let mut text = String::new();
    let above = (start..definition).map(|line| lines.get(line).trim());
    for line in above.filter(|line| !line.starts_with('@') && !line.starts_with("#[")) {
        add(&mut text, stripped(line));
    }
    opening(lines, definition, end, &mut text);
    text.truncate(text.floor_char_boundary(MAX_BYTES));
    text
}

/// Python's documentation is the first text of a body.
fn opening(lines: &Lines<'_>, definition: usize, end: usize, text: &mut String) {
    let mut inside = None;
    for line in definition + 1..end.min(definition + MAX_LINES) {
        let line = lines.get(line).trim();
        match inside {
            None => {
                let Some(quote) = ["\"\"\"", "'''"]
                    .into_iter()
                    .find(|quote| line.trim_start_matches(['r', 'u']).starts_with(quote))
                else {
                    // A definition may go on for some lines before its body begins.
                    if line.is_empty() || line.ends_with([',', '(', ':']) || line.starts_with(')') {
                        continue;
                    }
                    return;
                };
                let rest = line.trim_start_matches(['r', 'u']).trim_start_matches(quote);
                add(text, rest.trim_end_matches(quote));
                if rest.ends_with(quote) {
                    return;
                }
                inside = Some(quote);
            }
            Some(quote) => {
                add(text, line.trim_end_matches(quote));
                if line.ends_with(quote) {
                    return;
                }
            }
        }
    }
}

fn stripped(line: &str) -> &str {
    let line = MARKS.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    line.trim_end_matches("*/").trim()
}

fn add(text: &mut String, line: &str) {
    if !line.is_empty() && text.len() < MAX_BYTES {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line);
    }
}
