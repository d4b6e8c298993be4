//! Two statements beside each other: what the rules, the numbers and the reader make of them together.

use super::levels::{BACKED, CLOSE, DISTANT, DOUBTFUL, FAR, Levels, PERHAPS, SAME, SAME_APART, TIE};
use super::said::BY_WEIGHT;
use super::weigh::{CLEAR, Shares};
use super::{A_PART, AGAIN_OR_OTHERWISE, IN_OTHER_WORDS, Related, Relation, SURE, related};

/// What two statements are to each other: by the rules, by their numbers where those are not certain, and as they are read
/// where they may be about one thing.
#[derive(Debug)]
pub(super) struct Beside {
    pub(super) by_rules: Related,
    pub(super) by_numbers: Option<Shares>,
    pub(super) read: Vec<Shares>,
    /// Both name what they are about, and have no word for it in common.
    pub(super) are_named_apart: bool,
    /// Both stand under one title, so they are near however few words they share.
    pub(super) are_under_one_title: bool,
}

impl Beside {
    /// Whether it is worth reading.
    pub(super) fn is_near(&self) -> bool {
        let is_far =
            |numbers: &Shares| numbers.unrelated >= FAR && self.by_rules.relation == Relation::Unrelated;
        self.by_numbers.as_ref().is_some_and(|numbers| self.are_under_one_title || !is_far(numbers))
    }

    /// The rules know nothing of them, and they are about two things.
    pub(super) fn is_read_in_vain(&self) -> bool {
        self.by_rules.relation == Relation::Unrelated
            && self.read.iter().all(|shares| shares.unrelated >= CLEAR)
    }

    /// What the rules know something of is nearer than all else.
    pub(super) fn distance(&self) -> f32 {
        match self.by_rules.relation {
            Relation::Unrelated => self.by_numbers.map_or(1.0, |numbers| numbers.unrelated),
            Relation::Same | Relation::Refines | Relation::Opposite => 0.0,
        }
    }

    pub(super) fn related(&self) -> Related {
        match self.by_numbers {
            Some(_) if !self.read.is_empty() => self.decided(),
            Some(numbers) if self.by_rules.relation == Relation::Unrelated => {
                self.apart(numbers.unrelated, 1.0 - numbers.unrelated)
            }
            _ => self.by_rules.clone(),
        }
    }

    pub(super) fn is_close(&self) -> bool {
        self.by_numbers.is_some_and(|numbers| numbers.unrelated < DOUBTFUL)
    }

    pub(super) fn levels(&self) -> &'static Levels {
        if self.is_close() { &CLOSE } else { &DISTANT }
    }

    /// All that it was said in has to be alike for the same; who surely contradicts one wording contradicts it.
    pub(super) fn decided(&self) -> Related {
        let all = &self.read;
        let same = all.iter().map(|shares| shares.same).sum::<f32>() / all.len() as f32;
        let opposite = all.iter().map(|shares| shares.opposite).fold(0.0, f32::max);
        let about_it = all.iter().map(|shares| 1.0 - shares.unrelated).sum::<f32>() / all.len() as f32;
        let alike = if self.are_named_apart { SAME_APART } else { SAME };
        let own = all.first().map_or(opposite, |own| own.opposite);
        let is_of_others = all.first().is_some_and(|own| own.unrelated >= CLEAR);
        // One of many wordings is contradicted sooner than what the memory says itself.
        let contradicted = if is_of_others { opposite } else { f32::midpoint(own, opposite) };
        let levels = self.levels();
        let opposed = if is_of_others { levels.opposite_to_others } else { levels.opposite };
        let by_rules = self.by_rules.relation;
        let is_again = [A_PART, IN_OTHER_WORDS].iter().any(|why| self.by_rules.reasons == [*why]);
        let is_backed = self.by_rules.score >= SURE && about_it >= BACKED;
        match () {
            // Who says a part of it again says nothing against the rest, and who names nothing else nothing against it.
            () if is_backed && is_again && opposite < CLEAR => self.by_rules.clone(),
            () if contradicted >= opposed => weighed(Relation::Opposite, opposite),
            () if is_backed && matches!(by_rules, Relation::Same | Relation::Refines) => {
                self.by_rules.clone()
            }
            () if about_it >= levels.about_it && TIE * opposite >= same => {
                let why = if same >= opposite { AGAIN_OR_OTHERWISE } else { BY_WEIGHT };
                Related { reasons: vec![why], ..weighed(Relation::Opposite, opposite) }
            }
            () if same >= alike && same >= opposite => weighed(Relation::Same, same),
            () if is_backed && by_rules == Relation::Opposite => self.by_rules.clone(),
            () => self.apart(1.0 - about_it, about_it),
        }
    }

    /// How sure the rules are of what they hardly know is not worth more than what was weighed.
    pub(super) fn apart(&self, apart: f32, about_it: f32) -> Related {
        let sure = if self.by_rules.relation == Relation::Unrelated { self.by_rules.score } else { 1.0 };
        Related {
            relation: Relation::Unrelated,
            score: sure.min(f64::from(apart)),
            perhaps: about_it >= PERHAPS,
            ..self.by_rules.clone()
        }
    }
}

/// What is sure enough by its weights is sure enough to act on.
pub(super) fn weighed(relation: Relation, share: f32) -> Related {
    related(relation, f64::from(share).max(SURE), BY_WEIGHT)
}
