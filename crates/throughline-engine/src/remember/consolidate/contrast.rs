//! Which words of a statement state something, and which say what does not hold, or not any more: "use pnpm, not npm",
//! "moved from 1 to 2", "we dropped A, it is B", "B replaced A".

use super::vocabulary;
use crate::remember::alternatives;
use crate::words::is_in;

/// The places of the words that state, and of those that are denied.
pub(super) fn contrast(words: &[String], breaks: &[bool]) -> (Vec<usize>, Vec<usize>) {
    let mut is_denied = vec![false; words.len()];
    by_negation(words, breaks, &mut is_denied);
    let all = Words { words, breaks };
    all.given_up(&mut is_denied);
    all.replaced(&mut is_denied);
    all.but(&mut is_denied);
    all.retired(&mut is_denied);
    all.preferred(&mut is_denied);
    let (denied, kept): (Vec<usize>, Vec<usize>) = (0..words.len()).partition(|at| is_denied[*at]);
    // A statement that only says what is gone states just that.
    let states =
        kept.iter().any(|at| !vocabulary::is_empty(&words[*at]) && !vocabulary::is_negation(&words[*at]));
    if states { (kept, denied) } else { ((0..words.len()).collect(), vec![]) }
}

/// "…, not npm", "… instead of npm"; "changed from 1 to 2" up to the word that goes on with what holds.
fn by_negation(words: &[String], breaks: &[bool], is_denied: &mut [bool]) {
    let (mut denies, mut gives_way) = (false, false);
    for at in 0..words.len() {
        let after_break = at > 0 && breaks[at - 1];
        let word = words[at].as_str();
        let next = words.get(at + 1).map_or("", String::as_str);
        let begins = (after_break && matches!(word, "not" | "never" | "no" | "don't" | "а" | "nicht"))
            || (word == "and" && next == "not")
            || (word == "instead" && next == "of")
            || (word == "rather" && next == "than")
            || (word == "not" && at > 1 && alternatives::is_known(next));
        let from = word == "from" && gave_way(words, at);
        let goes_on = gives_way && matches!(word, "to" | "into");
        if begins || from {
            (denies, gives_way) = (true, from);
        } else if after_break || goes_on {
            (denies, gives_way) = (false, false);
        }
        is_denied[at] |= denies;
    }
}

const CHANGED: &str = "moved changed switched upgraded migrated bumped went gone goes shifted turned raised lowered cut pushed ported renamed \
    relicensed handed transferred increased reduced extended shortened updated downgraded moves converted grew shrank took takes";
/// What is left by it, which follows.
const GIVEN_UP: &str = "drop dropped ditch ditched retire retired retiring cancel cancelled canceled abandon abandoned removed left killed \
    scrapped deprecated forget threw stopped quit leaving discontinued phased";
/// What goes before something that is taken over something else.
const PREFERRED: &str = "prefer prefers preferred choose chooses chose chosen pick picks picked favor favors favored favour favours favoured";
/// What ends the name of what is left.
const GOES_ON: &str =
    "for on in to into from by with and but it's it they we as at when because since via now out off";

/// "changed from 4100 to 4200": what it changed from holds no longer.
fn gave_way(words: &[String], from: usize) -> bool {
    let changed = words[..from].iter().any(|word| is_in(CHANGED, word));
    let took_over = words[..from].windows(2).any(|pair| pair[0].starts_with("t") && pair[1] == "over");
    changed && (took_over || words[from..].iter().take(6).any(|word| matches!(word.as_str(), "to" | "into")))
}

struct Words<'a> {
    words: &'a [String],
    breaks: &'a [bool],
}

impl Words<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    /// Where the name that begins here ends.
    fn name_end(&self, start: usize) -> usize {
        let ends = |at: &usize| {
            let is_parted = *at > start && self.breaks[at - 1];
            is_parted || (*at > start && is_in(GOES_ON, self.word(*at))) || *at >= start + 4
        };
        (start..self.words.len()).find(ends).unwrap_or(self.words.len())
    }

    /// Where the clause of a word begins.
    fn clause_start(&self, at: usize) -> usize {
        (0..at).rev().find(|before| self.breaks[*before]).map_or(0, |before| before + 1)
    }

    fn clause_end(&self, at: usize) -> usize {
        (at..self.words.len()).find(|at| self.breaks[*at]).map_or(self.words.len(), |end| end + 1)
    }

    /// "we dropped Feast, …", "moved off Android 12, …", "got rid of A", "we're done with A"
    fn given_up(&self, is_denied: &mut [bool]) {
        for at in 0..self.words.len() {
            let pair = (self.word(at), self.word(at + 1));
            let start = match pair {
                ("moved" | "migrated" | "went" | "get" | "got" | "we're" | "are", "off") => at + 2,
                ("rid", "of") | ("away", "from") => at + 2,
                ("out", "of") if self.words[..at].iter().any(|word| is_in(CHANGED, word)) => at + 2,
                ("done" | "finished", "with") if self.is_by_us(at) => at + 2,
                (verb, _) if is_in(GIVEN_UP, verb) && self.is_by_us(at) => at + 1,
                _ => continue,
            };
            let end = self.name_end(start);
            let states_more = self.words.len() > end || at > 2;
            if start < end && states_more {
                is_denied[at..end].fill(true);
            }
        }
    }

    /// "we chose Kafka over RabbitMQ": the latter was not taken.
    fn preferred(&self, is_denied: &mut [bool]) {
        for at in (0..self.words.len()).filter(|at| self.word(*at) == "over") {
            let before = self.words[self.clause_start(at)..at].iter();
            let end = self.name_end(at + 1);
            // "took over" is none.
            if before.rev().skip(1).any(|word| is_in(PREFERRED, word)) && end > at + 1 {
                is_denied[at..end].fill(true);
            }
        }
    }

    /// Somebody did so, and it is not what is done to something always.
    fn is_by_us(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |before| self.word(before));
        let begins = at == 0 || self.breaks[at - 1];
        begins || is_in("we we've we're i i've they have just finally already", before)
    }

    /// "we swapped A for B", "A was replaced by B", "B replaced A"
    fn replaced(&self, is_denied: &mut [bool]) {
        for at in 0..self.words.len() {
            let verb = self.word(at);
            if !is_in("replace replaces replaced replacing swap swapped supersedes superseded", verb) {
                continue;
            }
            let clause = self.clause_start(at)..self.clause_end(at);
            let by = (at + 1..clause.end).find(|at| matches!(self.word(*at), "by" | "with" | "for"));
            let before = clause.start..at;
            let is_passive = self.words[before.clone()]
                .iter()
                .any(|word| matches!(word.as_str(), "is" | "was" | "are" | "were" | "been" | "got" | "gets"));
            let is_ours =
                matches!(self.word(clause.start), "we" | "i" | "we've" | "they") || before.is_empty();
            match by {
                Some(by) if is_passive && by == at + 1 => is_denied[clause.start..=by].fill(true),
                Some(by) if is_ours => is_denied[at..=by].fill(true),
                _ if !is_passive && !is_ours => is_denied[at..self.name_end(at + 1)].fill(true),
                _ => {}
            }
        }
    }

    /// "aren't managed in A any more but in B", "no longer in A but in B"
    fn but(&self, is_denied: &mut [bool]) {
        let Some(but) = (1..self.words.len()).find(|at| self.word(*at) == "but") else { return };
        let negation = (0..but).find(|at| vocabulary::is_negation(self.word(*at)));
        if let Some(negation) = negation.filter(|_| but + 1 < self.words.len()) {
            is_denied[negation..=but].fill(true);
        }
    }

    /// A clause that only says what is gone: "npm is not used, use pnpm", "…, HLSL is gone", "#ops is dead, …"
    fn retired(&self, is_denied: &mut [bool]) {
        let mut start = 0;
        while start < self.words.len() {
            let end = self.clause_end(start);
            let is_all = start == 0 && end == self.words.len();
            if !is_all && self.is_over(start..end) {
                is_denied[self.old_value(start..end)].fill(true);
                let gone = (start..end).filter(|at| vocabulary::is_negation(self.word(*at)));
                gone.for_each(|at| is_denied[at] = true);
            }
            start = end;
        }
    }

    /// All of the clause; where the next one goes on with "it", what it is about stays.
    fn old_value(&self, clause: std::ops::Range<usize>) -> std::ops::Range<usize> {
        const PLACING: &str = "in on at by with from to under via through for as";
        let goes_on = matches!(self.word(clause.end), "it" | "it's" | "they" | "they're" | "its");
        let placed = clause.clone().rev().find(|at| is_in(PLACING, self.word(*at)));
        match placed.filter(|at| goes_on && *at > clause.start) {
            Some(at) => at..clause.end,
            None => clause,
        }
    }

    fn is_over(&self, clause: std::ops::Range<usize>) -> bool {
        const GONE: &str =
            "gone dead out closed history deprecated retired dropped cancelled removed over obsolete";
        let words = &self.words[clause];
        let said = format!(" {} ", words.join(" "));
        let is = [" is ", " are ", " was ", " were ", " been ", " got "].iter().any(|is| said.contains(is));
        let last = words.last().map_or("", String::as_str);
        let is_gone = is && words.len() <= 6 && is_in(GONE, last);
        let ends =
            [" is not used ", " isn't used ", " is no longer used ", " was shut down ", " is shut down "];
        let is_unused = ends.iter().any(|end| said.ends_with(end));
        let no_more =
            [" any more ", " anymore ", " any longer ", " no longer "].iter().any(|over| said.contains(over));
        let is_over = no_more
            && (said.contains(" no longer ") || words.iter().any(|word| vocabulary::is_negation(word)));
        is_gone || is_unused || is_over
    }
}
