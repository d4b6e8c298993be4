//! A connection that knows how to begin and end a transaction, whichever database it belongs to.

use crate::postgres::Postgres;
use crate::sql::{Connection, Result};
use crate::sqlite::Sqlite;
use crate::{Failure, Location, Options, migrate};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// How long a transaction waits for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    AsSet,
    Brief,
}

/// How much of a SQLite file a connection keeps in memory. Each keeps pages of its own, so that only one may keep many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    Ample,
    Little,
}

#[derive(Debug)]
pub(crate) enum Driver {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

impl Driver {
    /// Connects, and brings the schema up to what this binary knows.
    pub(crate) fn open(location: &Location, options: &Options, room: Room) -> Result<Driver> {
        let mut driver = Driver::connect(location, options, room)?;
        migrate::up(&mut driver, location).map_err(|error| error.at(location))?;
        Ok(driver)
    }

    /// Connects to what is there, whatever its schema.
    pub(crate) fn connect(location: &Location, options: &Options, room: Room) -> Result<Driver> {
        Ok(match location {
            Location::File(path) => {
                Driver::Sqlite(Sqlite::open(path, options, room).map_err(|error| error.at(location))?)
            }
            Location::Memory => Driver::Sqlite(Sqlite::in_memory(options, room)?),
            Location::Server(url) => Driver::Postgres(Box::new(Postgres::connect(url, options)?)),
        })
    }

    pub(crate) fn connection(&mut self) -> &mut dyn Connection {
        match self {
            Driver::Sqlite(sqlite) => sqlite,
            Driver::Postgres(postgres) => postgres.as_mut(),
        }
    }

    /// Runs `body` in one transaction: commits when it succeeds, leaves nothing behind when it does not.
    pub(crate) fn transact<T, E: Failure>(
        &mut self,
        access: Access,
        body: impl Fn(&mut dyn Connection) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        self.begin(access)?;
        self.finish(body)
    }

    /// The rest of a transaction that has begun.
    pub(crate) fn finish<T, E: Failure>(
        &mut self,
        body: impl Fn(&mut dyn Connection) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let outcome = body(self.connection()).and_then(|value| {
            self.commit()?;
            Ok(value)
        });
        if outcome.is_err() {
            self.abandon();
        }
        outcome
    }

    pub(crate) fn is_closed(&self) -> bool {
        match self {
            Driver::Sqlite(_) => false,
            Driver::Postgres(postgres) => postgres.is_closed(),
        }
    }

    pub(crate) fn room(&self) -> Room {
        match self {
            Driver::Sqlite(sqlite) => sqlite.room(),
            // It keeps its pages itself.
            Driver::Postgres(_) => Room::Ample,
        }
    }

    /// What the database itself finds wrong with its files; PostgreSQL's are its administrator's to check.
    pub(crate) fn problems(&mut self) -> Result<Vec<String>> {
        match self {
            Driver::Sqlite(sqlite) => sqlite.problems(),
            Driver::Postgres(_) => Ok(Vec::new()),
        }
    }

    pub(crate) fn first_damage(&mut self) -> Result<Option<String>> {
        match self {
            Driver::Sqlite(sqlite) => sqlite.first_damage(),
            Driver::Postgres(_) => Ok(None),
        }
    }

    /// The names of the tables and indexes that are there and can be used.
    pub(crate) fn present(&mut self) -> Result<Vec<String>> {
        match self {
            Driver::Sqlite(sqlite) => sqlite.present(),
            Driver::Postgres(postgres) => postgres.present(),
        }
    }

    /// Makes the indexes again from their tables.
    pub(crate) fn reindex(&mut self) -> Result<()> {
        match self {
            Driver::Sqlite(sqlite) => sqlite.batch("reindex"),
            // What a server finds wrong with its indexes is its administrator's to know and to mend.
            Driver::Postgres(_) => Ok(()),
        }
    }

    /// How many bytes the database takes up, side files and all.
    pub(crate) fn bytes(&mut self) -> Result<u64> {
        match self {
            Driver::Sqlite(sqlite) => sqlite.bytes(),
            Driver::Postgres(postgres) => postgres.bytes(),
        }
    }

    /// Leaves no copy of erased rows in a side file.
    pub(crate) fn checkpoint(&mut self) -> Result<()> {
        match self {
            Driver::Sqlite(sqlite) => sqlite.checkpoint(),
            Driver::Postgres(_) => Ok(()),
        }
    }

    /// What a process owes the next one before it ends.
    pub(crate) fn fold_log(&mut self) -> Result<()> {
        match self {
            Driver::Sqlite(sqlite) => sqlite.fold_log(),
            Driver::Postgres(_) => Ok(()),
        }
    }

    pub(crate) fn begin(&mut self, access: Access) -> Result<()> {
        match (self, access) {
            (Driver::Sqlite(sqlite), Access::Read) => sqlite.begin_read(),
            (Driver::Sqlite(sqlite), Access::Write) => sqlite.begin_write(),
            (Driver::Postgres(postgres), Access::Read) => postgres.begin_read(),
            (Driver::Postgres(postgres), Access::Write) => postgres.begin_write(),
        }
    }

    /// SQLite has waited by now: its one lock is taken when the transaction begins.
    pub(crate) fn hurry(&mut self, patience: Patience) -> Result<()> {
        match (self, patience) {
            (Driver::Postgres(postgres), Patience::Brief) => postgres.batch("set local lock_timeout = 100"),
            (Driver::Postgres(_), Patience::AsSet) | (Driver::Sqlite(_), _) => Ok(()),
        }
    }

    fn commit(&mut self) -> Result<()> {
        match self {
            Driver::Sqlite(sqlite) => sqlite.commit(),
            Driver::Postgres(postgres) => postgres.commit(),
        }
    }

    /// The first error is the one to report; a rollback that fails too means a lost connection, which has
    /// already rolled back.
    fn abandon(&mut self) {
        let rolled_back = match self {
            Driver::Sqlite(sqlite) => sqlite.rollback(),
            Driver::Postgres(postgres) => postgres.rollback(),
        };
        if let Err(error) = rolled_back {
            tracing::warn!(%error, "could not roll back");
        }
    }
}
