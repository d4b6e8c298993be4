//! Which events: what can be asked for, and the conditions it becomes.

use super::Kind;
use crate::actor::Actor;
use crate::id::{EventId, ProjectId, SessionId};
use crate::sql::Param;
use crate::time::Timestamp;

/// Which events to read; all conditions hold together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// In any of these; all when empty.
    pub sessions: Vec<SessionId>,
    pub item: Option<String>,
    pub kinds: Vec<Kind>,
    pub actor: Option<Actor>,
    pub ids: Vec<EventId>,
    pub target: Option<String>,
    /// About this memory.
    pub informs: Option<String>,
    /// At this time or later.
    pub since: Option<Timestamp>,
    /// Before this time.
    pub until: Option<Timestamp>,
    pub after_position: Option<i64>,
    pub before_position: Option<i64>,
}

/// A value of a condition.
pub(super) enum Owned {
    Int(i64),
    Text(String),
}

pub(super) fn borrowed(values: &[Owned]) -> Vec<Param<'_>> {
    values
        .iter()
        .map(|value| match value {
            Owned::Int(n) => Param::Int(*n),
            Owned::Text(text) => Param::Text(text),
        })
        .collect()
}

/// Only the conditions that are asked for, so that each combination finds its index.
pub(super) fn conditions(project: &ProjectId, filter: &Filter) -> (String, Vec<Owned>) {
    let mut sql = String::from("project_id = ?1");
    let mut params = vec![Owned::Text(project.to_string())];
    let mut and = |condition: &str, value: Owned| {
        params.push(value);
        sql.push_str(&format!(" and {condition} ?{}", params.len()));
    };
    if let Some(item) = &filter.item {
        and("item_id =", Owned::Text(item.clone()));
    }
    if let Some(target) = &filter.target {
        and("target =", Owned::Text(target.clone()));
    }
    if let Some(memory) = &filter.informs {
        and("informs =", Owned::Text(memory.clone()));
    }
    if let Some(actor) = &filter.actor {
        and("actor_kind =", Owned::Text(actor.kind.to_string()));
        and("actor_name =", Owned::Text(actor.name.clone()));
    }
    for (condition, bound) in [("at >=", filter.since.map(|t| t.0)), ("at <", filter.until.map(|t| t.0))] {
        bound.into_iter().for_each(|bound| and(condition, Owned::Int(bound)));
    }
    for (condition, bound) in [("position >", filter.after_position), ("position <", filter.before_position)]
    {
        bound.into_iter().for_each(|bound| and(condition, Owned::Int(bound)));
    }
    // A session is found by its own index, whatever it has of a kind: without this SQLite reads that kind of the whole project.
    let kind = if filter.sessions.len() == 1 { "kind || ''" } else { "kind" };
    any_of(kind, filter.kinds.iter().map(ToString::to_string), &mut sql, &mut params);
    any_of("session_id", filter.sessions.iter().map(ToString::to_string), &mut sql, &mut params);
    any_of("event_id", filter.ids.iter().map(ToString::to_string), &mut sql, &mut params);
    (sql, params)
}

pub(super) fn any_of(
    column: &str,
    values: impl ExactSizeIterator<Item = String>,
    sql: &mut String,
    params: &mut Vec<Owned>,
) {
    if values.len() == 0 {
        return;
    }
    let first = params.len() + 1;
    params.extend(values.map(Owned::Text));
    let places: Vec<String> = (first..=params.len()).map(|n| format!("?{n}")).collect();
    sql.push_str(&format!(" and {column} in ({})", places.join(", ")));
}
