//! What stands around an event lends it relevance: an answer stands beside its question, and what is said in a session
//! that is about the matter is more likely about it too.

use std::collections::{HashMap, HashSet};

use throughline_store::event::{self, Kind, Place};
use throughline_store::id::SessionId;
use throughline_store::{Connection, Result};

use super::dates::Dates;
use super::fuse::{Candidate, best_first};
use super::manner::Manner;
use super::prospect::Prospect;
use crate::Caller;
use crate::index::events::is_found;

/// The neighbours of so many of the most relevant are looked at even if nothing else speaks for them, and how their
/// sessions began.
const ASKED: usize = 60;
/// What a neighbour lends.
const NEIGHBOUR: f64 = 0.2;
/// What the two best of the session lend, by their mean: a session that is about the matter says so more than once.
const SESSION: f64 = 0.35;
/// What the question's words lend that people said in the session, each of them in whatever message.
const SESSION_WORDS: f64 = 0.3;
/// What the session's first message lends, as near as it is: it says what the session is about.
const OPENING: f64 = 0.2;
/// A word counts half in a session where this many messages have it.
const HALF_OF_A_WORD: f64 = 2.0;
/// What an agent says repeats and elaborates; what people say is said once.
const AGENT: f64 = 0.55;
/// The same, where the question asks for what an agent said.
const AGENT_ASKED_FOR: f64 = 0.85;
/// What an agent did and what came of it is told nowhere else.
const DEED: f64 = 0.75;

pub(super) fn lend(
    conn: &mut dyn Connection,
    caller: &Caller,
    prospect: &Prospect<'_>,
    dates: &Dates,
    candidates: &mut Vec<Candidate>,
) -> Result<()> {
    best_first(candidates);
    let mut places = places(conn, caller, candidates)?;
    let openings = openings(conn, caller, prospect, candidates, &places)?;
    let words = words_of_sessions(prospect, &places, candidates)?;
    let mut beside = neighbours(conn, caller, candidates, &places)?;
    beside.retain(|place| is_found(place.kind) && prospect.allowed.contains(place.position));
    let numbers: Vec<i64> = beside.iter().map(|place| place.position).collect();
    candidates.extend(prospect.by_meaning(conn, &numbers)?);
    places.extend(beside.into_iter().map(|place| (place.position, place)));
    weigh_each(prospect.words.manner, dates, &places, candidates);
    lend_beside(&places, candidates);
    let best = best_of_sessions(&places, candidates);
    for candidate in candidates.iter_mut() {
        let Some(Place { session_id, .. }) = places.get(&candidate.number) else { continue };
        let [first, second] = best.get(session_id).copied().unwrap_or_default();
        let lent = candidate.relevance
            + SESSION * f64::midpoint(first, second)
            + SESSION_WORDS * words.get(session_id).unwrap_or(&0.0)
            + OPENING * openings.get(session_id).unwrap_or(&0.0);
        // All that can be lent on top of a full relevance is still a full one.
        candidate.relevance = (lent / MOST).min(1.0);
    }
    Ok(())
}

const MOST: f64 = (1.0 + NEIGHBOUR) * (1.0 + SESSION) + SESSION_WORDS + OPENING;

/// What each is by itself: by who said it, and when.
fn weigh_each(manner: Manner, dates: &Dates, places: &HashMap<i64, Place>, candidates: &mut [Candidate]) {
    for candidate in candidates {
        let Some(place) = places.get(&candidate.number) else { continue };
        let relevance = candidate.relevance * dates.lift(place.at) + dates.bonus(place.at);
        candidate.relevance = role(place.kind, manner) * relevance;
        candidate.lost = (relevance - candidate.relevance) / MOST;
    }
}

fn lend_beside(places: &HashMap<i64, Place>, candidates: &mut [Candidate]) {
    let place_of = |candidate: &Candidate| places.get(&candidate.number);
    let own: HashMap<(&SessionId, i64), f64> = candidates
        .iter()
        .filter_map(|candidate| {
            let place = place_of(candidate)?;
            Some(((&place.session_id, place.sequence), candidate.relevance))
        })
        .collect();
    for candidate in candidates {
        let Some(place) = places.get(&candidate.number) else { continue };
        let at = |step: i64| own.get(&(&place.session_id, place.sequence + step)).copied().unwrap_or(0.0);
        candidate.relevance += NEIGHBOUR * at(-1).max(at(1));
    }
}

fn best_of_sessions<'a>(
    places: &'a HashMap<i64, Place>,
    candidates: &[Candidate],
) -> HashMap<&'a SessionId, [f64; 2]> {
    let mut best: HashMap<&SessionId, [f64; 2]> = HashMap::new();
    for candidate in candidates {
        let Some(place) = places.get(&candidate.number) else { continue };
        let [first, second] = best.entry(&place.session_id).or_default();
        *second = second.max(candidate.relevance.min(*first));
        *first = first.max(candidate.relevance);
    }
    best
}

/// How much of what the question's words say people said in each session.
fn words_of_sessions(
    prospect: &Prospect<'_>,
    places: &HashMap<i64, Place>,
    candidates: &[Candidate],
) -> Result<HashMap<SessionId, f64>> {
    let said = |number: &i64| places.get(number).is_some_and(|place| place.kind == Kind::UserMessage);
    let mut numbers: Vec<i64> = candidates.iter().map(|candidate| candidate.number).filter(said).collect();
    numbers.sort_unstable();
    let terms = &prospect.words.terms;
    let mut counts: HashMap<&SessionId, Vec<u32>> = HashMap::new();
    for (number, had) in prospect.words.had_by(&prospect.lookup, &numbers)? {
        let Some(place) = places.get(&number) else { continue };
        let counts = counts.entry(&place.session_id).or_insert_with(|| vec![0; terms.len()]);
        counts.iter_mut().enumerate().for_each(|(at, count)| *count += u32::from(had >> at & 1 == 1));
    }
    let all: f64 = terms.iter().map(|term| f64::from(term.weight)).sum();
    let share = |counts: Vec<u32>| -> f64 {
        let of_terms = terms.iter().zip(counts).map(|(term, count)| {
            f64::from(term.weight) * f64::from(count) / (f64::from(count) + HALF_OF_A_WORD)
        });
        of_terms.sum::<f64>() / all.max(f64::MIN_POSITIVE)
    };
    Ok(counts.into_iter().map(|(session, counts)| (session.clone(), share(counts))).collect())
}

/// How near the first message is of the sessions that the most relevant are of.
fn openings(
    conn: &mut dyn Connection,
    caller: &Caller,
    prospect: &Prospect<'_>,
    candidates: &[Candidate],
    places: &HashMap<i64, Place>,
) -> Result<HashMap<SessionId, f64>> {
    let asked = candidates.iter().take(ASKED).filter_map(|candidate| places.get(&candidate.number));
    let sessions: HashSet<&SessionId> = asked.map(|place| &place.session_id).collect();
    let mut openings = HashMap::new();
    for session in sessions {
        let opening = event::opening(conn, &caller.project, session)?;
        openings.extend(opening.map(|place| (place.position, place.session_id)));
    }
    let mut numbers: Vec<i64> = openings.keys().copied().filter(|n| prospect.allowed.contains(*n)).collect();
    numbers.sort_unstable();
    let near = prospect.by_meaning(conn, &numbers)?.into_iter().filter_map(|candidate| {
        Some((openings.remove(&candidate.number)?, f64::from(candidate.near?.nearness())))
    });
    Ok(near.collect())
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

fn role(kind: Kind, manner: Manner) -> f64 {
    match kind {
        Kind::UserMessage | Kind::Decision | Kind::TaskCompleted | Kind::ValidationGate | Kind::Handoff => {
            1.0
        }
        Kind::ModelMessage if manner.is_for_what_was_said() => AGENT_ASKED_FOR,
        Kind::ModelMessage => AGENT,
        Kind::ToolCall
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
        | Kind::SystemEvent => DEED,
    }
}
