//! What people, models and tools said, as it may be kept: without what was put into it, and not longer than it is worth.

use throughline_engine::capture::mark;

const MAX_MESSAGE_CHARS: usize = 32_000;
const MAX_ERROR_CHARS: usize = 2_000;
const MAX_LINE_CHARS: usize = 200;

/// A message without what we, or hooks of others, had put before the model with it. Nothing when nothing is left.
pub(crate) fn message(text: &str) -> Option<String> {
    let text = mark::strip(text);
    let text = without_block(&text, "<hook_context>", "</hook_context>");
    let text = text.trim();
    (!text.is_empty()).then(|| shortened(text, MAX_MESSAGE_CHARS))
}

/// An error says what it is at its beginning and how it ended at its end.
pub(crate) fn error(text: &str) -> String {
    let text = mark::strip(text);
    // Gemini CLI puts what tools return between these.
    let text =
        text.trim().trim_start_matches("<untrusted_context>").trim_end_matches("</untrusted_context>").trim();
    let chars = text.chars().count();
    if chars <= MAX_ERROR_CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(MAX_ERROR_CHARS / 4).collect();
    let tail: String = text.chars().skip(chars - MAX_ERROR_CHARS * 3 / 4).collect();
    format!("{head}\n[… {} characters …]\n{tail}", chars - MAX_ERROR_CHARS)
}

pub(crate) fn shortened(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}\n[… {} bytes more]", &text[..end], text.len() - end),
    }
}

/// One line, for targets and summaries.
pub(crate) fn line(text: &str) -> String {
    let mut line: String =
        text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().into();
    line.retain(|c| !c.is_control());
    match line.char_indices().nth(MAX_LINE_CHARS) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

fn without_block(text: &str, open: &str, close: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, block)) = rest.split_once(open) {
        kept.push_str(before);
        rest = block.split_once(close).map_or("", |(_, after)| after);
    }
    kept + rest
}
