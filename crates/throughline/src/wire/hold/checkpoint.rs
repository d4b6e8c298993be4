//! Checkpoints in JSON.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};
use throughline_engine::compact::Compacted as EngineCompacted;
use throughline_engine::hold::checkpoint::{Changes as EngineChanges, Contents, Restored as EngineRestored};
use throughline_engine::store::checkpoint::Checkpoint as Record;

use super::Kept;
use crate::wire::time::Second;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Checkpoint {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) reason: String,
    pub(crate) agent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    pub(crate) position: i64,
    pub(crate) created_at: Second,
    pub(crate) entries: i64,
    pub(crate) tokens: i64,
}

impl From<Record> for Checkpoint {
    fn from(checkpoint: Record) -> Checkpoint {
        Checkpoint {
            id: checkpoint.id.to_string(),
            title: checkpoint.title,
            reason: checkpoint.reason.to_string(),
            agent: checkpoint.agent,
            session: checkpoint.session.map(|id| id.to_string()),
            position: checkpoint.position,
            created_at: Second(checkpoint.created_at),
            entries: checkpoint.entries,
            tokens: checkpoint.tokens,
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    pub(crate) checkpoints: Vec<Checkpoint>,
    pub(crate) total: i64,
}

impl From<(Vec<Record>, i64)> for Listed {
    fn from((found, total): (Vec<Record>, i64)) -> Listed {
        Listed { checkpoints: found.into_iter().map(Checkpoint::from).collect(), total }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Shown {
    #[serde(flatten)]
    pub(crate) checkpoint: Checkpoint,
    pub(crate) stand: Json,
    pub(crate) working_set: Vec<Kept>,
}

impl From<Contents> for Shown {
    fn from(contents: Contents) -> Shown {
        Shown {
            checkpoint: contents.checkpoint.into(),
            stand: contents.stand,
            working_set: contents.entries.into_iter().map(Kept::from).collect(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Changes {
    pub(crate) checkpoint: Checkpoint,
    pub(crate) added: Vec<Kept>,
    pub(crate) changed: Vec<Kept>,
    pub(crate) removed: Vec<Kept>,
    pub(crate) scratchpad: Vec<Json>,
    pub(crate) decisions: Vec<String>,
    pub(crate) files: Vec<String>,
    pub(crate) events: i64,
}

impl From<EngineChanges> for Changes {
    fn from(changes: EngineChanges) -> Changes {
        let kept = |entries: Vec<_>| entries.into_iter().map(Kept::from).collect();
        let key = |(key, was, is): (String, Json, Json)| json!({ "key": key, "was": was, "is": is });
        Changes {
            checkpoint: changes.checkpoint.into(),
            added: kept(changes.added),
            changed: kept(changes.changed),
            removed: kept(changes.removed),
            scratchpad: changes.scratchpad.into_iter().map(key).collect(),
            decisions: changes.decisions,
            files: changes.files,
            events: changes.events,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Restored {
    pub(crate) checkpoint: Checkpoint,
    pub(crate) entries: usize,
    pub(crate) scratchpad_changed: bool,
    /// Restoring this takes it back.
    pub(crate) undo: String,
}

impl From<EngineRestored> for Restored {
    fn from(restored: EngineRestored) -> Restored {
        Restored {
            checkpoint: restored.checkpoint.into(),
            entries: restored.entries,
            scratchpad_changed: restored.scratchpad,
            undo: restored.undo.to_string(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Compacted {
    pub(crate) compacted: bool,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(crate) outcome: Option<Json>,
}

impl From<Option<EngineCompacted>> for Compacted {
    fn from(outcome: Option<EngineCompacted>) -> Compacted {
        let told = |done: EngineCompacted| {
            let mut told = json!({
                "summary": done.summary.as_str(),
                "from": done.range.0,
                "to": done.range.1,
                "cause": done.cause.as_str(),
                "strategy": done.strategy,
                "events": done.events,
                "tokens_before": done.tokens_before,
                "tokens_after": done.tokens_after,
                "checkpoint": done.checkpoint.map(|id| id.to_string()),
                "written_by": done.writer.as_str(),
            });
            if let Some(why) = done.writer.without() {
                told["without"] = json!(why);
            }
            told
        };
        Compacted { compacted: outcome.is_some(), outcome: outcome.map(told) }
    }
}
