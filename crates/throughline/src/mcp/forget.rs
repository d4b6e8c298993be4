//! `forget`: memories that are found no more.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer, at_least_one};
use crate::wire::memory::Forgetting;

pub(super) const TOOL: Tool = Tool {
    name: "forget",
    description: "Forget memories by id: delete what is wrong or unwanted. To correct one, `remember` with \
                  `supersedes`.",
    effect: Effect::Removes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Forgetting>(&["forgotten"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    ids: Vec<String>,
    reason: Option<String>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Forgetting> {
    at_least_one(&args.ids)?;
    let within = (&call.session(), &call.opening());
    Ok(call.engine.forget(&call.reader()?, &args.ids, args.reason.as_deref(), within)?.into())
}
