//! Hearing that something was written, by whichever process: a connection of its own that waits for it.

use std::time::Duration;

use crate::driver::{Driver, Room};
use crate::sql::Result;
use crate::{Store, now};

/// Blocks its thread while it waits.
#[derive(Debug)]
pub struct Watch {
    driver: Driver,
    /// SQLite's number, which changes when another connection commits.
    version: i64,
}

/// How often SQLite is asked; PostgreSQL tells by itself.
const STEP: Duration = Duration::from_millis(50);

impl Store {
    pub fn watch(&self) -> Result<Watch> {
        let mut driver = Driver::open(&self.location, &self.options, Room::Little)?;
        if let Driver::Postgres(postgres) = &mut driver {
            postgres.listen()?;
        }
        Ok(Watch { driver, version: 0 })
    }
}

impl Watch {
    /// Returns when something was written, or when the time is over.
    pub fn wait(&mut self, at_most: Duration) -> Result<()> {
        match &mut self.driver {
            Driver::Postgres(postgres) => postgres.hear(at_most),
            Driver::Sqlite(sqlite) => {
                let started = now();
                loop {
                    let version = sqlite.data_version()?;
                    if version != self.version || started.elapsed() >= at_most {
                        self.version = version;
                        return Ok(());
                    }
                    std::thread::sleep(STEP.min(at_most));
                }
            }
        }
    }
}
