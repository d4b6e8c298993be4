//! The log.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::Error;
use throughline_engine::capture::Opening;
use throughline_engine::store::event::{Filter, Kind};

use super::call::Call;
use super::cursor::number;
use super::operation::{Operation, get, post};
use super::within::Limit;
use crate::wire::closed::One;
use crate::wire::error::Usage;
use crate::wire::event::Event;
use crate::wire::observation::{Observation, Recorded};
use crate::wire::page::Page;
use crate::wire::time::Asked as When;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/events", "Events, the newest first", list),
        post("/api/events", "Record what happened; the same key twice is one event", record),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// Its id, the client's own, or the beginning of either
    session: Option<String>,
    #[serde(default)]
    kind: Vec<One<Kind>>,
    /// user:NAME or agent:NAME
    actor: Option<String>,
    /// At this time or later: 2026-11-15, 2026-11-15T03:31:18Z, or 3d ago
    from: Option<When>,
    /// Before this time
    to: Option<When>,
    #[serde(default)]
    limit: Limit,
    cursor: Option<String>,
}

fn list(call: &Call<'_>, asked: Asked) -> Result<Page<Event>> {
    let caller = call.reader()?;
    let now = call.engine.now();
    let sessions = match &asked.session {
        Some(name) => call.engine.sessions_named(&caller, name)?,
        None => vec![],
    };
    let filter = Filter {
        sessions: sessions.into_iter().map(|session| session.id).collect(),
        kinds: asked.kind.into_iter().map(|One(kind)| kind).collect(),
        actor: asked.actor.map(|actor| actor.parse()).transpose().map_err(Usage)?,
        since: asked.from.map(|from| from.resolve(now)),
        until: asked.to.map(|to| to.resolve(now)),
        ..Filter::default()
    };
    page(call, filter, (asked.cursor, asked.limit))
}

/// Events of a filter, the newest first.
pub(super) fn page(
    call: &Call<'_>,
    filter: Filter,
    (cursor, limit): (Option<String>, Limit),
) -> Result<Page<Event>> {
    let before = cursor.as_deref().map(number).transpose()?;
    let found = call.engine.events_before(&call.reader()?, &filter, before, limit.and_one())?;
    let place = |event: &throughline_engine::store::event::Event| event.position.to_string();
    Ok(Page::of(found.events, limit.size(), found.total, place, Event::from))
}

fn record(call: &Call<'_>, observation: Observation) -> Result<Recorded> {
    let is_of_nobody = observation.session.is_none() && observation.client.is_none();
    let surroundings = Opening { ..call.opening() };
    let mut observation = observation.checked(&surroundings).map_err(Usage)?;
    if is_of_nobody {
        observation.session = call.session();
    }
    let recorded = call.engine.capture(&call.writer()?, vec![observation])?;
    let recorded = recorded.into_iter().next();
    Ok(recorded.ok_or_else(|| Error::Invalid("nothing was recorded".to_owned()))?.into())
}
