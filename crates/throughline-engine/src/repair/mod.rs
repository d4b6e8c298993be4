//! What is wrong with a database, and setting it right: `check` looks, `repair` changes and says what it did.

mod backup;
mod check;

use std::path::PathBuf;
use std::time::Duration;

use throughline_store::actor::{Actor, ActorKind};
use throughline_store::id::ProjectId;
use throughline_store::mend::{self, Mender};
use throughline_store::salvage::{Saved, salvage};
use throughline_store::time::Timestamp;
use throughline_store::{Error as StoreError, Location, Options, Store, integrity, job, project};

use crate::clock::Clock;
use crate::ids::Ids;
use crate::settings::Settings;
use crate::{Caller, Engine, Error, Result};

pub use backup::{Restored, restore};
pub use check::{Health, ProjectHealth};

/// What `repair` did. Nothing when nothing was wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repaired {
    pub done: Vec<String>,
    /// Where the damaged file is kept, when the database was made anew.
    pub kept: Option<PathBuf>,
    /// What was saved of each table then, and what was not.
    pub tables: Vec<Saved>,
}

/// No job waits for longer.
const LONGEST_WAIT: Duration = Duration::from_secs(366 * 24 * 60 * 60);

/// Repairs a database, also one that cannot be opened any more. What cannot be repaired is an error that says what to do.
pub fn repair(location: &Location, options: &Options, settings: &Settings) -> Result<Repaired> {
    let open = || -> Result<Engine> {
        let store = Store::open(location.clone(), options.clone())?;
        Ok(Engine::new(store, Clock::system(), Ids::system(), settings.clone()))
    };
    let mended = match open() {
        Ok(engine) => mend(&engine),
        Err(error) => Err(error),
    };
    match (mended, location) {
        (Err(Error::Store(StoreError::Corrupt(why))), Location::File(path)) => {
            let salvaged = salvage(path, options)?;
            let mut repaired = mend(&open()?)?;
            repaired.done.insert(0, format!("made a new database of what could be read ({why})"));
            Ok(Repaired { kept: salvaged.kept, tables: salvaged.tables, ..repaired })
        }
        (mended, _) => mended,
    }
}

/// Everything that can be mended in place. Damage that is left is an error.
fn mend(engine: &Engine) -> Result<Repaired> {
    let mut done = vec![];
    if !engine.store.problems()?.is_empty() {
        done.extend(engine.store.mend_indexes()?);
        if let Some(damage) = engine.store.problems()?.into_iter().next() {
            return Err(StoreError::Corrupt(damage).into());
        }
    }
    done.extend(engine.mend_log()?);
    done.extend(engine.mend_search()?);
    done.extend(engine.mend_jobs()?);
    Ok(Repaired { done, ..Repaired::default() })
}

impl Engine {
    fn mend_log(&self) -> Result<Vec<String>> {
        let now = self.now();
        let mut done = self.store.write(|tx| mend::projects(tx, now))?;
        for project in self.store.read(project::list)? {
            let caller = own(project.id);
            if self.store.read(|conn| integrity::violations(conn, &caller.project))?.is_empty() {
                continue;
            }
            let next_id = || self.ids.next(now);
            let mender = Mender { now, by: &caller.actor, next_id: &next_id };
            let mended = self.write(&caller, |tx| Ok(mend::log(tx, &caller.project, &mender)?))?;
            done.extend(mended.into_iter().map(|what| format!("{}: {what}", project.name)));
        }
        Ok(done)
    }

    fn mend_search(&self) -> Result<Vec<String>> {
        let mut done = vec![];
        for project in self.store.read(project::list)? {
            let caller = own(project.id);
            if !self.index_faults(&caller)?.is_empty() {
                self.rebuild_index(&caller)?;
                done.push(format!("{}: made the search index again", project.name));
            }
        }
        Ok(done)
    }

    fn mend_jobs(&self) -> Result<Vec<String>> {
        let now = self.now();
        let (lease_end, due_end) = self.ends();
        let stuck = self.store.write(|tx| job::unstick(tx, lease_end, due_end, now))?;
        let revived = self.store.write(|tx| job::revive_all(tx, now))?;
        let said = [
            (stuck.orphans, "jobs of projects that do not exist are removed"),
            (stuck.leases, "leases that would not have ended are taken back"),
            (stuck.far, "jobs that would not have come due are due now"),
            (i64::try_from(revived).unwrap_or(i64::MAX), "jobs that were given up are ready again"),
        ];
        let done = said.into_iter().filter(|(count, _)| *count > 0);
        Ok(done.map(|(count, what)| format!("{count} {what}")).collect())
    }

    /// After these moments no lease ends and no job is due, unless a clock was wrong.
    fn ends(&self) -> (Timestamp, Timestamp) {
        let now = self.now();
        (now.plus(self.settings.jobs.lease * 2), now.plus(LONGEST_WAIT))
    }
}

fn own(project: ProjectId) -> Caller {
    Caller { project, actor: Actor { kind: ActorKind::Agent, name: "throughline".to_owned() } }
}
