//! What agents hold, in JSON: entries, how they are distributed, what changed.

pub(crate) mod checkpoint;
pub(crate) mod handoff;

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::hold::{
    Action, Diff as EngineDiff, Flashed as EngineFlashed, Moves, Saved as EngineSaved, Scored, Share,
    Stats as EngineStats,
};
use throughline_engine::store::context_entry::{ContextEntry, State};

use super::time::Second;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Entry {
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) entry_type: String,
    pub(crate) content: String,
    pub(crate) score: f64,
    pub(crate) tier: String,
    pub(crate) tokens: i64,
    pub(crate) hash: String,
    pub(crate) access_count: i64,
    pub(crate) created_at: Second,
    pub(crate) last_accessed_at: Second,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) item_id: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) archived: bool,
}

/// So much of a hash tells one content from another; a diff takes it as it is.
const HASH_CHARS: usize = 16;

impl From<Scored> for Entry {
    fn from(Scored { entry, importance }: Scored) -> Entry {
        Entry {
            id: entry.id.to_string(),
            entry_type: entry.entry_type,
            content: entry.content,
            score: rounded(importance),
            tier: entry.tier.to_string(),
            tokens: entry.tokens,
            hash: entry.content_hash.chars().take(HASH_CHARS).collect(),
            access_count: entry.access_count,
            created_at: Second(entry.created_at),
            last_accessed_at: Second(entry.last_accessed_at),
            item_id: entry.item_id,
            archived: entry.state == State::Archived,
        }
    }
}

/// Downwards, so that what is shown never belongs to a higher tier than the entry.
fn rounded(score: f64) -> f64 {
    (score * 10_000.0).floor() / 10_000.0
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Saved {
    pub(crate) item_id: String,
    pub(crate) tier: String,
    pub(crate) score: f64,
    pub(crate) action: String,
    /// Call `flash_save`.
    pub(crate) flash_due: bool,
}

impl From<EngineSaved> for Saved {
    fn from(saved: EngineSaved) -> Saved {
        let action = match saved.action {
            Action::Created => "created",
            Action::Changed => "changed",
            Action::Known => "known",
        };
        Saved {
            item_id: saved.scored.entry.id.to_string(),
            tier: saved.scored.entry.tier.to_string(),
            score: rounded(saved.scored.importance),
            action: action.to_owned(),
            flash_due: saved.flash_due,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Loaded {
    pub(crate) items: Vec<Entry>,
    pub(crate) tokens: i64,
}

impl From<Vec<Scored>> for Loaded {
    fn from(entries: Vec<Scored>) -> Loaded {
        Loaded {
            tokens: entries.iter().map(|one| one.entry.tokens).sum(),
            items: entries.into_iter().map(Entry::from).collect(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Diff {
    pub(crate) added: Vec<Entry>,
    pub(crate) changed: Vec<Entry>,
    pub(crate) removed: Vec<String>,
    pub(crate) unchanged: usize,
}

impl From<EngineDiff> for Diff {
    fn from(diff: EngineDiff) -> Diff {
        Diff {
            added: diff.added.into_iter().map(Entry::from).collect(),
            changed: diff.changed.into_iter().map(Entry::from).collect(),
            removed: diff.removed.iter().map(ToString::to_string).collect(),
            unchanged: diff.unchanged,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Stats {
    pub(crate) total_items: i64,
    pub(crate) hot_count: i64,
    pub(crate) warm_count: i64,
    pub(crate) cold_count: i64,
    pub(crate) archived_count: i64,
    pub(crate) total_tokens: i64,
    pub(crate) tokens: TokensByTier,
    pub(crate) token_limit: u64,
    pub(crate) flash_due: bool,
}

/// Who holds how much.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Holder {
    pub(crate) agent: String,
    #[serde(flatten)]
    pub(crate) stats: Stats,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TokensByTier {
    hot: i64,
    warm: i64,
    cold: i64,
    archived: i64,
}

impl From<EngineStats> for Stats {
    fn from(stats: EngineStats) -> Stats {
        let count = |share: Share| share.entries;
        Stats {
            total_items: stats.entries(),
            hot_count: count(stats.hot),
            warm_count: count(stats.warm),
            cold_count: count(stats.cold),
            archived_count: count(stats.archived),
            total_tokens: stats.tokens(),
            tokens: TokensByTier {
                hot: stats.hot.tokens,
                warm: stats.warm.tokens,
                cold: stats.cold.tokens,
                archived: stats.archived.tokens,
            },
            token_limit: stats.token_limit,
            flash_due: stats.flash_due,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Tiers {
    pub(crate) moved: Vec<Move>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) archived: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) deleted: Vec<String>,
    pub(crate) stats: Stats,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Move {
    pub(crate) id: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

impl From<Moves> for Tiers {
    fn from(moves: Moves) -> Tiers {
        let moved = moves.moved.iter().map(|(id, from, to)| Move {
            id: id.to_string(),
            from: from.to_string(),
            to: to.to_string(),
        });
        Tiers { moved: moved.collect(), archived: vec![], deleted: vec![], stats: moves.stats.into() }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Flashed {
    pub(crate) checkpoint_id: String,
    pub(crate) tokens_before: i64,
    pub(crate) tokens_after: i64,
    pub(crate) items_archived: usize,
    pub(crate) hot_items_retained: usize,
    pub(crate) items: Vec<Entry>,
}

impl From<EngineFlashed> for Flashed {
    fn from(flashed: EngineFlashed) -> Flashed {
        Flashed {
            checkpoint_id: flashed.checkpoint.to_string(),
            tokens_before: flashed.tokens_before,
            tokens_after: flashed.tokens_after,
            items_archived: flashed.archived,
            hot_items_retained: flashed.hot.len(),
            items: flashed.hot.into_iter().map(Entry::from).collect(),
        }
    }
}

/// An entry as a checkpoint has it, without a score, which belongs to a moment.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Kept {
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) entry_type: String,
    pub(crate) content: String,
    pub(crate) tier: String,
    pub(crate) state: String,
    pub(crate) tokens: i64,
}

impl From<ContextEntry> for Kept {
    fn from(entry: ContextEntry) -> Kept {
        Kept {
            id: entry.id.to_string(),
            entry_type: entry.entry_type,
            content: entry.content,
            tier: entry.tier.to_string(),
            state: entry.state.to_string(),
            tokens: entry.tokens,
        }
    }
}
