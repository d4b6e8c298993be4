//! The files that a project gives its agents (CLAUDE.md, AGENTS.md): what stands there is read anyway, and must not
//! come back as memories.

use std::collections::HashSet;

use super::sentence::{Sentence, plain_words};
use super::wording;
use crate::words::is_in;

/// What those files say, sentence by sentence.
#[derive(Debug, Clone, Default)]
pub struct BootFiles {
    said: Vec<HashSet<String>>,
}

/// Files of more lines are read so far.
const MAX_LINES: usize = 4_000;
/// So much of a statement's words in one sentence of a file is the same statement.
const SHARED: f64 = 0.8;

impl BootFiles {
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> BootFiles {
        let lines = texts.into_iter().flat_map(str::lines).take(MAX_LINES);
        let sentences = lines.flat_map(wording::sentences).map(telling);
        BootFiles { said: sentences.filter(|words| words.len() > 1).collect() }
    }

    /// Whether one of the files says this already.
    pub fn say(&self, content: &str) -> bool {
        let words = telling(content);
        if words.is_empty() {
            return false;
        }
        self.said.iter().any(|said| {
            let shared = words.intersection(said).count() as f64;
            shared / words.len() as f64 >= SHARED && shared / said.len() as f64 >= 0.5
        })
    }
}

/// The words that tell statements apart; a negation is one of them.
fn telling(text: &str) -> HashSet<String> {
    const EMPTY: &str = "the a an we our you your is are be to in of for and please this that it";
    let is_empty = |word: &str| is_in(EMPTY, word);
    plain_words(text).into_iter().filter(|word| !is_empty(word)).collect()
}

/// "(It goes to docs/adr, as the AGENTS.md says.)": it stands there already.
pub(super) fn is_referred_to(sentence: &Sentence<'_>) -> bool {
    sentence.has_any(&[
        "as the agents.md says",
        "as agents.md says",
        "as claude.md says",
        "as the claude.md says",
        "as the readme says",
        "as the instructions say",
        "as the instructions in the repo say",
        "as it says in the readme",
        "as written in agents.md",
    ])
}
