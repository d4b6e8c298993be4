//! Texts that people write about their projects, markdown or reStructuredText, line by line: what is prose, what is code,
//! what is decoration. Everything that leaves here is one clean line.

use crate::capture::shortened;

/// One piece of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    /// Lines that belong together, joined.
    Paragraph(String),
    /// An entry of a list without its mark.
    Bullet(String),
    Heading(String),
    /// A line of a block of code.
    Code(String),
}

/// The document in its order. Badges, pictures, tables, markup and comments are left out.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut reader = Reader { blocks: vec![], open: None, skipping: None };
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        reader.line(line, lines.get(number + 1).copied().unwrap_or_default());
    }
    reader.close();
    reader.blocks
}

/// Outside text as one line: no markup, no control or invisible characters, at most `chars` characters.
pub(super) fn line(text: &str, chars: usize) -> String {
    let visible = text.chars().filter(|c| !is_invisible(*c)).map(|c| if c.is_control() { ' ' } else { c });
    let visible: String = visible.collect();
    shortened(&visible.split_whitespace().collect::<Vec<_>>().join(" "), chars)
}

/// Marks of direction, joiners and tags: what people cannot see, models would read.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// More of a paragraph is never shown.
const ENOUGH_BYTES: usize = 1_000;

struct Reader {
    blocks: Vec<Block>,
    open: Option<Block>,
    skipping: Option<Skipping>,
}

/// Inside of what.
enum Skipping {
    /// Code, until the same fence.
    Fence(String),
    /// Markup, until an empty line.
    Markup,
    /// Until its end.
    Comment,
    /// A directive of reStructuredText with its arguments, until something stands at the margin again.
    Directive,
}

impl Reader {
    fn line(&mut self, line: &str, next: &str) {
        let trimmed = line.trim();
        if self.skips(line, trimmed) {
            return;
        }
        if let Some(fence) = ["```", "~~~"].iter().find(|fence| trimmed.starts_with(**fence)) {
            self.close();
            self.skipping = Some(Skipping::Fence((*fence).to_owned()));
        } else if trimmed.starts_with("<!--") {
            self.close();
            self.skipping = (!trimmed.contains("-->")).then_some(Skipping::Comment);
        } else if trimmed.starts_with('<') && !trimmed.starts_with("<http") {
            self.close();
            self.skipping = Some(Skipping::Markup);
        } else if trimmed.starts_with(".. ") {
            self.close();
            self.skipping = Some(Skipping::Directive);
        } else {
            self.prose(line, trimmed, next.trim());
        }
    }

    fn prose(&mut self, line: &str, trimmed: &str, next: &str) {
        if trimmed.is_empty() || is_rule(trimmed) || trimmed.starts_with('|') || is_reference(trimmed) {
            self.close();
        } else if let Some(heading) = trimmed.strip_prefix('#') {
            self.close();
            self.blocks.push(Block::Heading(plain(heading.trim_matches(['#', ' ']))));
        } else if is_rule(next) && next.starts_with(['=', '-', '~', '^']) && self.open.is_none() {
            self.blocks.push(Block::Heading(plain(trimmed)));
        } else if let Some(rest) = bullet(trimmed) {
            self.close();
            self.open = Some(Block::Bullet(beginning(rest).to_owned()));
        } else if self.open.is_none() && (line.starts_with("    ") || line.starts_with('\t')) {
            self.blocks.push(Block::Code(trimmed.to_owned()));
        } else {
            self.join(trimmed.trim_start_matches(['>', ' ']));
        }
    }

    fn join(&mut self, more: &str) {
        match &mut self.open {
            Some(Block::Paragraph(text) | Block::Bullet(text)) if text.len() < ENOUGH_BYTES => {
                text.push(' ');
                text.push_str(beginning(more));
            }
            Some(_) => {}
            None => self.open = Some(Block::Paragraph(beginning(more).to_owned())),
        }
    }

    /// Whether the line belongs to something that is passed over, or is code.
    fn skips(&mut self, line: &str, trimmed: &str) -> bool {
        let Some(skipping) = &self.skipping else { return false };
        let ends = match skipping {
            Skipping::Fence(fence) => {
                let ends = trimmed.starts_with(fence.as_str());
                if !ends && !trimmed.is_empty() {
                    self.blocks.push(Block::Code(trimmed.to_owned()));
                }
                ends
            }
            Skipping::Markup => trimmed.is_empty(),
            Skipping::Comment => trimmed.contains("-->"),
            Skipping::Directive => {
                let is_over = !trimmed.is_empty() && !line.starts_with([' ', '\t']);
                if is_over {
                    self.skipping = None;
                }
                return !is_over;
            }
        };
        if ends {
            self.skipping = None;
        }
        true
    }

    fn close(&mut self) {
        let closed = match self.open.take() {
            Some(Block::Paragraph(text)) => Block::Paragraph(plain(&text)),
            Some(Block::Bullet(text)) => Block::Bullet(plain(&text)),
            _ => return,
        };
        let says_nothing = matches!(&closed, Block::Paragraph(text) | Block::Bullet(text) if text.is_empty());
        if !says_nothing {
            self.blocks.push(closed);
        }
    }
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(ENOUGH_BYTES)]
}

fn is_rule(line: &str) -> bool {
    let mut chars = line.chars();
    let Some(first) = chars.next() else { return false };
    line.len() >= 3 && "=-~^*_+".contains(first) && chars.all(|c| c == first || c == ' ')
}

/// Where links lead: `[name]: address`.
fn is_reference(line: &str) -> bool {
    line.starts_with('[') && line.contains("]: ")
}

fn bullet(line: &str) -> Option<&str> {
    let marked = ["- ", "* ", "+ ", "• "].iter().find_map(|mark| line.strip_prefix(mark));
    marked.or_else(|| {
        let digits = line.chars().take_while(char::is_ascii_digit).count();
        let rest = &line[digits..];
        (1..=3)
            .contains(&digits)
            .then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))
            .flatten()
    })
}

/// What a reader sees: links by their words, no pictures, no stars, no tags.
fn plain(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', '!', '<', '*', '`', '_']) {
        seen.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = picture(rest).or_else(|| link(rest, &mut seen)).or_else(|| tag(rest));
        let taken = taken.or_else(|| code(rest, &mut seen)).unwrap_or_else(|| {
            let stays = match rest.as_bytes()[0] {
                b'*' => "",
                // A name in the middle of a word, or the end of emphasis.
                b'_' if !seen.ends_with(char::is_alphanumeric)
                    || !rest[1..].starts_with(char::is_alphanumeric) =>
                {
                    ""
                }
                _ => &rest[..1],
            };
            seen.push_str(stays);
            1
        });
        rest = &rest[taken..];
    }
    seen.push_str(rest);
    line(&seen, usize::MAX)
}

fn picture(text: &str) -> Option<usize> {
    text.strip_prefix('!').and_then(|rest| link(rest, &mut String::new())).map(|taken| taken + 1)
}

/// `[words](address)`, `[words][name]` or `[words]`; the words may hold a picture. Says how much of the text it is.
fn link(text: &str, seen: &mut String) -> Option<usize> {
    let words_end = closing(text, '[', ']')?;
    let after = &text[words_end..];
    let address = if after.starts_with('(') { closing(after, '(', ')') } else { None };
    let address = address.or_else(|| if after.starts_with('[') { closing(after, '[', ']') } else { None });
    let words = &text[1..words_end - 1];
    if address.is_none() && words.starts_with("redacted:") {
        return None;
    }
    seen.push_str(&plain(words));
    Some(words_end + address.unwrap_or(0))
}

fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return Some(at + c.len_utf8()).filter(|_| text.starts_with(open));
        }
    }
    None
}

/// A tag of HTML or an address in angle brackets.
fn tag(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('<')?;
    let is_tag = inside.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    is_tag.then(|| inside.find('>').map(|end| end + 2)).flatten()
}

/// Code stays as it is written.
fn code(text: &str, seen: &mut String) -> Option<usize> {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let end = (ticks > 0).then(|| text[ticks..].find(&text[..ticks]))?? + 2 * ticks;
    let inside = text[ticks..end - ticks].trim();
    seen.push('`');
    seen.push_str(inside);
    seen.push('`');
    Some(end)
}
