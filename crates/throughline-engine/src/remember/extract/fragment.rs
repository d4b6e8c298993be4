//! Words that state nothing by themselves: what is only named ("asset bundles."), what is to be done once ("write a dag for the
//! weather feed"), what the agent did ("you wrote a mart yesterday"). The reader has seen few of them, and takes them for facts.

use super::Reason;
use super::nouns;
use super::sentence::{Sentence, Word};
use crate::words::is_in;

/// What speaks against a sentence that no rule knows.
pub(super) fn of(sentence: &Sentence<'_>) -> Option<Reason> {
    match () {
        () if is_for_now(sentence) || is_done_once(sentence) || is_needed_once(sentence) => {
            Some(Reason::Task)
        }
        () if reviews(sentence) || finds_fault(sentence) => Some(Reason::Symptom),
        () if !states(sentence) => Some(Reason::NothingSaid),
        () => None,
    }
}

/// "need to add events for the funnel"
pub(super) fn is_needed_once(sentence: &Sentence<'_>) -> bool {
    sentence.starts_any(&[
        "need to",
        "needs to",
        "need a",
        "need an",
        "need the",
        "gotta",
        "time to",
        "i need to",
    ])
}

/// "write a dag for the weather feed"
fn is_done_once(sentence: &Sentence<'_>) -> bool {
    const GENERALLY: [&str; 15] = [
        "always",
        "never",
        "every",
        "each",
        "all",
        "any",
        "everything",
        "whenever",
        "when",
        "before",
        "after",
        "first",
        "only",
        "without",
        "not",
    ];
    let is_one =
        |word: &Word| matches!(word.text.as_str(), "a" | "an" | "this" | "that" | "another" | "at" | "+");
    is_order(sentence) && sentence.words.get(1).is_some_and(is_one) && !sentence.has_any(&GENERALLY)
}

fn is_order(sentence: &Sentence<'_>) -> bool {
    sentence.words.first().is_some_and(nouns::is_order)
}

/// "change it, it can go out on Monday", "feel free to find out why"
fn is_for_now(sentence: &Sentence<'_>) -> bool {
    let points = matches!(sentence.word(1), "it" | "them" | "that" | "this");
    is_order(sentence) && points || sentence.starts("feel free") || sentence.has("please do")
}

/// "you wrote a mart called fct_returns yesterday"
fn reviews(sentence: &Sentence<'_>) -> bool {
    const DONE: [&str; 12] =
        ["wrote", "made", "put", "left", "forgot", "broke", "did", "were", "named", "went", "took", "built"];
    let verb = sentence.word(1);
    sentence.word(0) == "you" && (verb.ends_with("ed") && verb != "need" || DONE.contains(&verb))
        || sentence.word(0) == "you've" && sentence.words.len() > 1
}

/// "there's a java.util.Date in Export.kt", "one more time: a lombok annotation slipped in"
fn finds_fault(sentence: &Sentence<'_>) -> bool {
    let is_somewhere = || sentence.words.iter().skip(3).any(|word| word.is_name || word.text == "somewhere");
    let is_there =
        sentence.starts_any(&["there's a", "there's an", "there is a", "there is an", "there's still"]);
    is_there && sentence.has("in") && is_somewhere()
        || sentence.has_any(&["slipped in", "bug in", "got in again", "one more time"])
}

/// A verb, a word of rules, a value, or so many words that one of them is a verb.
fn states(sentence: &Sentence<'_>) -> bool {
    const FEW: usize = 4;
    let words = &sentence.words;
    const NUMBERS: &str = "two three four five six seven eight nine ten twelve twenty thirty";
    let has_digit =
        |word: &Word| word.text.bytes().any(|byte| byte.is_ascii_digit()) || is_in(NUMBERS, &word.text);
    let has_value = words.iter().any(has_digit) && !is_order(sentence) && !sentence.has("it");
    words.len() > FEW && !sentence.has("it")
        || has_value
        || matches!(sentence.word(0), "we" | "i" | "our" | "don't" | "use")
        || sentence.text.contains([':', '=', '→', '`'])
        || sentence.text.contains("->")
        || words.iter().skip(1).any(|word| is_verb(&word.text))
        || words.iter().any(|word| is_of_rules(&word.text))
        || !sentence.text.is_ascii()
}

pub(super) fn is_verb(word: &str) -> bool {
    const VERBS: &str = "is are was were be been am has have had do does did will can may must should cannot can't won't don't doesn't isn't \
        aren't gets get got goes go went comes come came uses use used runs run ran lives live sits sit stays stay keeps keep kept \
        needs need requires require wants want takes take took makes make made gives gave sends send sent reads read writes write wrote \
        builds build built ships ship deploys deploy listens listen expires expire belongs belong follows follow owns own leads lead \
        handles handle maintains maintain answers answer reviews review approves approve signs sign decides decide knows points point \
        serves serve stores store holds hold returns return starts start ends end stops stop waits wait retries retry talks talk \
        speaks speak supports support allows allow accepts accept contains contain includes include means mean costs cost lasts last \
        closes close opens open works work pays pay charges charge counts count covers cover depends depend happens happen fails fail \
        prefer prefers like likes love loves hate hates called named written done gone moved switched replaced became becomes";
    let is_short = ["'s", "'re", "'ve", "'ll", "’s", "’re"].iter().any(|end| word.ends_with(end));
    is_short || word.len() > 4 && word.ends_with("ed") || is_in(VERBS, word)
}

fn is_of_rules(word: &str) -> bool {
    const RULING: &str = "no not never always only without instead over rather everywhere every each all any both nothing nobody none per max \
        min maximum minimum most least until by default before after forbidden allowed banned required mandatory optional off on at via";
    is_in(RULING, word)
}
