//! The team database: how a PostgreSQL server is reached and spoken to.

use std::collections::HashMap;
use std::error::Error as _;
use std::time::Duration;

use bytes::BytesMut;
use postgres::config::Host;
use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::{FromSql, IsNull, ToSql, Type};
use postgres::{Client, NoTls, Statement};

use crate::sql::{Connection, Dialect, Param, Result, Row, Value};
use crate::{Durability, Error, Options, Pgvector};

const STATEMENTS_KEPT: usize = 256;

pub(crate) struct Postgres {
    client: Client,
    statements: HashMap<String, Statement>,
    /// A statement of this transaction has failed: PostgreSQL will undo all of it, whatever we ask.
    spoilt: bool,
    may_use_pgvector: bool,
}

impl Postgres {
    pub(crate) fn connect(url: &str, options: &Options) -> Result<Postgres> {
        let mut config: postgres::Config = url.parse().map_err(|e: postgres::Error| {
            Error::Unavailable(format!(
                "the PostgreSQL address is not valid: {}; write postgres://user:password@host:port/database",
                reason(&e)
            ))
        })?;
        config.application_name("throughline").connect_timeout(options.connect_timeout);
        let mut client = config.connect(NoTls).map_err(|e| unreachable(&config, &e))?;
        let synchronous = match options.durability {
            Durability::Power => "on",
            Durability::Process => "off",
        };
        client
            .batch_execute(&format!(
                "set lock_timeout = {}; set synchronous_commit = {synchronous}; set client_min_messages = warning",
                options.lock_wait.as_millis().max(1)
            ))?;
        let may_use_pgvector = match options.pgvector {
            Pgvector::Remote => !config.get_hosts().iter().all(is_here),
            Pgvector::Always => true,
            Pgvector::Never => false,
        };
        Ok(Postgres { client, statements: HashMap::new(), spoilt: false, may_use_pgvector })
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    pub(crate) fn begin_read(&mut self) -> Result<()> {
        self.spoilt = false;
        self.batch("begin transaction isolation level repeatable read, read only")
    }

    pub(crate) fn begin_write(&mut self) -> Result<()> {
        self.spoilt = false;
        self.batch("begin")
    }

    /// The server answers the commit of a failed transaction with a silent rollback, so we must refuse it.
    pub(crate) fn commit(&mut self) -> Result<()> {
        if self.spoilt {
            return Err(Error::Other(
                "a statement of the transaction failed, so nothing was written".to_owned(),
            ));
        }
        self.batch("commit")
    }

    pub(crate) fn rollback(&mut self) -> Result<()> {
        if self.is_closed() { Ok(()) } else { self.batch("rollback") }
    }

    /// An index that was begun and not finished is there and not used.
    pub(crate) fn present(&mut self) -> Result<Vec<String>> {
        let rows = self.query(
            "select cast(c.relname as text) from pg_class c left join pg_index i on i.indexrelid = c.oid
             where c.relnamespace = cast(current_schema() as regnamespace) and c.relkind in ('r', 'p', 'i', 'I')
             and coalesce(i.indisvalid, true)",
            &[],
        )?;
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// Of the tables in our schema with their indexes.
    pub(crate) fn bytes(&mut self) -> Result<u64> {
        let rows = self.query(
            "select cast(coalesce(sum(pg_total_relation_size(c.oid)), 0) as bigint) from pg_class c
             where c.relnamespace = cast(current_schema() as regnamespace) and c.relkind in ('r', 'p')",
            &[],
        )?;
        rows.first().map_or(Ok(0), |row| row.get::<i64>(0).map(i64::unsigned_abs))
    }

    /// From now on changes are heard of.
    pub(crate) fn listen(&mut self) -> Result<()> {
        self.batch("listen throughline")
    }

    /// Waits until somebody announces a change, for so long at most. What was announced meanwhile is one change.
    pub(crate) fn hear(&mut self, at_most: Duration) -> Result<()> {
        let mut announced = self.client.notifications();
        announced.timeout_iter(at_most).next()?;
        while announced.iter().next()?.is_some() {}
        Ok(())
    }

    fn prepare(&mut self, sql: &str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let prepared = self.client.prepare(&dollar(sql));
        let statement = self.noting(prepared)?;
        if self.statements.len() >= STATEMENTS_KEPT {
            self.statements.clear();
        }
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    fn noting<T>(&mut self, outcome: std::result::Result<T, postgres::Error>) -> Result<T> {
        self.spoilt |= outcome.is_err();
        Ok(outcome?)
    }
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postgres").field("statements", &self.statements.len()).finish_non_exhaustive()
    }
}

impl Connection for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn may_use_pgvector(&self) -> bool {
        self.may_use_pgvector
    }

    fn batch(&mut self, sql: &str) -> Result<()> {
        let outcome = self.client.batch_execute(sql);
        self.noting(outcome)
    }

    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64> {
        let statement = self.prepare(sql)?;
        let outcome = self.client.execute(&statement, &as_sql(params));
        self.noting(outcome)
    }

    fn each(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        row: &mut dyn FnMut(Row) -> Result<()>,
    ) -> Result<()> {
        let statement = self.prepare(sql)?;
        let outcome = each_raw(&mut self.client, &statement, params, |raw| {
            let values = (0..raw.len()).map(|i| Ok(raw.try_get(i)?));
            row(Row(values.collect::<Result<_>>()?))
        });
        self.noting(outcome)?
    }
}

type BoxError = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Param<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, BoxError> {
        match *self {
            Param::Null => Ok(IsNull::Yes),
            Param::Int(n) if *ty == Type::FLOAT8 => (n as f64).to_sql(ty, out),
            Param::Int(n) if *ty == Type::INT4 => i32::try_from(n)?.to_sql(ty, out),
            Param::Int(n) => n.to_sql(ty, out),
            Param::Real(x) => x.to_sql(ty, out),
            Param::Text(text) => text.to_sql(ty, out),
            Param::Blob(bytes) => bytes.to_sql(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    postgres::types::to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> std::result::Result<Value, BoxError> {
        Ok(match *ty {
            Type::INT8 => Value::Int(i64::from_sql(ty, raw)?),
            Type::INT4 => Value::Int(i32::from_sql(ty, raw)?.into()),
            Type::FLOAT8 => Value::Real(f64::from_sql(ty, raw)?),
            Type::BYTEA => Value::Blob(Vec::from_sql(ty, raw)?),
            _ => Value::Text(String::from_sql(ty, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> std::result::Result<Value, BoxError> {
        Ok(Value::Null)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// What the server failed at, or else what became of its rows.
fn each_raw(
    client: &mut Client,
    statement: &Statement,
    params: &[Param<'_>],
    mut row: impl FnMut(&postgres::Row) -> Result<()>,
) -> std::result::Result<Result<()>, postgres::Error> {
    let mut rows = client.query_raw(statement, as_sql(params))?;
    while let Some(raw) = rows.next()? {
        if let Err(error) = row(&raw) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}

fn as_sql<'a>(params: &'a [Param<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|param| param as _).collect()
}

/// Rewrites `?1` as `$1`, outside string literals.
fn dollar(sql: &str) -> String {
    let mut quoted = false;
    sql.chars()
        .map(|c| {
            quoted ^= c == '\'';
            if c == '?' && !quoted { '$' } else { c }
        })
        .collect()
}

impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Error {
        let text = reason(&error);
        let Some(state) = error.code() else {
            return Error::Unavailable(format!(
                "the connection to PostgreSQL was lost: {text}; check that the server is up and try again"
            ));
        };
        match *state {
            SqlState::UNIQUE_VIOLATION => Error::Conflict { constraint: text },
            SqlState::T_R_SERIALIZATION_FAILURE
            | SqlState::T_R_DEADLOCK_DETECTED
            | SqlState::LOCK_NOT_AVAILABLE => Error::Busy { waited_ms: 0 },
            SqlState::DISK_FULL => {
                Error::Unavailable(format!("PostgreSQL has no space left: {text}; free space on its machine"))
            }
            SqlState::INSUFFICIENT_PRIVILEGE | SqlState::READ_ONLY_SQL_TRANSACTION => Error::Unavailable(
                format!("PostgreSQL refused: {text}; grant this user write access to the schema"),
            ),
            SqlState::ADMIN_SHUTDOWN | SqlState::CRASH_SHUTDOWN | SqlState::CANNOT_CONNECT_NOW => {
                Error::Unavailable(format!(
                    "PostgreSQL is shutting down or starting: {text}; try again shortly"
                ))
            }
            SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => Error::Corrupt(text),
            _ => Error::Other(text),
        }
    }
}

/// The server's own words: the driver's `Display` is often just "db error".
fn reason(error: &postgres::Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(db), _) => db.message().to_owned(),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}

/// Whether the server is on this machine.
fn is_here(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

fn unreachable(config: &postgres::Config, error: &postgres::Error) -> Error {
    let port = |n: usize| config.get_ports().get(n).or(config.get_ports().first()).copied().unwrap_or(5432);
    let name = |(n, host): (usize, &Host)| match host {
        Host::Tcp(host) => format!("{host}:{}", port(n)),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    };
    let hosts: Vec<String> = config.get_hosts().iter().enumerate().map(name).collect();
    Error::Unavailable(format!(
        "cannot reach PostgreSQL at {}: {}; check that the server is up and that THROUGHLINE_DATABASE_URL or --database names it",
        hosts.join(", "),
        reason(error)
    ))
}

#[cfg(test)]
mod tests {
    use super::is_here;

    #[test]
    fn a_server_is_on_this_machine_or_elsewhere() {
        let hosts = |url: &str| url.parse::<postgres::Config>().unwrap().get_hosts().to_vec();
        for here in [
            "postgres://u@localhost/d",
            "postgres://u@127.0.0.2:5433/d",
            "postgres://u@[::1]/d",
            "host=/run user=u",
        ] {
            assert!(hosts(here).iter().all(is_here), "{here}");
        }
        for elsewhere in
            ["postgres://u@db.example/d", "postgres://u@10.0.0.7/d", "postgres://u@localhost,db.example/d"]
        {
            assert!(!hosts(elsewhere).iter().all(is_here), "{elsewhere}");
        }
    }
}
