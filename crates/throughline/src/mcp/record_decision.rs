//! `record_decision`: what was chosen about a subject, why, and instead of what.

use anyhow::Result;

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::decision::{Choice, Decided};

pub(super) const TOOL: Tool = Tool {
    name: "record_decision",
    description: "Record a decision and why; it replaces the last one on its subject.",
    effect: Effect::Adds,
    loading: Loading::OnDemand,
    input: schema::input::<Choice>,
    output: || schema::output::<Decided>(&["id", "action"]),
    run: |call, arguments| answer(call, arguments, run),
};

fn run(call: &Call<'_>, choice: Choice) -> Result<Decided> {
    Ok(call.engine.decide(&call.writer()?, choice.decision(call.during()))?.into())
}
