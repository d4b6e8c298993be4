//! A session told again: as JSON, and as a person reads it.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::reconstruct::{
    Affected as EngineAffected, Choice as EngineChoice, Operation as EngineOperation,
    Reconstruction as EngineReconstruction, Relevant as EngineRelevant,
};

use super::memory::rounded;
use super::session::state_name;
use super::time::{Second, readable};

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Reconstruction {
    session_id: String,
    client: String,
    client_session: String,
    state: String,
    started_at: Second,
    last_event_at: Second,
    events: i64,
    narrative: String,
    operations: Vec<Operation>,
    #[serde(skip_serializing_if = "is_zero")]
    operations_omitted: usize,
    decisions: Vec<Decision>,
    #[serde(skip_serializing_if = "is_zero")]
    decisions_omitted: usize,
    beliefs_affected: Vec<Affected>,
    unfinished: Vec<String>,
    #[serde(skip_serializing_if = "is_zero")]
    unfinished_omitted: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_sessions: Vec<Relevant>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Operation {
    sequence: i64,
    r#type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rationale: Option<String>,
    #[serde(skip_serializing_if = "is_one")]
    times: usize,
    /// How many times it failed.
    #[serde(skip_serializing_if = "is_zero")]
    failed: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Decision {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    subject: String,
    choice: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rationale: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives_considered: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    /// It holds no more.
    #[serde(skip_serializing_if = "is_false")]
    superseded: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Affected {
    belief_id: String,
    content: String,
    action: String,
    confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Relevant {
    session_id: String,
    last_event_at: Second,
    found: String,
    score: f64,
}

impl From<&EngineReconstruction> for Reconstruction {
    fn from(told: &EngineReconstruction) -> Reconstruction {
        let session = &told.session;
        Reconstruction {
            session_id: session.id.to_string(),
            client: session.client.clone(),
            client_session: session.client_session.clone(),
            state: state_name(told.state),
            started_at: Second(session.started_at),
            last_event_at: Second(session.last_event_at),
            events: session.last_sequence,
            narrative: told.narrative.clone(),
            operations: told.operations.iter().map(Operation::from).collect(),
            operations_omitted: told.operations_omitted,
            decisions: told.decisions.iter().map(Decision::from).collect(),
            decisions_omitted: told.decisions_omitted,
            beliefs_affected: told.beliefs.iter().map(Affected::from).collect(),
            unfinished: told.unfinished.clone(),
            unfinished_omitted: told.unfinished_omitted,
            other_sessions: told.others.iter().map(Relevant::from).collect(),
        }
    }
}

impl From<&EngineOperation> for Operation {
    fn from(operation: &EngineOperation) -> Operation {
        Operation {
            sequence: operation.sequence,
            r#type: operation.kind.to_string(),
            target: operation.target.clone(),
            summary: operation.summary.clone(),
            rationale: operation.rationale.clone(),
            times: operation.times,
            failed: operation.failures,
        }
    }
}

impl From<&EngineChoice> for Decision {
    fn from(choice: &EngineChoice) -> Decision {
        Decision {
            id: choice.memory.as_ref().map(ToString::to_string),
            subject: choice.subject.clone(),
            choice: choice.choice.clone(),
            rationale: choice.rationale.clone(),
            alternatives_considered: choice.rejected.clone(),
            confidence: choice.confidence.map(rounded),
            superseded: choice.is_past,
        }
    }
}

impl From<&EngineAffected> for Affected {
    fn from(affected: &EngineAffected) -> Affected {
        Affected {
            belief_id: affected.belief.to_string(),
            content: affected.content.clone(),
            action: affected.action.clone(),
            confidence: rounded(affected.confidence),
            reason: affected.reason.clone(),
        }
    }
}

impl From<&EngineRelevant> for Relevant {
    fn from(relevant: &EngineRelevant) -> Relevant {
        Relevant {
            session_id: relevant.session.to_string(),
            last_event_at: Second(relevant.last_event_at),
            found: relevant.found.clone(),
            score: rounded(relevant.score),
        }
    }
}

/// For a person: the story first, then the lists.
pub(crate) fn text(told: &Reconstruction) -> String {
    let mut lines = vec![
        format!("session {} ({} {}), {}", told.session_id, told.client, told.client_session, told.state),
        format!(
            "{} to {}, {} events",
            readable(told.started_at.0),
            readable(told.last_event_at.0),
            told.events
        ),
        String::new(),
        told.narrative.clone(),
    ];
    let mut part = |name: &str, entries: Vec<String>, omitted: usize| {
        if entries.is_empty() && omitted == 0 {
            return;
        }
        lines.extend([String::new(), name.to_owned()]);
        lines.extend(entries.iter().map(|entry| format!("  {entry}")));
        if omitted > 0 {
            lines.push(format!("  … {omitted} more"));
        }
    };
    part("decided", told.decisions.iter().map(Decision::line).collect(), told.decisions_omitted);
    part("did", told.operations.iter().map(Operation::line).collect(), told.operations_omitted);
    part("beliefs", told.beliefs_affected.iter().map(Affected::line).collect(), 0);
    part("left open", told.unfinished.clone(), told.unfinished_omitted);
    part("other sessions", told.other_sessions.iter().map(Relevant::line).collect(), 0);
    lines.join("\n")
}

impl Operation {
    fn line(&self) -> String {
        let target = self.target.as_deref().map(|target| format!(" {target}")).unwrap_or_default();
        let summary = self.summary.as_deref().map(|summary| format!(" {summary}")).unwrap_or_default();
        let often = match (self.times, self.failed) {
            (1, 0) => String::new(),
            (1, _) => " (failed)".to_owned(),
            (times, 0) => format!(" ({times} times)"),
            (times, failed) => format!(" ({times} times, {failed} failed)"),
        };
        format!("{:>4}  {:<13}{target}{summary}{often}", self.sequence, self.r#type)
    }
}

impl Decision {
    fn line(&self) -> String {
        let rationale = self.rationale.as_deref().map(|why| format!(", because {why}")).unwrap_or_default();
        let rejected = match self.alternatives_considered.as_slice() {
            [] => String::new(),
            rejected => format!(" (not {})", rejected.join(", ")),
        };
        let past = if self.superseded { " [holds no more]" } else { "" };
        let subject = if self.subject.is_empty() { String::new() } else { format!("{}: ", self.subject) };
        format!("{subject}{}{rejected}{rationale}{past}", self.choice)
    }
}

impl Affected {
    fn line(&self) -> String {
        let why = self.reason.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
        format!("{} to {}: {} ({}){why}", self.action, self.confidence, self.content, self.belief_id)
    }
}

impl Relevant {
    fn line(&self) -> String {
        format!("{}  {}  {}", self.session_id, readable(self.last_event_at.0), self.found)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_one(n: &usize) -> bool {
    *n == 1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(flag: &bool) -> bool {
    !*flag
}
