//! Decisions: what was chosen about a subject, why, and instead of what. A later one on the same subject takes the place of
//! the one before; beliefs that it speaks for or against move.

use serde_json::{Value as Json, json};
use throughline_store::Connection;
use throughline_store::event::Kind as EventKind;
use throughline_store::id::EventId;
use throughline_store::link::{self, Kind as LinkKind, Node, Origin};
use throughline_store::memory::{self, Kind, Memory, Source, Status};

use super::belief::{Effect, Evidence, Moved, named};
use super::keep::waits_for_a_person;
use super::statement::{Draft, Statement};
use super::{Action, Change, Remembered};
use crate::capture::{During, Observation, one_line, shortened};
use crate::{Caller, Engine, Error, Result};

/// What somebody decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub subject: String,
    pub choice: String,
    pub rationale: String,
    pub alternatives: Vec<String>,
    /// 0 to 1.
    pub confidence: f64,
    /// Beliefs that it speaks for or against, by their ids or the beginnings of them.
    pub affects: Vec<(String, Effect)>,
    pub during: During,
}

/// A decision that is on record now.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    pub memory: Memory,
    pub event: EventId,
    /// What was decided about the subject before.
    pub superseded: Vec<Memory>,
    /// The same had been decided already.
    pub again: bool,
    pub beliefs: Vec<Moved>,
}

/// What the event of a decision says beside the memory.
#[derive(Debug)]
pub(super) struct Spoken {
    subject: String,
    choice: String,
    rationale: String,
    alternatives: Vec<String>,
}

pub const USUAL_CONFIDENCE: f64 = 0.7;
const MAX_ALTERNATIVES: usize = 20;
const MAX_SUBJECT_BYTES: usize = 180;
const TITLE_CHARS: usize = 120;
const BECAUSE: &str = "\nBecause: ";
const REJECTED: &str = "\nRejected: ";
/// An option is told apart by so much of its text.
const OPTION_CHARS: usize = 200;

impl Engine {
    /// Records a decision, all of it or nothing.
    pub fn decide(&self, caller: &Caller, decision: Decision) -> Result<Decided> {
        check(&decision)?;
        let draft = self.draft_decision(caller, &decision)?;
        self.write(caller, |tx| {
            let mut additions = vec![];
            let remembered = self.keep_decision(tx, caller, &draft, &mut additions)?;
            self.make_findable(tx, caller, additions)?;
            let memory = remembered.memory;
            let origins = memory::origins(tx, &caller.project, &memory.id)?;
            let last =
                origins.last().ok_or_else(|| Error::NotFound("the decision has no event".to_owned()))?;
            let again = remembered.action == Action::Corroborated;
            link_options(tx, caller, (&memory, again), &decision)?;
            // What waits for somebody's word speaks for and against nothing.
            let beliefs = if memory.status == Status::Active {
                self.move_beliefs(tx, caller, (&memory, &last.event), &decision)?
            } else {
                vec![]
            };
            Ok(Decided {
                event: last.event.clone(),
                superseded: remembered.superseded,
                again,
                memory,
                beliefs,
            })
        })
    }

    fn draft_decision(&self, caller: &Caller, decision: &Decision) -> Result<Draft> {
        let mut content = format!("{}: {}", decision.subject.trim(), decision.choice.trim());
        content.push_str(&format!("{BECAUSE}{}", decision.rationale.trim()));
        if !decision.alternatives.is_empty() {
            content.push_str(&format!("{REJECTED}{}", decision.alternatives.join("; ")));
        }
        let title = one_line(&format!("{}: {}", decision.subject.trim(), decision.choice.trim()));
        let statement = Statement {
            title: Some(shortened(&title, TITLE_CHARS)),
            kind: Kind::Decision,
            confidence: Some(decision.confidence),
            state_key: Some(subject_key(&decision.subject)),
            session: decision.during.session.clone(),
            opening: decision.during.opening.clone(),
            ..Statement::of(content)
        };
        let statement = self.attributed(caller, statement)?;
        let mut draft = self.draft(caller, statement, self.now())?;
        draft.decision = Some(Spoken {
            subject: decision.subject.trim().to_owned(),
            choice: decision.choice.trim().to_owned(),
            rationale: decision.rationale.trim().to_owned(),
            alternatives: decision.alternatives.clone(),
        });
        Ok(draft)
    }

    /// What a subject was decided to be is only said again in the same words, whatever the reason: any other choice takes its
    /// place.
    fn keep_decision(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        additions: &mut Vec<crate::index::Document>,
    ) -> Result<Remembered> {
        let known = match memory::same(tx, &caller.project, &draft.memory)? {
            Some(known) => Some(known),
            None => chosen_already(tx, caller, &draft.memory)?,
        };
        let by_tool = draft.memory.source == Source::ToolOutput;
        let kept = match known {
            Some(known) if by_tool => self.witness(tx, caller, draft, known),
            Some(known) if waits_for_a_person(draft, &known) => self.repeat(tx, caller, draft, known),
            Some(known) => self.corroborate(tx, caller, draft, known, additions),
            None => self.decide_instead(tx, caller, draft, additions),
        }?;
        self.confirm(tx, caller, draft, kept, additions)
    }

    /// A choice takes the place of what its subject was decided to be, and of what was told about it in other words.
    fn decide_instead(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        additions: &mut Vec<crate::index::Document>,
    ) -> Result<Remembered> {
        let told = self.similar(tx, caller, draft)?.told_before();
        let mut remembered = self.create(tx, caller, (draft, &draft.memory), None, additions)?;
        for old in told {
            if !remembered.superseded.iter().any(|other| other.id == old.id) {
                self.replace_too(tx, caller, draft, (old, &mut remembered), additions)?;
            }
        }
        Ok(remembered)
    }

    fn move_beliefs(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        (memory, event): (&Memory, &EventId),
        decision: &Decision,
    ) -> Result<Vec<Moved>> {
        let mut moved = vec![];
        let node = Node::memory(&memory.id);
        for (name, effect) in &decision.affects {
            let belief = named(tx, caller, name)?;
            let evidence = Evidence::from(*effect);
            let (what, kind) = evidence.said();
            let origin = Origin { node: &node, number: memory.number };
            link::add(tx, &caller.project, origin, kind, &Node::memory(&belief.id))?;
            let why = format!("the decision {}", memory.title);
            let during = &decision.during;
            let change = Change { what, why: Some(&why), session: &during.session, opening: &during.opening };
            let weighed = (&evidence, decision.confidence);
            moved.push(self.move_belief(tx, caller, (&belief, &change), weighed, Some(event.clone()))?);
        }
        Ok(moved)
    }
}

impl Spoken {
    /// The event of the memory as the event of a decision.
    pub(super) fn observed(&self, note: Observation, mut record: Json) -> Observation {
        record["subject"] = json!(self.subject);
        record["choice"] = json!(self.choice);
        record["alternatives_considered"] = json!(self.alternatives);
        Observation {
            kind: EventKind::Decision,
            target: Some(shortened(&one_line(&self.subject), TITLE_CHARS)),
            summary: Some(self.choice.clone()),
            rationale: Some(self.rationale.clone()),
            parts: Some(record),
            ..note
        }
    }
}

/// The state key of what is decided about a subject: capitals and spaces do not make another.
pub fn subject_key(subject: &str) -> String {
    let words: Vec<String> = subject.split_whitespace().map(str::to_lowercase).collect();
    format!("decision:{}", words.join(" "))
}

/// The present decision on the subject, where it is the same and only its reason or what it was chosen instead of differs.
fn chosen_already(tx: &mut dyn Connection, caller: &Caller, new: &Memory) -> Result<Option<Memory>> {
    let Some(key) = &new.state_key else { return Ok(None) };
    let present = memory::of_state_key(tx, &caller.project, new.scope, key)?;
    let is_same = |known: &Memory| known.kind == new.kind && plain(&known.content) == plain(&new.content);
    Ok(present.filter(is_same))
}

/// The subject and the choice of a decision, without why and instead of what; all of what is none.
pub(super) fn chosen(content: &str) -> &str {
    let end = [BECAUSE, REJECTED].iter().filter_map(|mark| content.find(mark)).min();
    &content[..end.unwrap_or(content.len())]
}

/// Capitals and spaces do not make another choice.
fn plain(content: &str) -> String {
    let words = chosen(content).split_whitespace().map(str::to_lowercase);
    words.collect::<Vec<_>>().join(" ")
}

/// What was rejected before stays rejected where the same is decided again.
fn link_options(
    tx: &mut dyn Connection,
    caller: &Caller,
    (memory, again): (&Memory, bool),
    decision: &Decision,
) -> Result<()> {
    let node = Node::memory(&memory.id);
    let origin = Origin { node: &node, number: memory.number };
    let option = |text: &str| {
        let mut redactions = 0;
        Node::option(&shortened(
            &one_line(&crate::capture::redacted(text.trim().to_owned(), &mut redactions)),
            OPTION_CHARS,
        ))
    };
    link::set(tx, &caller.project, origin, LinkKind::Chose, &[option(&decision.choice)])?;
    let mut rejected = match again {
        true => link::from(tx, &caller.project, &node, LinkKind::Rejected)?,
        false => vec![],
    };
    let more: Vec<Node> = decision.alternatives.iter().map(|text| option(text)).collect();
    rejected.extend(more.into_iter().filter(|node| !rejected.contains(node)).collect::<Vec<_>>());
    Ok(link::set(tx, &caller.project, origin, LinkKind::Rejected, &rejected)?)
}

fn check(decision: &Decision) -> Result<()> {
    for (what, text) in [("subject", &decision.subject), ("choice", &decision.choice)] {
        if text.trim().is_empty() {
            return Err(Error::Invalid(format!("a decision needs a {what}; write it in a few words")));
        }
    }
    if decision.rationale.trim().is_empty() {
        return Err(Error::Invalid(
            "a decision needs a rationale; write why this was chosen, in a sentence".to_owned(),
        ));
    }
    if decision.subject.len() > MAX_SUBJECT_BYTES || decision.subject.contains(char::is_control) {
        return Err(Error::Invalid(format!(
            "the subject of a decision is a short name, at most {MAX_SUBJECT_BYTES} bytes on one line; the choice and \
             the rationale have room for the rest"
        )));
    }
    if decision.alternatives.len() > MAX_ALTERNATIVES {
        return Err(Error::Invalid(format!("a decision names at most {MAX_ALTERNATIVES} alternatives")));
    }
    Ok(())
}
