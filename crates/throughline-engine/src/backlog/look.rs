//! Looking at items: by id, as a list, by what they are about.

use std::collections::HashMap;

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Cursor, Filter, Item, Level};
use throughline_store::link::{self, Kind};

use super::depend;
use crate::recall::{self, Found, Weights};
use crate::{Caller, Engine, Error, Result};

/// An item with what it depends on and what waits for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub item: Item,
    pub depends_on: Vec<ItemId>,
    pub blocks: Vec<ItemId>,
}

/// Which items to list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    pub filter: Filter,
    /// About this, the best first; all, what changed last first, when not given.
    pub text: Option<String>,
}

/// Items, and how many there are in truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub items: Vec<Item>,
    pub total: i64,
    /// There may be more: a search looks at the best only.
    pub at_least: bool,
    /// Where the list goes on.
    pub next: Option<Cursor>,
}

/// A search looks at so many items before their status and parent are asked for.
const SEARCHED: usize = 1000;
const PAGE: i64 = 1000;

impl Engine {
    pub fn item(&self, caller: &Caller, name: &str) -> Result<Entry> {
        self.store.read(|conn| {
            let item = named(conn, caller, name)?;
            entry(conn, caller, item)
        })
    }

    pub fn items(&self, caller: &Caller, query: &Query, limit: usize) -> Result<Listed> {
        match &query.text {
            Some(text) => self.items_about(caller, text, &query.filter, limit),
            None => self.store.read(|conn| {
                let asked = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
                let mut items = item::list(conn, &caller.project, &query.filter, asked)?;
                let more = items.len() > limit;
                items.truncate(limit);
                let last = items.last().filter(|_| more);
                let next = last.map(|item| Cursor { updated_at: item.updated_at, number: item.number });
                let total = item::count(conn, &caller.project, &query.filter)?;
                Ok(Listed { items, total, at_least: false, next })
            }),
        }
    }

    /// The whole backlog as it is at one moment, in the order of ids.
    pub fn every_item(&self, caller: &Caller) -> Result<Vec<Entry>> {
        self.store.read(|conn| {
            let mut items: Vec<Item> = vec![];
            loop {
                let after = items.last().map_or(0, |item| item.number);
                let page = item::after(conn, &caller.project, after, PAGE)?;
                if page.is_empty() {
                    break;
                }
                items.extend(page);
            }
            // The longer of two ids has the larger number.
            items.sort_by_key(|item| (item.item_type, item.id.as_str().len(), item.id.clone()));
            let links =
                link::among(conn, &caller.project, items.iter().map(|item| &item.id), Kind::DependsOn)?;
            Ok(linked(items, links))
        })
    }

    fn items_about(&self, caller: &Caller, text: &str, filter: &Filter, limit: usize) -> Result<Listed> {
        let query = recall::Query {
            kinds: vec![recall::Kind::Task],
            weights: Some(Weights::RELEVANCE),
            ..recall::Query::of(text, SEARCHED)
        };
        let recalled = self.recall(caller, &query)?;
        let mut items: Vec<Item> = recalled
            .hits
            .into_iter()
            .filter_map(|hit| if let Found::Item(item) = hit.found { Some(*item) } else { None })
            .filter(|item| is_asked_for(item, filter))
            .collect();
        let total = i64::try_from(items.len()).unwrap_or(i64::MAX);
        items.truncate(limit);
        Ok(Listed { items, total, at_least: recalled.at_least, next: None })
    }
}

/// Items with the dependencies among them, given as pairs.
fn linked(items: Vec<Item>, links: Vec<(ItemId, ItemId)>) -> Vec<Entry> {
    let mut depends_on: HashMap<ItemId, Vec<ItemId>> = HashMap::new();
    let mut blocks: HashMap<ItemId, Vec<ItemId>> = HashMap::new();
    for (waiting, first) in links {
        depends_on.entry(waiting.clone()).or_default().push(first.clone());
        blocks.entry(first).or_default().push(waiting);
    }
    let entry = |item: Item| Entry {
        depends_on: depends_on.remove(&item.id).unwrap_or_default(),
        blocks: blocks.remove(&item.id).unwrap_or_default(),
        item,
    };
    items.into_iter().map(entry).collect()
}

fn is_asked_for(item: &Item, filter: &Filter) -> bool {
    (filter.statuses.is_empty() || filter.statuses.contains(&item.status))
        && filter.item_type.is_none_or(|item_type| item_type == item.item_type)
        && filter.parent.as_ref().is_none_or(|parent| item.parent.as_ref() == Some(parent))
        && (filter.level == Level::Any || item.parent.is_none())
        && filter.since.is_none_or(|since| item.updated_at >= since)
}

pub(crate) fn entry(conn: &mut dyn Connection, caller: &Caller, item: Item) -> Result<Entry> {
    let (depends_on, blocks) = depend::both(conn, caller, &item.id)?;
    Ok(Entry { item, depends_on, blocks })
}

/// The item of that id, however it is capitalised.
pub(crate) fn named(conn: &mut dyn Connection, caller: &Caller, name: &str) -> Result<Item> {
    let id = ItemId::from(name.trim().to_uppercase());
    match item::by_id(conn, &caller.project, &id)? {
        Some(item) => Ok(item),
        None => Err(missing(conn, caller, name)?),
    }
}

/// What to do where there is nothing to choose from.
pub(crate) const NO_ITEMS: &str =
    "the backlog has no items yet; create one first, with `throughline task create TITLE` or backlog_create";

/// Says that there is no such item, and which ids are near.
fn missing(conn: &mut dyn Connection, caller: &Caller, name: &str) -> Result<Error> {
    let near = near(conn, caller, name)?;
    let hint = if near.is_empty() { NO_ITEMS.to_owned() } else { format!("near it: {}", near.join(", ")) };
    Ok(Error::NotFound(format!("there is no item {name:?}; {hint}")))
}

const NEAR: usize = 3;

/// Ids with the same number in another form, neighbours of it, else what changed last.
fn near(conn: &mut dyn Connection, caller: &Caller, name: &str) -> Result<Vec<String>> {
    let digits: String = name.chars().filter(char::is_ascii_digit).collect();
    let number = digits.parse::<u32>().map_or(0, i64::from);
    let around = [number, number - 1, number + 1, number - 2, number + 2];
    let numbers = around.into_iter().filter(|n| number > 0 && *n > 0);
    let guesses: Vec<ItemId> = numbers
        .flat_map(|number| {
            item::Type::ALL.iter().map(move |it| ItemId::from(format!("{}-{number:04}", it.prefix())))
        })
        .collect();
    let found = item::by_ids(conn, &caller.project, guesses.iter())?;
    let mut near: Vec<&ItemId> =
        guesses.iter().filter(|guess| found.iter().any(|item| item.id == **guess)).collect();
    let prefix: String = name.trim().to_uppercase().chars().take(4).collect();
    near.sort_by_key(|id| !id.as_str().starts_with(&prefix));
    if !near.is_empty() {
        return Ok(near.into_iter().take(NEAR).map(ItemId::to_string).collect());
    }
    let newest = item::list(conn, &caller.project, &Filter::default(), NEAR as i64)?;
    Ok(newest.into_iter().map(|item| item.id.to_string()).collect())
}
