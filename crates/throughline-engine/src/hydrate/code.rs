//! The places in the project's files that an item is about.

use throughline_store::Connection;
use throughline_store::event::{self, Filter, Kind as EventKind, Order};
use throughline_store::id::SessionId;
use throughline_store::item::Item;

use super::answer::{Brief, Passage};
use super::relations::Candidates;
use crate::recall::{self, CodeQuery, Files, Kind, Query, Weights};
use crate::{Caller, Engine, Result};

/// An item is about its title and the beginning of its description.
const QUERY_BYTES: usize = 400;
/// What nobody asked for must be about the item.
const FLOOR: f64 = 0.2;
/// What matches so much less than the best is beside the point.
const BESIDE_THE_BEST: f64 = 0.6;
/// So many events tell what the sessions of an item touched.
const EVENTS: i64 = 200;
const SESSIONS: usize = 5;

/// Nothing where there are no files, or none of them is indexed: an answer does not wait for that.
pub(super) fn relevant(
    engine: &Engine,
    conn: &mut dyn Connection,
    caller: &Caller,
    (focal, files): (&Item, &Files),
    limit: usize,
) -> Result<Option<Candidates<Passage>>> {
    if !recall::code::is_ready(conn, caller, files)? {
        return Ok(None);
    }
    let text = format!("{}\n{}", focal.title, focal.description);
    let query = Query {
        kinds: vec![Kind::Code],
        weights: Some(Weights::RELEVANCE),
        floor: Some(FLOOR),
        code: CodeQuery {
            files: files.clone(),
            touched: touched(conn, caller, focal)?,
            ..CodeQuery::default()
        },
        ..Query::of(&text[..text.floor_char_boundary(QUERY_BYTES)], limit * 2)
    };
    let mut recalled = engine.recall_within(conn, caller, &query)?;
    engine.check_passages(&query, &mut recalled);
    let best = recalled.hits.first().map_or(0.0, |hit| hit.score.matching);
    let passage = |hit: recall::Hit| match hit.found {
        recall::Found::Code(code) if hit.score.matching >= FLOOR.max(best * BESIDE_THE_BEST) => {
            Some(Passage { code, fidelity: Brief::Summary, relevance: hit.score.matching })
        }
        _ => None,
    };
    let passages: Vec<Passage> = recalled.hits.into_iter().filter_map(passage).collect();
    let total = passages.len();
    Ok(Some(Candidates::capped(passages, limit, total)))
}

/// What the sessions that worked on the item have read and written.
fn touched(conn: &mut dyn Connection, caller: &Caller, focal: &Item) -> Result<Vec<String>> {
    let of_item = Filter { item: Some(focal.id.to_string()), ..Filter::default() };
    let events = event::list(conn, &caller.project, &of_item, Order::NewestFirst, EVENTS)?;
    let mut sessions: Vec<SessionId> = vec![];
    for event in events {
        if !sessions.contains(&event.session_id) && sessions.len() < SESSIONS {
            sessions.push(event.session_id);
        }
    }
    if sessions.is_empty() {
        return Ok(vec![]);
    }
    let kinds = vec![EventKind::Read, EventKind::Write];
    let filter = Filter { sessions, kinds, ..Filter::default() };
    let events = event::list(conn, &caller.project, &filter, Order::NewestFirst, EVENTS)?;
    let mut paths: Vec<String> = events.into_iter().filter_map(|event| event.target).collect();
    paths.sort_unstable();
    paths.dedup();
    Ok(paths)
}
