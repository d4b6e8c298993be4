//! What can go wrong in the engine, by what the caller can do about it.

use throughline_store as store;

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The thing asked for does not exist; the text names what does.
    #[error("{0}")]
    NotFound(String),
    /// The request cannot be carried out as it stands; the text says what to change.
    #[error("{0}")]
    Invalid(String),
    /// Somebody else changed it first; the text names the newer state.
    #[error("{0}")]
    Conflict(String),
    /// The model that was chosen cannot be used now; the text says what to change.
    #[error("{0}")]
    Model(String),
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl store::Failure for Error {
    fn store_error(&self) -> Option<&store::Error> {
        match self {
            Error::Store(error) => Some(error),
            Error::NotFound(_) | Error::Invalid(_) | Error::Conflict(_) | Error::Model(_) => None,
        }
    }
}
