//! Changing an item: what is given replaces what is there, and the log says what became of what.

use serde_json::{Map, Value as Json, json};
use throughline_store::Connection;
use throughline_store::event::Kind as EventKind;
use throughline_store::id::ItemId;
use throughline_store::item::{self, Context, Item, Priority, Reference, Status, Validation};

use super::{Act, Entry, complete, depend, draft, items, look, tree};
use crate::capture::{During, one_line, redacted};
use crate::{Caller, Engine, Error, Result, index};

/// What becomes of a field.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Set<T> {
    #[default]
    Keep,
    Clear,
    To(T),
}

impl<T> Set<T> {
    fn apply(self, field: &mut Option<T>) {
        match self {
            Set::Keep => {}
            Set::Clear => *field = None,
            Set::To(value) => *field = Some(value),
        }
    }

    /// Given, or kept.
    pub fn given(value: Option<T>) -> Set<T> {
        value.map_or(Set::Keep, Set::To)
    }
}

/// What to change about an item; lists replace, additions add.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Patch {
    pub title: Option<String>,
    pub description: Option<String>,
    pub status: Option<Status>,
    pub parent: Set<String>,
    pub references: Option<Vec<Reference>>,
    pub depends_on: Option<Vec<String>>,
    pub blocks: Option<Vec<String>>,
    pub evidence: Option<Vec<String>>,
    pub add_evidence: Vec<String>,
    pub blocked_reason: Option<Vec<String>>,
    pub priority: Set<Priority>,
    pub due_date: Set<String>,
    pub context: Set<Context>,
    pub summary: Set<String>,
    pub validation: Set<Validation>,
    /// What an import brought that an item has no field for.
    pub extra: Set<Json>,
}

impl Engine {
    /// Changes an item; nothing happens when nothing is different.
    pub fn update_item(&self, caller: &Caller, name: &str, patch: &Patch, during: &During) -> Result<Entry> {
        self.write(caller, |tx| {
            let before = look::named(tx, caller, name)?;
            let item = self.change_item(tx, caller, before, patch.clone(), during)?;
            look::entry(tx, caller, item)
        })
    }

    /// The work on an item cannot go on.
    pub fn block_item(&self, caller: &Caller, name: &str, reason: &str, during: &During) -> Result<Entry> {
        let reason = blocked_reason(reason)?;
        self.write(caller, |tx| {
            let before = look::named(tx, caller, name)?;
            let mut reasons = before.blocked_reason.clone();
            if !reasons.contains(&reason) {
                reasons.push(reason.clone());
            }
            let patch =
                Patch { status: Some(Status::Blocked), blocked_reason: Some(reasons), ..Patch::default() };
            let item = self.change_item(tx, caller, before, patch, during)?;
            look::entry(tx, caller, item)
        })
    }

    /// The work on an item can go on.
    pub fn unblock_item(&self, caller: &Caller, name: &str, during: &During) -> Result<Entry> {
        self.write(caller, |tx| {
            let before = look::named(tx, caller, name)?;
            if before.status != Status::Blocked {
                return Err(Error::Invalid(format!(
                    "{} is {}, not blocked; `throughline task update` changes other states",
                    before.id, before.status
                )));
            }
            let patch = Patch { status: Some(Status::Open), ..Patch::default() };
            let item = self.change_item(tx, caller, before, patch, during)?;
            look::entry(tx, caller, item)
        })
    }

    pub(super) fn change_item(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        before: Item,
        patch: Patch,
        during: &During,
    ) -> Result<Item> {
        let now = self.now();
        let mut item = before.clone();
        let (depends_on, blocks) = (patch.depends_on.clone(), patch.blocks.clone());
        let parent = patch.parent.clone();
        apply(&mut item, patch)?;
        draft::clean(&mut item)?;
        if item.status != before.status {
            item.status_at = now;
        }
        let mut changes = Changes::between(&before, &item);
        if let Set::Clear | Set::To(_) = parent {
            self.move_item(tx, caller, &mut item, parent, &mut changes)?;
        }
        depend_on(tx, caller, &item, depends_on, &mut changes)?;
        blocking(tx, caller, &item, blocks, &mut changes)?;
        if changes.0.is_empty() {
            return Ok(before);
        }
        item.updated_at = now;
        if changes.text_changed() {
            index::remove(tx, items(caller), before.document)?;
            item.document = item::take_number(tx, &caller.project, super::ITEM_DOCUMENT)?;
            self.note_mentions(tx, caller, &item)?;
            self.add_document(tx, items(caller), super::document(&item))?;
        }
        item::update(tx, &caller.project, &item)?;
        let completed = item.status == Status::Done && before.status != Status::Done;
        let act = if completed {
            complete::act(tx, caller, &item, &changes, during)?
        } else {
            Act {
                kind: EventKind::ItemUpdated,
                summary: one_line(&format!("{}: {}", item.id, changes.sentence())),
                content: None,
                parts: json!({ "item_id": item.id.as_str(), "changes": changes.0 }),
                during,
            }
        };
        self.note_act(tx, caller, &item.id, act)?;
        if completed {
            self.settle_task(tx, caller, item.id.as_str())?;
        }
        Ok(item)
    }

    /// Hangs an item, with all that is below it, elsewhere in the tree.
    fn move_item(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        item: &mut Item,
        parent: Set<String>,
        changes: &mut Changes,
    ) -> Result<()> {
        let to = match parent {
            Set::To(name) => Some(look::named(tx, caller, &name)?.id),
            Set::Clear | Set::Keep => None,
        };
        if to == item.parent {
            return Ok(());
        }
        let ring = tree::ring(tx, caller, item)?;
        let from = std::mem::replace(&mut item.parent, to);
        tree::refuse_cycle(tx, caller, item)?;
        if ring.is_empty() {
            tree::unhang(tx, caller, &Item { parent: from.clone(), ..item.clone() })?;
            tree::hang(tx, caller, item)?;
        } else {
            // Nobody counted what was below whom in a ring.
            item::update(tx, &caller.project, item)?;
            tree::recount(tx, caller, item, ring)?;
        }
        let text = |id: Option<&ItemId>| json!(id.map(ItemId::as_str));
        changes.note("parent_id", text(from.as_ref()), text(item.parent.as_ref()));
        Ok(())
    }
}

/// Why an item is blocked, as it is kept: the same reason is recognised by it.
pub fn blocked_reason(text: &str) -> Result<String> {
    if text.trim().is_empty() {
        return Err(Error::Invalid(
            "say why the item is blocked, so that whoever comes next knows what to wait for".to_owned(),
        ));
    }
    Ok(redacted(text.trim().to_owned(), &mut 0))
}

fn apply(item: &mut Item, patch: Patch) -> Result<()> {
    if let Some(title) = patch.title {
        item.title = title;
    }
    if let Some(description) = patch.description {
        item.description = description;
    }
    if let Some(references) = patch.references {
        item.references = references;
    }
    if let Some(evidence) = patch.evidence {
        item.evidence = evidence;
    }
    for evidence in patch.add_evidence {
        if !item.evidence.contains(&evidence) {
            item.evidence.push(evidence);
        }
    }
    patch.priority.apply(&mut item.priority);
    let due_date = match patch.due_date {
        Set::To(date) => Set::To(draft::date(&date)?),
        other => other,
    };
    due_date.apply(&mut item.due_date);
    patch.context.apply(&mut item.context);
    apply_status(item, patch.status, patch.blocked_reason);
    patch.summary.apply(&mut item.summary);
    patch.validation.apply(&mut item.validation);
    match patch.extra {
        Set::Keep => {}
        Set::Clear => item.extra = None,
        Set::To(extra) => item.extra = Some(draft::kept(extra)),
    }
    Ok(())
}

/// Reasons for being blocked end with being blocked; what was done and how it was checked, with being done.
fn apply_status(item: &mut Item, status: Option<Status>, reasons: Option<Vec<String>>) {
    if let Some(status) = status {
        if item.status == Status::Blocked && status != Status::Blocked {
            item.blocked_reason.clear();
        }
        if item.status == Status::Done && status != Status::Done {
            (item.summary, item.validation) = (None, None);
        }
        item.status = status;
    }
    if let Some(reasons) = reasons {
        item.blocked_reason = reasons;
    }
}

fn depend_on(
    tx: &mut dyn Connection,
    caller: &Caller,
    item: &Item,
    names: Option<Vec<String>>,
    changes: &mut Changes,
) -> Result<()> {
    let Some(names) = names else { return Ok(()) };
    let to = depend::resolve(tx, caller, &item.id, &names)?;
    let from = depend::first(tx, caller, &item.id)?;
    if from != to {
        depend::set(tx, caller, item, &to)?;
        changes.note("depends_on", json!(super::texts(&from)), json!(super::texts(&to)));
    }
    Ok(())
}

fn blocking(
    tx: &mut dyn Connection,
    caller: &Caller,
    item: &Item,
    names: Option<Vec<String>>,
    changes: &mut Changes,
) -> Result<()> {
    let Some(names) = names else { return Ok(()) };
    let mut to = depend::resolve(tx, caller, &item.id, &names)?;
    let mut from = depend::waiting_for(tx, caller, &item.id)?;
    to.sort();
    from.sort();
    if from != to {
        depend::set_blocks(tx, caller, item, &to)?;
        changes.note("blocks", json!(super::texts(&from)), json!(super::texts(&to)));
    }
    Ok(())
}

/// What became of what, by field.
#[derive(Debug, Default)]
pub(super) struct Changes(pub(super) Map<String, Json>);

impl Changes {
    fn between(before: &Item, after: &Item) -> Changes {
        let mut changes = Changes::default();
        let (old, new) = (super::record(before, &[], &[]), super::record(after, &[], &[]));
        for field in FIELDS {
            changes.note(field, old[field].clone(), new[field].clone());
        }
        changes
    }

    fn note(&mut self, field: &str, from: Json, to: Json) {
        if from == to {
            return;
        }
        // The text before is what an earlier event says; keeping it twice would double every edit.
        let change =
            if field == "description" { json!({ "to": to }) } else { json!({ "from": from, "to": to }) };
        self.0.insert(field.to_owned(), change);
    }

    /// Whether what an item is found by is different.
    fn text_changed(&self) -> bool {
        ["title", "description", "references", "evidence", "blocked_reason", "summary"]
            .iter()
            .any(|field| self.0.contains_key(*field))
    }

    /// What was done, for people: "status → done, added evidence".
    pub(super) fn sentence(&self) -> String {
        let phrases: Vec<String> = self.0.iter().map(|(field, change)| phrase(field, change)).collect();
        phrases.join(", ")
    }
}

const FIELDS: [&str; 12] = [
    "status",
    "evidence",
    "blocked_reason",
    "title",
    "description",
    "references",
    "priority",
    "due_date",
    "context",
    "summary",
    "validation",
    "extra",
];

/// One change in words.
pub(crate) fn phrase(field: &str, change: &Json) -> String {
    let to = &change["to"];
    let entries = |value: &Json| value.as_array().map_or(0, Vec::len);
    match field {
        "status" => format!("status → {}", to.as_str().unwrap_or("none")),
        "evidence" if entries(to) > entries(&change["from"]) => "added evidence".to_owned(),
        "evidence" => "changed evidence".to_owned(),
        "blocked_reason" if entries(to) > 0 => {
            format!("blocked: {}", to[entries(to) - 1].as_str().unwrap_or_default())
        }
        "blocked_reason" => "no longer blocked".to_owned(),
        "parent_id" => match to.as_str() {
            Some(parent) => format!("moved below {parent}"),
            None => "moved to the top".to_owned(),
        },
        "priority" | "due_date" => {
            format!("{} → {}", field.replace('_', " "), to.as_str().unwrap_or("none"))
        }
        "depends_on" => format!("depends on {}", listed(to)),
        "blocks" => format!("blocks {}", listed(to)),
        "title" => format!("renamed to {:?}", to.as_str().unwrap_or_default()),
        other => format!("changed {}", other.replace('_', " ")),
    }
}

fn listed(ids: &Json) -> String {
    let ids: Vec<&str> = ids.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    if ids.is_empty() { "nothing".to_owned() } else { ids.join(", ") }
}
