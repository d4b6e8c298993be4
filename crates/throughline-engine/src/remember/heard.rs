//! Who said what was found in a session, when, and what it is as a statement.

use throughline_store::actor::{Actor, ActorKind};
use throughline_store::event::{Event, Kind};
use throughline_store::memory::Source;
use throughline_store::time::Timestamp;

use super::Statement;
use super::extract::{Candidate, Evidence, Family};
use super::generate::Stretch;
use crate::words::is_in;
use crate::{Caller, Engine, Result};

const AGREEING: &str = "agreed agree confirmed confirm correct right exactly decided";
const BESIDE_AGREEING: &str = "yes yep yeah ok okay i we all that s is it so what thanks thank you good great fine perfect absolutely quite";

impl Engine {
    /// A statement as that which it repeats: what an agent says may be what it has read.
    pub(super) fn heard(
        &self,
        caller: &Caller,
        stretch: &Stretch,
        candidate: &Candidate,
    ) -> Result<Statement> {
        let statement = statement(candidate);
        let is_told = told_in(stretch, candidate).all(|event| event.kind == Kind::ModelMessage);
        if !is_told || is_agreed_to(stretch, candidate) {
            return Ok(statement);
        }
        Ok(match self.is_hearsay(caller, &statement, Some(&stretch.session.id))? {
            true => Statement { source: Source::ToolOutput, confidence: None, ..statement },
            false => statement,
        })
    }
}

/// The person who said it first, else whoever did.
pub(super) fn speaker(stretch: &Stretch, candidate: &Candidate) -> Actor {
    let by_person = told_in(stretch, candidate).find(|event| event.kind == Kind::UserMessage);
    let said = by_person.or_else(|| {
        let first = candidate.evidence.first()?;
        stretch.events.iter().find(|event| event.id == first.event)
    });
    let actor = said.map(|event| event.actor.clone());
    actor.unwrap_or_else(|| Actor { kind: ActorKind::Agent, name: "throughline".to_owned() })
}

pub(super) fn said_at(stretch: &Stretch, candidate: &Candidate) -> Timestamp {
    let times = told_in(stretch, candidate).map(|event| event.at);
    times.max().unwrap_or(stretch.session.last_event_at)
}

/// The events that it was found in.
fn told_in<'a>(stretch: &'a Stretch, candidate: &'a Candidate) -> impl Iterator<Item = &'a Event> {
    let is_said = |event: &&Event| candidate.evidence.iter().any(|one| one.event == event.id);
    stretch.events.iter().filter(is_said)
}

/// Whether a person's next word to the agent is that it is so.
fn is_agreed_to(stretch: &Stretch, candidate: &Candidate) -> bool {
    told_in(stretch, candidate).any(|told| {
        let mut after = stretch.events.iter().skip_while(|event| event.id != told.id).skip(1);
        let answer = after.find(|event| matches!(event.kind, Kind::UserMessage | Kind::ModelMessage));
        let answer = answer.filter(|event| event.kind == Kind::UserMessage && event.purge.is_none());
        answer.and_then(|event| event.content.as_deref()).is_some_and(agrees)
    })
}

/// "Agreed.", "Yes, that's right." A longer answer may agree to something else.
fn agrees(answer: &str) -> bool {
    let answer = answer.to_lowercase();
    let words = || answer.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let is_no_more = words().all(|word| is_in(AGREEING, word) || is_in(BESIDE_AGREEING, word));
    is_no_more && words().any(|word| is_in(AGREEING, word)) && !answer.contains('?')
}

fn statement(candidate: &Candidate) -> Statement {
    Statement {
        kind: candidate.kind,
        scope: candidate.scope,
        tags: candidate.tags.clone(),
        confidence: Some(candidate.confidence),
        source: candidate.source,
        state_key: candidate.state_key.clone(),
        from: candidate.evidence.first().map(|one| from(candidate.family, one)),
        ..Statement::of(candidate.content.clone())
    }
}

fn from(family: Family, evidence: &Evidence) -> String {
    let place = format!("event {} line {}", evidence.event, evidence.line);
    if family == Family::Named { format!("{place}, named by a model") } else { place }
}
