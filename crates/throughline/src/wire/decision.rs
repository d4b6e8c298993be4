//! A decision on record, in JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_engine::capture::During;
use throughline_engine::remember::{
    Decided as EngineDecided, Decision, Effect, Moved as EngineMoved, USUAL_CONFIDENCE,
};
use throughline_engine::store::memory::Status;

use super::memory::rounded;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Decided {
    pub(crate) id: String,
    /// `recorded`, `superseded` when an earlier one was replaced, `corroborated` when it had been decided already,
    /// `quarantined` when it waits for a person's word.
    pub(crate) action: String,
    pub(crate) title: String,
    pub(crate) event_id: String,
    pub(crate) confidence: f64,
    /// What was decided about the subject before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) superseded: Vec<Past>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) beliefs: Vec<Moved>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Past {
    pub(crate) id: String,
    pub(crate) title: String,
}

/// A belief before and after.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Moved {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) status: String,
    pub(crate) confidence_before: f64,
    pub(crate) confidence: f64,
}

impl From<EngineDecided> for Decided {
    fn from(decided: EngineDecided) -> Decided {
        let action = match (decided.again, decided.superseded.is_empty()) {
            _ if decided.memory.status == Status::Quarantined => "quarantined",
            (true, _) => "corroborated",
            (false, true) => "recorded",
            (false, false) => "superseded",
        };
        let past = |memory: throughline_engine::store::memory::Memory| Past {
            id: memory.id.to_string(),
            title: memory.title,
        };
        Decided {
            id: decided.memory.id.to_string(),
            action: action.to_owned(),
            title: decided.memory.title,
            event_id: decided.event.to_string(),
            confidence: rounded(decided.memory.confidence),
            superseded: decided.superseded.into_iter().map(past).collect(),
            beliefs: decided.beliefs.into_iter().map(Moved::from).collect(),
        }
    }
}

impl From<EngineMoved> for Moved {
    fn from(moved: EngineMoved) -> Moved {
        Moved {
            id: moved.belief.id.to_string(),
            title: moved.belief.title,
            status: moved.belief.status.to_string(),
            confidence_before: rounded(moved.before),
            confidence: rounded(moved.belief.confidence),
        }
    }
}

impl Moved {
    pub(crate) fn line(&self) -> String {
        let review = if self.status == "quarantined" { ", waits for review" } else { "" };
        format!("{} {}: {} → {}{review}", self.id, self.title, self.confidence_before, self.confidence)
    }
}

/// A belief as a caller names it: `ID` is supported, `-ID` is contradicted.
pub(crate) fn affected(name: &str) -> (String, Effect) {
    match name.strip_prefix('-') {
        Some(id) => (id.to_owned(), Effect::Contradicts),
        None => (name.to_owned(), Effect::Supports),
    }
}

/// A decision, as agents and programs tell it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Choice {
    subject: String,
    choice: String,
    rationale: String,
    #[serde(default)]
    alternatives_considered: Vec<String>,
    #[serde(default = "usual")]
    confidence: f64,
    /// Ids; -ID: contradicts it
    #[serde(default)]
    affects_beliefs: Vec<String>,
}

fn usual() -> f64 {
    USUAL_CONFIDENCE
}

impl Choice {
    pub(crate) fn decision(self, during: During) -> Decision {
        Decision {
            subject: self.subject,
            choice: self.choice,
            rationale: self.rationale,
            alternatives: self.alternatives_considered,
            confidence: self.confidence,
            affects: self.affects_beliefs.iter().map(|name| affected(name)).collect(),
            during,
        }
    }
}
