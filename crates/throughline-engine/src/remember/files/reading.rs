//! How a memory file is read: line by line, into bullets and what is left as it is.

use throughline_store::memory::Kind;

use super::sheet::{Block, MARK, Piece, Sheet, Tag, plain};

const HEADINGS: [(Kind, &str); 7] = [
    (Kind::Fact, "Facts"),
    (Kind::Rule, "Rules"),
    (Kind::Decision, "Decisions"),
    (Kind::Skill, "Skills"),
    (Kind::Context, "Context"),
    (Kind::Belief, "Beliefs"),
    (Kind::Preference, "Preferences"),
];

pub(super) fn heading_of(kind: Kind) -> &'static str {
    HEADINGS.iter().find(|(known, _)| *known == kind).map_or("Memories", |(_, name)| name)
}

/// In the order in which a file shows them.
pub(super) fn rank(kind: Kind) -> usize {
    HEADINGS.iter().position(|(known, _)| *known == kind).unwrap_or(HEADINGS.len())
}

pub(super) fn kind_of(heading: &str) -> Option<Kind> {
    HEADINGS.iter().find(|(_, name)| name.eq_ignore_ascii_case(heading)).map(|(kind, _)| *kind)
}

pub(super) fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_end().trim_start_matches('#');
    (line.starts_with('#') && rest.starts_with(' ')).then(|| unclosed(rest.trim()))
}

/// The heading without the signs that may close it.
fn unclosed(text: &str) -> &str {
    let open = text.trim_end_matches('#');
    if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { text }
}

/// A line that git leaves where it could not merge; the middle one is none below a line of text, which it makes a heading.
fn parts_versions(line: &str, is_below_text: bool) -> bool {
    line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") || line == "=======" && !is_below_text
}

/// Whether a line goes on with the bullet above, as empty lines before such a one do.
pub(super) fn is_more(line: &str) -> bool {
    line.starts_with("  ") || line.starts_with('\t') || line.trim().is_empty()
}

#[derive(Debug)]
pub(super) struct Reading {
    pub(super) sheet: Sheet,
    kind: Option<Kind>,
    fence: Option<&'static str>,
    is_comment: bool,
    is_below_text: bool,
    /// The bullet that is being read, its raw lines, and empty lines that may belong to it.
    block: Option<(usize, Vec<String>, Vec<String>)>,
}

impl Reading {
    pub(super) fn new(newline: &'static str) -> Reading {
        Reading {
            sheet: Sheet::empty(newline),
            kind: None,
            fence: None,
            is_comment: false,
            is_below_text: false,
            block: None,
        }
    }

    pub(super) fn line(&mut self, number: usize, line: &str) {
        let bare = line.trim_end_matches(['\n', '\r']);
        if let Some((_, lines, empty)) = &mut self.block {
            if bare.trim().is_empty() {
                return empty.push(line.to_owned());
            }
            if is_more(bare) {
                lines.append(empty);
                return lines.push(line.to_owned());
            }
            self.end_block();
        }
        self.look_for_merge(number, bare);
        if self.is_elsewhere(bare) {
            return self.other(line);
        }
        if let Some(rest) = bare.strip_prefix(MARK) {
            self.sheet.mark = rest.split(':').next().map(str::to_owned);
            return self.sheet.pieces.push(Piece::Mark(line.to_owned()));
        }
        match heading(bare) {
            Some(text) => {
                self.kind = kind_of(text);
                self.other(line);
            }
            None if bullet(bare).is_some() => self.block = Some((number, vec![line.to_owned()], vec![])),
            None => self.other(line),
        }
    }

    fn look_for_merge(&mut self, number: usize, line: &str) {
        if self.fence.is_none() && parts_versions(line, self.is_below_text) {
            self.sheet.unmerged.get_or_insert(number);
        }
        self.is_below_text = !line.trim().is_empty() && heading(line).is_none() && bullet(line).is_none();
    }

    fn other(&mut self, line: &str) {
        self.sheet.pieces.push(Piece::Other(line.to_owned()));
    }

    /// Inside code or a comment, where a dash makes no bullet.
    fn is_elsewhere(&mut self, line: &str) -> bool {
        let fence = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (self.fence, fence) {
            (Some(open), Some(mark)) if open == mark => self.fence = None,
            (None, Some(mark)) if !self.is_comment => self.fence = Some(mark),
            (None, None) if !line.starts_with(MARK) => {
                let begins = line.trim_start().starts_with("<!--");
                let was = self.is_comment || begins;
                self.is_comment = was && !line.contains("-->");
                return was;
            }
            (open, _) => return open.is_some(),
        }
        true
    }

    pub(super) fn end_block(&mut self) {
        let Some((line, lines, empty)) = self.block.take() else { return };
        let raw: String = lines.concat();
        let (bullet, text, tag) = parts(&lines);
        let text = plain(&text);
        if tag.is_some() || states_something(&text) {
            let block = Block { line, kind: self.kind, text, tag, bullet, raw: Some(raw) };
            self.sheet.pieces.push(Piece::Block(block));
        } else {
            self.sheet.pieces.push(Piece::Other(raw));
        }
        self.sheet.pieces.extend(empty.into_iter().map(Piece::Other));
    }
}

/// What a bullet says over all its lines.
fn parts(lines: &[String]) -> (char, String, Option<Tag>) {
    let first = lines.first().map_or("", |line| line.trim_end());
    let sign = first.chars().next().unwrap_or('-');
    let text = bullet(first).unwrap_or_default();
    let (text, tag) = match Tag::read(text) {
        Some((text, tag)) => (text, Some(tag)),
        None => (text, None),
    };
    let rest = lines.iter().skip(1).map(|line| {
        let line = line.trim_end();
        line.strip_prefix("  ").or_else(|| line.strip_prefix('\t')).unwrap_or(line)
    });
    let all: Vec<&str> = std::iter::once(text).chain(rest).collect();
    (sign, all.join("\n"), tag)
}

fn bullet(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '+'])?;
    let text = rest.strip_prefix([' ', '\t']);
    // A bullet of which only the tag is left has nothing before it.
    text.or_else(|| rest.is_empty().then_some(rest)).map(str::trim)
}

/// Single words, links and what only leads to the next lines are no memories.
fn states_something(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    let is_dense = !text.is_ascii() && text.chars().count() > 5;
    let is_link = text.starts_with('[') && text.ends_with(')') && text.matches("](").count() == 1;
    (words >= 2 || is_dense) && !text.ends_with(':') && !is_link
}
