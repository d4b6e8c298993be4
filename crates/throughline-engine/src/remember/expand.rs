//! From the cheap form to the whole: ids become full texts with where they came from, inside a budget.

use throughline_inference::tokens;
use throughline_store::event::{self, Event};
use throughline_store::id::{EventId, ItemId};
use throughline_store::item;
use throughline_store::memory::{self, Memory, Origin, Status};
use throughline_store::resource::Resource;
use throughline_store::{Connection, Error as StoreError};

use super::look;
use crate::backlog::{self, Entry as ItemEntry, Uri};
use crate::{Caller, Engine, Error, Result};

/// Full texts in the order asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Expanded {
    pub entries: Vec<Entry>,
    /// Ids that stand for nothing, or for nothing that may still be shown, with why.
    pub missing: Vec<(String, String)>,
    /// Ids that did not fit into the budget.
    pub left_out: Vec<String>,
    pub tokens: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub full: Full,
    /// The text, cut when the budget asked for it.
    pub text: String,
    /// How many tokens were cut off.
    pub cut: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Full {
    Memory(Box<Memory>, Vec<Origin>),
    Event(Box<Event>),
    Item(Box<ItemEntry>),
    Resource(Box<Resource>),
}

/// Less than this of a text is not worth showing.
const LEAST_TOKENS: u64 = 20;

impl Engine {
    /// The full text of memories and events. Reading a memory in full counts as a use of it.
    pub fn expand(&self, caller: &Caller, ids: &[String], max_tokens: Option<u64>) -> Result<Expanded> {
        let now = self.now();
        let mut expanded = Expanded { entries: vec![], missing: vec![], left_out: vec![], tokens: 0 };
        for id in ids {
            let left = max_tokens.map(|most| most.saturating_sub(expanded.tokens));
            if left.is_some_and(|left| left < LEAST_TOKENS) {
                expanded.left_out.push(id.clone());
                continue;
            }
            let full = match self.store.read(|conn| whole(conn, caller, id)) {
                Ok(full) => full,
                Err(Error::NotFound(why) | Error::Invalid(why)) => {
                    expanded.missing.push((id.clone(), why));
                    continue;
                }
                Err(error) => return Err(error),
            };
            if let Full::Memory(memory, _) = &full {
                let status = memory.status_at(now);
                if status != Status::Active {
                    expanded.missing.push((id.clone(), format!("memory {} is {status}", memory.id)));
                    continue;
                }
                self.count_use(caller, memory)?;
            }
            expanded.push(full, left);
        }
        Ok(expanded)
    }
}

impl Engine {
    /// Counts a use; not worth waiting for, nor failing.
    fn count_use(&self, caller: &Caller, memory: &Memory) -> Result<()> {
        let now = self.now();
        let counted =
            self.write_briefly(caller, |tx| Ok(memory::note_use(tx, &caller.project, &memory.id, now)?));
        match counted {
            Err(Error::Store(error @ (StoreError::Busy { .. } | StoreError::Unavailable(_)))) => {
                tracing::warn!(%error, memory.id = %memory.id, "a use of a memory was not counted");
                Ok(())
            }
            other => other,
        }
    }
}

impl Expanded {
    fn push(&mut self, full: Full, budget: Option<u64>) {
        let text = full.text();
        let shown = budget.map_or(text, |budget| tokens::cut(text, budget));
        let (tokens, all) = (tokens::count(shown), tokens::count(text));
        self.tokens += tokens;
        let text = shown.to_owned();
        self.entries.push(Entry { full, text, cut: all.saturating_sub(tokens) });
    }
}

impl Full {
    pub fn text(&self) -> &str {
        match self {
            Full::Memory(memory, _) => &memory.content,
            Full::Event(event) => event.content.as_deref().unwrap_or(&event.summary),
            Full::Item(entry) if entry.item.description.is_empty() => &entry.item.title,
            Full::Item(entry) => &entry.item.description,
            Full::Resource(resource) => &resource.content,
        }
    }
}

fn whole(conn: &mut dyn Connection, caller: &Caller, id: &str) -> Result<Full> {
    if let Some(memory) = look::find(conn, caller, id)? {
        let origins = memory::origins(conn, &caller.project, &memory.id)?;
        return Ok(Full::Memory(Box::new(memory), origins));
    }
    if let Ok(uri) = Uri::parse(id) {
        return behind(conn, caller, uri);
    }
    if let Some(item) = item::by_id(conn, &caller.project, &ItemId::from(id.to_uppercase()))? {
        return Ok(Full::Item(Box::new(backlog::entry(conn, caller, item)?)));
    }
    match event::by_id(conn, &caller.project, &EventId::from(id.to_owned()))? {
        Some(event) if event.purge.is_some() => Err(Error::NotFound(format!(
            "event {id} was purged; `throughline log tail` shows those that are left"
        ))),
        Some(event) => Ok(Full::Event(Box::new(event))),
        None => Err(Error::NotFound(format!("nothing has the id {id:?}; `throughline search` shows ids"))),
    }
}

/// What an address stands for.
fn behind(conn: &mut dyn Connection, caller: &Caller, uri: Uri) -> Result<Full> {
    match uri {
        Uri::Resource(path) => Ok(Full::Resource(Box::new(backlog::existing(conn, caller, &path)?))),
        Uri::Item(id) | Uri::Other(_, id) => whole(conn, caller, &id),
    }
}
