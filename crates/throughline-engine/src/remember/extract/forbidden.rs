//! What a user says and does not want to be kept: "don't store this: …", "off the record, …". Nothing of such a message is
//! looked at any further.

use super::sentence::{Sentence, Word, find, starts};

/// Said of what follows or of what was just said.
const PHRASES: [&str; 19] = [
    "between you and me",
    "not for keeping",
    "not for saving",
    "not for storing",
    "not for remembering",
    "not for your memory",
    "not to be kept",
    "not to be saved",
    "off the record",
    "not for the record",
    "not for your notes",
    "not for the notes",
    "not for storage",
    "not for memory",
    "off your records",
    "stays between us",
    "stays in this chat",
    "only in this chat",
    "in confidence",
];
const NEGATIONS: [&str; 7] =
    ["don't", "do not", "never", "needn't", "need not", "no need to", "you shouldn't"];
const KEEPING: [&str; 12] = [
    "remember", "store", "save", "record", "memorise", "memorize", "retain", "note", "write", "jot", "log",
    "keep",
];
/// The message, as an object.
const IT: [&str; 9] = ["this", "that", "it", "these", "them", "any", "none", "anything", "the following"];
/// What may follow it before the clause ends: "don't write this down", "don't save it anywhere".
const AFTER_IT: [&str; 12] = [
    "down",
    "one",
    "anywhere",
    "please",
    "up",
    "at all",
    "of",
    "in memory",
    "to memory",
    "in your",
    "to your",
    "for later",
];
const LEAVING: [&str; 6] = ["leave", "keep", "stays", "stay", "drop", "strike"];
const NOTES: [&str; 8] = [
    "out of memory",
    "out of your memory",
    "out of your notes",
    "out of the notes",
    "out of the log",
    "from memory",
    "from your memory",
    "off your notes",
];

pub(super) fn is_forbidden(sentences: &[Sentence<'_>]) -> bool {
    sentences.iter().any(|sentence| {
        let words = &sentence.all;
        PHRASES.iter().any(|phrase| find(words, phrase).is_some())
            || leaves_out(words)
            || is_not_to_be_kept(words)
    })
}

/// "leave that out of your notes"; a process that is out of memory is another thing.
fn leaves_out(words: &[Word]) -> bool {
    let leaving = LEAVING.iter().filter_map(|verb| find(words, verb)).min();
    leaving.is_some_and(|at| NOTES.iter().any(|notes| find(&words[at..], notes).is_some()))
}

/// "don't store this: …"; "don't store passwords" is a rule.
fn is_not_to_be_kept(words: &[Word]) -> bool {
    let after = |at: usize, phrase: &str| at + phrase.split(' ').count();
    (0..words.len()).any(|at| {
        let negated = NEGATIONS.iter().find(|negation| starts(&words[at..], negation));
        let Some(verb) = negated.map(|negation| after(at, negation)) else { return false };
        let keeps = words.get(verb).is_some_and(|word| KEEPING.contains(&word.text.as_str()));
        keeps && (words[verb].then == Some(':') || names_it(&words[verb + 1..]))
    })
}

fn names_it(words: &[Word]) -> bool {
    let Some(it) = IT.iter().find(|it| starts(words, it)).map(|it| it.split(' ').count()) else {
        return false;
    };
    let rest = &words[it..];
    words[it - 1].then.is_some() || rest.is_empty() || AFTER_IT.iter().any(|after| starts(rest, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_forbidden_in(text: &str) -> bool {
        is_forbidden(&[Sentence::new(1, text, None)])
    }

    #[test]
    fn what_is_not_to_be_kept_is_told_from_rules_about_keeping() {
        for message in [
            "don't store this: the gate code at the site is 4471",
            "Please don't remember that, it's private",
            "off the record, the CFO wants to sell the depot",
            "do not write this down: the alarm is 8820",
            "keep this out of your notes: field 7 is going to be sold",
            "here is the key, use it and then drop it from memory",
            "please don't retain: field 7 is going to be sold",
            "you needn't remember this one: my badge number is 55810",
            "this is not for keeping: the back door code is 7713",
        ] {
            assert!(is_forbidden_in(message), "{message}");
        }
        for message in [
            "we don't store card numbers",
            "don't save it as CSV, use parquet",
            "never log this field, it is personal data",
            "the importer runs out of memory with large files",
            "don't forget this: deploys happen on Friday",
            "keep the cache in memory",
        ] {
            assert!(!is_forbidden_in(message), "{message}");
        }
    }
}
