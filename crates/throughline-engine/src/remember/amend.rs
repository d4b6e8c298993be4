//! What a value without a subject changes: the statement that has the value which the agent had just said or run, with the other
//! in its place.

use throughline_store::memory::{Kind, Memory, Status};

use super::alternatives;
use super::extract::{Amendment, Candidate, Extraction, Reason};
use crate::recall::Wanted;
use crate::{Caller, Engine, Result};

/// So many of the last lines of the agent are looked at.
const LINES: usize = 4;
const WANTED: Wanted = Wanted { sharing: 6, meaning: 3, status: Status::Active };
const KINDS: [Kind; 5] = [Kind::Fact, Kind::Rule, Kind::Preference, Kind::Decision, Kind::Skill];

/// A statement that is known, or was made just before.
struct Known {
    kind: Kind,
    content: String,
}

impl Engine {
    /// Says of what each amendment is one; what nothing is known of stays only where it says enough by itself.
    pub(super) fn amend(&self, caller: &Caller, extraction: &mut Extraction) -> Result<()> {
        let mut amended: Vec<Candidate> = vec![];
        for candidate in std::mem::take(&mut extraction.candidates) {
            let Some(amendment) = &candidate.amends else {
                amended.push(candidate);
                continue;
            };
            match self.changed_by(caller, amendment, &amended)? {
                Some(known) => amended.push(candidate.saying(known.kind, known.content)),
                None if amendment.stands_alone => amended.push(candidate),
                None => extraction.discard(Reason::Unresolved),
            }
        }
        extraction.candidates = amended;
        Ok(())
    }

    /// The statement as it is now: that with the most words in common with what the agent said, the newest first.
    fn changed_by(
        &self,
        caller: &Caller,
        amendment: &Amendment,
        before: &[Candidate],
    ) -> Result<Option<Known>> {
        let made = before.iter().rev().map(|candidate| (candidate.kind, candidate.content.clone()));
        let stored = self.near_lines(caller, amendment)?;
        let stored = stored.into_iter().map(|memory| (memory.kind, memory.content));
        let heard = amendment.words_heard();
        let mut best: Option<(usize, Known)> = None;
        for (kind, content) in made.chain(stored) {
            let Some((content, common)) = amendment.applied_to(&content, &heard) else { continue };
            if best.as_ref().is_none_or(|(most, _)| common > *most) {
                best = Some((common, Known { kind, content }));
            }
        }
        Ok(best.map(|(_, known)| known))
    }

    fn near_lines(&self, caller: &Caller, amendment: &Amendment) -> Result<Vec<Memory>> {
        let is_comparable = |memory: &Memory| KINDS.contains(&memory.kind) && memory.occurred_at.is_none();
        let mut near: Vec<Memory> = vec![];
        for line in amendment.heard.iter().rev().take(LINES) {
            let asked = format!("{line} {}", amendment.instead_of.as_deref().unwrap_or_default());
            let found = self.store.read(|conn| self.about(conn, caller, &asked, (WANTED, is_comparable)))?;
            for memory in found {
                if near.iter().all(|known| known.id != memory.id) {
                    near.push(memory);
                }
            }
        }
        Ok(near)
    }
}

impl Amendment {
    /// A statement with the value in place of that which the agent had, and how many words it has in common with what the agent said.
    fn applied_to(&self, content: &str, heard: &[String]) -> Option<(String, usize)> {
        let words = Place::all(content);
        let old = match &self.instead_of {
            Some(old) => phrase(&words, old)?,
            None => self.only_value(&words, heard)?,
        };
        let old = self.widened(&words, old);
        let text = format!("{}{}{}", &content[..words[old.0].from], self.value, &content[words[old.1].to..]);
        let is_telling = |(at, place): &(usize, &Place)| (*at < old.0 || *at > old.1) && place.word.len() > 3;
        let common = words
            .iter()
            .enumerate()
            .filter(is_telling)
            .filter(|(_, place)| heard.iter().any(|word| are_alike(word, &place.word)))
            .count();
        let is_change = !text.eq_ignore_ascii_case(content);
        is_change.then_some((text, common))
    }

    fn words_heard(&self) -> Vec<String> {
        self.heard.iter().flat_map(|line| Place::all(line)).map(|place| place.word).collect()
    }

    /// The only value that the statement has of what the agent said, of the same shape where there are several.
    fn only_value(&self, words: &[Place], heard: &[String]) -> Option<(usize, usize)> {
        let is_shared = |at: &usize| words[*at].is_value && heard.contains(&words[*at].word);
        let mut runs: Vec<(usize, usize)> = vec![];
        for at in (0..words.len()).filter(is_shared) {
            match runs.last_mut() {
                Some(run) if run.1 + 1 == at => run.1 = at,
                _ => runs.push((at, at)),
            }
        }
        if runs.len() > 1 || !self.corrects {
            let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
            runs.retain(|run| has_digit(&words[run.0].word) == has_digit(&self.value));
        }
        match runs[..] {
            [run] => Some(run),
            _ => None,
        }
    }

    /// "3" and then "retries", where the value has that word too: "7 retries".
    fn widened(&self, words: &[Place], (mut from, mut to): (usize, usize)) -> (usize, usize) {
        let value = Place::all(&self.value);
        let same = |at: usize, other: Option<&Place>| {
            value.len() > 1
                && other.is_some_and(|other| words.get(at).is_some_and(|place| place.word == other.word))
        };
        if same(to + 1, value.last()) {
            to += 1;
        }
        if from > 0 && same(from - 1, value.first()) {
            from -= 1;
        }
        (from, to)
    }
}

/// A word of a text, and where it stands without the signs around it.
struct Place {
    /// In small letters.
    word: String,
    from: usize,
    to: usize,
    /// A number, a name, a thing that stands for one of several.
    is_value: bool,
}

impl Place {
    fn all(text: &str) -> Vec<Place> {
        let mut at = 0;
        let pieces = text.split_inclusive(char::is_whitespace).map(|piece| {
            at += piece.len();
            (at - piece.len(), piece)
        });
        pieces.filter_map(|(start, piece)| Place::of(start, piece)).collect()
    }

    fn of(start: usize, piece: &str) -> Option<Place> {
        let is_sign = |c: char| c.is_whitespace() || ",;:.!?\"'`()[]“”".contains(c);
        let bare = piece.trim_end_matches(is_sign);
        let word = bare.trim_start_matches(is_sign);
        let from = start + bare.len() - word.len();
        let small = word.to_lowercase();
        let has_sign = word.contains(|c: char| c.is_ascii_digit() || "-_#@/.{}%".contains(c));
        let is_name = word.chars().any(char::is_uppercase) && small.chars().count() > 2;
        let is_value = has_sign || is_name || alternatives::is_known(&small);
        (!word.is_empty()).then(|| Place { from, to: from + word.len(), is_value, word: small })
    }
}

/// Where the words of a phrase stand together.
fn phrase(words: &[Place], phrase: &str) -> Option<(usize, usize)> {
    let wanted = Place::all(phrase);
    let is_there = |at: &usize| wanted.iter().enumerate().all(|(n, one)| words[at + n].word == one.word);
    let last = words.len().checked_sub(wanted.len())?;
    (!wanted.is_empty()).then(|| (0..=last).find(is_there).map(|at| (at, at + wanted.len() - 1)))?
}

/// "deploys", "deploying"
fn are_alike(one: &str, other: &str) -> bool {
    const STEM: usize = 5;
    let begin = |word: &str| word.chars().take(STEM).collect::<String>();
    one == other || begin(one) == begin(other) && one.len() >= STEM
}
