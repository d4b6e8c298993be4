//! A line that is the title of a text: what stands below it is what the text says. "docs/style.md:", "Contents of CONTRIBUTING.md:",
//! "=== style.md ===", "the competitor's README:".

use super::sentence::{Word, starts, words};
use crate::words::is_in;

const DOCUMENTS: &str = "readme changelog contributing license description message body excerpt transcript snippet diff log output page \
    post article mail email ticket issue comment thread file doc docs guide handbook wiki contents";
const ENDINGS: &str = "md mdx txt rst adoc toml yml yaml json ts tsx js jsx py rs go java kt rb php c h cpp cs css html cfg ini conf sh sql xml csv log";
/// Whoever names these speaks of what is their own.
const OWN: &str = "we our us i my mine rules rule conventions convention guidelines principles decisions decision remember note memory \
    change changes fix todo todos plan tasks";
const FEW: usize = 4;
const LONG: usize = 9;

pub(super) fn is_title(line: &str) -> bool {
    let line = line.trim();
    is_drawn(line) || line.ends_with(':') && is_named(&words(line))
}

/// "=== style.md ===", "--- notes ---"
fn is_drawn(line: &str) -> bool {
    let sign = line.chars().next().filter(|c| matches!(c, '=' | '-' | '*' | '~' | '#'));
    sign.is_some_and(|sign| {
        let drawn = |text: &str| text.chars().take_while(|c| *c == sign).count() >= 3;
        let inside = line.trim_matches(sign).trim();
        drawn(line)
            && drawn(&line.chars().rev().collect::<String>())
            && inside.chars().any(char::is_alphabetic)
    })
}

fn is_named(words: &[Word]) -> bool {
    let names_document = words.iter().any(|word| is_in(DOCUMENTS, &word.text));
    let names_file = words.iter().any(|word| is_file(&word.text));
    let is_somebodys = words.iter().any(|word| word.text.ends_with("'s"));
    let is_found = ["this", "following"].contains(&words.last().map_or("", |word| word.text.as_str()));
    let is_short = words.len() <= FEW;
    let leads = ["contents of", "content of", "file", "from"].iter().any(|lead| starts(words, lead));
    words.len() <= LONG
        && !words.iter().any(|word| is_in(OWN, &word.text) && !(is_found && word.text == "i"))
        && (names_file && (is_short || leads || is_found)
            || names_document && is_short && (is_somebodys || words.len() == 2 && is_document(words)))
}

/// "PR description:", "commit message:"
fn is_document(words: &[Word]) -> bool {
    words.last().is_some_and(|word| is_in(DOCUMENTS, &word.text))
}

fn is_file(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(name, ending)| !name.is_empty() && is_in(ENDINGS, ending))
}

#[cfg(test)]
mod tests {
    use super::is_title;

    #[test]
    fn titles_of_texts_are_known() {
        for line in [
            "Contents of CONTRIBUTING.md:",
            "docs/style.md:",
            "=== style.md ===",
            "--- notes ---",
            "File: docs/style.md:",
            "Competitor's README:",
            "In the old project's CLAUDE.md I found this:",
            "PR description:",
        ] {
            assert!(is_title(line), "{line}");
        }
    }

    #[test]
    fn what_people_write_before_their_own_words_is_none() {
        for line in [
            "our rules in docs/style.md:",
            "some things:",
            "notes:",
            "Backend:",
            "---",
            "remember this:",
            "please change src/cart.rs:",
            "the commit message of ours:",
            "docs/style.md says two spaces",
        ] {
            assert!(!is_title(line), "{line}");
        }
    }
}
