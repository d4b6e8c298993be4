//! Where the database is: a file, memory, or a server.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    File(PathBuf),
    /// Gone with the process; for tests.
    Memory,
    Server(String),
}

impl Location {
    /// Which database it is, as people call it.
    pub fn database(&self) -> &'static str {
        match self {
            Location::File(_) | Location::Memory => "SQLite",
            Location::Server(_) => "PostgreSQL",
        }
    }
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> Result<Location, String> {
        if matches!(text, "postgres://" | "postgresql://") {
            return Err(format!("{text:?} names no server; write postgres://USER@HOST/DATABASE"));
        }
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Location::Server(text.to_owned()));
        }
        let path = text.strip_prefix("sqlite:").map(|path| path.strip_prefix("//").unwrap_or(path));
        match path {
            Some("") | None => Err(format!("{text:?} is not a database; write sqlite:PATH or postgres://…")),
            Some(":memory:") => Ok(Location::Memory),
            Some(path) => Ok(Location::File(PathBuf::from(path))),
        }
    }
}

/// A password must not reach a log either.
impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Location({self})")
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

/// The query goes too: it can hold a password as well. The login ends at the last `@`, whatever it contains.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (login, host) = rest.rsplit_once('@').map_or((None, rest), |(login, host)| (Some(login), host));
    let host = host.split('?').next().unwrap_or(host);
    match login {
        Some(login) => format!("{scheme}://{}:…@{host}", login.split(':').next().unwrap_or_default()),
        None => format!("{scheme}://{host}"),
    }
}
