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

/// The text with our part in it: where it stood, or at the end. What was added before it is said in its first line.
fn with_part(text: Option<&str>, part: &str) -> Result<String> {
    let newline = if text.is_some_and(|text| text.contains("\r\n")) { "\r\n" } else { "\n" };
    let whole = |added: &str| format!("{OPEN}{added}; {HOW}\n{part}\n{CLOSE}\n").replace('\n', newline);
    let Some(text) = text else { return Ok(whole("made")) };
    if let Some((start, end, added)) = place(text)? {
        return Ok(format!("{}{}{}", &text[..start], whole(&added), &text[end..]));
    }
    let added = match (text.is_empty(), text.ends_with('\n')) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    Ok(format!("{text}{}{}", newline.repeat(added), whole(&added.to_string())))
}

/// The text as it was; nothing where the file was ours and nobody wrote there since.
fn without_part(text: &str) -> Result<Option<String>> {
    let Some((start, end, added)) = place(text)? else { return Ok(Some(text.to_owned())) };
    let mut before = &text[..start];
    for _ in 0..added.parse().unwrap_or(0_u8) {
        before = before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n')).unwrap_or(before);
    }
    let rest = format!("{before}{}", &text[end..]);
    Ok((added != "made" || !rest.is_empty()).then_some(rest))
}

/// Where our part begins and ends, and what its first line says was added before it.
fn place(text: &str) -> Result<Option<(usize, usize, String)>> {
    let Some(start) = text.find(OPEN) else { return Ok(None) };
    let Some(length) = text[start..].find(CLOSE) else {
        return Err(Error::Invalid(format!(
            "{FILE} has the beginning of our part and not its end ({CLOSE}); put it back, or delete the part by hand"
        )));
    };
    let mut end = start + length + CLOSE.len();
    end +=
        ["\r\n", "\n"].iter().find(|newline| text[end..].starts_with(**newline)).map_or(0, |line| line.len());
    let added = text[start + OPEN.len()..].split(';').next().unwrap_or_default();
    Ok(Some((start, end, added.to_owned())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{with_part, without_part};

    proptest! {
        #[test]
        fn our_part_is_written_once_and_leaves_no_trace(
            text in proptest::option::of("([a-c# \n]|\r\n){0,20}"),
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
    fn half_a_part_is_left_to_its_owner() {
        let whole = with_part(Some("# Shop\n"), "one").unwrap();
        let half = whole.split("<!-- throughline:end").next().unwrap();
        assert!(with_part(Some(half), "one").is_err() && without_part(half).is_err());
    }
}
