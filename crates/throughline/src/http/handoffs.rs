//! Handoffs: what one role passes to the next.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use throughline_engine::hold::handoff::Give;
use throughline_engine::store::handoff::{Cursor, Filter, Handoff as Record, Which};
use throughline_engine::store::id::HandoffId;

use super::call::Call;
use super::cursor::{place, written};
use super::operation::{Operation, get, post};
use super::within::Limit;
use crate::wire::hold::handoff::{Handoff, Passed};
use crate::wire::page::Page;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/handoffs", "Handoffs that wait to be taken, the oldest first", list),
        post("/api/handoffs", "Pass work on to a role", give),
        post("/api/handoffs/take", "Take over the oldest handoff for a role, once", take),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    role: Option<String>,
    /// Also what was taken
    #[serde(default)]
    all: bool,
    #[serde(default)]
    limit: Limit,
    cursor: Option<String>,
}

fn list(call: &Call<'_>, asked: Asked) -> Result<Page<Handoff>> {
    let after = asked.cursor.as_deref().map(place).transpose()?;
    let filter = Filter {
        to_role: asked.role,
        workflow: None,
        which: if asked.all { Which::All } else { Which::Pending },
        after: after.map(|(given_at, _, id)| Cursor { given_at, id: HandoffId::from(id) }),
    };
    let (found, total) = call.engine.handoffs(&call.reader()?, &filter, asked.limit.and_one())?;
    let at = |handoff: &Record| written(handoff.given_at, 0, handoff.id.as_str());
    Ok(Page::of(found, asked.limit.size(), total, at, Handoff::from))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Given {
    /// The role
    to: String,
    workflow: Option<String>,
    #[serde(default)]
    context: Map<String, Json>,
}

fn give(call: &Call<'_>, given: Given) -> Result<Passed> {
    let give = Give { to_role: given.to, workflow: given.workflow, context: given.context };
    Ok(Passed::given(call.engine.give_handoff(&call.writer()?, &give, &call.during())?))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Taken {
    /// The role
    r#as: String,
    workflow: Option<String>,
}

fn take(call: &Call<'_>, taken: Taken) -> Result<Passed> {
    let asked = (taken.r#as.as_str(), taken.workflow.as_deref());
    Ok(Passed::taken(call.engine.take_handoff(&call.writer()?, asked, &call.during())?))
}
