//! How the index of the code stands: what is in it, how old it is, how much of it is out of date, and what it is worth.

use std::path::Path;

use throughline_code::walk::Stamp;
use throughline_store::code_index::{self, CodeIndex};
use throughline_store::job::{self, Job};
use throughline_store::{Connection, chunk, file};

use super::job::KIND;
use crate::{Caller, Engine, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Health {
    pub index: CodeIndex,
    /// Files that are found, of those that are known.
    pub found: i64,
    pub known: i64,
    pub chunks: i64,
    /// The job that keeps it up, while there is one.
    pub job: Option<Job>,
    /// Known files that are gone or have changed since, of those that were looked at.
    pub stale: usize,
    pub examined: usize,
}

/// So many files are looked at to tell how many are out of date.
const EXAMINED: usize = 500;
const JOBS: i64 = 200;

impl Engine {
    /// Nothing where nobody has asked for an index yet.
    pub fn code_health(&self, caller: &Caller) -> Result<Option<Health>> {
        let read = self.store.read(|conn| {
            let Some(index) = code_index::get(conn, &caller.project)? else { return Ok(None) };
            let jobs = job::list(conn, &caller.project, JOBS)?;
            let (found, known) = file::count(conn, &caller.project)?;
            let chunks = chunk::count(conn, &caller.project)?;
            let files = sample(conn, caller)?;
            let job = jobs.into_iter().find(|job| job.kind == KIND);
            Ok::<_, crate::Error>(Some((
                Health { index, found, known, chunks, job, stale: 0, examined: 0 },
                files,
            )))
        })?;
        let Some((mut health, files)) = read else { return Ok(None) };
        if health.index.machine == crate::project::machine() {
            health.examined = files.len();
            health.stale = files.iter().filter(|file| is_stale(Path::new(&health.index.root), file)).count();
        }
        Ok(Some(health))
    }
}

/// From all over the project.
fn sample(conn: &mut dyn Connection, caller: &Caller) -> Result<Vec<file::File>> {
    let all = file::all(conn, &caller.project)?;
    let step = all.len().div_ceil(EXAMINED).max(1);
    Ok(all.into_iter().step_by(step).collect())
}

fn is_stale(root: &Path, file: &file::File) -> bool {
    let stamp = std::fs::symlink_metadata(root.join(&file.path)).ok().filter(std::fs::Metadata::is_file);
    stamp
        .map(|metadata| Stamp::of(&metadata))
        .is_none_or(|stamp| i64::try_from(stamp.bytes) != Ok(file.bytes) || stamp.modified != file.modified)
}
