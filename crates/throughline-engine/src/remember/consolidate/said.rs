//! A statement beside others: what the rules say of them, and what is weighed where those are not sure.

use std::cell::{Cell, OnceCell};

use super::built::can_be_weighed;
use super::outline::Outline;
use super::reading::Reading;
use super::weigh::{self, Shares, Taken};
use super::{Related, Relation, SURE, by_rules, clause, is_certain, overlap, related};

/// What is so surely something else by its numbers is not read.
const FAR: f32 = 0.9;
/// Chosen on facts that nothing was fitted to. To have the same twice is a nuisance; to take something for outdated that is
/// not loses it.
const SAME: f32 = 0.35;
const OPPOSITE: f32 = 0.8;
/// What says that it is a change is about something that was.
const OPPOSITE_CHANGE: f32 = 0.7;
/// Where so much says that both are about one thing, one of them is enough: the newer one, unless it says the same.
const ABOUT_IT: f32 = 0.9;
/// Where so much says so, it is worth a question.
const PERHAPS: f32 = 0.4;
/// So many other words for a memory are read where its own leave a doubt.
const WORDINGS: usize = 3;
/// So many pairs are read for one statement, the nearest first; what is left is told by its numbers.
const PAIRS: usize = 12;

/// A statement that known ones are compared with; it is read once.
#[derive(Debug)]
pub struct New<'a> {
    whole: Said<'a>,
    /// Without why it is so, where a reason is given.
    reasoned: Option<Said<'a>>,
    /// So many pairs may still be read.
    left: Cell<usize>,
}

impl<'a> New<'a> {
    pub fn of(text: &'a str) -> New<'a> {
        let reasoned = clause::without_reason(text).map(Said::of);
        New { whole: Said::of(text), reasoned, left: Cell::new(PAIRS) }
    }

    /// What the statement is to a known one, which was also said in other words.
    pub fn relation_to(&self, known: &str, wordings: &[String]) -> Related {
        let own = self.beside(known);
        let mut all = match own.by_numbers {
            Some(numbers) if numbers.unrelated < FAR => vec![self.read(known).unwrap_or(numbers)],
            Some(numbers) => vec![numbers],
            None => return own.by_rules,
        };
        if !all[0].is_clear() {
            all.extend(wordings.iter().take(WORDINGS).filter_map(|wording| self.read(wording)));
        }
        own.decided(&all, self.whole.reading.is_change)
    }

    /// Nothing where enough was read.
    fn read(&self, known: &str) -> Option<Shares> {
        self.left.set(self.left.get().checked_sub(1)?);
        let (new, known) = self.without_reasons(known);
        Some(weigh::read(known, new.text))
    }

    fn beside(&self, known: &str) -> Beside {
        let (new, known) = self.without_reasons(known);
        new.beside(known)
    }

    /// Reasons differ more easily than what they are given for.
    fn without_reasons<'b>(&self, known: &'b str) -> (&Said<'a>, &'b str) {
        match (&self.reasoned, clause::without_reason(known)) {
            (Some(said), Some(known)) => (said, known),
            _ => (&self.whole, known),
        }
    }
}

/// What two statements are to each other: by the rules, and where those are not certain, by their numbers.
#[derive(Debug)]
struct Beside {
    by_rules: Related,
    by_numbers: Option<Shares>,
}

impl Beside {
    /// All that it was said in has to be alike for the same; who contradicts one wording contradicts it.
    fn decided(self, all: &[Shares], is_change: bool) -> Related {
        let same = all.iter().map(|shares| shares.same).sum::<f32>() / all.len() as f32;
        let opposite = all.iter().map(|shares| shares.opposite).fold(0.0, f32::max);
        let about_it = all.iter().map(|shares| 1.0 - shares.unrelated).sum::<f32>() / all.len() as f32;
        let enough = if is_change { OPPOSITE_CHANGE } else { OPPOSITE };
        let is_sure = self.by_rules.score >= SURE;
        let knows_same = is_sure && matches!(self.by_rules.relation, Relation::Same | Relation::Refines);
        match () {
            () if opposite >= enough => weighed(Relation::Opposite, opposite),
            () if knows_same => self.by_rules,
            () if same >= SAME && same >= opposite => weighed(Relation::Same, same),
            () if about_it >= ABOUT_IT && same > about_it - same => weighed(Relation::Same, same),
            () if about_it >= ABOUT_IT => weighed(Relation::Opposite, opposite),
            // How sure the rules are of what they hardly know is not worth more than the weights.
            () if self.by_rules.relation == Relation::Unrelated => {
                let apart = all.iter().map(|shares| shares.unrelated).fold(1.0, f32::min);
                let score = self.by_rules.score.min(f64::from(apart));
                Related { score, perhaps: about_it >= PERHAPS, ..self.by_rules }
            }
            () => self.by_rules,
        }
    }
}

/// What is sure enough by its weights is sure enough to act on.
fn weighed(relation: Relation, share: f32) -> Related {
    related(relation, f64::from(share).max(SURE), "by the weight of what they share")
}

#[derive(Debug)]
struct Said<'a> {
    text: &'a str,
    reading: Reading,
    outline: Outline,
    /// Only what no rule knows needs it.
    taken: OnceCell<Taken>,
}

impl<'a> Said<'a> {
    fn of(text: &'a str) -> Said<'a> {
        Said { text, reading: Reading::of(text), outline: Outline::of(text), taken: OnceCell::new() }
    }

    fn beside(&self, known: &str) -> Beside {
        if self.reading.frame.is_none() && self.outline.is_far_from(known) {
            let by_rules = related(Relation::Unrelated, 0.8, "few words in common");
            return Beside { by_rules, by_numbers: None };
        }
        let a = Reading::of(known);
        let rules = by_rules((known, &a), (self.text, &self.reading));
        let is_open = !rules.as_ref().is_some_and(is_certain);
        let is_weighed = is_open && can_be_weighed(known, self.text);
        let by_numbers = is_weighed.then(|| {
            let taken = self.taken.get_or_init(|| Taken::of(self.text, &self.reading));
            weigh::by_numbers((known, &a), (self.text, &self.reading, taken), rules.as_ref())
        });
        let by_rules = rules.unwrap_or_else(|| {
            related(Relation::Unrelated, 1.0 - overlap(&a.content, &self.reading.content), "little in common")
        });
        Beside { by_rules, by_numbers }
    }
}
