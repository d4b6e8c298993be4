//! What a session was about, said without a model: the request, the files, the decisions, how it ended.

use std::collections::BTreeMap;

use throughline_code::Language;
use throughline_store::Connection;
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::session::Session;

use crate::capture::shortened;
use crate::remember::was_to_wait;
use crate::{Caller, Result};

pub(crate) struct Summary {
    pub(crate) headline: String,
    pub(crate) text: String,
}

const SHOWN: usize = 10;

pub(crate) fn of(conn: &mut dyn Connection, caller: &Caller, session: &Session) -> Result<Summary> {
    let events: i64 =
        event::tally(conn, &caller.project, &session.id)?.iter().map(|(_, count, _)| count).sum();
    let request = newest(conn, caller, session, Kind::UserMessage)?;
    let answer = newest(conn, caller, session, Kind::ModelMessage)?;
    let mut decisions = latest(conn, caller, session, Kind::Decision)?;
    decisions.retain(|event| !was_to_wait(event));
    let gates = latest(conn, caller, session, Kind::ValidationGate)?;
    let files = event::targets(conn, &caller.project, &session.id, Kind::Write)?;
    let mut lines = vec![format!("{events} events in role {}", session.chatmode)];
    lines.extend(request.as_ref().map(|event| format!("last request: {}", event.summary)));
    lines.extend((!files.is_empty()).then(|| format!("files written: {}", listed(&files))));
    lines.extend(decisions.iter().map(|event| format!("decided: {}", event.summary)));
    lines.extend(gates.iter().map(|event| format!("gate: {}", event.summary)));
    lines.extend(answer.as_ref().map(|event| format!("last answer: {}", event.summary)));
    Ok(Summary { headline: headline(events, request.as_ref(), &files), text: lines.join("\n") })
}

fn headline(events: i64, request: Option<&Event>, files: &[String]) -> String {
    let about = request.map(|event| format!(", last asked {:?}", shortened(&event.summary, 60)));
    let wrote = (!files.is_empty()).then(|| format!(", wrote {}", by_language(files)));
    format!("{events} events{}{}", about.unwrap_or_default(), wrote.unwrap_or_default())
}

fn by_language(files: &[String]) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let language =
            Language::of_path(file).map_or_else(|| "other".to_owned(), |language| language.to_string());
        *counts.entry(language).or_default() += 1;
    }
    let parts: Vec<String> = counts.iter().map(|(language, count)| format!("{count} {language}")).collect();
    let noun = if files.len() == 1 { "file" } else { "files" };
    format!("{} {noun}", parts.join(" and "))
}

fn listed(names: &[String]) -> String {
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn newest(
    conn: &mut dyn Connection,
    caller: &Caller,
    session: &Session,
    kind: Kind,
) -> Result<Option<Event>> {
    let filter = of_kind(session, kind);
    Ok(event::list(conn, &caller.project, &filter, Order::NewestFirst, 1)?.pop())
}

/// The newest few, oldest of them first.
fn latest(conn: &mut dyn Connection, caller: &Caller, session: &Session, kind: Kind) -> Result<Vec<Event>> {
    let filter = of_kind(session, kind);
    let mut events = event::list(conn, &caller.project, &filter, Order::NewestFirst, SHOWN as i64)?;
    events.reverse();
    Ok(events)
}

fn of_kind(session: &Session, kind: Kind) -> Filter {
    Filter { sessions: vec![session.id.clone()], kinds: vec![kind], ..Filter::default() }
}
