//! What the hydration is about: an item by its id, or the best one for a query.

use throughline_store::Connection;
use throughline_store::item::{self, Filter, Item};

use super::answer::ResolvedFrom;
use super::request::Focus;
use crate::backlog::{self, ids_in};
use crate::recall::{self, Found, Weights};
use crate::{Caller, Engine, Error, Result};

pub(super) fn resolve(
    engine: &Engine,
    conn: &mut dyn Connection,
    caller: &Caller,
    focus: &Focus,
) -> Result<(Item, ResolvedFrom)> {
    match focus {
        Focus::Id(id) => Ok((backlog::named(conn, caller, id)?, ResolvedFrom::Id)),
        Focus::Query(text) => Ok((best(engine, conn, caller, text)?, ResolvedFrom::Query)),
    }
}

/// Who names an item means it; else the one that matches best.
fn best(engine: &Engine, conn: &mut dyn Connection, caller: &Caller, text: &str) -> Result<Item> {
    for id in ids_in(text) {
        if let Some(item) = item::by_id(conn, &caller.project, &id)? {
            return Ok(item);
        }
    }
    let query = recall::Query {
        kinds: vec![recall::Kind::Task],
        weights: Some(Weights::RELEVANCE),
        ..recall::Query::of(text, 1)
    };
    let hit = engine.recall_within(conn, caller, &query)?.hits.into_iter().next();
    match hit.map(|hit| hit.found) {
        Some(Found::Item(item)) => Ok(*item),
        _ => Err(nothing(conn, caller, text)?),
    }
}

fn nothing(conn: &mut dyn Connection, caller: &Caller, text: &str) -> Result<Error> {
    let newest = item::list(conn, &caller.project, &Filter::default(), 3)?;
    let hint = if newest.is_empty() {
        backlog::NO_ITEMS.to_owned()
    } else {
        let titles: Vec<String> = newest.iter().map(|item| format!("{} {:?}", item.id, item.title)).collect();
        format!("what changed last: {}", titles.join(", "))
    };
    Ok(Error::NotFound(format!("no item matches {text:?}; {hint}")))
}
