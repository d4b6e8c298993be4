//! Which past sessions tell most about a description: what the search finds among events, by session.

use throughline_store::Connection;
use throughline_store::id::SessionId;
use throughline_store::memory;
use throughline_store::session::{self, Session};
use throughline_store::time::Timestamp;

use crate::capture::{CLI, SessionRef};
use crate::recall::{Found, Hit, Kind, Query};
use crate::session::find;
use crate::{Caller, Engine, Error, Result};

/// A session that fits a description.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevant {
    pub session: SessionId,
    pub last_event_at: Timestamp,
    /// The best that was found in it.
    pub found: String,
    pub score: f64,
}

const HITS: usize = 80;
const OTHERS: usize = 4;
/// So much of a further hit counts: many mentions are more than one, but a good one is more than many.
const MORE: f64 = 0.15;
const MOST_MORE: usize = 5;
/// Before it there are a few of people on the command line, and of the roles of the one that asks.
const LOOKED_AT: i64 = 20;

impl Engine {
    /// The best session, and the next ones.
    pub(super) fn relevant(
        &self,
        caller: &Caller,
        description: &str,
        asking: Option<&SessionRef>,
    ) -> Result<(SessionId, Vec<Relevant>)> {
        if description.trim().is_empty() {
            return Err(Error::Invalid(
                "the description is empty; say in some words what the session was about, or leave it out for the last session"
                    .to_owned(),
            ));
        }
        let kinds = vec![Kind::Event, Kind::Decision];
        let query = Query { kinds, asking: asking.cloned(), ..Query::of(description, HITS) };
        let mut sessions: Vec<(Relevant, usize)> = vec![];
        for hit in self.recall(caller, &query)?.hits {
            for told in self.told_in(caller, hit)? {
                match sessions.iter_mut().find(|(known, _)| known.session == told.session) {
                    Some((known, more)) if *more < MOST_MORE => {
                        known.score += MORE * told.score;
                        *more += 1;
                    }
                    Some(_) => {}
                    None => sessions.push((told, 0)),
                }
            }
        }
        let mut sessions: Vec<Relevant> = sessions.into_iter().map(|(session, _)| session).collect();
        sessions.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut fitting = self.past(caller, sessions, asking)?.into_iter();
        let best = fitting.next().ok_or_else(|| {
            Error::NotFound(format!(
                "no past session tells anything about {description:?}; `throughline session list` shows those there are"
            ))
        })?;
        Ok((best.session, fitting.collect()))
    }

    /// The sessions that what was found belongs to: that of an event, those in which a decision was made.
    fn told_in(&self, caller: &Caller, hit: Hit) -> Result<Vec<Relevant>> {
        let score = hit.score.total;
        let told = |session, last_event_at, found| Relevant { session, last_event_at, found, score };
        match hit.found {
            Found::Event(event) => Ok(vec![told(event.session_id, event.at, event.summary)]),
            Found::Memory(memory) => {
                let origins = self.store.read(|conn| memory::origins(conn, &caller.project, &memory.id))?;
                let sessions = origins.into_iter().map(|origin| origin.session);
                Ok(sessions.map(|session| told(session, memory.created_at, memory.title.clone())).collect())
            }
            Found::Item(_) | Found::Resource(_) | Found::Code(_) => Ok(vec![]),
        }
    }

    /// Without the session that asks, as many as are shown.
    fn past(
        &self,
        caller: &Caller,
        sessions: Vec<Relevant>,
        asking: Option<&SessionRef>,
    ) -> Result<Vec<Relevant>> {
        self.store.read(|conn| {
            let mut past = vec![];
            for relevant in &sessions {
                let Some(session) = session::by_id(conn, &caller.project, &relevant.session)? else {
                    continue;
                };
                if !is_asking(&session, asking) {
                    past.push(Relevant { last_event_at: session.last_event_at, ..relevant.clone() });
                }
                if past.len() > OTHERS {
                    break;
                }
            }
            Ok(past)
        })
    }
}

/// The newest session of an agent that is not the one that asks, else the newest of all.
pub(super) fn last(
    conn: &mut dyn Connection,
    caller: &Caller,
    asking: Option<&SessionRef>,
) -> Result<Session> {
    let newest = session::list(conn, &caller.project, &session::Filter::default(), LOOKED_AT)?;
    match newest.into_iter().find(|session| session.client != CLI && !is_asking(session, asking)) {
        Some(session) => Ok(session),
        None => find(conn, caller, None),
    }
}

fn is_asking(session: &Session, asking: Option<&SessionRef>) -> bool {
    match asking {
        Some(SessionRef::Of { client, session: name }) => {
            *client == session.client && *name == session.client_session
        }
        Some(SessionRef::Named(name)) => *name == session.client_session || *name == session.id.as_str(),
        Some(SessionRef::Own) | None => false,
    }
}
