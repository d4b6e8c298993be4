//! `session_state`: the scratchpad of a session, read or changed by a merge patch.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use throughline_engine::session::Update;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::error::Usage;
use crate::wire::session::SessionState;

pub(super) const TOOL: Tool = Tool {
    name: "session_state",
    description: "Read or patch a session's scratchpad: current_task, files_in_progress, blockers; survives \
                  compaction.",
    effect: Effect::Changes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<SessionState>(&["session_id", "version", "state"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Default: your own
    session_id: Option<String>,
    /// Merge patch: null removes
    patch: Option<Map<String, Json>>,
    if_version: Option<i64>,
}

fn run(call: &Call<'_>, args: Args) -> Result<SessionState> {
    let scratchpad = match (args.patch, args.session_id) {
        (None, _) if args.if_version.is_some() => {
            return Err(Usage("if_version goes with a patch; leave it out to read".to_owned()).into());
        }
        (None, name) => {
            let caller = call.reader()?;
            let name = call.session_name(&caller, name)?;
            call.engine.scratchpad(&caller, name.as_deref())?
        }
        (Some(patch), Some(name)) => {
            let update = Update { patch: Json::Object(patch), if_version: args.if_version };
            call.engine.update_scratchpad(&call.reader()?, Some(&name), &update)?
        }
        (Some(patch), None) => {
            let update = Update { patch: Json::Object(patch), if_version: args.if_version };
            let within = (&call.session(), &call.opening());
            call.engine.update_scratchpad_within(&call.writer()?, within, &update)?
        }
    };
    Ok(scratchpad.into())
}
