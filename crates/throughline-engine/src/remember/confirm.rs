//! What a tool or a file said waits until a person says it too, in whatever words: then the person's words stand, and what waited
//! ends in their favour. Its own words are not taken over: nobody has said all of them.

use throughline_store::Connection;
use throughline_store::actor::ActorKind;
use throughline_store::memory::{self, Filter, Memory, Origin, Source, Status};

use super::consolidate::{New, Related, Relation, Stated};
use super::decide::chosen;
use super::hearsay::{loosens, say_alike, unlabelled};
use super::rest::rest_of;
use super::similar::{MEANING, SHARING};
use super::statement::Draft;
use super::wordings::is_statement;
use super::{Action, Remembered};
use crate::recall::Wanted;
use crate::{Caller, Engine, Result, index};

impl Engine {
    /// Ends what waits for a person's word, where this is it.
    pub(super) fn confirm(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
        mut kept: Remembered,
        additions: &mut Vec<index::Document>,
    ) -> Result<Remembered> {
        if kept.memory.status != Status::Active {
            return Ok(kept);
        }
        for waiting in self.waiting_for(tx, caller, draft)? {
            if waiting.id == kept.memory.id {
                continue;
            }
            for origin in memory::origins(tx, &caller.project, &waiting.id)? {
                memory::add_origin(tx, &caller.project, &kept.memory.id, &Origin { said: None, ..origin })?;
            }
            self.replace_too(tx, caller, draft, (waiting, &mut kept), additions)?;
            kept.action = if kept.action == Action::Created { Action::Superseded } else { kept.action };
        }
        Ok(kept)
    }

    /// What tools said and waits, where a person says it now. Of which kind and scope it is, no tool can say.
    pub(super) fn waiting_for(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        draft: &Draft,
    ) -> Result<Vec<Memory>> {
        let new = &draft.memory;
        let is_a_persons = caller.actor.kind == ActorKind::User && new.source != Source::ToolOutput;
        let text = chosen(&new.content);
        if !is_a_persons || !is_statement(text) || !does_any_wait(conn, caller)? {
            return Ok(vec![]);
        }
        let wanted = Wanted { sharing: SHARING, meaning: MEANING, status: Status::Quarantined };
        let is_comparable = |memory: &Memory| is_hearsay(memory) && is_statement(chosen(&memory.content));
        let waiting = self.about(conn, caller, text, (wanted, is_comparable))?;
        Ok(said_by(text, waiting))
    }
}

/// A tool's word that nobody has confirmed.
pub(super) fn is_hearsay(memory: &Memory) -> bool {
    memory.status == Status::Quarantined && memory.source == Source::ToolOutput
}

fn does_any_wait(conn: &mut dyn Connection, caller: &Caller) -> Result<bool> {
    let filter = Filter { status: Some(Status::Quarantined), ..Filter::default() };
    Ok(memory::count(conn, &caller.project, &filter)? > 0)
}

/// Those that a statement says too, or more exactly. Of which it says a part, the rest still waits.
fn said_by(text: &str, waiting: Vec<Memory>) -> Vec<Memory> {
    let told = |memory: &Memory| unlabelled(chosen(&memory.content)).to_owned();
    let texts: Vec<String> = waiting.iter().map(told).collect();
    let stated: Vec<Stated<'_>> =
        texts.iter().map(|text| Stated { text, wordings: &[], before: &[] }).collect();
    let related = New::of(unlabelled(text)).relations_to(&stated);
    let is_said = |(related, known): (&Related, &String)| {
        let is_related = related.is_mutual() || related.relation == Relation::Refines || related.tells_more();
        let is_alike = related.relation != Relation::Opposite && say_alike(known, text);
        (related.is_sure() && is_related || is_alike) && is_all_said(known, text)
    };
    let said: Vec<bool> = related.iter().zip(&texts).map(is_said).collect();
    waiting.into_iter().zip(said).filter_map(|(memory, is_said)| is_said.then_some(memory)).collect()
}

/// Whether nothing is left of it that only the tool said.
fn is_all_said(known: &str, text: &str) -> bool {
    rest_of(known, text).is_none() && (loosens(text) || !loosens(known))
}
