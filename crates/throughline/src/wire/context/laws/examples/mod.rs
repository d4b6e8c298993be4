//! Single cases, told in full: what each promise looks like.

mod budget;
mod cache;
mod focus;
mod relations;
mod session;
mod suggestions;

use throughline_engine::backlog::{NewItem, Patch};
use throughline_engine::capture::During;
use throughline_engine::hydrate::{Focus, Hydration, Limits, MaxTokens, Rendering as _, Request, Role};
use throughline_engine::store::item::Status;

use super::super::Format;
use super::backlog::{Backlog, own};
use super::case::entities;

impl Backlog {
    fn create(&self, new: NewItem) -> String {
        self.engine.create_item(&self.caller, new, &own()).unwrap().item.id.to_string()
    }

    fn below(&self, parent: &str, title: &str) -> String {
        self.create(NewItem { parent: Some(parent.to_owned()), ..NewItem::of(title) })
    }

    fn update(&self, actor: &str, id: &str, patch: &Patch, during: &During) {
        self.engine.update_item(&self.by(actor), id, patch, during).unwrap();
    }

    fn set_status(&self, id: &str, status: Status) {
        let patch = Patch { status: Some(status), ..Patch::default() };
        self.update("agent:claude", id, &patch, &own());
    }

    fn hydrate(&self, request: &Request, format: Format) -> Hydration {
        (*self.engine.hydrate(&self.caller, request, &format).unwrap()).clone()
    }

    /// What matters for an item, without any limit.
    fn all_about(&self, id: &str) -> Hydration {
        self.hydrate(&Request { max_tokens: MaxTokens::new(32_000).unwrap(), ..about(id) }, Format::Json)
    }
}

fn about(id: &str) -> Request {
    Request::about(Focus::Id(id.to_owned()))
}

fn ids(answer: &Hydration, role: Role) -> Vec<&str> {
    entities(answer, role).iter().map(|entity| entity.item.id.as_str()).collect()
}

fn evidence(text: &str) -> Patch {
    Patch { add_evidence: vec![text.to_owned()], ..Patch::default() }
}

fn limited(id: &str, name: &str, limit: u64) -> Request {
    let mut limits = Limits::default();
    limits.set(name, limit).unwrap();
    Request { limits, ..about(id) }
}

fn sent(answer: &Hydration, format: Format) -> String {
    format.whole(answer)
}
