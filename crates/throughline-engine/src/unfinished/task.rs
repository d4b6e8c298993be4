//! What is open in the list of tasks that an agent keeps with its client: as its last word on each says.

use serde_json::Value as Json;
use throughline_store::event::{Event, Kind};

use super::settled::Record;
use super::{Reason, Unfinished, unfinished};

/// Where an event says in its parts which tasks it tells of: `[{"id": "1", "text": "Write the parser", "status": "pending"}]`. Those
/// without an id are all that are open of a whole list.
pub const TASKS: &str = "tasks";
const OVER: [&str; 5] = ["completed", "done", "deleted", "cancelled", "canceled"];
const STARTED: &str = "in_progress";

struct Task<'a> {
    event: &'a Event,
    id: Option<String>,
    text: String,
    is_started: bool,
}

/// Of these events, which are in their order.
pub(super) fn left(events: &[Event], record: &Record<'_>) -> Vec<Unfinished> {
    let mut open: Vec<Task<'_>> = vec![];
    for event in events.iter().filter(|event| event.kind == Kind::ToolCall) {
        if let Some(told) = told(event) {
            take(&mut open, event, &told);
        }
    }
    open.retain(|task| !record.settles(&task.text, after_session(events, task.event)));
    open.iter().map(Task::unfinished).collect()
}

/// Of what was done in the session itself its agent's word tells.
fn after_session(events: &[Event], event: &Event) -> usize {
    events.iter().rposition(|one| one.session_id == event.session_id).map_or(0, |last| last + 1)
}

fn told(event: &Event) -> Option<Vec<Json>> {
    let parts = event.parts.as_deref().filter(|parts| parts.contains(TASKS))?;
    let parts: Json = serde_json::from_str(parts).ok()?;
    parts.get(TASKS)?.as_array().cloned()
}

fn take<'a>(open: &mut Vec<Task<'a>>, event: &'a Event, told: &[Json]) {
    let is_list = told.iter().all(|task| task.get("id").is_none());
    if is_list {
        open.retain(|task| task.id.is_some() || task.event.session_id != event.session_id);
    }
    for one in told {
        let said = |name: &str| one.get(name).and_then(Json::as_str).map(str::to_owned);
        let id = said("id");
        let known = open.iter().position(|task| id.is_some() && task.is_of(event, id.as_deref()));
        let known = known.map(|at| open.remove(at));
        let Some(text) = said("text").or(known.as_ref().map(|task| task.text.clone())) else { continue };
        let status = said("status");
        let is_started =
            status.as_deref().map_or(known.is_some_and(|task| task.is_started), |status| status == STARTED);
        // The same may be on the lists of several sessions.
        open.retain(|task| !task.text.eq_ignore_ascii_case(&text));
        if !status.is_some_and(|status| OVER.contains(&status.as_str())) {
            open.push(Task { event, id, text, is_started });
        }
    }
}

impl Task<'_> {
    fn is_of(&self, event: &Event, id: Option<&str>) -> bool {
        self.event.session_id == event.session_id && self.id.as_deref() == id
    }

    fn unfinished(&self) -> Unfinished {
        let begun = if self.is_started { " (begun)" } else { "" };
        unfinished(Reason::Task, self.event, &format!("{}{begun}", self.text))
    }
}
