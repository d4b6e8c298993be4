//! What the next breath takes back, or leaves open: "use Luxon for dates. no wait, forget that…"

use super::sentence::{Sentence, Word, starts, words};

const WITHDRAWING: &str = "forget that|forget it|forget what|forget i said|forget about that|ignore that|ignore this|ignore it|ignore what|\
    scratch that|strike that|disregard|nonsense|rubbish|that's nonsense|that's rubbish|never mind|nevermind|that's the other project|\
    that's another project|that's a different project|that's our other project|that's my other project|that was the other project|\
    that's from the other project|wrong project|wrong repo|wrong window|wrong chat|wrong tab|that's wrong|i take that back|\
    i take it back|i misspoke|my mistake|my bad";
/// Said before it is taken back.
const HESITATING: &str =
    "no|nope|nah|wait|oh|ah|eh|uh|um|hm|hmm|sorry|actually|well|ok|okay|damn|argh|hang|hold|on|please|just";

/// "use Luxon for dates. no wait, forget that…"
pub(super) fn is_taken_back(sentence: &Sentence<'_>) -> bool {
    let withdraws = |words: &[Word]| {
        let hesitates =
            words.iter().take_while(|word| HESITATING.split('|').any(|known| known == word.text)).count();
        WITHDRAWING.split('|').any(|phrase| starts(&words[hesitates..], phrase))
    };
    let next = sentence.next.map(words).unwrap_or_default();
    let ends = (1..sentence.all.len()).filter(|at| sentence.all[at - 1].then.is_some());
    withdraws(&next) || ends.into_iter().any(|at| withdraws(&sentence.all[at..]))
}

const RETRACTING: &str = "not decided|nothing decided|nothing is decided|undecided|still undecided|still open|not final|not settled|\
    to be decided|tbd|not sure|not certain|nothing final|just an idea|only an idea|just thinking|scratch that|\
    forget that|we'll see|let's see|but nothing";

/// "jonas wants graphql. not decided, we'll talk on friday"
pub(super) fn is_left_open(sentence: &Sentence<'_>) -> bool {
    let next = sentence.next.map(words).unwrap_or_default();
    // "not sure why CI is red" is of something else.
    let ends = |phrase: &str| {
        let count = phrase.split(' ').count();
        next[count - 1].then.is_some()
            || next.get(count).is_none_or(|word| matches!(word.text.as_str(), "yet" | "though"))
    };
    RETRACTING.split('|').any(|phrase| starts(&next, phrase) && ends(phrase))
}
