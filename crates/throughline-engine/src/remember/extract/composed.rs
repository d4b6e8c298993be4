//! What a text says that somebody asks to have written is no fact: "Write a blog post intro: customers never …",
//! "Implement the rule that …".

use super::sentence::{Sentence, find};
use crate::words::is_in;

pub(super) fn is_of_a_text(sentence: &Sentence<'_>) -> bool {
    const MAKING: &str = "write draft generate compose give implement phrase prepare sketch";
    const SOME: &str = "a an the me some us two three five ten another one";
    const TEXTS: &str = "post intro announcement docstring rule section example examples prompt prompts validation message mail email \
        template comment story description text test check assertion note notice banner hint tooltip";
    const SAYING: [&str; 7] =
        ["which says", "that says", "saying", "with rules like", "such as", "the rule that", "a rule that"];
    const EACH_TIME: &str = "every each always whenever all any";
    let words = &sentence.words;
    let makes = is_in(MAKING, sentence.word(0)) && is_in(SOME, sentence.word(1));
    let adds = is_in("add create make", sentence.word(0))
        && words.iter().skip(1).take(3).any(|word| is_in(TEXTS, &word.text));
    let colon = words.iter().position(|word| word.then == Some(':')).filter(|at| *at > 1);
    let end = colon.or_else(|| SAYING.iter().filter_map(|saying| find(words, saying)).min());
    let is_each_time = |end: usize| words[..=end].iter().any(|word| is_in(EACH_TIME, &word.text));
    (makes || adds) && end.is_some_and(|end| end + 1 < words.len() && !is_each_time(end))
}
