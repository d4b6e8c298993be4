//! JSON with comments: a member or an element goes in or out, in the style of the file.

mod read;

use std::ops::Range;

use anyhow::{Result, bail};
use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged as _;
use serde_json::{Map, Value as Json};

use super::{edited, line_and_column, newline};
pub(crate) use read::{has_trailing_comma, parse, value};

/// The way to a value: members of objects by name, elements of arrays by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Member(String),
    Element(usize),
}

/// A container with the places of what is in it.
struct Container<'t> {
    text: &'t str,
    /// With its brackets.
    range: Range<usize>,
    items: Vec<Range<usize>>,
}

/// Sets `path` to `value`, where nothing is yet; objects on the way are made.
pub(crate) fn insert(text: &str, path: &[&str], value: &Json) -> Result<String> {
    let (name, way) = path.split_last().expect("a member has a name");
    put(text, way, End::Member(name), value)
}

/// Adds an element to the array at `path`, which is made where it is not there.
pub(crate) fn append(text: &str, path: &[&str], value: &Json) -> Result<String> {
    put(text, path, End::Element, value)
}

/// Takes a value out with its comma; comments of others stay.
pub(crate) fn remove(text: &str, path: &[Step]) -> Result<String> {
    let (last, way) = path.split_last().expect("a document is not removed from itself");
    let parsed = parse(text)?;
    let Some(mut here) = parsed.value.as_ref() else { bail!("there is nothing to remove") };
    for step in way {
        here = follow(here, step).expect("the way was found in this text");
    }
    let index = match (last, here) {
        (Step::Element(index), _) => *index,
        (Step::Member(name), Value::Object(object)) => position(object, name).expect("it was found here"),
        (Step::Member(_), _) => bail!("there is no member to remove"),
    };
    Ok(edited(text, Container::of(text, here).without(index)))
}

enum End<'a> {
    Member(&'a str),
    Element,
}

fn put(text: &str, way: &[&str], end: End<'_>, value: &Json) -> Result<String> {
    let parsed = parse(text)?;
    let style = Style::of(text, parsed.value.as_ref());
    let Some(root) = parsed.value.as_ref() else {
        let whole = nested(way, end, value);
        return Ok(into_empty(text, &style.render(&whole, "")));
    };
    let mut here = root;
    for (depth, name) in way.iter().enumerate() {
        let Value::Object(object) = here else { return Err(not_a(text, here, &way[..depth], "an object")) };
        match position(object, name) {
            Some(index) => here = &object.properties[index].value,
            None => {
                let value = nested(&way[depth + 1..], end, value);
                return Ok(edited(text, Container::of(text, here).with(Some(name), &value, &style)));
            }
        }
    }
    match (end, here) {
        (End::Member(name), Value::Object(_)) => {
            Ok(edited(text, Container::of(text, here).with(Some(name), value, &style)))
        }
        (End::Element, Value::Array(_)) => {
            Ok(edited(text, Container::of(text, here).with(None, value, &style)))
        }
        (End::Member(_), _) => Err(not_a(text, here, way, "an object")),
        (End::Element, _) => Err(not_a(text, here, way, "a list")),
    }
}

/// The value inside all that is missing around it.
fn nested(way: &[&str], end: End<'_>, value: &Json) -> Json {
    let object = |name: &str, inner: Json| Json::Object(Map::from_iter([(name.to_owned(), inner)]));
    let innermost = match end {
        End::Member(name) => object(name, value.clone()),
        End::Element => Json::Array(vec![value.clone()]),
    };
    way.iter().rev().fold(innermost, |inner, name| object(name, inner))
}

/// A text of blanks and comments gets the document at its end.
fn into_empty(text: &str, document: &str) -> String {
    let newline = newline(text);
    let gap = if text.trim().is_empty() || text.ends_with('\n') { "" } else { newline };
    let end = if text.is_empty() || text.ends_with('\n') { newline } else { "" };
    format!("{text}{gap}{document}{end}")
}

fn not_a(text: &str, found: &Value<'_>, way: &[&str], wanted: &str) -> anyhow::Error {
    let name = if way.is_empty() { "the document".to_owned() } else { way.join(".") };
    let (line, column) = line_and_column(text, found.start());
    anyhow::anyhow!("line {line}, column {column}: {name} is not {wanted}; make it one")
}

fn follow<'v, 'a>(value: &'v Value<'a>, step: &Step) -> Option<&'v Value<'a>> {
    match (step, value) {
        (Step::Member(name), Value::Object(object)) => {
            position(object, name).map(|index| &object.properties[index].value)
        }
        (Step::Element(index), Value::Array(array)) => array.elements.get(*index),
        _ => None,
    }
}

/// Of a name that stands twice the last counts, as for all who read such a file.
fn position(object: &Object<'_>, name: &str) -> Option<usize> {
    object.properties.iter().rposition(|property| property.name.as_str() == name)
}

impl<'t> Container<'t> {
    fn of(text: &'t str, value: &Value<'_>) -> Container<'t> {
        let range = |r: jsonc_parser::common::Range| r.start..r.end;
        let items = match value {
            Value::Object(Object { properties, .. }) => properties.iter().map(|p| range(p.range())).collect(),
            Value::Array(Array { elements, .. }) => elements.iter().map(|e| range(e.range())).collect(),
            _ => Vec::new(),
        };
        Container { text, range: range(value.range()), items }
    }

    /// Adds a last item.
    fn with(&self, name: Option<&str>, value: &Json, style: &Style) -> Vec<(Range<usize>, String)> {
        let is_inline = !self.items.is_empty() && !self.text[self.range.clone()].contains('\n');
        let indent = self.indent_of_items(style);
        let item = |value: String| match name {
            Some(name) => format!("{}: {value}", Json::from(name)),
            None => value,
        };
        let comma_after_last = self.items.last().and_then(|last| self.comma(last.end, self.range.end - 1));
        let trailing = if comma_after_last.is_some() { "," } else { "" };
        let mut edits = Vec::new();
        if is_inline {
            let last = self.items.last().map_or(self.range.start + 1, |last| last.end);
            let at = comma_after_last.map_or(last, |comma| comma + 1);
            let before = if comma_after_last.is_some() { " " } else { ", " };
            edits.push((at..at, format!("{before}{}{trailing}", item(value.to_string()))));
            return edits;
        }
        if let (Some(last), None) = (self.items.last(), comma_after_last) {
            edits.push((last.end..last.end, ",".to_owned()));
        }
        let end = self.range.end - 1;
        let at = trimmed(&self.text[..end]).max(self.range.start + 1);
        let newline = style.newline;
        let rendered = item(style.render(value, &indent));
        // The closing bracket gets a line of its own where nothing stood between the two.
        let close = match self.items.is_empty() && !self.text[at..end].contains('\n') {
            true => format!("{newline}{}", indent_at(self.text, self.range.start)),
            false => String::new(),
        };
        edits.push((at..at, format!("{newline}{indent}{rendered}{trailing}{close}")));
        edits
    }

    fn without(&self, index: usize) -> Vec<(Range<usize>, String)> {
        let item = &self.items[index];
        let inside = self.range.start + 1..self.range.end - 1;
        if self.items.len() == 1 && is_blank_but_for(&self.text[inside.clone()], &self.text[item.clone()]) {
            return vec![(inside, String::new())];
        }
        let next = self.items.get(index + 1).map_or(self.range.end - 1, |next| next.start);
        let previous = index.checked_sub(1).map(|previous| self.items[previous].end);
        let start = trimmed(&self.text[..item.start]).max(self.range.start + 1);
        let after = self.comma(item.end, next);
        let is_next_to_it = |comma: &usize| self.text[item.end..*comma].trim().is_empty();
        let end = after.filter(is_next_to_it).map_or(item.end, |comma| comma + 1);
        let start = self.past_line_comment(previous.unwrap_or(self.range.start + 1), start, end);
        let mut edits = vec![(start..end, String::new())];
        match (after, previous) {
            (Some(comma), _) if comma >= end => edits.push((comma..comma + 1, String::new())),
            (None, Some(previous)) => {
                let comma = self.comma(previous, item.start);
                edits.extend(comma.map(|comma| (comma..comma + 1, String::new())));
            }
            (Some(_), _) | (None, None) => {}
        }
        // What begins the edit of the item may be the comma that goes as well.
        merged(edits)
    }

    /// As the items that stand on lines of their own, else one step deeper than the container.
    fn indent_of_items(&self, style: &Style) -> String {
        let own_line = self.items.iter().rev().find_map(|item| {
            let before = &self.text[..item.start];
            let line = &before[before.rfind('\n')? + 1..];
            (line.trim().is_empty() && before.len() - line.len() > self.range.start).then_some(line)
        });
        match own_line {
            Some(indent) => indent.to_owned(),
            None => format!("{}{}", indent_at(self.text, self.range.start), style.unit),
        }
    }

    /// The comma between two places, not one inside a comment.
    fn comma(&self, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        while at < to {
            match self.comment(at, to) {
                Some(end) => at = end,
                None if self.text.as_bytes()[at] == b',' => return Some(at),
                None => at += self.text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        None
    }

    /// The end of the comment that begins here; the end of its line does not belong to it.
    fn comment(&self, at: usize, to: usize) -> Option<usize> {
        let rest = &self.text[at..to];
        if rest.starts_with("//") {
            return Some(at + rest.find('\n').unwrap_or(rest.len()));
        }
        rest.starts_with("/*").then(|| at + rest.find("*/").map_or(rest.len(), |end| end + 2))
    }

    /// Where a removal may begin, so that what follows it does not end up in a comment that stands before it.
    fn past_line_comment(&self, from: usize, start: usize, end: usize) -> usize {
        let rest = &self.text[end..];
        let ends_its_line = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let mut at = from;
        let mut is_in_line = false;
        while at < start {
            let comment = self.comment(at, start);
            is_in_line = comment.is_some() && self.text[at..].starts_with("//");
            at = comment.unwrap_or(at + self.text[at..].chars().next().map_or(1, char::len_utf8));
        }
        if !is_in_line || ends_its_line {
            return start;
        }
        self.text[start..end].find('\n').map_or(start, |newline| start + newline + 1)
    }
}

/// The length without blanks at the end; a comment may end in what only other formats take for a blank.
fn trimmed(text: &str) -> usize {
    text.trim_end_matches([' ', '\t', '\r', '\n']).len()
}

fn is_blank_but_for(inside: &str, item: &str) -> bool {
    let rest = inside.replacen(item, "", 1);
    rest.trim_matches(|c: char| c.is_whitespace() || c == ',').is_empty()
}

fn merged(mut edits: Vec<(Range<usize>, String)>) -> Vec<(Range<usize>, String)> {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out: Vec<(Range<usize>, String)> = Vec::new();
    for (range, insert) in edits {
        match out.last_mut() {
            Some((last, _)) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => out.push((range, insert)),
        }
    }
    out
}

/// The blanks at the beginning of the line where a byte stands.
fn indent_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// How the file is written.
struct Style {
    unit: String,
    newline: &'static str,
}

impl Style {
    fn of(text: &str, root: Option<&Value<'_>>) -> Style {
        let first = root.and_then(|root| Container::of(text, root).items.first().cloned());
        let unit = first.map(|item| indent_at(text, item.start)).filter(|unit| !unit.is_empty());
        Style { unit: unit.unwrap_or("  ").to_owned(), newline: newline(text) }
    }

    /// The first line is not indented: it stands behind a name or an indent.
    fn render(&self, value: &Json, indent: &str) -> String {
        let inner = format!("{indent}{}", self.unit);
        let block = |open: char, items: Vec<String>, close: char| {
            let newline = self.newline;
            let items = items.join(&format!(",{newline}{inner}"));
            format!("{open}{newline}{inner}{items}{newline}{indent}{close}")
        };
        let is_scalar = |value: &Json| !value.is_object() && !value.is_array();
        match value {
            Json::Object(members) if !members.is_empty() => {
                let item = |(name, value): (&String, &Json)| {
                    format!("{}: {}", Json::from(name.as_str()), self.render(value, &inner))
                };
                block('{', members.iter().map(item).collect(), '}')
            }
            Json::Array(items) if items.iter().all(is_scalar) => {
                format!("[{}]", items.iter().map(Json::to_string).collect::<Vec<_>>().join(", "))
            }
            Json::Array(items) => {
                block('[', items.iter().map(|value| self.render(value, &inner)).collect(), ']')
            }
            other => other.to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
