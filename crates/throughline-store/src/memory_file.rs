//! What memory files said when they were last brought in step with the memories, block by block.

use crate::id::{MemoryId, ProjectId};
use crate::params;
use crate::sql::{Connection, Result, Row};

/// A block of a file as it was left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Below the project's root.
    pub file: String,
    /// What the block is called in the file.
    pub key: String,
    /// The memory that it showed.
    pub memory: MemoryId,
    /// Of its text.
    pub hash: String,
    /// What the file said about itself.
    pub mark: String,
}

/// The blocks of a working copy, file by file.
pub fn of_place(conn: &mut dyn Connection, project: &ProjectId, place: &str) -> Result<Vec<Block>> {
    let rows = conn.query(
        "select file, key, memory_id, hash, mark from memory_file_block where project_id = ?1 and place = ?2",
        params![project, place],
    )?;
    let mut blocks: Vec<Block> = rows.iter().map(read).collect::<Result<_>>()?;
    blocks.sort_by(|a, b| (&a.file, &a.key).cmp(&(&b.file, &b.key)));
    Ok(blocks)
}

/// The memory that a block of this key showed, in any working copy; the newest where they differ.
pub fn memory_of(conn: &mut dyn Connection, project: &ProjectId, key: &str) -> Result<Option<MemoryId>> {
    let rows = conn.query(
        "select memory_id from memory_file_block where project_id = ?1 and key = ?2",
        params![project, key],
    )?;
    let ids: Vec<MemoryId> = rows.iter().map(|row| row.get(0)).collect::<Result<_>>()?;
    // Ids sort by age.
    Ok(ids.into_iter().max())
}

/// Takes the place of all that is known about one file of a working copy.
pub fn replace(
    tx: &mut dyn Connection,
    project: &ProjectId,
    (place, file): (&str, &str),
    blocks: &[Block],
) -> Result<()> {
    let sql = "delete from memory_file_block where project_id = ?1 and place = ?2 and file = ?3";
    tx.execute(sql, params![project, place, file])?;
    for block in blocks {
        tx.execute(
            "insert into memory_file_block (project_id, place, file, key, memory_id, hash, mark)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![project, place, file, &block.key, &block.memory, &block.hash, &block.mark],
        )?;
    }
    Ok(())
}

fn read(row: &Row) -> Result<Block> {
    Ok(Block {
        file: row.get(0)?,
        key: row.get(1)?,
        memory: row.get(2)?,
        hash: row.get(3)?,
        mark: row.get(4)?,
    })
}
