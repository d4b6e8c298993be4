//! What is known of a file beside what is in it: the commits, sessions, tasks and decisions that touched it, and the
//! files that change together with it.

use std::collections::HashMap;

use throughline_store::actor::Actor;
use throughline_store::event::{self, Event, Filter, Kind as EventKind, Order};
use throughline_store::id::{ItemId, SessionId};
use throughline_store::revision::{self, Revision};
use throughline_store::time::Timestamp;
use throughline_store::{Connection, file, item};

use crate::recall::{Found, Kind, Query};
use crate::{Caller, Engine, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct History {
    pub path: String,
    /// The newest first, like the sessions.
    pub commits: Vec<Revision>,
    pub sessions: Vec<Touching>,
    /// By id and title.
    pub tasks: Vec<(String, String)>,
    pub decisions: Vec<(String, String)>,
    /// Other files, and how many commits changed both.
    pub together: Vec<(String, i64)>,
}

/// A session that read or wrote the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touching {
    pub id: SessionId,
    pub actor: Actor,
    pub at: Timestamp,
    pub reads: usize,
    pub writes: usize,
}

/// So many of the newest events about a file are looked at.
const EVENTS: i64 = 1000;

impl Engine {
    /// Everything that touched a file; of commits and decisions only those that name the symbol, where one is given.
    pub fn file_history(
        &self,
        caller: &Caller,
        path: &str,
        symbol: Option<&str>,
        limit: usize,
    ) -> Result<History> {
        let path = path.trim_start_matches("./").to_owned();
        let names = |text: &str| symbol.is_none_or(|symbol| text.contains(symbol));
        let most = i64::try_from(limit).unwrap_or(i64::MAX);
        let decisions = self.decisions_about(caller, &path, symbol, limit)?;
        self.store.read(|conn| {
            let mut commits = revision::of_path(conn, &caller.project, &path, EVENTS)?;
            commits.retain(|commit| names(&commit.subject));
            commits.truncate(limit);
            let events = touching(conn, caller, &path)?;
            Ok(History {
                commits,
                tasks: tasks(conn, caller, &events, limit)?,
                sessions: sessions(&events, limit),
                decisions: decisions.clone(),
                together: revision::beside(conn, &caller.project, &path, most)?,
                path: path.clone(),
            })
        })
    }

    /// Whether the index has this file, or files in this folder.
    pub fn knows_below(&self, caller: &Caller, path: &str) -> Result<bool> {
        Ok(self.store.read(|conn| file::is_below(conn, &caller.project, path))?)
    }

    /// Decisions that name the file, or its name.
    fn decisions_about(
        &self,
        caller: &Caller,
        path: &str,
        symbol: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, String)>> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let text = symbol.map_or_else(|| path.to_owned(), |symbol| format!("{symbol} {path}"));
        let query = Query { kinds: vec![Kind::Decision], floor: Some(0.0), ..Query::of(text, limit * 4) };
        let about = |content: &str| symbol.map_or(content.contains(name), |symbol| content.contains(symbol));
        let named = self.recall(caller, &query)?.hits.into_iter().filter_map(|hit| match hit.found {
            Found::Memory(memory) => {
                let cited = memory.cites.as_deref().is_some_and(|cites| cites.contains(path));
                (cited || about(&memory.content)).then(|| (memory.id.to_string(), memory.title.clone()))
            }
            Found::Event(event) => {
                let content = event.content.as_deref().unwrap_or(&event.summary);
                about(content).then(|| (event.id.to_string(), event.summary.clone()))
            }
            Found::Item(_) | Found::Resource(_) | Found::Code(_) => None,
        });
        Ok(named.take(limit).collect())
    }
}

fn touching(conn: &mut dyn Connection, caller: &Caller, path: &str) -> Result<Vec<Event>> {
    let filter = Filter {
        target: Some(path.to_owned()),
        kinds: vec![EventKind::Read, EventKind::Write],
        ..Filter::default()
    };
    Ok(event::list(conn, &caller.project, &filter, Order::NewestFirst, EVENTS)?)
}

fn sessions(events: &[Event], limit: usize) -> Vec<Touching> {
    let mut sessions: Vec<Touching> = vec![];
    let mut places: HashMap<&SessionId, usize> = HashMap::new();
    for event in events {
        let place = *places.entry(&event.session_id).or_insert_with(|| {
            sessions.push(Touching {
                id: event.session_id.clone(),
                actor: event.actor.clone(),
                at: event.at,
                reads: 0,
                writes: 0,
            });
            sessions.len() - 1
        });
        sessions[place].reads += usize::from(event.kind == EventKind::Read);
        sessions[place].writes += usize::from(event.kind == EventKind::Write);
    }
    sessions.truncate(limit);
    sessions
}

/// The tasks that these events were for, and those that their sessions worked on.
fn tasks(
    conn: &mut dyn Connection,
    caller: &Caller,
    events: &[Event],
    limit: usize,
) -> Result<Vec<(String, String)>> {
    let mut sessions: Vec<SessionId> = events.iter().map(|event| event.session_id.clone()).collect();
    sessions.sort_unstable();
    sessions.dedup();
    sessions.truncate(limit);
    let mut ids: Vec<String> = events.iter().filter_map(|event| event.item_id.clone()).collect();
    if !sessions.is_empty() {
        let kinds = vec![EventKind::ItemUpdated, EventKind::TaskCompleted, EventKind::ItemCreated];
        let filter = Filter { sessions, kinds, ..Filter::default() };
        let worked_on = event::list(conn, &caller.project, &filter, Order::NewestFirst, EVENTS)?;
        ids.extend(worked_on.into_iter().filter_map(|event| event.item_id));
    }
    ids.sort_unstable();
    ids.dedup();
    let ids: Vec<ItemId> = ids.into_iter().map(ItemId::from).collect();
    let items = item::by_ids(conn, &caller.project, ids.iter())?;
    Ok(items.into_iter().map(|item| (item.id.to_string(), item.title)).take(limit).collect())
}
