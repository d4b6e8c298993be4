//! One error policy for the whole program: what kind it is, what to say, which exit status.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use serde::Serialize;
use throughline_engine::{Error as EngineError, store};

/// The request itself is wrong: exit status 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);

impl Usage {
    /// For what the engine says about the arguments alone, whatever the database holds.
    pub(crate) fn of(error: EngineError) -> anyhow::Error {
        match error {
            EngineError::Invalid(why) => Usage(why).into(),
            other => other.into(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    error: Described,
}

#[derive(Debug, Serialize)]
struct Described {
    kind: &'static str,
    message: String,
}

impl Problem {
    pub(crate) fn new(kind: &'static str, message: String) -> Problem {
        Problem { error: Described { kind, message } }
    }

    pub(crate) fn of(error: &anyhow::Error) -> Problem {
        Problem::new(kind(error), message(error))
    }
}

/// The whole chain in one line: what was attempted, then why it failed.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        // Some errors repeat their source in their own text.
        if !parts.iter().any(|part| part.contains(&cause)) {
            parts.push(cause.trim_end().to_owned());
        }
    }
    parts.join(": ")
}

/// Why what somebody named cannot be read, and what to do about it.
pub(crate) fn unread(path: &Path, error: &io::Error) -> anyhow::Error {
    let fix = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "check the path",
        io::ErrorKind::IsADirectory => "name a file in it",
        io::ErrorKind::PermissionDenied => "make it readable for you",
        io::ErrorKind::InvalidData => "convert it to UTF-8 first",
        _ => "check that other programs can read it",
    };
    anyhow!("cannot read {}: {error}; {fix}", path.display())
}

/// The same for what cannot be written or made.
pub(crate) fn unwritten(path: &Path, error: &io::Error) -> anyhow::Error {
    let fix = match error.kind() {
        io::ErrorKind::NotFound => "make its folder first",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => "check the path",
        io::ErrorKind::IsADirectory | io::ErrorKind::ResourceBusy => "name a file in it",
        io::ErrorKind::PermissionDenied => "make it and its folder writable for you",
        io::ErrorKind::ReadOnlyFilesystem => "choose a place that can be written",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space",
        _ => "check space and health of the disk",
    };
    anyhow!("cannot write {}: {error}; {fix}", path.display())
}

pub(crate) fn exit_code(error: &anyhow::Error) -> ExitCode {
    if error.downcast_ref::<Usage>().is_some() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// The HTTP status that says the same.
pub(crate) fn status(error: &anyhow::Error) -> u16 {
    match kind(error) {
        "usage" | "invalid" => 422,
        "not_found" => 404,
        "conflict" => 409,
        "model" | "busy" | "unavailable" => 503,
        _ => 500,
    }
}

/// Whether another request could succeed where this one did not.
pub(crate) fn is_callers(error: &anyhow::Error) -> bool {
    matches!(kind(error), "usage" | "not_found" | "invalid" | "conflict")
}

pub(crate) fn kind(error: &anyhow::Error) -> &'static str {
    if error.downcast_ref::<Usage>().is_some() {
        return "usage";
    }
    let engine = error.downcast_ref::<EngineError>();
    let store = match engine {
        Some(EngineError::NotFound(_)) => return "not_found",
        Some(EngineError::Invalid(_)) => return "invalid",
        Some(EngineError::Conflict(_)) => return "conflict",
        Some(EngineError::Model(_)) => return "model",
        Some(EngineError::Store(store)) => Some(store),
        None => error.downcast_ref::<store::Error>(),
    };
    match store {
        Some(store::Error::Busy { .. }) => "busy",
        Some(store::Error::Conflict { .. } | store::Error::Exists(_)) => "conflict",
        Some(store::Error::Unavailable(_)) => "unavailable",
        Some(store::Error::Corrupt(_)) => "corrupt",
        Some(store::Error::NewerSchema { .. }) => "newer_schema",
        Some(store::Error::Foreign(_)) => "foreign",
        Some(store::Error::Other(_)) => "internal",
        None => "failed",
    }
}
