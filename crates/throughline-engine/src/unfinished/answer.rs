//! What answers left to do: the last list of next steps, which stays whatever is said after it, and what later answers say is
//! left beside it.

use throughline_store::event::{Event, Kind};

use super::next_step::{self, Step};
use super::settled::{Record, is_work};
use super::{Reason, Unfinished, assent, unfinished};
use crate::capture::one_line;

/// So many answers are looked at, the newest.
pub(super) const LOOKED_AT: usize = 20;
/// So much is kept in mind of what was said beside a list, the newest.
const BESIDE: usize = 3;

/// What an answer named, and where that is among the events.
struct Named {
    at: usize,
    /// Its place in its answer's list.
    number: usize,
    step: Step,
}

/// Of these events, which are in their order.
pub(super) fn left(events: &[Event], record: &Record<'_>) -> Vec<Unfinished> {
    let mut told: Vec<Unfinished> = vec![];
    for named in named(events) {
        let text = one_line(&named.step.text);
        if !named.is_done(events, record) && told.iter().all(|known| known.text != text) {
            told.push(unfinished(Reason::NextStep, &events[named.at], &text));
        }
    }
    told
}

/// The steps of the last list, then what was said after it.
fn named(events: &[Event]) -> Vec<Named> {
    let answers = events.iter().enumerate().rev().filter(|(_, event)| event.kind == Kind::ModelMessage);
    let mut beside: Vec<Named> = vec![];
    for (at, event) in answers.take(LOOKED_AT) {
        let stated = next_step::read(event.content.as_deref().unwrap_or_default());
        let steps = stated.steps.into_iter().enumerate();
        let mut steps: Vec<Named> = steps.map(|(number, step)| Named { at, number, step }).collect();
        if stated.is_list {
            beside.truncate(BESIDE);
            steps.append(&mut beside);
            return steps;
        }
        beside.append(&mut steps);
    }
    beside.truncate(BESIDE);
    beside
}

impl Named {
    fn is_done(&self, events: &[Event], record: &Record<'_>) -> bool {
        let (text, after) = (self.step.text.as_str(), &events[self.at + 1..]);
        record.settles(text, self.at + 1)
            || self.step.is_at_once && is_gone_on_with(&events[self.at], after)
            || assent::is_given(self.number, text, &events[self.at..])
    }
}

/// Whether somebody worked on before anybody said anything.
fn is_gone_on_with(answer: &Event, after: &[Event]) -> bool {
    let mut of_session = after.iter().filter(|event| event.session_id == answer.session_id);
    let worked = of_session.find(|event| event.kind == Kind::UserMessage || is_work(event));
    worked.is_some_and(|event| event.kind != Kind::UserMessage)
}
