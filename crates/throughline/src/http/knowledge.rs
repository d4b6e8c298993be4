//! Beliefs, decisions, patterns, and everything that is linked.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::graph::Breadth;
use throughline_engine::remember::{Adjustment, Evidence, Word};
use throughline_engine::store::memory::{Filter, Kind};

use super::call::Call;
use super::cursor::number;
use super::memories;
use super::operation::{Nothing, Operation, get, post};
use super::within::Limit;
use crate::wire::belief::Belief;
use crate::wire::decision::{Choice, Decided, Moved};
use crate::wire::error::Usage;
use crate::wire::graph::Graph;
use crate::wire::memory::Memory;
use crate::wire::page::Page;
use crate::wire::pattern::{Mined, Pattern, Patterns};
use crate::wire::review::Review;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/beliefs", "Beliefs, the newest first", beliefs),
        get("/api/beliefs/{id}", "A belief with the steps that made it as sure as it is", belief),
        post("/api/beliefs/{id}/adjust", "Move a belief by evidence, or to where it should be", adjust),
        get("/api/decisions", "Decisions, the newest first", decisions),
        post("/api/decisions", "Record what was chosen about a subject, and why", decide),
        get("/api/patterns", "What recurs in finished sessions, suggested or approved", patterns),
        post("/api/patterns/mine", "Look for what recurs in finished sessions", mine),
        post("/api/patterns/{id}/approve", "Let a suggested pattern hold", approve),
        get("/api/graph", "Everything that is linked", graph),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Listed {
    /// Also what does not hold any more, or not yet
    #[serde(default)]
    all: bool,
    #[serde(default)]
    limit: Limit,
    cursor: Option<String>,
}

fn beliefs(call: &Call<'_>, asked: Listed) -> Result<Page<Memory>> {
    of_kind(call, Kind::Belief, &asked)
}

fn decisions(call: &Call<'_>, asked: Listed) -> Result<Page<Memory>> {
    of_kind(call, Kind::Decision, &asked)
}

fn of_kind(call: &Call<'_>, kind: Kind, asked: &Listed) -> Result<Page<Memory>> {
    let filter = Filter {
        kinds: vec![kind],
        active_at: (!asked.all).then(|| call.engine.now()),
        before_number: asked.cursor.as_deref().map(number).transpose()?,
        ..Filter::default()
    };
    memories::page(call, &filter, asked.limit)
}

fn belief(call: &Call<'_>, _: Nothing) -> Result<Belief> {
    Ok(Belief::at(call.engine.belief(&call.reader()?, call.path("id"))?, call.engine.now()))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Adjust {
    /// What the evidence says; either this or `to`
    evidence: Option<Says>,
    /// This sure from now on, 0 to 1
    to: Option<f64>,
    /// How much the evidence is worth, 0 to 1
    #[serde(default = "whole")]
    weight: f64,
    reason: Option<String>,
    /// The event that shows it
    event_id: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Says {
    Supports,
    Contradicts,
}

fn whole() -> f64 {
    1.0
}

fn adjust(call: &Call<'_>, asked: Adjust) -> Result<Moved> {
    let evidence = match (asked.evidence, asked.to) {
        (Some(Says::Supports), None) => Evidence::Supports,
        (Some(Says::Contradicts), None) => Evidence::Contradicts,
        (None, Some(share)) => Evidence::Sets(share),
        _ => return Err(Usage("give either evidence or to".to_owned()).into()),
    };
    let adjustment = Adjustment {
        evidence,
        weight: asked.weight,
        reason: asked.reason,
        event: asked.event_id,
        during: call.during(),
    };
    Ok(call.engine.adjust_belief(&call.reader()?, call.path("id"), &adjustment)?.into())
}

fn decide(call: &Call<'_>, choice: Choice) -> Result<Decided> {
    Ok(call.engine.decide(&call.writer()?, choice.decision(call.during()))?.into())
}

fn patterns(call: &Call<'_>, _: Nothing) -> Result<Page<Pattern>> {
    let items = Patterns::from(call.engine.patterns(&call.reader()?)?).patterns;
    Ok(Page { total: i64::try_from(items.len())?, items, next: None })
}

fn mine(call: &Call<'_>, _: Nothing) -> Result<Mined> {
    Ok(call.engine.mine_patterns(&call.reader()?, &call.during())?.into())
}

fn approve(call: &Call<'_>, _: Nothing) -> Result<Review> {
    let ids = [call.path("id").to_owned()];
    Ok(call.engine.review(&call.reader()?, &ids, Word::Approve, None, &call.during())?.into())
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Drawn {
    /// Only the links of this record, by its whole id
    around: Option<String>,
    /// Every event too, not only those that memories come from
    #[serde(default)]
    events: bool,
}

fn graph(call: &Call<'_>, asked: Drawn) -> Result<Graph> {
    let breadth = if asked.events { Breadth::Everything } else { Breadth::Knowledge };
    Ok(call.engine.graph(&call.reader()?, breadth, asked.around.as_deref())?.into())
}
