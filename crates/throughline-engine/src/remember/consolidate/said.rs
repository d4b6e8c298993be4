//! A statement beside others: what the rules say of them, and what is weighed where those are not sure.

use std::cell::OnceCell;

use super::outline::Outline;
use super::reading::Reading;
use super::weigh::{self, Taken};
use super::{Related, Relation, by_rules, clause, is_certain, overlap, related};

/// How a statement came to be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Somebody handed it in as it is: what differs in a name differs.
    Stated,
    /// It was found in what somebody said, who may have said the like before, and never in the same words.
    Found,
}

/// A statement that known ones are compared with; it is read once.
#[derive(Debug)]
pub struct New<'a> {
    whole: Said<'a>,
    /// Without why it is so, where a reason is given.
    reasoned: Option<Said<'a>>,
}

impl<'a> New<'a> {
    pub fn of(text: &'a str, origin: Origin) -> New<'a> {
        let reasoned = clause::without_reason(text).map(|text| Said::of(text, origin));
        New { whole: Said::of(text, origin), reasoned }
    }

    /// What the statement is to `known`. Reasons differ more easily than what they are given for.
    pub fn relation_to(&self, known: &str) -> Related {
        match (&self.reasoned, clause::without_reason(known)) {
            (Some(said), Some(known)) => said.relation_to(known),
            _ => self.whole.relation_to(known),
        }
    }
}

#[derive(Debug)]
struct Said<'a> {
    text: &'a str,
    origin: Origin,
    reading: Reading,
    outline: Outline,
    /// Only what no rule knows needs it.
    taken: OnceCell<Taken>,
}

impl<'a> Said<'a> {
    fn of(text: &'a str, origin: Origin) -> Said<'a> {
        let (reading, outline) = (Reading::of(text), Outline::of(text));
        Said { text, origin, reading, outline, taken: OnceCell::new() }
    }

    fn relation_to(&self, known: &str) -> Related {
        if self.reading.frame.is_none() && self.outline.is_far_from(known) {
            return related(Relation::Unrelated, 0.8, "few words in common");
        }
        let a = Reading::of(known);
        let by_rules = by_rules((known, &a), (self.text, &self.reading));
        // Two commands are told apart by what they are, not by the words around them.
        let is_weighed = self.origin == Origin::Found && !self.text.contains('`') && !known.contains('`');
        let is_open = !by_rules.as_ref().is_some_and(is_certain);
        let weighed = (is_weighed && is_open).then(|| {
            let taken = self.taken.get_or_init(|| Taken::of(self.text, &self.reading));
            weigh::judged((known, &a), (self.text, &self.reading, taken), by_rules.as_ref())
        });
        weighed.flatten().or(by_rules).unwrap_or_else(|| {
            related(Relation::Unrelated, 1.0 - overlap(&a.content, &self.reading.content), "little in common")
        })
    }
}
