//! What can go wrong in the store, by what the caller can do about it.

use std::path::PathBuf;

use crate::Location;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another process holds the database; trying again later works.
    #[error("the database is busy: other processes have been writing for {waited_ms} ms; try again")]
    Busy { waited_ms: u64 },
    /// The write collides with a row that exists.
    #[error("the write conflicts with an existing row ({constraint}); try again")]
    Conflict { constraint: String },
    /// The database cannot be reached or written now.
    #[error("{0}")]
    Unavailable(String),
    /// The file is not, or no longer, what we wrote.
    #[error(
        "the database is damaged: {0}; `throughline repair` keeps a copy of it and saves what can be read, `throughline restore FILE --force` puts back a backup"
    )]
    Corrupt(String),
    /// A newer Throughline has written this database.
    #[error(
        "this database has schema {found} but this throughline knows schemas up to {known}; install the newer throughline, or point --database at another database"
    )]
    NewerSchema { found: i64, known: i64 },
    /// The file belongs to some other program.
    #[error(
        "{} is not a Throughline database, or damaged from its beginning; `throughline restore FILE --force` puts a backup in its place and keeps it, or point --database at another path", .0.display()
    )]
    Foreign(PathBuf),
    /// What is there must not be replaced unasked.
    #[error("{} exists; choose another name, or move it away", .0.display())]
    Exists(PathBuf),
    /// A bug or a fault that has no better name.
    #[error("{0}")]
    Other(String),
}

impl Error {
    /// Names the file where the driver could not.
    pub(crate) fn at(self, location: &Location) -> Error {
        match (self, location) {
            (Error::Foreign(_), Location::File(path)) => Error::Foreign(path.clone()),
            (error, _) => error,
        }
    }
}

/// The error of a transaction's body: the store's own, or a caller's that may carry one.
///
/// The store looks through it to decide whether running the transaction again can help.
pub trait Failure: From<Error> {
    fn store_error(&self) -> Option<&Error>;
}

impl Failure for Error {
    fn store_error(&self) -> Option<&Error> {
        Some(self)
    }
}
