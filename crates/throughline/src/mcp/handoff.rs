//! `handoff`: passes work on to a role, or takes it over, once.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use throughline_engine::hold::handoff::Give;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::error::Usage;
use crate::wire::hold::handoff::Passed;

pub(super) const TOOL: Tool = Tool {
    name: "handoff",
    description: "Give work to a role, or take it over.",
    effect: Effect::Changes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Passed>(&[]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    action: Action,
    to: Option<String>,
    #[serde(rename = "as")]
    role: Option<String>,
    workflow: Option<String>,
    context: Option<Map<String, Json>>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Give,
    Take,
}

fn run(call: &Call<'_>, args: Args) -> Result<Passed> {
    match (args.action, args.to, args.role) {
        (Action::Give, Some(to_role), _) => {
            let context = args.context.unwrap_or_default();
            let give = Give { to_role, workflow: args.workflow, context };
            Ok(Passed::given(call.engine.give_handoff(&call.writer()?, &give, &call.during())?))
        }
        (Action::Take, _, Some(role)) => {
            let asked = (role.as_str(), args.workflow.as_deref());
            Ok(Passed::taken(call.engine.take_handoff(&call.reader()?, asked, &call.during())?))
        }
        (Action::Give, None, _) => Err(Usage("name the role in `to`".to_owned()).into()),
        (Action::Take, _, None) => Err(Usage("name your role in `as`".to_owned()).into()),
    }
}
