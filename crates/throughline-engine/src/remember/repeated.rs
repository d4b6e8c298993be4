//! What may last, and was said before in another session, lasts: nobody says twice in other words what is only of the day.

use throughline_store::event::{Event, Kind as EventKind, Role};

use super::consolidate::{New, Stated};
use super::extract::{BootFiles, Candidate, Extraction, Family, extract};
use crate::recall::{Found, Kind, Query};
use crate::{Caller, Engine, Result};

/// So many messages are looked at for each statement that is in doubt, and for so many of those.
const MESSAGES: usize = 6;
const IN_DOUBT: usize = 12;

impl Engine {
    /// Takes away the doubt of what a person said before, with where that was.
    pub(super) fn believe_what_is_repeated(
        &self,
        caller: &Caller,
        (events, boot): (&[Event], &BootFiles),
        extraction: &mut Extraction,
    ) -> Result<()> {
        let in_doubt = extraction.candidates.iter_mut().filter(|candidate| is_a_statement(candidate));
        for candidate in in_doubt.take(IN_DOUBT) {
            let told = events.iter().find(|event| candidate.evidence.iter().any(|one| one.event == event.id));
            let Some(told) = told.filter(|event| is_a_persons(event)) else { continue };
            if let Some(before) = self.said_before(caller, (told, boot), candidate)? {
                candidate.evidence.extend(before.evidence);
                candidate.tentative = false;
            }
        }
        Ok(())
    }

    /// The same, as somebody said it in an earlier session, and nothing came of it either.
    fn said_before(
        &self,
        caller: &Caller,
        (told, boot): (&Event, &BootFiles),
        candidate: &Candidate,
    ) -> Result<Option<Candidate>> {
        let asked = Query { kinds: vec![Kind::Event], ..Query::of(candidate.content.clone(), MESSAGES) };
        let new = New::of(&candidate.content);
        for hit in self.look_up(caller, &asked)?.hits {
            let Found::Event(event) = hit.found else { continue };
            let is_earlier = event.position < told.position && event.session_id != told.session_id;
            if !is_earlier || !is_a_persons(&event) {
                continue;
            }
            let said = extract(&[*event], boot).candidates.into_iter();
            let mut in_doubt = said.filter(|before| is_a_statement(before) && before.kind == candidate.kind);
            if let Some(before) = in_doubt.find(|before| is_the_same(&new, &before.content)) {
                return Ok(Some(before));
            }
        }
        Ok(None)
    }
}

/// In doubt, and no order that would only alter what is known: the same is ordered often.
fn is_a_statement(candidate: &Candidate) -> bool {
    candidate.tentative && candidate.family != Family::Correction
}

fn is_a_persons(event: &Event) -> bool {
    event.kind == EventKind::UserMessage && event.role == Role::User
}

fn is_the_same(new: &New<'_>, before: &str) -> bool {
    let related = new.relations_to(&[Stated { text: before, wordings: &[], before: &[] }]);
    related.iter().any(|related| related.is_sure() && (related.is_mutual() || related.restates()))
}
