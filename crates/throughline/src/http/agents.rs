//! Working sets: what each agent holds while it works.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::hold::{Known, Removal, Wanted};
use throughline_engine::store::context_entry::Tier;
use throughline_engine::store::token::Role;

use super::call::Call;
use super::operation::{Nothing, Operation, get, post};
use super::problem::Refused;
use super::within::Paged;
use crate::wire::closed::One;
use crate::wire::hold::{Diff, Flashed, Holder, Loaded, Saved, Stats, Tiers};
use crate::wire::page::Page;
use crate::wire::to_keep::ToKeep;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/agents", "Who holds anything, and how much in each tier", list),
        get("/api/agents/{agent_id}/context", "What an agent holds in a tier", context),
        post("/api/agents/{agent_id}/context/save", "Keep something in an agent's working set", save),
        post(
            "/api/agents/{agent_id}/context/flash-save",
            "Checkpoint the working set and go on with what is HOT",
            flash,
        ),
        get("/api/agents/{agent_id}/context/stats", "How many entries and tokens are in each tier", stats),
        post(
            "/api/agents/{agent_id}/context/tiers",
            "Recompute the tiers; put entries aside or delete them",
            tiers,
        ),
        get(
            "/api/agents/{agent_id}/context/diff",
            "What changed of HOT since the agent was given it last; it counts as given",
            diff,
        )
        .needs(Role::Write),
    ]
}

fn list(call: &Call<'_>, asked: Paged) -> Result<Page<Holder>> {
    let caller = call.reader()?;
    let holders = call.engine.holders(&caller)?.into_iter().map(|(agent, _)| {
        let stats = call.engine.set_stats(&caller, &agent)?.into();
        Ok(Holder { agent, stats })
    });
    let holders = holders.collect::<Result<Vec<_>>>()?;
    Ok(Page::of_all(holders, asked.limit.size(), asked.cursor.as_ref(), |one: &Holder| one.agent.clone()))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Loading {
    /// All tiers without it; COLD has what was put aside as well
    tier: Option<One<Tier>>,
    /// The agent takes it: with HOT it counts as given to it. Needs the role write.
    #[serde(default)]
    given: bool,
}

fn context(call: &Call<'_>, asked: Loading) -> Result<Loaded> {
    let wanted = asked.tier.map_or(Wanted::All, |One(tier)| Wanted::Tier(tier));
    let (caller, agent) = (call.reader()?, call.path("agent_id"));
    if !asked.given {
        return Ok(call.engine.show_entries(&caller, agent, &wanted)?.into());
    }
    if call.asked.admitted.role < Role::Write {
        return Err(
            Refused::forbidden("given=true changes something and needs a token of the role write").into()
        );
    }
    Ok(call.engine.load_entries(&caller, agent, &wanted)?.into())
}

fn save(call: &Call<'_>, entry: ToKeep) -> Result<Saved> {
    Ok(call.engine.save_entry(&call.writer()?, call.path("agent_id"), &entry.into())?.into())
}

fn flash(call: &Call<'_>, _: Nothing) -> Result<Flashed> {
    Ok(call.engine.flash_save(&call.writer()?, call.path("agent_id"), &call.during())?.into())
}

fn stats(call: &Call<'_>, _: Nothing) -> Result<Stats> {
    Ok(call.engine.set_stats(&call.reader()?, call.path("agent_id"))?.into())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Tidying {
    /// Ids to put aside
    #[serde(default)]
    archive: Vec<String>,
    /// Ids to delete
    #[serde(default)]
    delete: Vec<String>,
}

fn tiers(call: &Call<'_>, asked: Tidying) -> Result<Tiers> {
    let (caller, agent) = (call.reader()?, call.path("agent_id"));
    let texts = |ids: Vec<_>| ids.iter().map(ToString::to_string).collect();
    let remove = |names: &[String], removal| call.engine.remove_entries(&caller, agent, names, removal);
    let archived = texts(remove(&asked.archive, Removal::Archive)?);
    let deleted = texts(remove(&asked.delete, Removal::Delete)?);
    Ok(Tiers { archived, deleted, ..call.engine.update_tiers(&caller, agent)?.into() })
}

fn diff(call: &Call<'_>, _: Nothing) -> Result<Diff> {
    Ok(call.engine.diff_entries(&call.reader()?, call.path("agent_id"), &Known::GivenLast)?.into())
}
