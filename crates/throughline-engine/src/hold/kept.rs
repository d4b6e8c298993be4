//! Entries of working sets as checkpoints keep them: to JSON and back without the least change.

use serde_json::{Value as Json, json};
use throughline_store::context_entry::ContextEntry;
use throughline_store::id::EntryId;
use throughline_store::time::Timestamp;

pub(super) fn written(entry: &ContextEntry) -> Json {
    json!({
        "id": entry.id.as_str(),
        "type": entry.entry_type,
        "content": entry.content,
        "content_hash": entry.content_hash,
        "tokens": entry.tokens,
        // As text: JSON's numbers are not sure to come back to the last bit.
        "importance": entry.importance.map(|share| format!("{share:?}")),
        "item_id": entry.item_id,
        "tier": entry.tier.as_str(),
        "state": entry.state.as_str(),
        "access_count": entry.access_count,
        "created_at": entry.created_at.0,
        "last_accessed_at": entry.last_accessed_at.0,
        "loaded_hash": entry.loaded_hash,
    })
}

/// Nothing when it is not what was written.
pub(super) fn read(entry: &Json) -> Option<ContextEntry> {
    let text = |name: &str| entry.get(name)?.as_str().map(str::to_owned);
    let number = |name: &str| entry.get(name)?.as_i64();
    let importance = match text("importance") {
        Some(share) => Some(share.parse().ok()?),
        None => None,
    };
    Some(ContextEntry {
        id: EntryId::from(text("id")?),
        entry_type: text("type")?,
        content: text("content")?,
        content_hash: text("content_hash")?,
        tokens: number("tokens")?,
        importance,
        item_id: text("item_id"),
        tier: text("tier")?.parse().ok()?,
        state: text("state")?.parse().ok()?,
        access_count: number("access_count")?,
        created_at: Timestamp(number("created_at")?),
        last_accessed_at: Timestamp(number("last_accessed_at")?),
        loaded_hash: text("loaded_hash"),
    })
}
