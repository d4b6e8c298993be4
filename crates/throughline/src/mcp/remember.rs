//! `remember`: a statement becomes a memory that is found from now on.

use anyhow::{Result, anyhow};

use super::call::Call;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::memory::Remembered;
use crate::wire::statement::Said;

pub(super) const TOOL: Tool = Tool {
    name: "remember",
    description: "Remember a fact, preference, rule, decision or lesson for later sessions: save it to memory. One \
                  statement each, understandable alone.",
    effect: Effect::Adds,
    loading: Loading::OnDemand,
    input: schema::input::<Said>,
    output: || schema::output::<Remembered>(&["id", "action"]),
    run: |call, arguments| answer(call, arguments, run),
};

fn run(call: &Call<'_>, said: Said) -> Result<Remembered> {
    let root = call.door.own_folder(call.engine)?.map(|folder| folder.root.as_path());
    let statement = said.statement(call.during(), root, call.engine.now());
    let remembered = call.engine.remember(&call.writer()?, vec![statement])?;
    let remembered = remembered.into_iter().next().ok_or_else(|| anyhow!("nothing was remembered"))?;
    Ok(Remembered::from(remembered))
}
