//! A statement beside others: what the rules say of them, and what is weighed where those are not sure.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

use super::beside::{Beside, weighed};
use super::levels::{APART, ENDS};
use super::number::{differ_in_long_numbers, differ_in_versions, is_number};
use super::readable::{self, can_be_read, differ_in_codes};
use super::reading::{Reading, outcome};
use super::swap::{differ_in_a_value, name_the_same_values};
use super::weigh::{self, CLEAR, Shares, Taken};
use super::{
    A_PART, AND_MORE, Related, Relation, by_rules, clause, detail, edited, is_certain, overlap, related,
    scope,
};
use crate::remember::extract;

/// So surely the same is said without what is said besides, and so many beginnings are read.
const SAME_WITHOUT_MORE: f32 = 0.5;
const HEADS: usize = 2;
/// So many other words for a memory are read where its own leave a doubt.
const WORDINGS: usize = 6;
/// And so many parts of what it says itself.
const PARTS: usize = 4;
/// So many statements of what it took the place of are read, the nearest ones.
const BEFORE: usize = 3;
const ANOTHER_NUMBER: &str = "another number is said to have changed";
const OF_A_PART: &str = "one is said of a part that the other does not name";
pub(in crate::remember) const BY_WEIGHT: &str = "by the weight of what they share";
/// So many bytes are read for one statement, two dozen pairs of short ones; what is left is told by its numbers. To read takes
/// as long as what is read: 1,000 bytes some 30 ms, and half of it where a glance is enough.
const READ: usize = 3_200;
/// Where so many bytes of the likeliest are about something else, so are the others.
const IN_VAIN: usize = 1_200;

/// A known statement, the other words that it was said in, and the words of what it took the place of.
#[derive(Debug, Clone, Copy)]
pub struct Stated<'a> {
    pub text: &'a str,
    pub wordings: &'a [String],
    pub before: &'a [String],
}

impl<'a> Stated<'a> {
    /// What is to be done now is no part of what is known.
    fn without_order(&self) -> Stated<'a> {
        Stated { text: extract::without_order(self.text), ..*self }
    }
}

/// A statement that known ones are compared with; it is read once.
#[derive(Debug)]
pub struct New<'a> {
    whole: Said<'a>,
    /// Without why it is so, where a reason is given.
    reasoned: Option<Said<'a>>,
    /// So many bytes may still be read.
    left: Cell<usize>,
}

impl<'a> New<'a> {
    pub fn of(text: &'a str) -> New<'a> {
        let text = extract::without_order(text);
        let reasoned = clause::without_reason(text).map(Said::of);
        New { whole: Said::of(text), reasoned, left: Cell::new(READ) }
    }

    /// What the statement is to a known one.
    pub fn relation_to(&self, known: &str) -> Related {
        self.relations_to(&[Stated { text: known, wordings: &[], before: &[] }]).remove(0)
    }

    /// What the statement is to known ones, which were also said in other words; or what follows from it, where a reason is told
    /// first and the whole is to none of them anything: "it collides with their window, so from next week on we deploy on Wednesdays".
    pub fn relations_to(&self, known: &[Stated<'_>]) -> Vec<Related> {
        let related = self.whole_to(known);
        let Some(follows) = clause::conclusion(self.whole.text) else { return related };
        if related.iter().any(Related::is_sure) {
            return related;
        }
        let by_what_follows = New::of(follows).whole_to(known);
        let ends = |related: &Related| related.is_sure() && related.relation == Relation::Opposite;
        related
            .into_iter()
            .zip(by_what_follows)
            .map(|(whole, part)| if ends(&part) { part } else { whole })
            .collect()
    }

    /// Those that are likely to be about the same are read first.
    fn whole_to(&self, known: &[Stated<'_>]) -> Vec<Related> {
        let known: Vec<Stated<'_>> = known.iter().map(Stated::without_order).collect();
        // Where most stands in both, what differs is all there is to compare.
        let edited: Vec<_> =
            known.iter().map(|known| edited::compared(known.text, self.whole.text)).collect();
        let mut all: Vec<Known> = known.iter().map(|known| self.known(*known)).collect();
        let is_open = |at: &usize| edited[*at].is_none() && all[*at].is_near();
        let mut order: Vec<usize> = (0..all.len()).filter(is_open).collect();
        order.sort_by(|one, other| all[*one].distance().total_cmp(&all[*other].distance()));
        let mut in_vain = 0;
        for at in order {
            let known = &mut all[at];
            known.beside.read = self.read_all(known);
            in_vain =
                if known.beside.is_read_in_vain() { in_vain + self.length_beside(known.text) } else { 0 };
            if in_vain >= IN_VAIN {
                break;
            }
        }
        let told = |(known, edited): (&Known<'_>, Option<Related>)| {
            edited.unwrap_or_else(|| self.of_one_part(known.text, known.beside.related()))
        };
        let related: Vec<Related> = all.iter().zip(edited).map(told).collect();
        let related = self.of_what_was(&all, related);
        if related.iter().any(Related::is_sure) {
            return known
                .iter()
                .zip(related)
                .map(|(known, related)| self.of_one_part(known.text, self.with_more(known, related)))
                .collect();
        }
        let by_past = |(known, related): (&Known<'_>, Related)| {
            self.of_one_part(known.text, self.by_past(known).unwrap_or(related))
        };
        all.iter().zip(related).map(by_past).collect()
    }

    /// Who says what a number was before speaks of what has that number, where one has it: "the limit was raised from 25 MB to 100 MB".
    fn of_what_was(&self, known: &[Known<'_>], related: Vec<Related>) -> Vec<Related> {
        let rejected = self.whole.reading.rejected.iter();
        let was: Vec<&String> = rejected.filter(|stem| is_number(stem)).collect();
        if was.is_empty() {
            return related;
        }
        let numbers: Vec<Vec<String>> = known.iter().map(|known| numbers_of(known.text)).collect();
        let has_it = |numbers: &[String]| numbers.iter().any(|number| was.contains(&number));
        let is_ended = |related: &Related| related.is_sure() && related.relation == Relation::Opposite;
        if !related.iter().zip(&numbers).any(|(related, numbers)| has_it(numbers) && is_ended(related)) {
            return related;
        }
        let is_another = |numbers: &[String]| !numbers.is_empty() && !has_it(numbers);
        let of_another =
            |(related, numbers): (Related, Vec<String>)| match is_ended(&related) && is_another(&numbers) {
                true => Related { perhaps: true, ..super::related(Relation::Unrelated, 0.9, ANOTHER_NUMBER) },
                false => related,
            };
        related.into_iter().zip(numbers).map(of_another).collect()
    }

    /// What is said of a part ends nothing that is said of all, and the other way round.
    fn of_one_part(&self, known: &str, related: Related) -> Related {
        let is_apart = match related.relation {
            Relation::Opposite => self.is_of_one_part(known),
            Relation::Refines | Relation::Same => scope::begin_apart(known, self.whole.text),
            Relation::Unrelated => false,
        };
        match is_apart {
            true => Related { perhaps: true, ..super::related(Relation::Unrelated, 0.9, OF_A_PART) },
            false => related,
        }
    }

    /// Of a text of several sentences, the one that is about the same is said of all or of a part, and the others do not meet it.
    fn is_of_one_part(&self, known: &str) -> bool {
        let new = self.whole.text;
        let sentences: Vec<&str> = known.lines().flat_map(extract::sentences).collect();
        match &sentences[..] {
            [] | [_] => scope::are_apart(known, new),
            all => {
                all.iter().any(|one| scope::are_apart(one, new))
                    && !all.iter().any(|one| New::of(new).relation_to(one).is_sure())
            }
        }
    }

    /// What says the same and something else besides is more exact.
    fn with_more(&self, known: &Stated<'_>, related: Related) -> Related {
        if related.relation != Relation::Same || related.reasons == [A_PART] {
            return related;
        }
        let said: Vec<&str> =
            std::iter::once(known.text).chain(known.wordings.iter().map(String::as_str)).collect();
        let says_it = |part: &str| weigh::read(known.text, part).same >= SAME_WITHOUT_MORE;
        let tells_more = |of: &detail::Parted<'_>| says_it(of.head) && !says_it(of.more);
        match detail::parted(self.whole.text, &said).iter().take(HEADS).any(tells_more) {
            true => Related { relation: Relation::Refines, reasons: vec![AND_MORE], ..related },
            false => related,
        }
    }

    /// Who contradicts what a memory took the place of, or goes back to it, ends the memory: it is about the same.
    fn by_past(&self, known: &Known<'_>) -> Option<Related> {
        if known.beside.read.iter().all(|shares| shares.unrelated >= CLEAR) {
            return None;
        }
        let before = known.before.iter().map(|words| (self.beside(words), words));
        let mut before: Vec<(Beside, &String)> = before.collect();
        before.retain(|(beside, _)| beside.is_near());
        nearest_first(&mut before);
        let about_it = |(beside, words): &(Beside, &String)| {
            let share = 1.0 - self.read(words, beside)?.unrelated;
            (share >= beside.levels().of_past).then_some(share)
        };
        let sure = before.iter().take(BEFORE).find_map(about_it)?;
        Some(weighed(Relation::Opposite, sure))
    }

    fn known<'b>(&self, Stated { text, wordings, before }: Stated<'b>) -> Known<'b> {
        let beside = self.beside(text);
        let is_open = beside.by_numbers.is_some();
        // What became of something is told better without what it was before.
        let outcome = is_open.then(|| outcome(text)).flatten().map(Cow::Owned);
        let told = wordings.iter().filter(|_| is_open).take(WORDINGS);
        let parts = if is_open { parts(text) } else { vec![] };
        let words = parts.into_iter().chain(told.map(String::as_str));
        let all = outcome.into_iter().chain(words.map(Cow::Borrowed));
        let beside_it = |words: Cow<'b, str>| (self.beside(&words), words);
        let mut wordings: Vec<(Beside, Cow<'b, str>)> = all.map(beside_it).collect();
        nearest_first(&mut wordings);
        Known { text, beside, wordings, before }
    }

    /// Its own words, and others for it where those leave a doubt, or are nearer: who says what came of a change may have told
    /// it as one.
    fn read_all(&self, known: &Known<'_>) -> Vec<Shares> {
        let Some(first) = self.read(known.text, &known.beside) else { return vec![] };
        let is_apart = first.unrelated >= CLEAR;
        let is_worth = |beside: &Beside| {
            !first.is_clear() || is_apart && beside.is_near() && beside.distance() < known.beside.distance()
        };
        let others = known.wordings.iter().filter(|(beside, _)| is_worth(beside));
        std::iter::once(first).chain(others.filter_map(|(beside, words)| self.read(words, beside))).collect()
    }

    /// Nothing where enough was read. What seems to be about one thing is read the other way round too: two who agree err less.
    fn read(&self, known: &str, beside: &Beside) -> Option<Shares> {
        let length = self.length_beside(known);
        let read = |known: &str, new: &str| {
            self.left.set(self.left.get().saturating_sub(length));
            weigh::read(known, new)
        };
        let (new, known) = self.without_reasons(known);
        (self.left.get() > 0).then(|| {
            let forth = read(known, new.text);
            let is_enough = forth.unrelated >= APART || beside.is_close() && forth.opposite >= ENDS;
            let both = if is_enough { forth } else { forth.agreed(read(new.text, known)) };
            let differs = differ_in_versions(known, new.text)
                || differ_in_a_value(known, new.text)
                || differ_in_long_numbers(&Reading::of(known), &new.reading);
            if differs { both.not_the_same() } else { both }
        })
    }

    fn length_beside(&self, known: &str) -> usize {
        self.whole.text.len() + known.len()
    }

    fn beside(&self, known: &str) -> Beside {
        let (new, known) = self.without_reasons(known);
        new.beside(known)
    }

    /// Reasons differ more easily than what they are given for; unless what is told is in the reason: "tests fail because I set the
    /// session to 9 minutes", "… to 20 minutes".
    fn without_reasons<'b>(&self, known: &'b str) -> (&Said<'a>, &'b str) {
        let tells = |head: &str, other: &str| {
            head.eq_ignore_ascii_case(other) && !name_the_same_values(known, self.whole.text)
        };
        match (&self.reasoned, clause::without_reason(known)) {
            (Some(said), Some(head)) if tells(said.text, head) => (&self.whole, known),
            (Some(said), Some(head)) => (said, head),
            _ => (&self.whole, known),
        }
    }
}

/// What each says by itself: the sentences of a text of a few, and what follows from a reason. Who contradicts one of them contradicts
/// the text.
fn parts(text: &str) -> Vec<&str> {
    let sentences: Vec<&str> = text.lines().flat_map(extract::sentences).collect();
    match &sentences[..] {
        [_] => clause::conclusion(text).into_iter().collect(),
        [] => vec![],
        several => several.iter().copied().take(PARTS).collect(),
    }
}

fn numbers_of(text: &str) -> Vec<String> {
    Reading::of(text).words.into_iter().filter(|word| is_number(word)).collect()
}

fn nearest_first<W>(words: &mut [(Beside, W)]) {
    words.sort_by(|(one, _), (other, _)| one.distance().total_cmp(&other.distance()));
}

/// A known statement, and the other words for it, the nearest first.
#[derive(Debug)]
struct Known<'a> {
    text: &'a str,
    beside: Beside,
    wordings: Vec<(Beside, Cow<'a, str>)>,
    before: &'a [String],
}

impl Known<'_> {
    fn is_near(&self) -> bool {
        self.beside.is_near() || self.wordings.iter().any(|(beside, _)| beside.is_near())
    }

    fn distance(&self) -> f32 {
        let nearest = self.wordings.first().map_or(1.0, |(beside, _)| beside.distance());
        self.beside.distance().min(nearest)
    }
}

#[derive(Debug)]
struct Said<'a> {
    text: &'a str,
    reading: Reading,
    /// Only what no rule knows needs it.
    taken: OnceCell<Taken>,
}

impl<'a> Said<'a> {
    fn of(text: &'a str) -> Said<'a> {
        Said { text, reading: Reading::of(text), taken: OnceCell::new() }
    }

    fn beside(&self, known: &str) -> Beside {
        let a = Reading::of(known);
        let both = ((known, &a), (self.text, &self.reading));
        let rules = by_rules(both.0, both.1);
        let is_open = !rules.as_ref().is_some_and(is_certain);
        // Of what is numbered the rules may know something, which the reader has to confirm.
        let is_known = rules.as_ref().is_some_and(|rules| rules.relation != Relation::Unrelated);
        let is_one = is_known || !differ_in_codes(known, self.text);
        let is_read = is_open && is_one && can_be_read(known, self.text);
        let by_numbers = is_read.then(|| {
            let taken = self.taken.get_or_init(|| Taken::of(self.text, &self.reading));
            weigh::by_numbers((known, &a), (self.text, &self.reading, taken), rules.as_ref())
        });
        let by_rules = rules.unwrap_or_else(|| {
            related(Relation::Unrelated, 1.0 - overlap(&a.content, &self.reading.content), "little in common")
        });
        let both_named = !a.subject.is_empty() && !self.reading.subject.is_empty();
        let are_named_apart = both_named && a.subject.is_disjoint(&self.reading.subject);
        let are_under_one_title = readable::are_under_one_title(known, self.text);
        Beside { by_rules, by_numbers, read: vec![], are_named_apart, are_under_one_title }
    }
}
