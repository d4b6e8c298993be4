//! Where copies of the database are kept: beside it, or in the data folder when it is on a server.

use std::path::PathBuf;

use throughline_engine::store::Location;

use super::Config;

impl Config {
    pub(crate) fn backups(&self) -> PathBuf {
        match &self.location {
            Location::File(path) => path.parent().unwrap_or(&self.home).join("backups"),
            Location::Memory | Location::Server(_) => self.home.join("backups"),
        }
    }
}
