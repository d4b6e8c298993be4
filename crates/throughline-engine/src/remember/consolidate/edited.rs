//! Two texts of several sentences of which some stand in both, word for word: what they are to each other is told by the
//! sentences that only one of them has.

use super::{A_PART, New, Related, Relation, related};
use crate::remember::extract;

pub(super) const EDITED: &str = "the same text with a sentence changed";
/// So many pairs of sentences are compared.
const PAIRS: usize = 12;

/// Nothing where no sentence stands in both.
pub(super) fn compared(known: &str, new: &str) -> Option<Related> {
    let (old, new) = (Text::of(known), Text::of(new));
    if old.said.len().max(new.said.len()) < 2 {
        return None;
    }
    let (gone, added) = (old.without(&new), new.without(&old));
    let shared = old.said.len() - gone.len();
    match (shared, gone.is_empty(), added.is_empty()) {
        (0, _, _) => None,
        (_, true, true) => Some(related(Relation::Same, 1.0, "the same sentences")),
        (_, true, false) => Some(related(Relation::Refines, 0.95, "says the same and more")),
        (_, false, true) => Some(related(Relation::Same, 0.9, A_PART)),
        (_, false, false) => Some(changed((&gone, &added), shared)),
    }
}

/// The sentences of a text that one before it does not have in the same words.
pub(in crate::remember) fn added<'a>(known: &str, new: &'a str) -> Vec<&'a str> {
    let (old, new) = (Text::of(known), Text::of(new));
    new.without(&old).into_iter().map(|(_, sentence)| sentence).collect()
}

/// Whether a text has a sentence, word for word.
pub(in crate::remember) fn has(text: &str, sentence: &str) -> bool {
    Text::of(text).said.contains(&plain(sentence))
}

type Placed<'a> = (usize, &'a str);

fn changed((gone, added): (&[Placed<'_>], &[Placed<'_>]), shared: usize) -> Related {
    let pairs = gone.iter().flat_map(|(_, old)| added.iter().map(move |(_, new)| (old, new)));
    let mut relations = pairs.take(PAIRS).map(|(old, new)| New::of(new).relation_to(old));
    if relations.any(|related| related.is_sure()) {
        return related(Relation::Opposite, 0.95, EDITED);
    }
    // One sentence in the place of another, with more around it than differs, is that sentence edited.
    let is_in_place =
        matches!((gone, added), ([(at, old)], [(other, new)]) if at == other && begin_alike(old, new));
    match is_in_place && shared > 0 {
        true => related(Relation::Opposite, 0.9, EDITED),
        false => Related { perhaps: true, ..related(Relation::Unrelated, 0.7, "some sentences in common") },
    }
}

fn begin_alike(one: &str, other: &str) -> bool {
    let first = |text: &str| plain(text).split(' ').next().map(str::to_owned);
    first(one) == first(other)
}

struct Text<'a> {
    sentences: Vec<&'a str>,
    /// In plain small words.
    said: Vec<String>,
}

impl<'a> Text<'a> {
    fn of(text: &'a str) -> Text<'a> {
        let sentences: Vec<&str> = text.lines().flat_map(extract::sentences).collect();
        let said = sentences.iter().map(|sentence| plain(sentence)).collect();
        Text { sentences, said }
    }

    fn without(&self, other: &Text<'_>) -> Vec<Placed<'a>> {
        let is_own = |at: &usize| !other.said.contains(&self.said[*at]);
        (0..self.said.len()).filter(is_own).map(|at| (at, self.sentences[at])).collect()
    }
}

fn plain(sentence: &str) -> String {
    let word = |word: &str| word.trim_matches(['.', '!', ';', ',']).to_lowercase();
    let is_word = |word: &String| !matches!(word.as_str(), "" | "-" | "*");
    sentence.split_whitespace().map(word).filter(is_word).collect::<Vec<_>>().join(" ")
}
