//! Finishing a task: what it was for, what was done, how it was checked, kept in the log for those who come after.

use serde_json::json;
use throughline_store::Connection;
use throughline_store::event::{self, Filter, Kind as EventKind, Order};
use throughline_store::item::{Context, Item, Status, Validation};

use super::change::{Changes, Patch, Set};
use super::{Act, Entry, look};
use crate::capture::{During, one_line};
use crate::{Caller, Engine, Error, Result};

/// At most so many files are named in a summary that nobody wrote.
const FILES: usize = 5;

impl Engine {
    /// Finishes an item.
    pub fn complete_item(
        &self,
        caller: &Caller,
        name: &str,
        (summary, validation, evidence): (Option<String>, Option<Validation>, Vec<String>),
        during: &During,
    ) -> Result<Entry> {
        self.write(caller, |tx| {
            let before = look::named(tx, caller, name)?;
            if before.status == Status::Done {
                return Err(Error::Invalid(format!(
                    "{0} is done already; `throughline task update {0} --status open` opens it again",
                    before.id
                )));
            }
            let patch = Patch {
                status: Some(Status::Done),
                summary: Set::given(summary.clone()),
                validation: Set::given(validation.clone()),
                add_evidence: evidence.clone(),
                ..Patch::default()
            };
            let item = self.change_item(tx, caller, before, patch, during)?;
            look::entry(tx, caller, item)
        })
    }
}

/// What the log keeps of a completion.
pub(super) fn act<'a>(
    tx: &mut dyn Connection,
    caller: &Caller,
    item: &Item,
    changes: &Changes,
    during: &'a During,
) -> Result<Act<'a>> {
    let summary = match &item.summary {
        Some(summary) => summary.clone(),
        None => derived(tx, caller, item)?,
    };
    let verdict =
        item.validation.as_ref().map(|validation| if validation.valid { "valid" } else { "not valid" });
    let shown = verdict.map(|verdict| format!(" ({verdict})")).unwrap_or_default();
    Ok(Act {
        kind: EventKind::TaskCompleted,
        summary: one_line(&format!("completed {}: {}{shown}", item.id, item.title)),
        content: Some(summary.clone()),
        parts: json!({
            "item_id": item.id.as_str(),
            "intent": item.title,
            "summary": summary,
            "valid": item.validation.as_ref().map(|validation| validation.valid),
            "report": item.validation.as_ref().and_then(|validation| validation.report.as_deref()),
            "requires_context": item.context != Some(Context::Isolated),
            "changes": changes.0,
        }),
        during,
    })
}

/// What was done as the log and the item have it, when nobody said it.
fn derived(tx: &mut dyn Connection, caller: &Caller, item: &Item) -> Result<String> {
    let writes =
        Filter { item: Some(item.id.to_string()), kinds: vec![EventKind::Write], ..Filter::default() };
    let mut files: Vec<String> = event::list(tx, &caller.project, &writes, Order::NewestFirst, 100)?
        .into_iter()
        .filter_map(|event| event.target)
        .collect();
    files.sort();
    files.dedup();
    let mut text = item.title.clone();
    if let Some(evidence) = item.evidence.last() {
        text.push_str(&format!(". Evidence: {}", one_line(evidence)));
    }
    if !files.is_empty() {
        let more = files.len().saturating_sub(FILES);
        files.truncate(FILES);
        text.push_str(&format!(". Files: {}", files.join(", ")));
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
    }
    Ok(text)
}
