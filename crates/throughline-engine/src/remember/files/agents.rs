//! What the project remembers, inside AGENTS.md, for clients that read nothing else: between two comments, written only on
//! request, the same each time, and taken out again without a trace.

use std::path::Path;

use throughline_store::memory::{Filter, Kind, Memory, Scope};

use super::reading::rank;
use super::sheet::plain;
use super::{Aim, disk};
use crate::capture::{mark, one_line, shortened};
use crate::{Caller, Engine, Error, Result};

/// What is to become of the part between the comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fence {
    Write,
    Remove,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fenced {
    pub file: String,
    pub is_changed: bool,
    /// How many memories it shows.
    pub memories: usize,
}

const FILE: &str = "AGENTS.md";
const OPEN: &str = "<!-- throughline:begin ";
const HOW: &str = "`throughline memory sync --agents-md --remove` takes this out -->";
const CLOSE: &str = "<!-- throughline:end -->";
/// More is not for every conversation; agents search for the rest.
const MOST: usize = 40;
const LINE_CHARS: usize = 300;

impl Engine {
    /// Writes or takes out our part of AGENTS.md.
    pub fn fence_agents_file(&self, caller: &Caller, root: &Path, fence: Fence, aim: Aim) -> Result<Fenced> {
        let before = disk::read(root, FILE)?;
        let memories = match fence {
            Fence::Write => self.for_agents(caller)?,
            Fence::Remove => vec![],
        };
        let after = match fence {
            Fence::Write => Some(with_part(before.as_deref(), &part(&memories))?),
            Fence::Remove => before.as_deref().map(without_part).transpose()?.flatten(),
        };
        let is_changed = before != after;
        if is_changed && aim == Aim::Do {
            let name: String = self.ids.next(self.now());
            match (&before, &after) {
                (Some(before), None) => disk::remove(root, FILE, before)?,
                (_, after) => {
                    let texts = (before.as_deref(), after.as_deref().unwrap_or_default());
                    disk::replace(root, FILE, texts, &name)?;
                }
            }
        }
        Ok(Fenced { file: FILE.to_owned(), is_changed, memories: memories.len() })
    }

    /// Rules, decisions, facts and skills, the important ones.
    fn for_agents(&self, caller: &Caller) -> Result<Vec<Memory>> {
        let filter = Filter {
            kinds: vec![Kind::Rule, Kind::Decision, Kind::Fact, Kind::Skill],
            scope: Some(Scope::App),
            active_at: Some(self.now()),
            ..Filter::default()
        };
        let mut memories = self.memories(caller, &filter, i64::MAX)?.memories;
        memories.sort_by(|a, b| b.importance.total_cmp(&a.importance).then(a.number.cmp(&b.number)));
        memories.truncate(MOST);
        memories.sort_by_key(|memory| (rank(memory.kind), memory.number));
        Ok(memories)
    }
}

fn part(memories: &[Memory]) -> String {
    let mut text = "What this project remembers (`throughline search` finds more):\n".to_owned();
    for memory in memories {
        let line = shortened(&one_line(&plain(&memory.content)), LINE_CHARS);
        text.push_str(&format!("- {line} ({})\n", memory.kind));
    }
    mark::wrap(&text.replace(CLOSE, "<!-- throughline end -->"))
}

/// Our part as it stands in a text.
struct Part {
    start: usize,
    end: usize,
    /// What its first line says was added before it.
    added: String,
    newline: &'static str,
}

/// The text with our part in it: where it stood, or at the end. What was added before it is said in its first line.
fn with_part(text: Option<&str>, part: &str) -> Result<String> {
    let whole = |added: &str, newline: &str| {
        format!("{OPEN}{added}; {HOW}\n{part}\n{CLOSE}\n").replace('\n', newline)
    };
    let Some(text) = text else { return Ok(whole("made", "\n")) };
    let text = without_copies(text)?;
    if let Some(Part { start, end, added, newline }) = place(&text, 0)? {
        return Ok(format!("{}{}{}", &text[..start], whole(&added, newline), &text[end..]));
    }
    let newline = newline_of(&text);
    let added = match (text.is_empty(), text.ends_with(newline)) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    Ok(format!("{text}{}{}", newline.repeat(added), whole(&added.to_string(), newline)))
}

/// The text as it was; nothing where the file was ours and nobody wrote there since.
fn without_part(text: &str) -> Result<Option<String>> {
    let text = without_copies(text)?;
    let Some(Part { start, end, added, newline }) = place(&text, 0)? else { return Ok(Some(text)) };
    let mut before = &text[..start];
    for _ in 0..added.parse().unwrap_or(0_u8) {
        before = before.strip_suffix(newline).unwrap_or(before);
    }
    let rest = format!("{before}{}", &text[end..]);
    Ok((added != "made" || !rest.is_empty()).then_some(rest))
}

/// Without what a merge that kept both sides has left of our part a second time, and the empty line before it.
fn without_copies(text: &str) -> Result<String> {
    let mut text = text.to_owned();
    let Some(first) = place(&text, 0)? else { return Ok(text) };
    while let Some(Part { start, end, added, newline }) = place(&text, first.end)? {
        let was_added = added.parse().is_ok_and(|lines: u8| lines > 0);
        let is_parted = was_added && text[first.end..start].ends_with(newline);
        let is_empty_line = is_parted && text[..start].ends_with(&newline.repeat(2));
        let start = if is_empty_line { start - newline.len() } else { start };
        text.replace_range(start..end, "");
    }
    Ok(text)
}

/// How the lines of a text end.
fn newline_of(text: &str) -> &'static str {
    match (text.contains("\r\n"), text.contains('\n'), text.contains('\r')) {
        (true, _, _) => "\r\n",
        (false, false, true) => "\r",
        (false, _, _) => "\n",
    }
}

/// Our part, where one begins behind `from`.
fn place(text: &str, from: usize) -> Result<Option<Part>> {
    let Some(start) = text[from..].find(OPEN).map(|at| from + at) else { return Ok(None) };
    let length = text[start..].find(CLOSE).filter(|length| !begins_again(&text[start..start + length]));
    let Some(length) = length else {
        return Err(Error::Invalid(format!(
            "{FILE} has the beginning of our part and not its end ({CLOSE}); put it back, or delete the part by hand"
        )));
    };
    let newline = line_end(&text[start..]);
    let end = start + length + CLOSE.len();
    let end = if text[end..].starts_with(newline) { end + newline.len() } else { end };
    let added = text[start + OPEN.len()..].split(';').next().unwrap_or_default();
    Ok(Some(Part { start, end, added: added.to_owned(), newline }))
}

/// Another part begins before this one ends.
fn begins_again(part: &str) -> bool {
    part.split(['\n', '\r']).skip(1).any(|line| line.starts_with(OPEN))
}

/// What the first line ends with.
fn line_end(text: &str) -> &'static str {
    let end = text.find(['\n', '\r']).map_or("", |at| &text[at..]);
    match (end.starts_with("\r\n"), end.starts_with('\r')) {
        (true, _) => "\r\n",
        (false, true) => "\r",
        (false, false) => "\n",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{with_part, without_part};

    proptest! {
        #[test]
        fn our_part_is_written_once_and_leaves_no_trace(
            text in proptest::option::of("([a-c# \n]|\r\n|\r){0,20}|([a-c# ]|\r){0,8}"),
            after in "[x\n]{0,5}",
        ) {
            let first = with_part(text.as_deref(), "one\ntwo").unwrap();
            prop_assert_eq!(&with_part(Some(&first), "one\ntwo").unwrap(), &first);
            let other = with_part(Some(&first), "three").unwrap();
            prop_assert!(other.contains("three") && !other.contains("two"));
            prop_assert_eq!(&without_part(&other).unwrap(), &text);
            let longer = format!("{other}{after}");
            let expected = format!("{}{after}", text.clone().unwrap_or_default());
            prop_assert_eq!(without_part(&longer).unwrap().unwrap_or_default(), expected);
        }
    }

    #[test]
    fn a_part_that_a_merge_has_kept_twice_is_one() {
        let whole = with_part(Some("# Shop\n"), "one").unwrap();
        let part = whole.strip_prefix("# Shop\n").unwrap();
        for between in ["", "## Mine\n"] {
            for second in [part, part.trim_start(), &part.replace("one", "other")] {
                let twice = format!("# Shop\n{part}{between}{second}The end\n");
                let once = with_part(Some(&twice), "one").unwrap();
                assert_eq!(once, format!("# Shop\n{part}{between}The end\n"));
                let left = format!("# Shop\n{between}The end\n");
                for text in [&twice, &once] {
                    assert_eq!(without_part(text).unwrap().as_ref(), Some(&left), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn half_a_part_is_left_to_its_owner() {
        let whole = with_part(Some("# Shop\n"), "one").unwrap();
        let half = whole.split("<!-- throughline:end").next().unwrap();
        for half in [half.to_owned(), format!("{half}{whole}")] {
            assert!(with_part(Some(&half), "one").is_err() && without_part(&half).is_err());
        }
    }
}
