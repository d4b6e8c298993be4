//! What stands around an event lends it relevance: an answer stands beside its question, and what is said in a session
//! that is about the matter is more likely about it too.

use std::collections::{HashMap, HashSet};

use throughline_store::event::{self, Kind, Place};
use throughline_store::id::SessionId;
use throughline_store::{Connection, Result};

use super::dates::Dates;
use super::fuse::{Candidate, best_first};
use super::prospect::Prospect;
use crate::Caller;
use crate::index::events::is_found;

/// The neighbours of so many of the most relevant are looked at even if nothing else speaks for them.
const ASKED: usize = 60;
/// What a neighbour lends.
const NEIGHBOUR: f64 = 0.15;
/// What the two best of the session lend, by their mean: a session that is about the matter says so more than once.
const SESSION: f64 = 0.5;
/// What an agent says repeats and elaborates; what people say is said once.
const AGENT: f64 = 0.75;

pub(super) fn lend(
    conn: &mut dyn Connection,
    caller: &Caller,
    prospect: &Prospect<'_>,
    dates: &Dates,
    candidates: &mut Vec<Candidate>,
) -> Result<()> {
    best_first(candidates);
    let mut places = places(conn, caller, candidates)?;
    let mut beside = neighbours(conn, caller, candidates, &places)?;
    beside.retain(|place| is_found(place.kind) && prospect.allowed.contains(place.position));
    let numbers: Vec<i64> = beside.iter().map(|place| place.position).collect();
    candidates.extend(prospect.by_meaning(conn, &numbers)?);
    places.extend(beside.into_iter().map(|place| (place.position, place)));
    let mut own: HashMap<(&SessionId, i64), f64> = HashMap::new();
    for candidate in candidates.iter_mut() {
        let Some(place) = places.get(&candidate.number) else { continue };
        candidate.relevance *= role(place.kind) * dates.lift(place.at);
        own.insert((&place.session_id, place.sequence), candidate.relevance);
    }
    let mut best: HashMap<&SessionId, [f64; 2]> = HashMap::new();
    for candidate in candidates.iter_mut() {
        let Some(place) = places.get(&candidate.number) else { continue };
        let at = |step: i64| own.get(&(&place.session_id, place.sequence + step)).copied().unwrap_or(0.0);
        candidate.relevance += NEIGHBOUR * at(-1).max(at(1));
        let [first, second] = best.entry(&place.session_id).or_default();
        *second = second.max(candidate.relevance.min(*first));
        *first = first.max(candidate.relevance);
    }
    for candidate in candidates.iter_mut() {
        let of_session = places.get(&candidate.number).and_then(|place| best.get(&place.session_id));
        let lent = candidate.relevance
            + SESSION * of_session.map_or(0.0, |[first, second]| f64::midpoint(*first, *second));
        // All that can be lent on top of a full relevance is still a full one.
        candidate.relevance = (lent / ((1.0 + NEIGHBOUR) * (1.0 + SESSION))).min(1.0);
    }
    Ok(())
}

fn places(
    conn: &mut dyn Connection,
    caller: &Caller,
    candidates: &[Candidate],
) -> Result<HashMap<i64, Place>> {
    let numbers: Vec<i64> = candidates.iter().map(|candidate| candidate.number).collect();
    let places = event::places(conn, &caller.project, &numbers)?;
    Ok(places.into_iter().map(|place| (place.position, place)).collect())
}

/// The events just before and after the most relevant ones that are no candidates themselves.
fn neighbours(
    conn: &mut dyn Connection,
    caller: &Caller,
    candidates: &[Candidate],
    places: &HashMap<i64, Place>,
) -> Result<Vec<Place>> {
    let mut seen: HashSet<i64> = candidates.iter().map(|candidate| candidate.number).collect();
    let mut beside = vec![];
    for place in candidates.iter().take(ASKED).filter_map(|candidate| places.get(&candidate.number)) {
        let span = (place.sequence - 1, place.sequence + 1);
        let near = event::places_between(conn, &caller.project, &place.session_id, span)?;
        beside.extend(near.into_iter().filter(|place| seen.insert(place.position)));
    }
    beside.sort_by_key(|place| place.position);
    Ok(beside)
}

fn role(kind: Kind) -> f64 {
    match kind {
        Kind::UserMessage | Kind::Decision | Kind::TaskCompleted | Kind::ValidationGate | Kind::Handoff => {
            1.0
        }
        Kind::ModelMessage
        | Kind::ToolCall
        | Kind::ToolResult
        | Kind::Read
        | Kind::Write
        | Kind::Search
        | Kind::MemoryRecall
        | Kind::ItemCreated
        | Kind::ItemUpdated
        | Kind::ItemDeleted
        | Kind::ResourceWritten
        | Kind::Checkpoint
        | Kind::SystemEvent => AGENT,
    }
}
