//! Where a model is asked how to say patterns that nobody was told of yet. What is known keeps its wording, so that mining
//! again changes nothing; without a usable answer the built-in wording stands.

use throughline_store::model_call::Purpose;

use super::{Pattern, wording};
use crate::ask::{Inquiry, Reply};
use crate::{Caller, Engine, Result};

/// What a model was asked about the wording of patterns, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Worded {
    /// How many questions were answered.
    pub answered: usize,
    /// How many patterns are said in its words.
    pub worded: usize,
    /// Why the built-in wording had to do, where it had.
    pub without: Option<String>,
}

/// So many patterns are asked about at once.
const PATTERNS: usize = 10;

impl Engine {
    /// For each pattern the wording of a model, where it gave one that says the same.
    pub(super) fn word_patterns(
        &self,
        caller: &Caller,
        patterns: &[Pattern],
    ) -> Result<(Vec<Option<String>>, Option<Worded>)> {
        let mut wordings = vec![None; patterns.len()];
        let unknown = self.unknown(caller, patterns)?;
        if unknown.is_empty() {
            return Ok((wordings, None));
        }
        let mut worded = Worded::default();
        for places in unknown.chunks(PATTERNS) {
            let asked: Vec<&Pattern> = places.iter().map(|place| &patterns[*place]).collect();
            let question = wording::question(&asked, self.settings.model.answer_tokens);
            let inquiry = Inquiry { purpose: Purpose::Word, question: &question, check: &|_| Ok(()) };
            match self.inquire(caller, &inquiry)? {
                Reply::Without(why) => {
                    tracing::warn!(why, "the model worded no patterns; the built-in wording stands");
                    worded.without = Some(why);
                    break;
                }
                Reply::Answer(answer) => {
                    worded.answered += 1;
                    for (place, said) in places.iter().zip(wording::take(&answer, &asked)) {
                        worded.worded += usize::from(said.is_some());
                        wordings[*place] = said;
                    }
                }
            }
        }
        Ok((wordings, Some(worded)))
    }

    /// The places of the patterns that are to be said for the first time, where there is a model to ask.
    fn unknown(&self, caller: &Caller, patterns: &[Pattern]) -> Result<Vec<usize>> {
        let mut unknown = vec![];
        if self.asks_a_model() {
            for (place, pattern) in patterns.iter().enumerate() {
                if self.of_pattern(caller, pattern)?.is_none() {
                    unknown.push(place);
                }
            }
        }
        Ok(unknown)
    }
}
