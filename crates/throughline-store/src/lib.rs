//! The two databases, one set of statements: `Store` opens one, and `read` and `write` are the only ways in.

mod alone;
mod declared;
mod driver;
mod error;
mod location;
mod migrate;
mod packed;
mod postgres;
mod sqlite;

pub mod actor;
pub mod another;
pub mod backup;
pub mod beginning;
pub mod carry;
pub mod checkpoint;
pub mod chunk;
pub mod code_index;
pub mod context_entry;
pub mod event;
pub mod file;
pub mod follow;
pub mod handoff;
pub mod id;
pub mod index_page;
pub mod integrity;
pub mod item;
pub mod job;
pub mod link;
pub mod memory;
pub mod memory_file;
pub mod mend;
pub mod model_answer;
pub mod model_call;
pub mod project;
pub mod resource;
pub mod revision;
pub mod salvage;
pub mod session;
pub mod sql;
pub mod time;
pub mod token;
mod turns;
pub mod vectors;
mod watch;

#[cfg(test)]
mod contract;

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub use error::{Error, Failure};
pub use location::Location;
pub use migrate::Schema;
pub use sql::{Connection, Result};
pub use watch::Watch;

use driver::{Access, Driver, Patience, Room};
use turns::{Turn, Turns};

/// What an acknowledged write survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// The end of the process at any moment, but not the loss of power within the last moments.
    Process,
    /// The loss of power as well.
    Power,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub durability: Durability,
    /// How long a transaction waits for other writers before `Error::Busy`.
    pub lock_wait: Duration,
    pub connect_timeout: Duration,
    pub max_connections: usize,
    pub pgvector: Pgvector,
    pub reading: Reading,
}

/// How the pages of a SQLite file come to a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Into its own memory, where they are kept: for who stays, and asks again.
    Copied,
    /// They are looked at where the system has them: for who asks once, because most of what that costs is fresh memory.
    /// A disk that cannot be read ends the process instead of being an error.
    Mapped,
}

/// Whether a PostgreSQL server that has pgvector compares vectors itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pgvector {
    /// When it is on another machine: what does not cross a network need not be spared.
    Remote,
    Always,
    Never,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            durability: Durability::Power,
            lock_wait: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(5),
            max_connections: 8,
            pgvector: Pgvector::Remote,
            reading: Reading::Copied,
        }
    }
}

/// A database, shared by any number of threads here and processes elsewhere.
#[derive(Debug)]
pub struct Store {
    location: Location,
    options: Options,
    pool: Mutex<Pool>,
    returned: Condvar,
    /// Writers of this process wait here for each other.
    turns: Turns,
}

#[derive(Debug, Default)]
struct Pool {
    idle: Vec<Driver>,
    in_use: usize,
}

/// A unique key that collides was written by a parallel transaction; the body sees its row when run again.
const CONFLICT_TRIES: u32 = 8;
/// What is not worth waiting for waits so long for other threads, about as long as for other processes.
const BRIEFLY: Duration = Duration::from_millis(250);
const CHECKPOINT_WAIT: Duration = Duration::from_secs(2);

impl Store {
    /// Opens the database, creating it or bringing its schema up to date when needed.
    ///
    /// An up-to-date SQLite file is opened without taking any lock that another process could notice.
    pub fn open(location: Location, options: Options) -> Result<Store> {
        let started = now();
        let store = Store {
            location,
            options,
            pool: Mutex::default(),
            returned: Condvar::new(),
            turns: Turns::default(),
        };
        loop {
            match Driver::open(&store.location, &store.options, Room::Ample) {
                Ok(mut driver) => {
                    vectors::prepare(&mut driver);
                    store.pool().idle.push(driver);
                    return Ok(store);
                }
                Err(Error::Busy { .. }) if started.elapsed() < store.options.lock_wait => pause(),
                Err(error) => return Err(waited(error, started)),
            }
        }
    }

    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Runs `body` on one consistent snapshot.
    pub fn read<T, E: Failure>(
        &self,
        body: impl Fn(&mut dyn Connection) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.transact(Access::Read, Patience::AsSet, body)
    }

    /// Runs `body` in one transaction. It may run more than once, so it must do nothing but database work;
    /// when this returns `Ok`, the work is durable.
    pub fn write<T, E: Failure>(
        &self,
        body: impl Fn(&mut dyn Connection) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.transact(Access::Write, Patience::AsSet, body)
    }

    /// Like `write`, for what is not worth waiting for: busy when others write for longer than a moment.
    pub fn write_briefly<T, E: Failure>(
        &self,
        body: impl Fn(&mut dyn Connection) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.transact(Access::Write, Patience::Brief, body)
    }

    /// What the database itself finds wrong with its files, and which tables and indexes it lacks.
    pub fn problems(&self) -> Result<Vec<String>> {
        let mut lease = self.lease()?;
        let mut found = lease.driver().problems()?;
        found.extend(declared::missing(lease.driver())?.iter().map(ToString::to_string));
        Ok(found)
    }

    /// A quick look for long-lived processes: the first damage of the database's files.
    pub fn first_damage(&self) -> Result<Option<String>> {
        self.lease()?.driver().first_damage()
    }

    /// Makes indexes again, and tables and indexes that are missing; says what.
    pub fn mend_indexes(&self) -> Result<Vec<String>> {
        let mut lease = self.lease()?;
        let driver = lease.driver();
        let missing = declared::missing(driver)?;
        let mut done: Vec<String> = missing.iter().map(|missing| format!("made again: {missing}")).collect();
        driver.transact(Access::Write, |tx| missing.iter().try_for_each(|missing| missing.make(tx)))?;
        if !driver.problems()?.is_empty() {
            driver.reindex()?;
            done.push("made every index again from its table".to_owned());
        }
        Ok(done)
    }

    /// How many bytes the database takes up.
    pub fn bytes(&self) -> Result<u64> {
        self.lease()?.driver().bytes()
    }

    /// After erasing: leaves no copy of the erased rows in a side file. Busy when somebody reads for long.
    pub fn checkpoint(&self) -> Result<()> {
        let started = now();
        loop {
            match self.lease()?.driver().checkpoint() {
                Err(Error::Busy { .. }) if started.elapsed() < CHECKPOINT_WAIT => pause(),
                outcome => return outcome.map_err(|error| waited(error, started)),
            }
        }
    }

    /// To be called before a process ends without closing the store.
    pub fn fold_log(&self) -> Result<()> {
        self.lease()?.driver().fold_log()
    }

    fn transact<T, E: Failure>(
        &self,
        access: Access,
        patience: Patience,
        body: impl Fn(&mut dyn Connection) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let (turn_wait, lock_wait) = match patience {
            Patience::AsSet => (self.options.lock_wait, self.options.lock_wait),
            Patience::Brief => (BRIEFLY, Duration::ZERO),
        };
        let started = now();
        let _turn = self.turn(access, turn_wait).map_err(|error| waited(error, started))?;
        let mut conflicts = 0;
        let mut reconnected = false;
        loop {
            let mut died_idle = false;
            let outcome = self.lease().map_err(E::from).and_then(|mut lease| {
                let driver = lease.driver();
                let begun = driver.begin(access).and_then(|()| driver.hurry(patience));
                let may_repeat = begun.is_err() || access == Access::Read;
                let outcome = begun.map_err(E::from).and_then(|()| driver.finish(&body));
                died_idle = may_repeat && driver.is_closed();
                outcome
            });
            let Err(error) = outcome else { return outcome };
            match error.store_error() {
                Some(Error::Busy { .. }) if started.elapsed() < lock_wait => pause(),
                Some(Error::Busy { .. }) => return Err(waited(Error::Busy { waited_ms: 0 }, started).into()),
                Some(Error::Conflict { .. }) if conflicts < CONFLICT_TRIES => conflicts += 1,
                // A connection that died while idle has carried nothing yet, so nothing can double; the others
                // that the pool holds died with it.
                Some(Error::Unavailable(_)) if died_idle && !reconnected => {
                    reconnected = true;
                    self.pool().idle.clear();
                }
                _ => return Err(error),
            }
        }
    }

    /// PostgreSQL lets those write at once who are not in each other's way; a database in memory has one connection.
    fn turn(&self, access: Access, at_most: Duration) -> Result<Option<Turn<'_>>> {
        match (access, &self.location) {
            (Access::Write, Location::File(_)) => {
                self.turns.take(at_most).map(Some).ok_or(Error::Busy { waited_ms: 0 })
            }
            (Access::Read, _) | (Access::Write, Location::Memory | Location::Server(_)) => Ok(None),
        }
    }

    /// A connection for as long as the lease is held.
    fn lease(&self) -> Result<Lease<'_>> {
        let mut pool = self.pool();
        loop {
            if let Some(driver) = pool.idle.pop() {
                pool.in_use += 1;
                return Ok(Lease { store: self, driver: Some(driver) });
            }
            if pool.in_use < self.limit() {
                break;
            }
            pool = self.returned.wait(pool).unwrap_or_else(PoisonError::into_inner);
        }
        pool.in_use += 1;
        drop(pool);
        // Counted before it is open, and given back by the lease also when opening fails.
        let mut lease = Lease { store: self, driver: None };
        lease.driver = Some(Driver::open(&self.location, &self.options, Room::Little)?);
        Ok(lease)
    }

    fn limit(&self) -> usize {
        match self.location {
            // A second connection to memory would be a second, empty database.
            Location::Memory => 1,
            Location::File(_) | Location::Server(_) => self.options.max_connections.max(1),
        }
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        // The pool is a list of connections; a panic elsewhere cannot leave it half-changed.
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Lease<'a> {
    store: &'a Store,
    driver: Option<Driver>,
}

impl Lease<'_> {
    fn driver(&mut self) -> &mut Driver {
        self.driver.as_mut().expect("a lease is handed out with its connection")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut pool = self.store.pool();
        pool.in_use -= 1;
        if let Some(driver) = self.driver.take().filter(|driver| !driver.is_closed()) {
            // The last is the next to be handed out: the one that has the most in memory, where it is free.
            match driver.room() {
                Room::Ample => pool.idle.push(driver),
                Room::Little => pool.idle.insert(0, driver),
            }
        }
        self.store.returned.notify_one();
    }
}

fn pause() {
    std::thread::sleep(Duration::from_millis(5));
}

fn waited(error: Error, since: Instant) -> Error {
    match error {
        Error::Busy { .. } => Error::Busy { waited_ms: since.elapsed().as_millis() as u64 },
        other => other,
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long to wait for a lock is real time, not the product's clock"
)]
fn now() -> Instant {
    Instant::now()
}
