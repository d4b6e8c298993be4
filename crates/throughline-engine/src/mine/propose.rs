//! From a pattern to a belief: it waits in quarantine with its evidence until somebody approves it, or is sure enough by itself.

use std::cmp::Ordering;
use std::collections::HashSet;

use throughline_store::id::text_enum;
use throughline_store::memory::{self, Filter, Kind, Memory, Origin, Source, Status};
use throughline_store::{Connection, event};

use super::Pattern;
use crate::capture::{During, shortened};
use crate::remember::{APPROVED, COUNTED_AGAIN, Statement, steps};
use crate::{Caller, Engine, Result};

/// A pattern and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggested {
    pub pattern: Pattern,
    pub belief: Memory,
    pub fate: Fate,
}

text_enum! {
    Fate {
        /// Waits for somebody to approve it.
        Suggested = "suggested",
        /// Sure enough to hold without being asked about.
        Approved = "approved",
        /// It was known, and more shows it now.
        Grown = "grown",
        /// It was known, and holds in a smaller share of the cases now.
        Weakened = "weakened",
        /// It was known just so.
        Known = "known",
    }
}

/// What marks beliefs that were suggested by counting.
pub(crate) const TAG: &str = "pattern";
const KEY_BYTES: usize = 180;

impl Engine {
    /// Suggests a pattern, once; nothing when somebody has rejected it.
    pub(super) fn suggest(
        &self,
        caller: &Caller,
        pattern: &Pattern,
        (wording, during): (Option<String>, &During),
    ) -> Result<Option<Suggested>> {
        let (belief, fate) = match self.of_pattern(caller, pattern)? {
            Some(known) if matches!(known.status, Status::Active | Status::Quarantined) => {
                self.grow(caller, &known, pattern, during)?
            }
            Some(_) => return Ok(None),
            None => self.propose(caller, pattern, (wording, during))?,
        };
        Ok(Some(Suggested { pattern: pattern.clone(), belief, fate }))
    }

    /// The belief that a pattern was suggested as, whatever became of it and however it was said.
    pub(super) fn of_pattern(&self, caller: &Caller, pattern: &Pattern) -> Result<Option<Memory>> {
        let key = Some(state_key(&pattern.key));
        let filter = Filter { state_key: key.clone(), ..Filter::default() };
        let of_key = self.store.read(|conn| memory::list(conn, &caller.project, &filter, i64::MAX))?;
        // The capitals of commands tell them apart.
        Ok(of_key.into_iter().find(|belief| belief.state_key == key))
    }

    fn propose(
        &self,
        caller: &Caller,
        pattern: &Pattern,
        (wording, during): (Option<String>, &During),
    ) -> Result<(Memory, Fate)> {
        let is_sure = pattern.confidence() >= self.settings.patterns.approve_above;
        let (status, fate) =
            if is_sure { (Status::Active, Fate::Approved) } else { (Status::Quarantined, Fate::Suggested) };
        let statement = Statement {
            kind: Kind::Belief,
            confidence: Some(pattern.confidence()),
            source: Source::Implicit,
            tags: vec![TAG.to_owned()],
            state_key: Some(state_key(&pattern.key)),
            from: Some(match &wording {
                Some(_) => format!("{}, worded by a model", cases(pattern)),
                None => cases(pattern),
            }),
            session: during.session.clone(),
            opening: during.opening.clone(),
            ..Statement::of(wording.unwrap_or_else(|| pattern.belief.clone()))
        };
        let shown =
            |tx: &mut dyn Connection, belief: &Memory| evidence(tx, caller, belief, pattern).map(|_| ());
        Ok((self.form_belief(caller, statement, status, &shown)?, fate))
    }

    /// What is known already gets the events that show it now, and is as sure as its cases make it, also where they are too few
    /// to suggest it.
    fn grow(
        &self,
        caller: &Caller,
        known: &Memory,
        pattern: &Pattern,
        during: &During,
    ) -> Result<(Memory, Fate)> {
        self.write(caller, |tx| {
            let is_shown_anew = evidence(tx, caller, known, pattern)? > 0;
            let counted = self.counted(tx, caller, known, pattern)?;
            let fate = match counted.total_cmp(&known.confidence) {
                Ordering::Less => Fate::Weakened,
                Ordering::Equal if !is_shown_anew => return Ok((known.clone(), Fate::Known)),
                Ordering::Equal | Ordering::Greater => Fate::Grown,
            };
            let why = cases(pattern);
            Ok((self.recount_belief(tx, caller, known, (counted, &why), during)?, fate))
        })
    }

    /// How sure a known pattern is now. A person's word on it counts more than counting again: what somebody judged stays as sure
    /// as it was, and counting takes nothing below what approval gives.
    fn counted(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        known: &Memory,
        pattern: &Pattern,
    ) -> Result<f64> {
        let steps = steps(tx, caller, known)?;
        let is_judged = steps.iter().any(|step| !UNJUDGED.contains(&step.action.as_str()));
        let least = if known.status == Status::Active { known.confidence.min(APPROVED) } else { 0.0 };
        Ok(if is_judged { known.confidence } else { pattern.confidence().max(least) })
    }
}

/// What moves a belief without anybody having judged it: it was counted, or approved as it was.
const UNJUDGED: [&str; 4] = ["created", "quarantined", "approved", COUNTED_AGAIN];

fn cases(pattern: &Pattern) -> String {
    format!("{} of {} cases", pattern.held, pattern.cases)
}

/// The keys of patterns that wait or hold: those are counted however seldom they still hold.
#[derive(Debug, Default)]
pub(super) struct Known(HashSet<String>);

impl Known {
    pub(super) fn of(conn: &mut dyn Connection, caller: &Caller) -> Result<Known> {
        Ok(Known(known(conn, caller)?.into_iter().filter_map(|belief| belief.state_key).collect()))
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.0.contains(&state_key(key))
    }
}

/// Suggested or approved patterns, newest first.
pub(super) fn known(conn: &mut dyn Connection, caller: &Caller) -> Result<Vec<Memory>> {
    let filter = Filter { kinds: vec![Kind::Belief], tag: Some(TAG.to_owned()), ..Filter::default() };
    let mut known = memory::list(conn, &caller.project, &filter, i64::MAX)?;
    known.retain(|belief| matches!(belief.status, Status::Active | Status::Quarantined));
    Ok(known)
}

/// Notes the events that show a pattern as where the belief comes from; says how many are new.
fn evidence(tx: &mut dyn Connection, caller: &Caller, belief: &Memory, pattern: &Pattern) -> Result<usize> {
    let before = memory::origins(tx, &caller.project, &belief.id)?.len();
    for id in &pattern.evidence {
        if let Some(event) = event::by_id(tx, &caller.project, id)? {
            let origin = Origin { event: event.id, session: event.session_id, said: None };
            memory::add_origin(tx, &caller.project, &belief.id, &origin)?;
        }
    }
    Ok(memory::origins(tx, &caller.project, &belief.id)?.len() - before)
}

fn state_key(key: &str) -> String {
    let mut short = shortened(key, KEY_BYTES);
    while short.len() > KEY_BYTES {
        short.pop();
    }
    format!("{TAG}:{short}")
}
