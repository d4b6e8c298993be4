//! The session before this one, and what it did in a line or two.

use throughline_store::Connection;
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::id::{MemoryId, SessionId};
use throughline_store::memory::{self, Status};
use throughline_store::session::{self, Session};
use throughline_store::time::Timestamp;

use crate::capture::{SessionRef, one_line, shortened};
use crate::log::newest;
use crate::session::SUMMARY_TARGET;
use crate::session::privacy::is_open_to;
use crate::{Caller, Result};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastSession {
    pub id: SessionId,
    pub client: String,
    /// The client's own name for it.
    pub client_session: String,
    pub chatmode: String,
    pub last_event_at: Timestamp,
    pub is_open: bool,
    pub did: Vec<String>,
}

/// Before these there may be some of the session that asks, which has a few roles at most.
const LOOKED_AT: i64 = 8;
const LINES: usize = 3;
const FILES: usize = 5;
/// What tells what a session did: requests, files, and what people do without saying a word to an agent.
const TELL: [Kind; 8] = [
    Kind::UserMessage,
    Kind::Write,
    Kind::ItemCreated,
    Kind::ItemUpdated,
    Kind::ItemDeleted,
    Kind::TaskCompleted,
    Kind::ResourceWritten,
    Kind::Decision,
];
const EVENTS_OF_EACH: i64 = 60;
/// What of a summary tells most, in this order.
const TELLING: [&str; 4] = ["last request:", "files written:", DECIDED, "last answer:"];
const DECIDED: &str = "decided:";

pub(super) fn last(
    conn: &mut dyn Connection,
    caller: &Caller,
    (asking, role): (Option<&SessionRef>, Option<&str>),
) -> Result<Option<LastSession>> {
    let sessions = session::list(conn, &caller.project, &session::Filter::default(), LOOKED_AT)?;
    let is_asking = |session: &Session| match asking {
        Some(SessionRef::Of { client, session: name }) => {
            *client == session.client && *name == session.client_session
        }
        Some(SessionRef::Named(name)) => *name == session.client_session || *name == session.id.as_str(),
        Some(SessionRef::Own) | None => false,
    };
    let recent = newest(conn, caller, &TELL, EVENTS_OF_EACH)?;
    let is_open = |session: &Session| is_open_to(&session.chatmode, role);
    for session in sessions.into_iter().filter(|session| !is_asking(session) && is_open(session)) {
        let told = match summary(conn, caller, &session)? {
            Some(summary) if tells_decisions(&summary) => {
                of_summary(&summary, &no_more(conn, caller, &session)?)
            }
            Some(summary) => of_summary(&summary, &[]),
            None => vec![],
        };
        let did = if told.is_empty() { of_events(&recent, &session) } else { told };
        if !did.is_empty() {
            return Ok(Some(LastSession::of(session, did)));
        }
    }
    Ok(None)
}

impl LastSession {
    fn of(session: Session, did: Vec<String>) -> LastSession {
        LastSession {
            id: session.id,
            client: session.client,
            client_session: session.client_session,
            chatmode: session.chatmode,
            last_event_at: session.last_event_at,
            is_open: session.ended.is_none(),
            did,
        }
    }
}

/// What was written down when it ended; what happened since a resumed session's end is not in it.
fn summary(conn: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Option<Event>> {
    if session.ended.is_none() {
        return Ok(None);
    }
    let filter = Filter {
        target: Some(SUMMARY_TARGET.to_owned()),
        sessions: vec![session.id.clone()],
        ..Filter::default()
    };
    Ok(event::list(conn, &caller.project, &filter, Order::NewestFirst, 1)?.pop())
}

/// What the session decided and does not hold: it waits, was rejected, or something else was decided since.
fn no_more(conn: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Vec<String>> {
    let filter =
        Filter { sessions: vec![session.id.clone()], kinds: vec![Kind::Decision], ..Filter::default() };
    let mut past = vec![];
    for event in event::list(conn, &caller.project, &filter, Order::NewestFirst, EVENTS_OF_EACH)? {
        let Some(id) = event.informs.clone().map(MemoryId::from) else { continue };
        let memory = memory::by_id(conn, &caller.project, &id)?;
        if memory.is_none_or(|memory| memory.status != Status::Active) {
            past.push(event.summary);
        }
    }
    Ok(past)
}

fn text(summary: &Event) -> &str {
    summary.content.as_deref().unwrap_or(&summary.summary)
}

/// Most sessions decide nothing, and are not asked about it when a session begins.
fn tells_decisions(summary: &Event) -> bool {
    text(summary).lines().any(|line| line.starts_with(DECIDED))
}

fn of_summary(summary: &Event, no_more: &[String]) -> Vec<String> {
    let holds = |line: &str| {
        let decided = line.strip_prefix(DECIDED);
        decided.is_none_or(|choice| no_more.iter().all(|past| past != choice.trim_start()))
    };
    let told =
        |beginning: &&str| text(summary).lines().find(|line| line.starts_with(*beginning) && holds(line));
    TELLING.iter().filter_map(told).take(LINES).map(one_line).collect()
}

/// Nothing of a session that only began and ended.
fn of_events(recent: &[Event], session: &Session) -> Vec<String> {
    let own = || recent.iter().rev().filter(|event| event.session_id == session.id);
    let request = own().find(|event| event.kind == Kind::UserMessage);
    let mut files: Vec<&str> = vec![];
    for file in own().filter(|event| event.kind == Kind::Write).filter_map(|event| event.target.as_deref()) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    let mut lines: Vec<String> =
        request.iter().map(|event| format!("last request: {}", shortened(&event.summary, 120))).collect();
    if !files.is_empty() {
        let more = files.len().saturating_sub(FILES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        lines.push(one_line(&format!("files written: {}{more}", files[..files.len().min(FILES)].join(", "))));
    }
    if lines.is_empty() {
        lines.extend(own().next().map(|event| one_line(&format!("did last: {}", event.summary))));
    }
    lines
}
