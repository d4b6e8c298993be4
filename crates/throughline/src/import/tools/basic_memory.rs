//! basic-memory's notes: Markdown with front matter, in which `- [category] text #tag` is an observation and
//! `- relation [[Other note]]` a relation. What stands beside these is read as in any file of instructions.

use std::path::{Path, PathBuf};

use anyhow::Result;
use throughline_engine::store::memory::Kind;

use super::super::folder::paths_in;
use super::super::markdown;
use super::{Kept, Told, kind_named, name_of, text_of};
use crate::wire::time::parse_exact;

const MAX_TAGS: usize = 20;

/// A note, or a folder of notes with its folders.
pub(super) fn read(path: &Path) -> Result<Kept> {
    let mut files = vec![];
    if path.is_dir() {
        notes_below(path, &mut files)?;
    } else {
        files.push(path.to_owned());
    }
    let mut kept = Kept::default();
    for file in files {
        let name = file.strip_prefix(path).ok().filter(|name| !name.as_os_str().is_empty());
        let name = name.map_or_else(|| name_of(&file), |name| name.display().to_string());
        note(&text_of(&file)?, &name, &mut kept);
    }
    Ok(kept)
}

fn notes_below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for path in paths_in(folder)? {
        let is_hidden = name_of(&path).starts_with('.');
        if path.is_dir() && !path.is_symlink() && !is_hidden {
            notes_below(&path, found)?;
        } else if path.is_file() && !is_hidden && path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
    Ok(())
}

struct Note<'a> {
    file: &'a str,
    title: String,
    tags: Vec<String>,
    at: Option<throughline_engine::store::time::Timestamp>,
}

fn note(text: &str, file: &str, kept: &mut Kept) {
    let front =
        text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")).map_or("", |(front, _)| front);
    let stem = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".md");
    let created = field(front, "created").or_else(|| field(front, "created_at"));
    let note = Note {
        file,
        title: field(front, "title").unwrap_or_else(|| stem.to_owned()),
        tags: tags(front),
        at: created.and_then(|at| parse_exact(&at).ok()),
    };
    let mut rest = String::new();
    for (number, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", number + 1);
        let told = bullet(line)
            .and_then(|text| note.observation(text, &place).or_else(|| note.relation(text, &place)));
        // Line by line, so that what is left keeps its place.
        rest.push_str(if told.is_some() { "" } else { line });
        rest.push('\n');
        if let Some(told) = told {
            kept.add(told);
        }
    }
    for stated in markdown::stated(&rest) {
        let kind = markdown::kind(&stated);
        let place = format!("{}:{}", note.file, stated.line);
        kept.add(note.told(kind, stated.text, vec![], place));
    }
}

impl Note<'_> {
    fn told(&self, kind: Kind, text: String, more: Vec<String>, place: String) -> Told {
        let mut tags = self.tags.clone();
        tags.extend(more);
        tags.truncate(MAX_TAGS);
        let text = if text.to_lowercase().contains(&self.title.to_lowercase()) {
            text
        } else {
            format!("{}: {text}", self.title)
        };
        Told { kind, title: None, text, tags, at: self.at, place }
    }

    /// `[category] text #tag (context)`; a box to tick is none.
    fn observation(&self, text: &str, place: &str) -> Option<Told> {
        let (category, said) = text.strip_prefix('[')?.split_once("] ")?;
        if category.is_empty()
            || category.contains(['[', ']', '('])
            || ["x", "X", " ", "-"].contains(&category)
        {
            return None;
        }
        let (words, marks): (Vec<&str>, Vec<&str>) =
            said.split_whitespace().partition(|word| !(word.starts_with('#') && word.len() > 1));
        let mut more: Vec<String> =
            marks.iter().map(|mark| mark.trim_start_matches('#').to_owned()).collect();
        more.push(category.to_owned());
        Some(self.told(kind_named(category), words.join(" "), more, place.to_owned()))
    }

    /// `relation_type [[Target]] (context)`
    fn relation(&self, text: &str, place: &str) -> Option<Told> {
        let (sort, rest) = text.split_once("[[")?;
        let (target, context) = rest.split_once("]]")?;
        let sort =
            if sort.trim().is_empty() { "relates to".to_owned() } else { sort.trim().replace('_', " ") };
        if sort.split_whitespace().count() > 5 {
            return None;
        }
        let text = format!("{} {sort} {target}{}", self.title, context.trim_end());
        Some(self.told(Kind::Fact, text, vec![target.to_owned()], place.to_owned()))
    }
}

fn bullet(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).map(str::trim)
}

fn field(front: &str, key: &str) -> Option<String> {
    let line = front.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    Some(line.trim().trim_matches(['"', '\'']).to_owned()).filter(|value| !value.is_empty())
}

/// `tags: [a, b]`, or each on a line of its own.
fn tags(front: &str) -> Vec<String> {
    let mut lines = front.lines().skip_while(|line| !line.starts_with("tags:"));
    let Some(first) = lines.next() else { return vec![] };
    let inline = first.trim_start_matches("tags:").trim().trim_matches(['[', ']']);
    let listed = lines.map_while(|line| line.trim_start().strip_prefix("- "));
    let clean = |tag: &str| tag.trim().trim_matches(['"', '\'', '#']).to_owned();
    inline.split(',').chain(listed).map(clean).filter(|tag| !tag.is_empty()).collect()
}
