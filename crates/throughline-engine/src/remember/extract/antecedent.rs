//! What a sentence speaks of, where only the sentence before it says so: "We need a job that deletes abandoned carts. Legal wants
//! them gone after 30 days." By itself such a sentence says nothing to who reads it later, and cannot be compared.

use super::fragment;
use super::sentence::{Sentence, Word};
use crate::words::is_in;

/// A sentence that stands for something speaks of it early.
const EARLY: usize = 6;
/// What begins with a value and has no verb and so few words names no subject.
const FEW: usize = 5;
/// A sentence before it that is so short names nothing, and one that is so long says much besides.
const NAMING: usize = 3;
const LONG: usize = 160;

/// The sentence before one that needs it.
pub(super) fn of<'a>(sentences: &[Sentence<'a>], at: usize) -> Option<&'a str> {
    let (sentence, before) = (&sentences[at], &sentences[at.checked_sub(1)?]);
    let names = before.words.len() >= NAMING && before.whole.len() <= LONG;
    let is_joined = before.line == sentence.line;
    (is_joined && names && !before.asks() && speaks_of_what_was_said(sentence)).then_some(before.whole)
}

/// What it speaks of is in a question: "How do they do it in Lisbon? They have four digits".
pub(super) fn is_asked_about(sentences: &[Sentence<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &sentences[before]);
    // Who answers himself begins with it: "Where does staging run? It's on Hetzner."
    let answers = is_in("it it's that's", sentences[at].word(0));
    // "CI has only 2 cores, that's why …" names what it speaks of.
    let names = sentences[at].words.iter().take(EARLY).any(|word| word.then == Some(','));
    before.is_some_and(|before| before.line == sentences[at].line && before.asks())
        && !answers
        && !names
        && !sentences[at].starts_any(&BEGINNINGS)
        && speaks_of_what_was_said(&sentences[at])
}

/// "Is there a test? From the next release on it's semantic versioning": what holds from then on is told anew.
const BEGINNINGS: [&str; 5] =
    ["from now on", "from the next", "from today", "from tomorrow", "starting with"];

fn speaks_of_what_was_said(sentence: &Sentence<'_>) -> bool {
    const POINTING: &str = "it it's its it'll they they're they've their them that's those these he he's she she's his her him both ours theirs";
    /// A capital that only begins the sentence is no name of a person.
    const SOMEBODY: &str = "he he's she she's him her his";
    let words = &sentence.words;
    let points = words.iter().take(EARLY).any(|word| is_in(POINTING, &word.text));
    // "before you merge it, rebase the branch", "the API listens on 8080, and it does so without TLS"
    let is_named = words
        .iter()
        .take(EARLY)
        .position(|word| is_in(POINTING, &word.text))
        .is_some_and(|at| names(&words[usize::from(is_in(SOMEBODY, &words[at].text)).min(at)..at]));
    points && !is_named || is_bare(words)
}

/// Something that the pointing word may stand for is named before it: by a name, or as in "the cart badge, it says …".
fn names(words: &[Word]) -> bool {
    let is_named = words.iter().any(|word| word.is_name || word.is_capital && word.text.len() > 2);
    let is_put_first = words.first().is_some_and(|word| is_in("the a an our my your this", &word.text))
        && words.last().is_some_and(|word| word.then == Some(','));
    is_named && words.len() > 2 || is_put_first && words.len() > 1
}

/// "friday 9:30, every week"
fn is_bare(words: &[Word]) -> bool {
    const DAYS: &str = "monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays";
    let begins = words
        .first()
        .is_some_and(|word| word.text.starts_with(|c: char| c.is_ascii_digit()) || is_in(DAYS, &word.text));
    begins && words.len() <= FEW && !words.iter().any(|word| fragment::is_verb(&word.text))
}

#[cfg(test)]
mod tests {
    use super::super::sentence::read;
    use super::{is_asked_about, of};

    fn last(text: &str) -> (Option<String>, bool) {
        let lines = [(1, text.to_owned())];
        let sentences = read(&lines);
        let at = sentences.len() - 1;
        (of(&sentences, at).map(str::to_owned), is_asked_about(&sentences, at))
    }

    #[test]
    fn who_points_speaks_of_the_sentence_before() {
        let before = Some("We need a job that deletes old carts.".to_owned());
        assert_eq!(last("We need a job that deletes old carts. Legal wants them gone."), (before, false));
        assert_eq!(last("The server is on port 8000. The cart badge, it says 10 minutes."), (None, false));
    }

    #[test]
    fn what_is_only_asked_about_is_no_subject() {
        let asked = "How do the Lisbon colleagues do it? They have everything with four digits.";
        assert_eq!(last(asked), (None, true));
        assert_eq!(last("Where does the staging site run? It's on Hetzner."), (None, false));
        assert!(!last("Is there a test? from the next release on it's semantic versioning").1);
    }
}
