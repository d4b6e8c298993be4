//! YAML: an entry with a name of ours goes into a block mapping of the document or out again, line by line.
//!
//! Nothing here understands all of YAML: each change is read back with a real reader, and one that does not say
//! exactly what was meant is refused.

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value as Json};

use super::{Emptied, newline};

pub(crate) fn value(text: &str) -> Result<Json> {
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Json::Object(Map::new()));
    }
    match serde_saphyr::from_str::<Json>(text) {
        Ok(Json::Null) => Ok(Json::Object(Map::new())),
        Ok(value @ Json::Object(_)) => Ok(value),
        Ok(_) => bail!("line 1, column 1: the document is not a mapping"),
        Err(error) => {
            let error = error.without_snippet();
            match error.location() {
                Some(at) => bail!("line {}, column {}: {error}", at.line(), at.column()),
                None => bail!("{error}"),
            }
        }
    }
}

/// Adds `within.name`, which is not there yet.
pub(crate) fn insert(text: &str, within: &str, name: &str, entry: &Json) -> Result<String> {
    let newline = newline(text);
    let mut wanted = value(text)?;
    let members = wanted.as_object_mut().context("a mapping")?;
    let inner = members.entry(within).or_insert_with(|| Json::Object(Map::new()));
    if inner.is_null() {
        *inner = Json::Object(Map::new());
    }
    inner
        .as_object_mut()
        .with_context(|| format!("{within} is not a mapping; make it one"))?
        .insert(name.to_owned(), entry.clone());
    let changed = match header(text, within) {
        Some(Header::Block { end, indent }) => {
            let (before, after) = text.split_at(end);
            let gap = if before.ends_with('\n') { "" } else { newline };
            format!("{before}{gap}{}{after}", block(name, entry, &indent, newline))
        }
        Some(Header::Empty { start, end }) => {
            let (before, after) = (&text[..start], &text[end..]);
            format!("{before}{within}:{newline}{}{after}", block(name, entry, "  ", newline))
        }
        Some(Header::Other { line }) => {
            bail!("line {line}, column 1: {within} is not written as a block; write one entry a line")
        }
        None => {
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
            format!("{text}{gap}{within}:{newline}{}", block(name, entry, "  ", newline))
        }
    };
    says(&changed, &wanted)?;
    Ok(changed)
}

/// Takes `within.name` out.
pub(crate) fn remove(text: &str, within: &str, name: &str, emptied: Emptied) -> Result<String> {
    let mut wanted = value(text)?;
    let members = wanted.as_object_mut().context("a mapping")?;
    let inner = members.get_mut(within).and_then(Json::as_object_mut).context("it is not there")?;
    inner.shift_remove(name);
    let is_left_empty = inner.is_empty();
    let goes = is_left_empty && emptied == Emptied::Goes;
    if goes {
        members.shift_remove(within);
    }
    let Some(Header::Block { indent, .. }) = header(text, within) else {
        bail!("{within} is not written as a block; remove {name} by hand");
    };
    let mut out = String::new();
    let mut state = At::Outside;
    for line in text.split_inclusive('\n') {
        state = state.next(line, within, (name, &indent));
        match state {
            At::Ours { .. } => {}
            At::Header if goes => {}
            At::Header if is_left_empty => out.push_str(&line.replacen(':', ": {}", 1)),
            At::Outside | At::Header | At::Inside => out.push_str(line),
        }
    }
    says(&out, &wanted)?;
    Ok(out)
}

/// Where a line belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Outside,
    Header,
    Inside,
    Ours { indent: usize },
}

impl At {
    /// `entry` is the name that is looked for, and how the entries are indented.
    fn next(self, line: &str, within: &str, entry: (&str, &str)) -> At {
        let indent = indent_of(line).len();
        let is_blank = line.trim().is_empty() || line.trim_start().starts_with('#');
        match self {
            At::Outside if is_key(line, within) => At::Header,
            At::Ours { indent: ours } if !is_blank && indent > ours => self,
            At::Header | At::Inside | At::Ours { .. } if !is_blank && indent == 0 => At::Outside,
            At::Header | At::Inside | At::Ours { .. }
                if line.strip_prefix(entry.1).is_some_and(|line| is_key(line, entry.0)) =>
            {
                At::Ours { indent }
            }
            At::Header | At::Inside | At::Ours { .. } => At::Inside,
            At::Outside => At::Outside,
        }
    }
}

enum Header {
    /// Entries a line each: where the last ends, and how they are indented.
    Block {
        end: usize,
        indent: String,
    },
    /// `within:` or `within: {}`, from the beginning of the line to its end.
    Empty {
        start: usize,
        end: usize,
    },
    Other {
        line: usize,
    },
}

fn header(text: &str, within: &str) -> Option<Header> {
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').enumerate();
    let (number, line) = lines.by_ref().find(|(_, line)| {
        let found = is_key(line, within);
        at += line.len();
        found
    })?;
    let rest = line[within.len() + 1..].trim();
    let is_comment = rest.is_empty() || rest.starts_with('#');
    if !is_comment && rest != "{}" {
        return Some(Header::Other { line: number + 1 });
    }
    let (mut end, mut here, mut indent) = (at, at, None);
    for (_, line) in lines {
        here += line.len();
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        if indent_of(line).is_empty() {
            break;
        }
        indent.get_or_insert_with(|| indent_of(line).to_owned());
        end = here;
    }
    match indent {
        Some(indent) => Some(Header::Block { end, indent }),
        None if is_comment && !rest.is_empty() => Some(Header::Block { end: at, indent: "  ".to_owned() }),
        None => Some(Header::Empty { start: at - line.len(), end: at }),
    }
}

fn is_key(line: &str, key: &str) -> bool {
    line.strip_prefix(key)
        .and_then(|rest| rest.strip_prefix(':'))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(' ').len()]
}

/// The values in JSON, which YAML reads as well.
fn block(name: &str, entry: &Json, indent: &str, newline: &str) -> String {
    let mut out = format!("{indent}{name}:{newline}");
    for (key, value) in entry.as_object().into_iter().flatten() {
        out.push_str(&format!("{indent}{indent}{key}: {value}{newline}"));
    }
    out
}

fn says(text: &str, wanted: &Json) -> Result<()> {
    match value(text) {
        Ok(found) if found == *wanted => Ok(()),
        Ok(_) | Err(_) => bail!("it is written in a way that cannot be changed safely; change it by hand"),
    }
}

#[cfg(test)]
mod tests;
