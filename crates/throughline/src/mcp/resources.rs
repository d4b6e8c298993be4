//! Records as resources: `throughline://item/ID`, `…/resource/PATH`, `…/memory/ID`, `…/session/ID`, `…/event/ID`. The
//! list is short: what somebody may want to pick by hand; everything else is found by searching.

use anyhow::Result;
use rmcp::model::{ListResourcesResult, Resource, ResourceContents, ResourceTemplate};
use serde::Serialize;
use throughline_engine::Error;
use throughline_engine::backlog::{Query, Uri};
use throughline_engine::store::beginning::Named;
use throughline_engine::store::item::{self, Status};
use throughline_engine::store::session::Filter;

use super::call::Call;
use crate::wire::error::Usage;
use crate::wire::item::Item;
use crate::wire::memory::Expanded;
use crate::wire::session::History;
use crate::wire::time::readable;

const SCHEME: &str = "throughline://";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";
const RECENT_SESSIONS: i64 = 20;
const MOST_USED_MEMORIES: i64 = 30;
const RECENT_ITEMS: usize = 20;
const RECENT_DOCUMENTS: i64 = 20;
const PAGE: usize = 25;

/// What kind of record a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Item,
    /// A document, by its path.
    Document,
    Memory,
    Session,
    Event,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Item, Kind::Document, Kind::Memory, Kind::Session, Kind::Event];

    fn as_str(self) -> &'static str {
        match self {
            Kind::Item => "item",
            Kind::Document => "resource",
            Kind::Memory => "memory",
            Kind::Session => "session",
            Kind::Event => "event",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Kind::Item => "An item of the backlog in full",
            Kind::Document => "A document kept beside the backlog",
            Kind::Memory => "A memory in full, with where it came from",
            Kind::Session => "The newest part of a session that fits",
            Kind::Event => "One event of the log in full",
        }
    }

    fn named(self) -> Named {
        match self {
            Kind::Item => Named::Item,
            Kind::Document => Named::Resource,
            Kind::Memory => Named::Memory,
            Kind::Session => Named::Session,
            Kind::Event => Named::Event,
        }
    }

    fn uri(self, id: &str) -> String {
        format!("{SCHEME}{}/{id}", self.as_str())
    }

    fn template(self) -> String {
        // A path has slashes, which the variable may then have too.
        self.uri(if self == Kind::Document { "{+path}" } else { "{id}" })
    }

    fn mime_type(self) -> &'static str {
        if self == Kind::Document { MARKDOWN } else { JSON }
    }

    /// The kind and the id that a URI names.
    fn of(uri: &str) -> Option<(Kind, &str)> {
        let (kind, id) = uri.strip_prefix(SCHEME)?.split_once('/')?;
        let kind = Kind::ALL.into_iter().find(|known| known.as_str() == kind)?;
        (!id.is_empty()).then_some((kind, id))
    }
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |kind: Kind| {
        ResourceTemplate::new(kind.template(), kind.as_str())
            .with_description(kind.description())
            .with_mime_type(kind.mime_type())
    };
    Kind::ALL.into_iter().map(template).collect()
}

/// The records whose ids the variable of a template stands for.
pub(super) fn named_by(template: &str) -> Option<Named> {
    Kind::ALL.into_iter().find(|kind| kind.template() == template).map(Kind::named)
}

/// A page of the list; the cursor is where it begins.
pub(super) fn list(call: &Call<'_>, cursor: Option<&str>) -> Result<ListResourcesResult> {
    let wrong = |cursor: &str| Usage(format!("{cursor:?} is not a cursor of this list; begin without one"));
    let from = cursor.map_or(Ok(0), |cursor| cursor.parse::<usize>().map_err(|_| wrong(cursor)))?;
    let all = listed(call)?;
    let next = from.saturating_add(PAGE);
    let mut page = ListResourcesResult::with_all_items(all.iter().skip(from).take(PAGE).cloned().collect());
    page.next_cursor = (next < all.len()).then(|| next.to_string());
    Ok(page)
}

fn listed(call: &Call<'_>) -> Result<Vec<Resource>> {
    let caller = call.reader()?;
    let sessions = call.engine.sessions(&caller, &Filter::default(), RECENT_SESSIONS)?.sessions;
    let memories = call.engine.most_used_memories(&caller, MOST_USED_MEMORIES)?;
    let unfinished = vec![Status::InProgress, Status::Blocked, Status::Open];
    let query =
        Query { filter: item::Filter { statuses: unfinished, ..item::Filter::default() }, text: None };
    let items = call.engine.items(&caller, &query, RECENT_ITEMS)?.items;
    let (documents, _) = call.engine.resources(&caller, RECENT_DOCUMENTS)?;
    let resource = |kind: Kind, id: &str, title: String| {
        Resource::new(kind.uri(id), format!("{}/{id}", kind.as_str()))
            .with_title(title)
            .with_mime_type(kind.mime_type())
    };
    let items = items.iter().map(|item| resource(Kind::Item, item.id.as_str(), item.title.clone()));
    let documents = documents.iter().map(|it| resource(Kind::Document, &it.path, it.title.clone()));
    let sessions = sessions.iter().map(|session| {
        let title = format!("{} session of {}", session.client, readable(session.last_event_at));
        resource(Kind::Session, session.id.as_str(), title)
    });
    let memories =
        memories.iter().map(|memory| resource(Kind::Memory, memory.id.as_str(), memory.title.clone()));
    Ok(items.chain(documents).chain(sessions).chain(memories).collect())
}

/// A record in full. Only whole ids are addresses.
pub(super) fn read(call: &Call<'_>, uri: &str) -> Result<ResourceContents> {
    let unknown = || {
        Error::NotFound(format!(
            "there is no resource {uri}; `resources/templates/list` shows how they are named"
        ))
    };
    let caller = call.reader()?;
    let Some((kind, id)) = Kind::of(uri) else {
        // Other spellings of a document's address.
        return match Uri::parse(uri) {
            Ok(Uri::Resource(_)) => Ok(document(uri, call.engine.resource(&caller, uri)?.content)),
            Ok(Uri::Item(_) | Uri::Other(..)) | Err(_) => Err(unknown().into()),
        };
    };
    match kind {
        Kind::Item => Ok(contents(uri, &Item::from(call.engine.item(&caller, id)?))),
        Kind::Document => Ok(document(uri, call.engine.resource(&caller, uri)?.content)),
        Kind::Memory | Kind::Event => {
            let expanded = call.engine.expand(&caller, &[id.to_owned()], None)?;
            let why = expanded.missing.first().map(|(_, why)| Error::NotFound(why.clone()));
            let entry = Expanded::at(expanded, call.engine.now(), None).entries.pop();
            let entry = entry.filter(|entry| entry.id == id && entry.kind == kind.as_str());
            Ok(contents(uri, &entry.ok_or_else(|| why.unwrap_or_else(unknown))?))
        }
        Kind::Session => {
            let history = call.engine.history(&caller, Some(id), call.engine.settings().history)?;
            if history.session.id.as_str() != id {
                return Err(unknown().into());
            }
            Ok(contents(uri, &History::from(history)))
        }
    }
}

fn document(uri: &str, text: String) -> ResourceContents {
    ResourceContents::text(text, uri).with_mime_type(MARKDOWN)
}

fn contents<T: Serialize>(uri: &str, record: &T) -> ResourceContents {
    let text = serde_json::to_string(record).expect("our shapes are valid JSON");
    ResourceContents::text(text, uri).with_mime_type(JSON)
}
