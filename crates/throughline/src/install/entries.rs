//! Our entries in a file that is not ours: put in, found again, taken out.

use anyhow::{Result, bail};
use serde_json::{Map, Value as Json, json};

use super::client::{Entry, Event, Format, Shape};
use super::format::json::Step;
use super::format::{self, Emptied};
use super::program::{NAME, Program, started_by};

/// What of ours belongs into a file, and the format of that file.
#[derive(Clone, Copy)]
pub(super) struct Ours<'a> {
    pub(super) format: Format,
    pub(super) entries: &'a [Entry],
    pub(super) program: &'a Program,
}

impl Ours<'_> {
    /// The text with all that should be in it. `text` holds nothing of ours; `old` is what it said before.
    pub(super) fn put(&self, text: &str, old: &Json) -> Result<String> {
        let mut text = text.to_owned();
        for entry in self.entries {
            text = match entry {
                Entry::Constant { name, value } => put_constant(&text, name, *value)?,
                Entry::Server { within, entry } => {
                    let wanted = with_extras(entry(self.program), &old[*within][NAME]);
                    match self.format {
                        Format::Json => format::json::insert(&text, &[within, NAME], &wanted)?,
                        Format::Toml => format::toml::insert(&text, within, NAME, &wanted)?,
                        Format::Yaml => format::yaml::insert(&text, within, NAME, &wanted)?,
                    }
                }
                Entry::Hooks { shape, events, handler } => events.iter().try_fold(text, |text, event| {
                    let hook = hook(*shape, event, handler(self.program, event));
                    format::json::append(&text, &["hooks", event.name], &hook)
                })?,
            };
        }
        Ok(text)
    }

    /// The text without anything of ours. A container that is left empty stays where `before` has it.
    pub(super) fn strip(&self, text: &str, before: &Json) -> Result<String> {
        let mut text = text.to_owned();
        for entry in self.entries.iter().rev() {
            match entry {
                Entry::Constant { name, .. } => {
                    let is_all = self.value(&text)?.as_object().is_some_and(|all| {
                        all.len() == 1 && all.contains_key(*name) && before.get(name).is_none()
                    });
                    if is_all {
                        text = format::json::remove(&text, &[Step::Member((*name).to_owned())])?;
                    }
                }
                Entry::Server { within, .. } => text = self.without_server(text, within, before)?,
                Entry::Hooks { shape, .. } => {
                    while let Some(found) = hooks(&self.value(&text)?, *shape).pop() {
                        text = without(&text, &found.path, before)?;
                    }
                }
            }
        }
        Ok(text)
    }

    /// Whether everything is there as this program would write it, and once.
    pub(super) fn is_right(&self, value: &Json) -> bool {
        self.entries.iter().all(|entry| match entry {
            Entry::Constant { name, .. } => value.get(name).is_some(),
            Entry::Server { within, entry } => holds(&value[*within][NAME], &entry(self.program)),
            Entry::Hooks { shape, events, handler } => {
                let found = hooks(value, *shape);
                let wanted = |event: &Event| hook(*shape, event, handler(self.program, event));
                let is_there = |event: &Event| {
                    let mut here = found.iter().filter(|found| found.event == event.name);
                    matches!((here.next(), here.next()), (Some(one), None) if holds(one.group, &wanted(event)))
                };
                found.len() == events.len() && events.iter().all(is_there)
            }
        })
    }

    /// The programs that our entries start, each once; empty when nothing of ours is there.
    pub(super) fn programs(&self, value: &Json) -> Vec<String> {
        let mut programs: Vec<String> = Vec::new();
        for entry in self.entries {
            match entry {
                Entry::Constant { .. } => {}
                Entry::Server { within, .. } => programs.extend(started_by(&value[*within][NAME], "mcp")),
                Entry::Hooks { shape, .. } => {
                    programs.extend(hooks(value, *shape).into_iter().map(|found| found.program));
                }
            }
        }
        programs.sort();
        programs.dedup();
        programs
    }

    pub(super) fn runs_hooks(&self, value: &Json) -> bool {
        let of =
            |entry: &Entry| matches!(entry, Entry::Hooks { shape, .. } if !hooks(value, *shape).is_empty());
        self.entries.iter().any(of)
    }

    /// An entry under our name that starts something else is somebody's own.
    pub(super) fn refuse_foreign(&self, value: &Json) -> Result<()> {
        for entry in self.entries {
            if let Entry::Server { within, .. } = entry {
                let there = &value[*within][NAME];
                if !there.is_null() && started_by(there, "mcp").is_none() {
                    bail!("{within}.{NAME} is there already and starts something else; rename or remove it");
                }
            }
        }
        Ok(())
    }

    pub(super) fn value(&self, text: &str) -> Result<Json> {
        value(text, self.format)
    }

    fn without_server(&self, text: String, within: &str, before: &Json) -> Result<String> {
        if started_by(&self.value(&text)?[within][NAME], "mcp").is_none() {
            return Ok(text);
        }
        let emptied = if before.get(within).is_some() { Emptied::Stays } else { Emptied::Goes };
        match self.format {
            Format::Json => {
                without(&text, &[Step::Member(within.to_owned()), Step::Member(NAME.to_owned())], before)
            }
            Format::Toml => format::toml::remove(&text, within, NAME),
            Format::Yaml => format::yaml::remove(&text, within, NAME, emptied),
        }
    }
}

/// An empty document says `{}`.
pub(super) fn value(text: &str, format: Format) -> Result<Json> {
    match format {
        Format::Json => Ok(format::json::value(text)?.unwrap_or_else(|| json!({}))),
        Format::Toml => format::toml::value(text),
        Format::Yaml => format::yaml::value(text),
    }
}

fn put_constant(text: &str, name: &str, wanted: i64) -> Result<String> {
    match value(text, Format::Json)?.get(name) {
        Some(_) => Ok(text.to_owned()),
        None => format::json::insert(text, &[name], &json!(wanted)),
    }
}

fn hook(shape: Shape, event: &Event, handler: Json) -> Json {
    match shape {
        Shape::Flat => handler,
        Shape::Grouped => {
            let mut group = Map::new();
            if let Some(matcher) = event.matcher {
                group.insert("matcher".to_owned(), json!(matcher));
            }
            group.insert("hooks".to_owned(), json!([handler]));
            Json::Object(group)
        }
    }
}

/// What somebody added to an entry of ours stays in it.
fn with_extras(wanted: Json, old: &Json) -> Json {
    let (Json::Object(mut wanted), true) = (wanted.clone(), started_by(old, "mcp").is_some()) else {
        return wanted;
    };
    for (name, value) in old.as_object().into_iter().flatten() {
        wanted.entry(name).or_insert_with(|| value.clone());
    }
    Json::Object(wanted)
}

/// Takes a value out, and then each container on the way up that is empty now.
fn without(text: &str, path: &[Step], before: &Json) -> Result<String> {
    let mut text = format::json::remove(text, path)?;
    let mut way = &path[..path.len() - 1];
    while let [rest @ .., _] = way {
        let here = format::json::value(&text)?.unwrap_or_default();
        let is_empty = match at(&here, way) {
            // A group of hooks without hooks does nothing, whatever else it says.
            Some(Json::Object(group)) if matches!(way, [.., Step::Element(_)]) => {
                group.get("hooks").is_none()
            }
            Some(Json::Object(members)) => members.is_empty(),
            Some(Json::Array(items)) => items.is_empty(),
            _ => false,
        };
        // What was where in a list means nothing any more: others may have changed it.
        let was_there = way.iter().all(|step| matches!(step, Step::Member(_))) && at(before, way).is_some();
        if !is_empty || was_there {
            break;
        }
        text = format::json::remove(&text, way)?;
        way = rest;
    }
    Ok(text)
}

fn at<'j>(value: &'j Json, way: &[Step]) -> Option<&'j Json> {
    way.iter().try_fold(value, |value, step| match step {
        Step::Member(name) => value.get(name),
        Step::Element(index) => value.get(index),
    })
}

/// A hook of ours.
struct Found<'j> {
    event: &'j str,
    /// What stands in the event's list: the handler, or the group that holds it.
    group: &'j Json,
    program: String,
    path: Vec<Step>,
}

fn hooks(value: &Json, shape: Shape) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    for (event, listed) in value["hooks"].as_object().into_iter().flatten() {
        for (index, group) in listed.as_array().into_iter().flatten().enumerate() {
            let path =
                vec![Step::Member("hooks".to_owned()), Step::Member(event.clone()), Step::Element(index)];
            let handlers = match shape {
                Shape::Flat => vec![(group, path)],
                Shape::Grouped => {
                    let inner = group["hooks"].as_array().into_iter().flatten().enumerate();
                    let below = |number| {
                        let last = [Step::Member("hooks".to_owned()), Step::Element(number)];
                        path.iter().cloned().chain(last).collect::<Vec<_>>()
                    };
                    inner.map(|(number, handler)| (handler, below(number))).collect()
                }
            };
            found.extend(handlers.into_iter().filter_map(|(handler, path)| {
                let program = started_by(handler, "hook")?;
                Some(Found { event, group, program, path })
            }));
        }
    }
    found
}

/// Whether `found` has all that is wanted; it may have more.
fn holds(found: &Json, wanted: &Json) -> bool {
    match (found, wanted) {
        (Json::Object(found), Json::Object(wanted)) => {
            wanted.iter().all(|(name, wanted)| found.get(name).is_some_and(|found| holds(found, wanted)))
        }
        (Json::Array(found), Json::Array(wanted)) => {
            found.len() >= wanted.len() && wanted.iter().all(|wanted| found.iter().any(|f| holds(f, wanted)))
        }
        (found, wanted) => found == wanted,
    }
}
