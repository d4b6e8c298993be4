//! Passages: quotations of several sentences, which are somebody else's text.

use super::wording;
use crate::words::is_in;

/// Who quotes the team's own words, or asks for a passage to be kept, means it.
const OWN: &str = "remember remembered memorize memorise note our ours we team keep save";

/// A line without its passages and what leads up to them, and how many sentences that were.
pub(super) fn without(line: &str) -> (String, usize) {
    let sentences = wording::sentences(line);
    let mut own: Vec<&str> = vec![];
    let mut at = 0;
    while at < sentences.len() {
        let end = opened(sentences[at])
            .filter(|lead| !is_own(lead))
            .and_then(|_| (at + 1..sentences.len()).find(|later| closes(sentences[*later])));
        match end {
            Some(end) => at = end + 1,
            None => {
                own.push(sentences[at]);
                at += 1;
            }
        }
    }
    match sentences.len() - own.len() {
        0 => (line.to_owned(), 0),
        quoted => (own.join(" "), quoted),
    }
}

/// What stands before a quotation that does not end in the sentence.
fn opened(sentence: &str) -> Option<&str> {
    let mut lead = None;
    for (at, sign) in sentence.char_indices().filter(|(_, c)| is_quote(*c)) {
        let (before, after) = (&sentence[..at], &sentence[at + sign.len_utf8()..]);
        let begins = before.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(')
            && after.starts_with(char::is_alphanumeric);
        match lead {
            None if begins => lead = Some(before),
            Some(_) if !begins => lead = None,
            _ => {}
        }
    }
    lead
}

fn closes(sentence: &str) -> bool {
    let first = sentence.char_indices().find(|(_, c)| is_quote(*c));
    first.is_some_and(|(at, sign)| {
        let after = sentence[at + sign.len_utf8()..].chars().next();
        at > 0 && after.is_none_or(|c| c.is_whitespace() || ".,;:!?)".contains(c))
    })
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '«' | '»')
}

fn is_own(lead: &str) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    lead.split_whitespace().any(|word| is_in(OWN, &bare(word)))
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn what_others_wrote_is_left_out() {
        for (line, own, quoted) in [
            (
                "We moved to Mollie. I'm pasting from their guide: \"Always fetch it again. Never trust the body. Answer in 15 s.\" Fix it.",
                "We moved to Mollie. Fix it.",
                3,
            ),
            ("“Never retry. Keys expire.” do we have that?", "do we have that?", 2),
        ] {
            assert_eq!(without(line), (own.to_owned(), quoted));
        }
    }

    #[test]
    fn what_is_meant_stays() {
        for line in [
            "Remember this: \"Always run the tests. Never push to main.\"",
            "our guide says \"amounts are cents. never floats.\"",
            "We call it \"the beast\". It runs on Java.",
            "The 15\" screens go. Use the 27\" ones.",
            "He said \"no. Then he left.",
        ] {
            assert_eq!(without(line), (line.to_owned(), 0));
        }
    }
}
