//! What changes about a memory over its life; its body never does, but for being erased.

use super::{Ended, Memory, Status};
use crate::id::{MemoryId, ProjectId};
use crate::params;
use crate::sql::{Connection, Result};
use crate::time::Timestamp;

/// What changes about a memory over its life; its body never does.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub status: Status,
    pub confidence: f64,
    pub importance: f64,
    pub expires_at: Option<Timestamp>,
    pub superseded_by: Option<MemoryId>,
    pub ended: Option<Ended>,
}

impl Standing {
    /// As a memory stands.
    pub fn of(memory: &Memory) -> Standing {
        Standing {
            status: memory.status,
            confidence: memory.confidence,
            importance: memory.importance,
            expires_at: memory.expires_at,
            superseded_by: memory.superseded_by.clone(),
            ended: memory.ended.clone(),
        }
    }

    /// The memory, standing so.
    pub fn applied_to(&self, memory: Memory) -> Memory {
        Memory {
            status: self.status,
            confidence: self.confidence,
            importance: self.importance,
            expires_at: self.expires_at,
            superseded_by: self.superseded_by.clone(),
            ended: self.ended.clone(),
            ..memory
        }
    }
}

pub fn set_standing(
    tx: &mut dyn Connection,
    project: &ProjectId,
    id: &MemoryId,
    standing: &Standing,
) -> Result<()> {
    tx.execute(
        "update memory set status = ?3, confidence = ?4, superseded_by = ?5, ended_at = ?6, end_reason = ?7,
             importance = ?8, expires_at = ?9
         where project_id = ?1 and memory_id = ?2",
        params![
            project,
            id,
            standing.status,
            standing.confidence,
            standing.superseded_by.as_ref(),
            standing.ended.as_ref().map(|ended| ended.at),
            standing.ended.as_ref().map(|ended| ended.reason.as_str()),
            standing.importance,
            standing.expires_at,
        ],
    )?;
    Ok(())
}

/// Memories that still say something though every event they came from was purged.
pub fn without_origin(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<MemoryId>> {
    let rows = conn.query(
        "select m.memory_id from memory m where m.project_id = ?1 and m.title <> ?2
             and exists (select 1 from memory_origin o where o.project_id = ?1 and o.memory_id = m.memory_id)
             and not exists (
                 select 1 from memory_origin o join event e on e.project_id = ?1 and e.event_id = o.event_id
                 where o.project_id = ?1 and o.memory_id = m.memory_id and e.purged_at is null)",
        params![project, PURGED],
    )?;
    rows.iter().map(|row| row.get(0)).collect()
}

/// Erases what purged events said of memories that others speak for too; says how many wordings that were.
pub fn erase_purged_wordings(tx: &mut dyn Connection, project: &ProjectId) -> Result<u64> {
    tx.execute(
        "update memory_origin set said = null where project_id = ?1 and said is not null
             and exists (
                 select 1 from event e
                 where e.project_id = ?1 and e.event_id = memory_origin.event_id and e.purged_at is not null)",
        params![project],
    )
}

/// Erases what a memory says; that it was there stays.
pub fn erase(tx: &mut dyn Connection, project: &ProjectId, id: &MemoryId, ended: &Ended) -> Result<()> {
    tx.execute(
        "update memory set title = ?3, content = ?3, tags = '', state_key = null, cites = null, content_hash = '', status = 'forgotten',
             ended_at = ?4, end_reason = ?5
         where project_id = ?1 and memory_id = ?2",
        params![project, id, PURGED, ended.at, &ended.reason],
    )?;
    tx.execute(
        "update memory_origin set said = null where project_id = ?1 and memory_id = ?2",
        params![project, id],
    )?;
    tx.execute(
        "delete from memory_file_block where project_id = ?1 and memory_id = ?2",
        params![project, id],
    )?;
    Ok(())
}

/// What an erased memory says.
const PURGED: &str = "[purged]";

/// Notes which code the memory cites, as it is now.
pub fn set_cites(
    tx: &mut dyn Connection,
    project: &ProjectId,
    id: &MemoryId,
    cites: Option<&str>,
) -> Result<()> {
    tx.execute(
        "update memory set cites = ?3 where project_id = ?1 and memory_id = ?2",
        params![project, id, cites],
    )?;
    Ok(())
}

/// Counts a use of the memory, also one that was before another.
pub fn note_use(tx: &mut dyn Connection, project: &ProjectId, id: &MemoryId, at: Timestamp) -> Result<()> {
    tx.execute(
        "update memory set use_count = use_count + 1,
             last_used_at = case when coalesce(last_used_at, ?3) > ?3 then last_used_at else ?3 end
         where project_id = ?1 and memory_id = ?2",
        params![project, id, at],
    )?;
    Ok(())
}

/// Notes that the memory was shown to be true.
pub fn note_verified(
    tx: &mut dyn Connection,
    project: &ProjectId,
    id: &MemoryId,
    at: Timestamp,
) -> Result<()> {
    tx.execute(
        "update memory set last_verified_at = ?3 where project_id = ?1 and memory_id = ?2",
        params![project, id, at],
    )?;
    Ok(())
}
