//! `checkpoint`: what the caller's session stands at, kept and brought back.

use anyhow::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use throughline_engine::store::checkpoint::Filter;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::error::Usage;
use crate::wire::hold::checkpoint::{Checkpoint, Listed, Restored};

pub(super) const TOOL: Tool = Tool {
    name: "checkpoint",
    description: "Save, list or restore what you stand at.",
    effect: Effect::Changes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Kept>(&[]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    action: Action,
    id: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Save,
    List,
    Restore,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Kept {
    action: &'static str,
    #[serde(flatten)]
    outcome: Json,
}

const LISTED: i64 = 20;

fn run(call: &Call<'_>, args: Args) -> Result<Kept> {
    match (args.action, args.id) {
        (Action::Save, title) => {
            let agent = call.agent(None);
            let made = call.engine.save_checkpoint(
                &call.writer()?,
                Some(&agent),
                title.as_deref(),
                &call.during(),
            )?;
            Ok(Kept { action: "saved", outcome: json!({ "checkpoint": Checkpoint::from(made) }) })
        }
        (Action::List, _) => {
            let listed =
                Listed::from(call.engine.checkpoints(&call.reader()?, &Filter::default(), LISTED)?);
            Ok(Kept { action: "listed", outcome: serde_json::to_value(listed)? })
        }
        (Action::Restore, Some(id)) => {
            let restored = call.engine.restore_checkpoint(&call.reader()?, Some(&id), &call.during())?;
            Ok(Kept { action: "restored", outcome: serde_json::to_value(Restored::from(restored))? })
        }
        (Action::Restore, None) => {
            Err(Usage("say which checkpoint to restore: its id, as action list shows it".to_owned()).into())
        }
    }
}
