//! Items from elsewhere: all of them or none, and again without doubling.

use std::collections::HashMap;

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Item, Status};

use super::batch::Batch;
use super::draft::Draft;
use super::{NewItem, Patch, Set, depend, look};
use crate::capture::During;
use crate::{Caller, Engine, Error, Result};

/// An item as a file has it. Parent and dependencies are named as the file names them.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// What the file calls it.
    pub key: String,
    /// Where in the file it is, for messages.
    pub place: String,
    pub item: NewItem,
    pub says: Says,
}

/// What it means that a file says nothing about a field of an item that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    /// There is nothing: the file has a place for every field.
    Everything,
    /// It knows nothing of the field, which stays; and of an open item, not whether somebody works on it.
    WhatItNames,
}

/// What became of an import, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    pub items: Vec<(String, ItemId, Outcome)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Created,
    Updated,
    /// It was there, just so.
    Unchanged,
}

/// What the names of a file stand for.
type Names = HashMap<String, ItemId>;

impl Engine {
    pub fn import_items(&self, caller: &Caller, sources: Vec<Source>, during: &During) -> Result<Imported> {
        let sources = parents_first(sources)?;
        let drafts = sources
            .into_iter()
            .map(|source| {
                let place = source.place.clone();
                let draft = self.draft_item(source.item.clone()).map_err(|error| at(&place, error))?;
                Ok((source, draft))
            })
            .collect::<Result<Vec<_>>>()?;
        self.write(caller, |tx| {
            let mut names = Names::new();
            let mut items = vec![];
            let mut batch = Batch::default();
            for (source, draft) in &drafts {
                let (id, outcome) = self
                    .import_one(tx, caller, (source, draft), (&names, &mut batch), during)
                    .map_err(|error| at(&source.place, error))?;
                names.insert(source.key.clone(), id.clone());
                items.push((source.key.clone(), id, outcome));
            }
            batch.settle(tx, caller)?;
            // Only now is everything there that a dependency may name.
            for ((source, draft), (_, id, outcome)) in drafts.iter().zip(&mut items) {
                *outcome = self
                    .import_links(tx, caller, draft, (id, *outcome, &names, &mut batch), during)
                    .map_err(|error| at(&source.place, error))?;
            }
            self.add_documents(tx, super::items(caller), batch.documents)?;
            self.capture_all_within(tx, caller, batch.observations)?;
            Ok(Imported { items })
        })
    }

    fn import_one(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (source, draft): (&Source, &Draft),
        (names, batch): (&Names, &mut Batch),
        during: &During,
    ) -> Result<(ItemId, Outcome)> {
        let parent = draft.parent.as_ref().map(|name| resolve(tx, caller, name, names)).transpose()?;
        if let Some(before) = present(tx, caller, draft)? {
            batch.settle(tx, caller)?;
            // What is below it may just have been settled.
            let before = look::named(tx, caller, before.id.as_str())?;
            let changed =
                self.change_item(tx, caller, before.clone(), patch(source, &before, parent), during)?;
            let outcome = if changed == before { Outcome::Unchanged } else { Outcome::Updated };
            return Ok((changed.id, outcome));
        }
        let item = Item { parent, ..batch.numbered(tx, caller, draft)? };
        self.insert_item(tx, caller, &item, batch)?;
        Ok((item.id, Outcome::Created))
    }

    /// What became of an item when its links are there as well. Those that the other side has made already stay.
    fn import_links(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        (id, outcome, names, batch): (&ItemId, Outcome, &Names, &mut Batch),
        during: &During,
    ) -> Result<Outcome> {
        if draft.depends_on.is_empty() && draft.blocks.is_empty() && outcome != Outcome::Created {
            return Ok(outcome);
        }
        let before = depend::both(tx, caller, id)?;
        let depends_on = with(resolved(tx, caller, &draft.depends_on, names)?, &before.0);
        let blocks = with(resolved(tx, caller, &draft.blocks, names)?, &before.1);
        let item = look::named(tx, caller, id.as_str())?;
        if outcome == Outcome::Created {
            let depends_on = depend::resolve(tx, caller, id, &depends_on)?;
            let blocks = depend::resolve(tx, caller, id, &blocks)?;
            depend::set(tx, caller, &item, &depends_on)?;
            depend::set_blocks(tx, caller, &item, &blocks)?;
            batch.observations.push(super::created(&item, (&depends_on, &blocks), during));
            return Ok(outcome);
        }
        let patch = Patch { depends_on: Some(depends_on), blocks: Some(blocks), ..Patch::default() };
        self.change_item(tx, caller, item, patch, during)?;
        let changed = outcome == Outcome::Unchanged && depend::both(tx, caller, id)? != before;
        Ok(if changed { Outcome::Updated } else { outcome })
    }
}

fn resolved(
    tx: &mut dyn Connection,
    caller: &Caller,
    named: &[String],
    names: &Names,
) -> Result<Vec<String>> {
    named.iter().map(|name| Ok(resolve(tx, caller, name, names)?.to_string())).collect()
}

/// Names, and after them those that are not among them.
fn with(mut names: Vec<String>, present: &[ItemId]) -> Vec<String> {
    for id in present {
        if !names.iter().any(|name| name == id.as_str()) {
            names.push(id.to_string());
        }
    }
    names
}

/// The item that an earlier import, or the project itself, has under the same name.
fn present(tx: &mut dyn Connection, caller: &Caller, draft: &Draft) -> Result<Option<Item>> {
    if let Some((id, _)) = &draft.id
        && let Some(item) = item::by_id(tx, &caller.project, id)?
    {
        return Ok(Some(item));
    }
    match &draft.item.source_key {
        Some(key) => Ok(item::by_source_key(tx, &caller.project, key)?),
        None => Ok(None),
    }
}

fn resolve(tx: &mut dyn Connection, caller: &Caller, name: &str, names: &Names) -> Result<ItemId> {
    if let Some(id) = names.get(name) {
        return Ok(id.clone());
    }
    if let Some(item) = item::by_source_key(tx, &caller.project, name)? {
        return Ok(item.id);
    }
    match item::by_id(tx, &caller.project, &ItemId::from(name.trim().to_uppercase()))? {
        Some(item) => Ok(item.id),
        None => Err(Error::NotFound(format!(
            "{name:?} is neither among what is imported nor in the backlog; import it as well, or leave it out"
        ))),
    }
}

/// What the file says about an item that is there.
fn patch(source: &Source, before: &Item, parent: Option<ItemId>) -> Patch {
    let new = &source.item;
    let whole = Patch {
        title: Some(new.title.clone()),
        description: Some(new.description.clone()),
        status: Some(new.status),
        parent: said(parent.map(|parent| parent.to_string())),
        references: Some(new.references.clone()),
        evidence: Some(new.evidence.clone()),
        blocked_reason: Some(new.blocked_reason.clone()),
        priority: said(new.priority),
        due_date: said(new.due_date.clone()),
        context: said(new.context),
        summary: said(new.summary.clone()),
        validation: said(new.validation.clone()),
        extra: said(new.extra.clone()),
        ..Patch::default()
    };
    match source.says {
        Says::Everything => whole,
        Says::WhatItNames => named_only(whole, before),
    }
}

fn said<T>(value: Option<T>) -> Set<T> {
    value.map_or(Set::Clear, Set::To)
}

fn named_only(whole: Patch, before: &Item) -> Patch {
    fn some<T>(list: Option<Vec<T>>) -> Option<Vec<T>> {
        list.filter(|list| !list.is_empty())
    }
    fn to<T>(set: Set<T>) -> Set<T> {
        if let Set::To(value) = set { Set::To(value) } else { Set::Keep }
    }
    let vague = whole.status == Some(Status::Open) && !before.status.is_finished();
    Patch {
        status: whole.status.filter(|_| !vague),
        parent: to(whole.parent),
        references: some(whole.references),
        evidence: some(whole.evidence),
        blocked_reason: some(whole.blocked_reason),
        priority: to(whole.priority),
        due_date: to(whole.due_date),
        context: to(whole.context),
        summary: to(whole.summary),
        validation: to(whole.validation),
        extra: to(whole.extra),
        ..whole
    }
}

/// Every item after its parent; a file whose items are below each other in a circle is refused.
fn parents_first(sources: Vec<Source>) -> Result<Vec<Source>> {
    let mut place_of: HashMap<String, usize> = HashMap::new();
    for (place, source) in sources.iter().enumerate() {
        if place_of.insert(source.key.clone(), place).is_some() {
            return Err(at(
                &source.place,
                Error::Invalid(format!("{:?} is there twice; keep one of them", source.key)),
            ));
        }
    }
    let parent =
        |place: usize| sources[place].item.parent.as_ref().and_then(|key| place_of.get(key)).copied();
    let mut order: Vec<usize> = vec![];
    let mut placed = vec![false; sources.len()];
    for start in 0..sources.len() {
        let mut chain = vec![start];
        while let Some(above) = parent(chain[chain.len() - 1]).filter(|above| !placed[*above]) {
            if chain.contains(&above) {
                return Err(circle(&sources, &chain, above));
            }
            chain.push(above);
        }
        if !placed[start] {
            chain.iter().for_each(|place| placed[*place] = true);
            order.extend(chain.into_iter().rev());
        }
    }
    let mut sources: Vec<Option<Source>> = sources.into_iter().map(Some).collect();
    Ok(order.into_iter().filter_map(|place| sources[place].take()).collect())
}

fn circle(sources: &[Source], chain: &[usize], again: usize) -> Error {
    let ring = chain.iter().skip_while(|place| **place != again).chain([&again]);
    let shown: Vec<&str> = ring.map(|place| sources[*place].key.as_str()).collect();
    at(
        &sources[again].place,
        Error::Invalid(format!(
            "the items are below each other in a cycle, {}; change one parent",
            shown.join(" → ")
        )),
    )
}

fn at(place: &str, error: Error) -> Error {
    match error {
        Error::Invalid(text) => Error::Invalid(format!("{place}: {text}")),
        Error::NotFound(text) => Error::NotFound(format!("{place}: {text}")),
        other => other,
    }
}
