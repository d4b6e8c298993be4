//! `feedback`: how useful memories were.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::remember::FeedbackOutcome;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer, at_least_one};
use crate::wire::closed::One;
use crate::wire::memory::Judgement;

pub(super) const TOOL: Tool = Tool {
    name: "feedback",
    description: "Rate recalled memories, so that good ones come first and wrong ones go to review.",
    effect: Effect::Changes,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Judgement>(&["memories"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    ids: Vec<String>,
    outcome: One<FeedbackOutcome>,
    note: Option<String>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Judgement> {
    at_least_one(&args.ids)?;
    let within = (&call.session(), &call.opening());
    let caller = call.reader()?;
    Ok(call.engine.feedback(&caller, &args.ids, args.outcome.0, args.note.as_deref(), within)?.into())
}
