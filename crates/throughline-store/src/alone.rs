//! Having a database's file to oneself while it is replaced: nobody else has it open, and whoever comes waits.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use crate::Error;
use crate::sql::Result;

/// Held while the file is replaced. Must not be taken by a process that has the database open itself.
#[derive(Debug)]
pub(crate) struct Alone {
    #[cfg_attr(not(unix), expect(dead_code, reason = "an open file cannot be renamed there anyway"))]
    held: Option<File>,
}

/// Longer than SQLite tries to lock the file that it has opened; after that it opens the file of this name again.
const OTHERS_GIVE_UP: Duration = Duration::from_millis(500);

impl Alone {
    /// Refused while another process has the database open.
    pub(crate) fn with(path: &Path) -> Result<Alone> {
        if !path.exists() {
            return Ok(Alone { held: None });
        }
        let file = File::options().read(true).write(true).open(path).map_err(|e| {
            Error::Unavailable(format!("cannot open {}: {e}; make it readable and writable", path.display()))
        })?;
        lock(&file, path)?;
        Ok(Alone { held: Some(file) })
    }

    /// To be called when the file has been replaced: whoever had just opened the old one must not write to it.
    pub(crate) fn release(self) {
        if self.held.is_some() {
            std::thread::sleep(OTHERS_GIVE_UP);
        }
    }
}

/// SQLite holds a lock on a part of the file for as long as a connection is open, which this one excludes.
#[cfg(unix)]
fn lock(file: &File, path: &Path) -> Result<()> {
    use rustix::fs::{FlockOperation, fcntl_lock};
    use rustix::process::{Flock, FlockType, fcntl_getlk};
    if fcntl_lock(file, FlockOperation::NonBlockingLockExclusive).is_ok() {
        return Ok(());
    }
    let holder = fcntl_getlk(file, &Flock::from(FlockType::WriteLock)).ok().flatten();
    let who = holder
        .and_then(|lock| lock.pid)
        .map_or_else(|| "another process".to_owned(), |pid| format!("process {}", pid.as_raw_nonzero()));
    Err(Error::Unavailable(format!(
        "{who} has {} open; stop servers and agents that use it, then try again; nothing was changed",
        path.display()
    )))
}

#[cfg(not(unix))]
fn lock(_: &File, _: &Path) -> Result<()> {
    Ok(())
}
