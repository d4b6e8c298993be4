//! What a context says about itself: how it came about, and what is not in it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::hydrate::{Hydration, Metadata as EngineMetadata, Step as EngineStep};

use crate::wire::memory::rounded;

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Metadata {
    depth: usize,
    focal_resolved_from: &'static str,
    max_tokens: u64,
    token_estimate: u64,
    truncated: bool,
    total_items: usize,
    stages_executed: Vec<&'static str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    omitted: BTreeMap<&'static str, Omission>,
}

/// How many there are in truth, and how many are shown.
#[derive(Debug, Serialize, JsonSchema)]
struct Omission {
    total: usize,
    shown: usize,
    #[serde(skip_serializing_if = "is_zero")]
    downgraded: usize,
}

impl Metadata {
    pub(super) fn new(answer: &Hydration) -> Metadata {
        let metadata: &EngineMetadata = &answer.metadata;
        let omission = |it: &throughline_engine::hydrate::Omission| Omission {
            total: it.total,
            shown: it.shown,
            downgraded: it.downgraded,
        };
        Metadata {
            depth: metadata.depth.steps(),
            focal_resolved_from: metadata.resolved_from.as_str(),
            max_tokens: metadata.max_tokens.get(),
            token_estimate: metadata.token_estimate,
            truncated: metadata.truncated(),
            total_items: answer.total_items(),
            stages_executed: metadata.stages.iter().map(|stage| stage.as_str()).collect(),
            omitted: metadata.omitted.iter().map(|it| (it.role.as_str(), omission(it))).collect(),
        }
    }
}

/// What became of every candidate, for those who ask why.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Explanation {
    pub(crate) role: &'static str,
    pub(crate) id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relevance_score: Option<f64>,
    pub(crate) tokens: u64,
    pub(crate) outcome: &'static str,
}

impl From<&EngineStep> for Explanation {
    fn from(step: &EngineStep) -> Explanation {
        Explanation {
            role: step.role.as_str(),
            id: step.id.clone(),
            relevance_score: step.relevance.map(rounded),
            tokens: step.tokens,
            outcome: step.outcome.as_str(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}
