//! How the index of a project's code stands: where the files are, when they were last looked at, what searches found.

use crate::id::ProjectId;
use crate::params;
use crate::sql::{Connection, Result};
use crate::time::Timestamp;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeIndex {
    /// Where the files are, and on which machine.
    pub root: String,
    pub machine: String,
    pub started_at: Option<Timestamp>,
    /// When everything was last looked at to the end.
    pub finished_at: Option<Timestamp>,
    /// How long that took.
    pub duration_us: i64,
    /// Files that were looked at, that are not read as source, that may not be read, and that wait to be taken in.
    pub files: i64,
    pub left_out: i64,
    pub unreadable: i64,
    pub waiting: i64,
    /// The newest commit whose changes are known.
    pub head: Option<String>,
    pub runs: Runs,
    pub counts: Counts,
}

/// What looking at the files has taken so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Runs {
    pub count: i64,
    pub total_us: i64,
    pub longest_us: i64,
}

impl Runs {
    pub fn and(self, duration_us: i64) -> Runs {
        Runs {
            count: self.count + 1,
            total_us: self.total_us + duration_us,
            longest_us: self.longest_us.max(duration_us),
        }
    }
}

/// What searches came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub searches: i64,
    /// Searches that found something.
    pub answered: i64,
    /// Searches that had to do without an index.
    pub fallbacks: i64,
    /// Results that were shown, and those that were not because their file is gone or other than it was.
    pub shown: i64,
    pub stale: i64,
}

const COLUMNS: &str = "root, machine, started_at, finished_at, duration_us, files, left_out, unreadable, waiting, head, \
     runs, total_us, longest_us, searches, answered, fallbacks, shown, stale";

pub fn get(conn: &mut dyn Connection, project: &ProjectId) -> Result<Option<CodeIndex>> {
    let sql = format!("select {COLUMNS} from code_index where project_id = ?1");
    let rows = conn.query(&sql, params![project])?;
    let read = |row: &crate::sql::Row| {
        Ok(CodeIndex {
            root: row.get(0)?,
            machine: row.get(1)?,
            started_at: row.get(2)?,
            finished_at: row.get(3)?,
            duration_us: row.get(4)?,
            files: row.get(5)?,
            left_out: row.get(6)?,
            unreadable: row.get(7)?,
            waiting: row.get(8)?,
            head: row.get(9)?,
            runs: Runs { count: row.get(10)?, total_us: row.get(11)?, longest_us: row.get(12)? },
            counts: Counts {
                searches: row.get(13)?,
                answered: row.get(14)?,
                fallbacks: row.get(15)?,
                shown: row.get(16)?,
                stale: row.get(17)?,
            },
        })
    };
    rows.first().map(read).transpose()
}

/// Writes how the index stands; what was counted of searches stays.
pub fn put(tx: &mut dyn Connection, project: &ProjectId, index: &CodeIndex) -> Result<()> {
    tx.execute(
        "insert into code_index (project_id, root, machine, started_at, finished_at, duration_us, files, left_out, unreadable,
             waiting, head, runs, total_us, longest_us, searches, answered, fallbacks, shown, stale)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 0, 0, 0, 0, 0)
         on conflict (project_id) do update set root = excluded.root, machine = excluded.machine,
             started_at = excluded.started_at, finished_at = excluded.finished_at, duration_us = excluded.duration_us,
             files = excluded.files, left_out = excluded.left_out, unreadable = excluded.unreadable,
             waiting = excluded.waiting, head = excluded.head, runs = excluded.runs, total_us = excluded.total_us,
             longest_us = excluded.longest_us",
        params![
            project,
            &index.root,
            &index.machine,
            index.started_at,
            index.finished_at,
            index.duration_us,
            index.files,
            index.left_out,
            index.unreadable,
            index.waiting,
            index.head.as_deref(),
            index.runs.count,
            index.runs.total_us,
            index.runs.longest_us,
        ],
    )?;
    Ok(())
}

/// Counts what a search came to, where there is an index to count for.
pub fn count(tx: &mut dyn Connection, project: &ProjectId, more: Counts) -> Result<()> {
    tx.execute(
        "update code_index set searches = searches + ?2, answered = answered + ?3, fallbacks = fallbacks + ?4,
             shown = shown + ?5, stale = stale + ?6
         where project_id = ?1",
        params![project, more.searches, more.answered, more.fallbacks, more.shown, more.stale],
    )?;
    Ok(())
}
