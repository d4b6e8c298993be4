//! Patterns in JSON: what recurs, how often, what shows it, and what became of it.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::mine::{Mined as EngineMined, Suggested as EngineSuggested};
use throughline_engine::store::memory::{Memory as Record, Status};

use super::memory::rounded;

/// What looking at finished sessions brought.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Mined {
    pub(crate) sessions: usize,
    pub(crate) patterns: Vec<Suggested>,
    /// Where a model was asked to word those that are suggested for the first time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<Worded>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Worded {
    pub(crate) answered: usize,
    /// How many are said in its words.
    pub(crate) worded: usize,
    /// Why the built-in wording had to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) without: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Suggested {
    /// The belief it would be.
    pub(crate) id: String,
    pub(crate) belief: String,
    pub(crate) confidence: f64,
    /// `suggested`, `approved`, `grown`, `weakened`, `known`.
    pub(crate) action: String,
    pub(crate) held: usize,
    pub(crate) cases: usize,
    pub(crate) evidence: Vec<String>,
}

/// Patterns that were suggested or hold.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Patterns {
    pub(crate) patterns: Vec<Pattern>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Pattern {
    pub(crate) id: String,
    pub(crate) belief: String,
    pub(crate) confidence: f64,
    /// `suggested` waits for approval, `approved` holds.
    pub(crate) state: &'static str,
}

impl From<EngineMined> for Mined {
    fn from(mined: EngineMined) -> Mined {
        Mined {
            sessions: mined.sessions,
            patterns: mined.suggested.into_iter().map(Suggested::from).collect(),
            model: mined.model.map(|model| Worded {
                answered: model.answered,
                worded: model.worded,
                without: model.without,
            }),
        }
    }
}

impl From<EngineSuggested> for Suggested {
    fn from(suggested: EngineSuggested) -> Suggested {
        Suggested {
            id: suggested.belief.id.to_string(),
            confidence: rounded(suggested.belief.confidence),
            belief: suggested.belief.content,
            action: suggested.fate.to_string(),
            held: suggested.pattern.held,
            cases: suggested.pattern.cases,
            evidence: suggested.pattern.evidence.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<Vec<Record>> for Patterns {
    fn from(known: Vec<Record>) -> Patterns {
        let pattern = |belief: Record| Pattern {
            id: belief.id.to_string(),
            belief: belief.content,
            confidence: rounded(belief.confidence),
            state: if belief.status == Status::Active { "approved" } else { "suggested" },
        };
        Patterns { patterns: known.into_iter().map(pattern).collect() }
    }
}
