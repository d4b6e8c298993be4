//! What was heard goes into the log, and what to answer comes back. What could not be recorded before is recorded first,
//! so that events stay in their order.

use anyhow::Result;
use throughline_engine::capture::{Observation, Outcome, Recorded, mark};
use throughline_engine::store::actor::ActorKind;
use throughline_engine::store::event::Kind;
use throughline_engine::{Caller, Engine, tokens};

use super::inject::{Injection, inject};
use super::place::Place;
use super::{Heard, Limits, spool};
use crate::door::Door;

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Delivered {
    /// The text to put before the model, as the client gets it.
    pub(crate) context: Option<String>,
    /// Why earlier events could not be recorded.
    pub(crate) problems: Vec<String>,
}

/// Records what was heard; when this returns, it is durable.
pub(crate) fn deliver(door: &Door, heard: &Heard, place: &Place) -> Result<Delivered> {
    let takes = heard.client.takes(&heard.moment);
    if heard.observations.is_empty() && !takes {
        return Ok(Delivered::default());
    }
    let engine = door.engine()?;
    let problems = spool::drain(&door.config.home, engine);
    let recorded = record(engine, place, place.observations(heard))?;
    // Who hears the same twice says it once.
    let is_first = recorded.is_empty() || recorded.iter().any(|event| event.outcome == Outcome::Appended);
    let limits = heard.client.limits();
    let injection = match takes && is_first {
        true => inject(engine, &caller(engine, place, heard.actor)?, heard, limits)?,
        false => None,
    };
    Ok(Delivered { context: injection.map(|injection| within(limits, &injection)), problems })
}

/// Records observations that were made somewhere, each in the name of whoever made it.
pub(super) fn record(
    engine: &Engine,
    place: &Place,
    observations: Vec<Observation>,
) -> Result<Vec<Recorded>> {
    let mut recorded = Vec::new();
    for (kind, observations) in by_actor(observations) {
        recorded.extend(engine.capture(&caller(engine, place, kind)?, observations)?);
    }
    Ok(recorded)
}

fn caller(engine: &Engine, place: &Place, kind: ActorKind) -> Result<Caller> {
    let project = engine.project(&place.folder, place.project.as_deref())?.id;
    Ok(Caller { project, actor: place.actor(kind).clone() })
}

/// Runs of one actor, in their order.
fn by_actor(observations: Vec<Observation>) -> Vec<(ActorKind, Vec<Observation>)> {
    let mut runs: Vec<(ActorKind, Vec<Observation>)> = Vec::new();
    for observation in observations {
        let kind = if observation.kind == Kind::UserMessage { ActorKind::User } else { ActorKind::Agent };
        match runs.last_mut().filter(|(last, _)| *last == kind) {
            Some((_, run)) => run.push(observation),
            None => runs.push((kind, vec![observation])),
        }
    }
    runs
}

/// The text with our marks, cut where the client would cut it.
fn within(limits: Limits, injection: &Injection) -> String {
    let room = limits.max_chars.saturating_sub(mark::overhead());
    let end = injection.text.char_indices().nth(room).map_or(injection.text.len(), |(end, _)| end);
    let text = &injection.text[..end];
    // The marks are a few tokens themselves.
    let max_tokens = limits.max_tokens.saturating_sub(40);
    let text = if injection.tokens > max_tokens { tokens::cut(text, max_tokens) } else { text };
    mark::wrap(text)
}
