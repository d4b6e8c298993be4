//! A memory file as text: its bullets, each with the memory it shows, and everything else, which is somebody's own and is
//! left as it is. Pure.
//!
//! A bullet that shows a memory ends with a comment: what the block is called, and the hash of the text when it was written.
//! So the file itself says which of its texts somebody has changed since.

use throughline_store::memory::Kind;

use super::reading::{Reading, heading, heading_of, is_more, kind_of};
use crate::capture::redact;
use crate::index::terms::term_id;

/// A file, in pieces whose texts make up the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sheet {
    pub(super) pieces: Vec<Piece>,
    /// What the file says about itself since it was last written.
    pub(super) mark: Option<String>,
    pub(super) newline: &'static str,
    /// What some editors put first in a file, before its first line.
    begins: &'static str,
    /// The first line that git has left where two versions were not merged.
    pub(super) unmerged: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Kept as it is.
    Other(String),
    /// The line with the mark.
    Mark(String),
    Block(Block),
}

/// A bullet that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// From 1.
    pub(super) line: usize,
    /// The kind that the heading over it names.
    pub(super) kind: Option<Kind>,
    /// Without the bullet, the indentation and the tag; without secrets.
    pub(super) text: String,
    pub(super) tag: Option<Tag>,
    pub(super) bullet: char,
    /// As it stands in the file; nothing when it is to be written anew.
    pub(super) raw: Option<String>,
}

/// The comment at the end of a bullet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) shows: Shows,
    pub(super) key: String,
    pub(super) hash: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    Memory,
    /// A text that somebody wrote while the memory changed as well.
    Conflict,
    /// The memory beside such a text.
    Stored,
}

pub(super) const MARK: &str = "<!-- throughline memory sync ";
const MARK_END: &str =
    ": a bullet is a memory; change, add or delete some and run `throughline memory sync` -->";
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// By this a file of ours is known.
pub const SYNCED: &str = MARK;

impl Sheet {
    pub(super) fn read(text: &str) -> Sheet {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut reading = Reading::new(newline);
        let lines = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        reading.sheet.begins = if lines == text { "" } else { BYTE_ORDER_MARK };
        lines.split_inclusive('\n').enumerate().for_each(|(at, line)| reading.line(at + 1, line));
        reading.end_block();
        reading.sheet
    }

    pub(super) fn empty(newline: &'static str) -> Sheet {
        Sheet { newline, ..Sheet::default() }
    }

    /// A file that is not there yet.
    pub(super) fn titled(name: &str) -> Sheet {
        let mut words = name.replace(['-', '_'], " ");
        if let Some(first) = words.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        Sheet::read(&format!("# {words}\n"))
    }

    pub(super) fn text(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| piece.text(self.newline));
        std::iter::once(self.begins.to_owned()).chain(pieces).collect()
    }

    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.pieces.iter().filter_map(Piece::block)
    }

    pub(super) fn block_mut(&mut self, at: usize) -> Option<&mut Block> {
        match self.pieces.get_mut(at) {
            Some(Piece::Block(block)) => Some(block),
            _ => None,
        }
    }

    /// Where the block with this tag stands.
    pub(super) fn place_of(&self, key: &str, shows: Shows) -> Option<usize> {
        self.pieces.iter().position(|piece| {
            let tag = piece.block().and_then(|block| block.tag.as_ref());
            tag.is_some_and(|tag| tag.key == key && tag.shows == shows)
        })
    }

    /// Adds a block behind the last one of its kind, or under a heading of its own at the end.
    pub(super) fn add(&mut self, kind: Kind, text: String, tag: Tag) {
        let is_alike = |piece: &Piece| {
            let block = piece.block().filter(|block| block.tag.is_some());
            block.is_some_and(|block| block.kind == Some(kind))
        };
        let block = Piece::Block(Block::written(kind, text, tag));
        let last = self.pieces.iter().rposition(is_alike);
        if let Some(place) = last.map(|at| at + 1).or_else(|| self.under_heading(kind)) {
            let place = self.behind_indented(place);
            self.end_line(place);
            self.pieces.insert(place, block);
            return;
        }
        let newline = self.newline;
        self.end_line(self.pieces.len());
        self.pieces.push(Piece::Other(format!("{newline}## {}{newline}{newline}", heading_of(kind))));
        self.pieces.push(block);
    }

    /// Behind the heading, and the empty lines under it.
    fn under_heading(&self, kind: Kind) -> Option<usize> {
        let is_heading = |piece: &Piece| matches!(piece, Piece::Other(line) if heading(line).is_some_and(|text| kind_of(text) == Some(kind)));
        let at = self.pieces.iter().position(is_heading)?;
        let is_empty = |piece: &Piece| matches!(piece, Piece::Other(line) if line.trim().is_empty());
        Some(at + 1 + self.pieces[at + 1..].iter().take_while(|piece| is_empty(piece)).count())
    }

    /// Behind indented lines, which would be read as going on with what is put before them: what somebody left of a bullet.
    fn behind_indented(&self, place: usize) -> usize {
        let is_indented = |line: &str| is_more(line) && !line.trim().is_empty();
        let lines = self.pieces[place..].iter().map_while(|piece| match piece {
            Piece::Other(line) if is_more(line) => Some(is_indented(line)),
            Piece::Other(_) | Piece::Mark(_) | Piece::Block(_) => None,
        });
        let last = lines.enumerate().filter(|(_, is_indented)| *is_indented).last();
        last.map_or(place, |(at, _)| place + at + 1)
    }

    /// Whatever is put at this place begins on a line of its own.
    fn end_line(&mut self, place: usize) {
        let newline = self.newline;
        let Some(before) = place.checked_sub(1).and_then(|at| self.pieces.get_mut(at)) else { return };
        match before {
            Piece::Other(text) | Piece::Mark(text) | Piece::Block(Block { raw: Some(text), .. }) => {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push_str(newline);
                }
            }
            Piece::Block(_) => {}
        }
    }

    /// Says which memories the file shows; returns it. Not what they say, or branches that each changed another bullet
    /// could not be merged.
    pub(super) fn sign(&mut self) -> String {
        let mut shown: Vec<&str> =
            self.blocks().filter_map(|block| block.tag.as_ref()).map(|tag| tag.key.as_str()).collect();
        shown.sort_unstable();
        shown.dedup();
        let mark = hash(&shown.join("\n"));
        if shown.is_empty() || self.mark.as_ref() == Some(&mark) {
            return mark;
        }
        let line = format!("{MARK}{mark}{MARK_END}{}", self.newline);
        match self.pieces.iter().position(|piece| matches!(piece, Piece::Mark(_))) {
            Some(at) => self.pieces[at] = Piece::Mark(line),
            None => self.begin_with(line),
        }
        self.mark = Some(mark.clone());
        mark
    }

    /// Behind what is set for the whole file and its title.
    fn begin_with(&mut self, mark: String) {
        let lines: Vec<&str> = self
            .pieces
            .iter()
            .map_while(|piece| if let Piece::Other(line) = piece { Some(line.as_str()) } else { None })
            .collect();
        let fenced = lines.first().is_some_and(|line| line.trim_end() == "---");
        let end = lines.iter().skip(1).position(|line| line.trim_end() == "---").filter(|_| fenced);
        let mut at = end.map_or(0, |end| end + 2);
        let title = lines[at..].iter().position(|line| !line.trim().is_empty());
        if let Some(title) = title.filter(|title| lines[at + title].starts_with("# ")) {
            at += title + 1;
        }
        self.end_line(at);
        let parted = lines_parted(at, self.newline, mark);
        self.pieces.splice(at..at, parted);
    }
}

/// The mark, with an empty line before it where it follows something.
fn lines_parted(at: usize, newline: &str, mark: String) -> Vec<Piece> {
    let empty = (at > 0).then(|| Piece::Other(newline.to_owned()));
    empty.into_iter().chain([Piece::Mark(mark)]).collect()
}

impl Piece {
    pub(super) fn block(&self) -> Option<&Block> {
        match self {
            Piece::Block(block) => Some(block),
            Piece::Other(_) | Piece::Mark(_) => None,
        }
    }

    fn text(&self, newline: &str) -> String {
        match self {
            Piece::Other(text) | Piece::Mark(text) => text.clone(),
            Piece::Block(block) => block.raw.clone().unwrap_or_else(|| block.rendered(newline)),
        }
    }
}

impl Block {
    fn written(kind: Kind, text: String, tag: Tag) -> Block {
        Block { line: 0, kind: Some(kind), text, tag: Some(tag), bullet: '-', raw: None }
    }

    /// Beside another one, of the same heading.
    pub(super) fn beside(other: &Block, text: String, tag: Tag) -> Block {
        Block { tag: Some(tag), text, raw: None, ..other.clone() }
    }

    pub(super) fn hash(&self) -> String {
        hash(&self.text)
    }

    /// Somebody has written it since, or it is as it was.
    pub(super) fn is_changed(&self) -> bool {
        self.tag.as_ref().is_none_or(|tag| tag.hash != self.hash())
    }

    /// Shows this from now on; a text that is shown already is not written again.
    pub(super) fn show(&mut self, text: String, tag: Tag) {
        let is_written = self.tag.as_ref() == Some(&tag) && self.text == text;
        if !is_written || self.had_secrets() {
            (self.raw, self.text, self.tag) = (None, text, Some(tag));
        }
    }

    fn had_secrets(&self) -> bool {
        self.raw.as_ref().is_some_and(|raw| redact::text(raw).count > 0)
    }

    fn rendered(&self, newline: &str) -> String {
        let tag = self.tag.as_ref().map(|tag| format!(" {}", tag.rendered())).unwrap_or_default();
        let mut lines = self.text.split('\n');
        let first = lines.next().unwrap_or_default();
        let mut text = format!("{} {first}{tag}{newline}", self.bullet);
        for line in lines {
            let indent = if line.is_empty() { "" } else { "  " };
            text.push_str(&format!("{indent}{line}{newline}"));
        }
        text
    }
}

impl Tag {
    pub(super) fn of(shows: Shows, key: &str, text: &str) -> Tag {
        Tag { shows, key: key.to_owned(), hash: hash(text) }
    }

    fn rendered(&self) -> String {
        let (name, end) = match self.shows {
            Shows::Memory => ("memory", ""),
            Shows::Conflict => ("memory", " conflict"),
            Shows::Stored => ("stored", ""),
        };
        format!("<!-- {name}:{} {}{end} -->", self.key, self.hash)
    }

    /// The tag that a line ends with, and the line before it.
    pub(super) fn read(line: &str) -> Option<(&str, Tag)> {
        let (before, comment) = line.trim_end().strip_suffix("-->")?.rsplit_once("<!--")?;
        let mut words = comment.split_whitespace();
        let (name, key) = words.next()?.split_once(':')?;
        let (hash, end) = (words.next()?, words.next());
        let shows = match (name, end) {
            ("memory", None) => Shows::Memory,
            ("memory", Some("conflict")) => Shows::Conflict,
            ("stored", None) => Shows::Stored,
            _ => return None,
        };
        let plain = |text: &str| {
            !text.is_empty() && text.len() <= 64 && text.bytes().all(|b| b.is_ascii_alphanumeric())
        };
        let whole = plain(key) && plain(hash) && words.next().is_none();
        whole.then(|| (before.trim_end(), Tag { shows, key: key.to_owned(), hash: hash.to_owned() }))
    }
}

/// A memory's text as a file has it: without ends of lines that nobody sees, and without secrets.
pub(super) fn plain(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    redact::text(lines.join("\n").trim()).text.into_owned()
}

pub(super) fn hash(text: &str) -> String {
    format!("{:016x}", term_id(text))[..10].to_owned()
}

#[cfg(test)]
mod tests;
