//! Beliefs: memories whose conviction moves with evidence. What supports one brings it nearer to certainty, what contradicts
//! one takes a share away; each step is in the log.

use throughline_store::Connection;
use throughline_store::event;
use throughline_store::id::{EventId, text_enum};
use throughline_store::link::Kind as LinkKind;
use throughline_store::memory::{self, Kind, Memory, Status};

use super::confidence::{check_movable, contradicted, standing, supported};
use super::note::Because;
use super::statement::Statement;
use super::trace::{Step, steps};
use super::{Change, look};
use crate::capture::{During, redacted};
use crate::{Caller, Engine, Error, Result};

/// What evidence says about a belief.
#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    Supports,
    Contradicts,
    /// Somebody knows better: this sure, from now on.
    Sets(f64),
}

text_enum! {
    /// Which way a decision counts for a belief.
    Effect {
        Supports = "supports",
        Contradicts = "contradicts",
    }
}

/// A belief that is to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjustment {
    pub evidence: Evidence,
    /// How much the evidence is worth, 0 to 1.
    pub weight: f64,
    pub reason: Option<String>,
    /// The event that shows it.
    pub event: Option<String>,
    pub during: During,
}

/// A belief before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    pub belief: Memory,
    pub before: f64,
}

/// A belief with why it is as sure as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Believed {
    pub belief: Memory,
    pub steps: Vec<Step>,
}

/// The word in the log for what `recount_belief` does.
pub(crate) const COUNTED_AGAIN: &str = "counted again";

impl Evidence {
    /// How sure a belief is after it.
    fn applied(&self, confidence: f64, weight: f64) -> f64 {
        match self {
            Evidence::Supports => supported(confidence, weight),
            Evidence::Contradicts => contradicted(confidence, weight),
            Evidence::Sets(share) => *share,
        }
    }

    /// The word for it in the log, and how it is linked to the belief.
    pub(super) fn said(&self) -> (&'static str, LinkKind) {
        match self {
            Evidence::Supports => ("supported", LinkKind::Supports),
            Evidence::Contradicts => ("contradicted", LinkKind::Contradicts),
            Evidence::Sets(_) => ("adjusted", LinkKind::Informs),
        }
    }
}

impl From<Effect> for Evidence {
    fn from(effect: Effect) -> Evidence {
        match effect {
            Effect::Supports => Evidence::Supports,
            Effect::Contradicts => Evidence::Contradicts,
        }
    }
}

impl Engine {
    /// A belief and every step that made it as sure as it is.
    pub fn belief(&self, caller: &Caller, name: &str) -> Result<Believed> {
        self.store.read(|conn| {
            let belief = named(conn, caller, name)?;
            Ok(Believed { steps: steps(conn, caller, &belief)?, belief })
        })
    }

    /// Moves a belief by evidence, or to where somebody says it should be.
    pub fn adjust_belief(&self, caller: &Caller, name: &str, adjustment: &Adjustment) -> Result<Moved> {
        check(adjustment)?;
        let reason = adjustment.reason.clone().map(|reason| redacted(reason, &mut 0));
        let during = &adjustment.during;
        self.write(caller, |tx| {
            let belief = named(tx, caller, name)?;
            let event = adjustment.event.as_deref().map(|id| existing(tx, caller, id)).transpose()?;
            let (what, _) = adjustment.evidence.said();
            let change =
                Change { what, why: reason.as_deref(), session: &during.session, opening: &during.opening };
            self.move_belief(tx, caller, (&belief, &change), (&adjustment.evidence, adjustment.weight), event)
        })
    }

    /// Forms a belief that nobody stated, standing as it is to stand; `then` belongs to it.
    pub(crate) fn form_belief(
        &self,
        caller: &Caller,
        statement: Statement,
        status: Status,
        then: &dyn Fn(&mut dyn Connection, &Memory) -> Result<()>,
    ) -> Result<Memory> {
        let mut draft = self.draft(caller, statement, self.now())?;
        draft.memory.status = status;
        self.write(caller, |tx| {
            let mut additions = vec![];
            let formed = self.create(tx, caller, (&draft, &draft.memory), None, &mut additions)?.memory;
            self.make_findable(tx, caller, additions)?;
            then(tx, &formed)?;
            Ok(formed)
        })
    }

    /// Counting again makes a belief this sure.
    pub(crate) fn recount_belief(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        belief: &Memory,
        (confidence, why): (f64, &str),
        during: &During,
    ) -> Result<Memory> {
        let change = Change {
            what: COUNTED_AGAIN,
            why: Some(why),
            session: &during.session,
            opening: &during.opening,
        };
        let evidence = (&Evidence::Sets(confidence), 1.0);
        Ok(self.move_belief(tx, caller, (belief, &change), evidence, None)?.belief)
    }

    /// Moves a belief that has not ended, in a transaction that is already open.
    pub(super) fn move_belief(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (belief, change): (&Memory, &Change<'_>),
        (evidence, weight): (&Evidence, f64),
        event: Option<EventId>,
    ) -> Result<Moved> {
        check_movable(belief)?;
        let after = standing(belief, evidence.applied(belief.confidence, weight));
        memory::set_standing(tx, &caller.project, &belief.id, &after)?;
        if matches!(evidence, Evidence::Supports) {
            memory::note_verified(tx, &caller.project, &belief.id, self.now())?;
        }
        let (_, kind) = evidence.said();
        self.note_step(tx, caller, (belief, change), Because { kind, event })?;
        let moved = look::named(tx, caller, belief.id.as_str())?;
        Ok(Moved { belief: moved, before: belief.confidence })
    }
}

/// A belief, whether it ended or not.
pub(super) fn named(conn: &mut dyn Connection, caller: &Caller, name: &str) -> Result<Memory> {
    let memory = look::named(conn, caller, name)?;
    if memory.kind != Kind::Belief {
        return Err(Error::Invalid(format!(
            "memory {} is a {}, not a belief; `throughline belief list` shows those there are",
            memory.id, memory.kind
        )));
    }
    Ok(memory)
}

fn existing(conn: &mut dyn Connection, caller: &Caller, id: &str) -> Result<EventId> {
    let id = EventId::from(id.to_owned());
    match event::by_id(conn, &caller.project, &id)? {
        Some(_) => Ok(id),
        None => Err(Error::NotFound(format!("there is no event {id}; `throughline log tail` shows ids"))),
    }
}

fn check(adjustment: &Adjustment) -> Result<()> {
    let share = |what: &str, share: f64| match (0.0..=1.0).contains(&share) {
        true => Ok(()),
        false => Err(Error::Invalid(format!("the {what} must be between 0 and 1"))),
    };
    if let Evidence::Sets(to) = adjustment.evidence {
        share("conviction", to)?;
    }
    share("weight", adjustment.weight)
}
