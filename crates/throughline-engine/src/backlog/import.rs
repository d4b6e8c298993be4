//! Items from elsewhere: all of them or none, and again without doubling.

use std::collections::HashMap;

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Item};

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
            for (source, draft) in &drafts {
                let (id, outcome) = self
                    .import_one(tx, caller, (source, draft), &names, during)
                    .map_err(|error| at(&source.place, error))?;
                names.insert(source.key.clone(), id.clone());
                items.push((source.key.clone(), id, outcome));
            }
            // Only now is everything there that a dependency may name.
            for (source, draft) in &drafts {
                self.import_links(tx, caller, draft, (&names[&source.key], &names), during)
                    .map_err(|error| at(&source.place, error))?;
            }
            Ok(Imported { items })
        })
    }

    fn import_one(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (source, draft): (&Source, &Draft),
        names: &Names,
        during: &During,
    ) -> Result<(ItemId, Outcome)> {
        let parent = draft.parent.as_ref().map(|name| resolve(tx, caller, name, names)).transpose()?;
        if let Some(before) = present(tx, caller, draft)? {
            let changed =
                self.change_item(tx, caller, before.clone(), patch(&source.item, parent), during)?;
            let outcome = if changed == before { Outcome::Unchanged } else { Outcome::Updated };
            return Ok((changed.id, outcome));
        }
        let item = Item { parent, ..self.numbered(tx, caller, draft)? };
        self.insert_item(tx, caller, &item, (&[], &[]), during)?;
        Ok((item.id, Outcome::Created))
    }

    fn import_links(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        (id, names): (&ItemId, &Names),
        during: &During,
    ) -> Result<()> {
        if draft.depends_on.is_empty() && draft.blocks.is_empty() {
            return Ok(());
        }
        let mut depends_on = vec![];
        for name in &draft.depends_on {
            depends_on.push(resolve(tx, caller, name, names)?.to_string());
        }
        // Beside what the other side said already.
        let mut blocks: Vec<String> =
            depend::waiting_for(tx, caller, id)?.iter().map(ItemId::to_string).collect();
        for name in &draft.blocks {
            blocks.push(resolve(tx, caller, name, names)?.to_string());
        }
        for first in depend::first(tx, caller, id)? {
            if !depends_on.contains(&first.to_string()) {
                depends_on.push(first.to_string());
            }
        }
        let item = look::named(tx, caller, id.as_str())?;
        let patch = Patch { depends_on: Some(depends_on), blocks: Some(blocks), ..Patch::default() };
        self.change_item(tx, caller, item, patch, during).map(|_| ())
    }
}

/// The item that an earlier import, or the project itself, has under the same name.
fn present(tx: &mut dyn Connection, caller: &Caller, draft: &Draft) -> Result<Option<Item>> {
    if let Some((id, _)) = &draft.id {
        return Ok(item::by_id(tx, &caller.project, id)?);
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
    Ok(look::named(tx, caller, name)?.id)
}

/// What the file says about an item that is there.
fn patch(new: &NewItem, parent: Option<ItemId>) -> Patch {
    Patch {
        title: Some(new.title.clone()),
        description: Some(new.description.clone()),
        status: Some(new.status),
        parent: parent.map_or(Set::Clear, |parent| Set::To(parent.to_string())),
        references: Some(new.references.clone()),
        evidence: Some(new.evidence.clone()),
        blocked_reason: Some(new.blocked_reason.clone()),
        priority: new.priority.map_or(Set::Clear, Set::To),
        due_date: new.due_date.clone().map_or(Set::Clear, Set::To),
        context: new.context.map_or(Set::Clear, Set::To),
        summary: Set::given(new.summary.clone()),
        validation: Set::given(new.validation.clone()),
        ..Patch::default()
    }
}

/// Every item after its parent; a file whose items are below each other in a circle is refused.
fn parents_first(sources: Vec<Source>) -> Result<Vec<Source>> {
    let mut place_of: HashMap<String, usize> = HashMap::new();
    for (place, source) in sources.iter().enumerate() {
        if place_of.insert(source.key.clone(), place).is_some() {
            return Err(at(&source.place, Error::Invalid(format!("{:?} is there twice", source.key))));
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
