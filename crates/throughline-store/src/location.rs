//! Where the database is: a file, memory, or a server.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    File(PathBuf),
    /// Gone with the process; for tests.
    Memory,
    Server(String),
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> Result<Location, String> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Location::Server(text.to_owned()));
        }
        match text.strip_prefix("sqlite:") {
            Some("") | None => Err(format!("{text:?} is not a database; write sqlite:PATH or postgres://…")),
            Some(":memory:") => Ok(Location::Memory),
            Some(path) => Ok(Location::File(PathBuf::from(path.strip_prefix("//").unwrap_or(path)))),
        }
    }
}

/// Without the password, so that it can be shown.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::File(path) => write!(f, "sqlite:{}", path.display()),
            Location::Memory => f.write_str("sqlite::memory:"),
            Location::Server(url) => f.write_str(&without_password(url)),
        }
    }
}

/// The query goes too: it can hold a password as well.
fn without_password(url: &str) -> String {
    let url = url.split('?').next().unwrap_or(url);
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    match rest.rsplit_once('@') {
        Some((login, host)) => {
            let user = login.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}:…@{host}")
        }
        None => url.to_owned(),
    }
}
