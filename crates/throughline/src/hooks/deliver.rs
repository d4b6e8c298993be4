//! What was heard goes into the log, and what to answer comes back. What could not be recorded before is recorded first,
//! so that events stay in their order.

use anyhow::Result;
use throughline_engine::capture::{Observation, Outcome, Recorded};
use throughline_engine::store::event::Kind;
use throughline_engine::turn::Beside;
use throughline_engine::{Caller, Engine};

use super::inject::inject;
use super::place::Place;
use super::{Client, Heard, Moment, Start, remote, spool};
use crate::door::Door;
use crate::wire::error::message;

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
    if heard.observations.is_empty() && !heard.injects() {
        return Ok(Delivered::default());
    }
    if let Some(server) = &door.config.remote {
        return remote::send(server, &door.config.home, heard, place);
    }
    let engine = door.engine()?;
    let mut problems = spool::drain(&door.config.home, engine);
    let caller = caller(engine, place)?;
    // What is told is noted with what was heard, at once: so it is found first. Its failure costs nothing but itself.
    let told = inject(engine, &caller, (heard, place), &door.config.hooks).unwrap_or_else(|error| {
        problems.push(format!("nothing could be told: {}", message(&error)));
        None
    });
    let beside = match (&heard.moment, &told) {
        (Moment::BeforeCompaction, told) => Beside::Compaction { told: told.as_ref() },
        (_, Some(told)) => Beside::Told(told),
        // Gemini CLI does not say when it compacts, and often does when it resumes.
        (Moment::SessionStart(Start::Resume), None) if heard.client == Client::GeminiCli => Beside::Lost,
        (_, None) => Beside::Nothing,
    };
    let recorded = engine.capture_turn(&caller, attributed(place, place.observations(heard)), beside)?;
    // A folder that is no repository may be anything, somebody's home too.
    let is_repository = place.folder.git.is_some();
    if matches!(heard.moment, Moment::SessionStart(_)) && is_repository && engine.settings().code.index {
        let asked = engine.request_code_index(&caller, &place.folder.root);
        problems.extend(asked.err().map(|error| format!("no index of the files was asked for: {error}")));
    }
    // Who hears the same twice says it once.
    let is_first = recorded.is_empty() || recorded.iter().any(|event| event.outcome == Outcome::Appended);
    Ok(Delivered { context: told.filter(|_| is_first).map(|told| told.text), problems })
}

/// Records observations that were made somewhere, each in the name of whoever made it.
pub(super) fn record(
    engine: &Engine,
    place: &Place,
    observations: Vec<Observation>,
) -> Result<Vec<Recorded>> {
    Ok(engine.capture(&caller(engine, place)?, attributed(place, observations))?)
}

fn caller(engine: &Engine, place: &Place) -> Result<Caller> {
    let project = engine.project(&place.folder, place.project.as_deref())?.id;
    Ok(Caller { project, actor: place.agent.clone() })
}

/// The person at the machine says things; the client does them.
fn attributed(place: &Place, observations: Vec<Observation>) -> Vec<Observation> {
    let of = |observation: Observation| {
        let is_said = observation.kind == Kind::UserMessage;
        let actor = if is_said { place.person.clone() } else { place.agent.clone() };
        Observation { actor: Some(actor), ..observation }
    };
    observations.into_iter().map(of).collect()
}
