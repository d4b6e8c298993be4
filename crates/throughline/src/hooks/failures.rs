//! What went wrong in hooks, which must never show it to the agent: a short file that `doctor` reads.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use throughline_engine::capture::redact;
use throughline_engine::store::time::Timestamp;

use super::spool;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Failure {
    pub(crate) at: i64,
    pub(crate) client: String,
    pub(crate) event: Option<String>,
    pub(crate) problem: String,
}

/// The failures that are still known, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Failures(Vec<Failure>);

const FILE: &str = "failures.jsonl";
const EARLIER: &str = "failures.earlier.jsonl";
/// Twice as much is kept at most.
const MAX_BYTES: u64 = 128 * 1024;
const MAX_PROBLEM_CHARS: usize = 500;

/// Adds a failure to the file. Where even that fails there is nobody left to tell.
pub(crate) fn add(home: &Path, failure: &Failure) -> io::Result<()> {
    let folder = home.join(spool::FOLDER);
    spool::make(&folder)?;
    let file = folder.join(FILE);
    if fs::metadata(&file).is_ok_and(|file| file.len() > MAX_BYTES) {
        fs::rename(&file, folder.join(EARLIER))?;
    }
    let problem = redact::text(&failure.problem).text.chars().take(MAX_PROBLEM_CHARS).collect();
    let line = serde_json::to_string(&Failure { problem, ..failure.clone() })?;
    // One write of one line: lines of processes that fail together do not mix.
    fs::OpenOptions::new().create(true).append(true).open(file)?.write_all(format!("{line}\n").as_bytes())
}

impl Failures {
    /// Lines that are no failures are left out.
    pub(crate) fn read(home: &Path) -> io::Result<Failures> {
        let mut failures = vec![];
        for name in [EARLIER, FILE] {
            let text = match fs::read_to_string(home.join(spool::FOLDER).join(name)) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                text => text?,
            };
            failures.extend(text.lines().filter_map(|line| serde_json::from_str(line).ok()));
        }
        Ok(Failures(failures))
    }

    pub(crate) fn since(&self, moment: Timestamp) -> &[Failure] {
        let before = self.0.partition_point(|failure| failure.at < moment.0);
        &self.0[before..]
    }
}
