//! What the rest of the store knows of a database: values in, rows out, one small interface.

use crate::Error;

pub type Result<T> = std::result::Result<T, Error>;

/// Which database a connection speaks to. Only the drivers, `migrate` and `vectors` may ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// Ends a `select` whose rows nobody else may change until the transaction ends. Nothing on SQLite, where a write
    /// transaction has the whole database to itself.
    pub fn row_lock(self) -> Option<&'static str> {
        match self {
            Dialect::Sqlite => None,
            Dialect::Postgres => Some("for update"),
        }
    }

    /// Ends a `select` whose rows the transaction goes on to change, so that parallel workers take different
    /// rows. SQLite has one writer at a time and needs nothing.
    pub fn skip_locked(self) -> &'static str {
        match self {
            Dialect::Sqlite => "",
            Dialect::Postgres => "for update skip locked",
        }
    }

    /// What a `select` of a project says beside its columns, so that those who wait hear of the change when it commits.
    /// SQLite's readers look for themselves.
    pub fn announcement(self) -> Option<&'static str> {
        match self {
            Dialect::Sqlite => None,
            Dialect::Postgres => Some("cast(pg_notify('throughline', project_id) as text)"),
        }
    }
}

/// A connection inside a transaction: the only interface that statements are written against.
///
/// Statements use the shared subset of both databases with `?1` placeholders.
pub trait Connection {
    fn dialect(&self) -> Dialect;
    /// Whether the server is to compare vectors, should it be able to; `vectors` finds out.
    fn may_use_pgvector(&self) -> bool {
        false
    }
    /// Runs several statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<()>;
    /// Runs one statement and says how many rows it changed.
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64>;
    /// Runs one statement and answers with all of its rows; long answers are asked for in pages.
    fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>> {
        let mut answer = Vec::new();
        self.each(sql, params, &mut |row| {
            answer.push(row);
            Ok(())
        })?;
        Ok(answer)
    }
    /// Runs one statement and hands its rows over one by one, so that those who look at much hold little of it.
    fn each(&mut self, sql: &str, params: &[Param<'_>], row: &mut dyn FnMut(Row) -> Result<()>)
    -> Result<()>;
}

/// A statement's parameter, borrowed from the caller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Param<'a> {
    Null,
    Int(i64),
    Real(f64),
    Text(&'a str),
    Blob(&'a [u8]),
}

impl From<i64> for Param<'_> {
    fn from(n: i64) -> Self {
        Param::Int(n)
    }
}

impl From<f64> for Param<'_> {
    fn from(x: f64) -> Self {
        Param::Real(x)
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(text: &'a str) -> Self {
        Param::Text(text)
    }
}

impl<'a> From<&'a String> for Param<'a> {
    fn from(text: &'a String) -> Self {
        Param::Text(text)
    }
}

impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Param::Blob(bytes)
    }
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Param::Null, Into::into)
    }
}

/// The parameters of one statement: `params![project, 7, name.as_deref()]`.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::Param::from($value)),*] };
}

/// So many rows are asked for at once by their numbers: a network's answer costs more than a row.
const AT_ONCE: usize = 32;

/// The rows that a statement finds by numbers, whose list takes the place of `{numbers}` after the fixed parameters.
pub(crate) fn by_numbers<T>(
    conn: &mut dyn Connection,
    sql: &str,
    fixed: &[Param<'_>],
    numbers: &[i64],
    read: impl Fn(Row) -> Result<T>,
) -> Result<Vec<T>> {
    by_list(conn, (sql, "{numbers}"), fixed, numbers.iter().map(|number| Param::Int(*number)), read)
}

/// The same, row by row.
pub(crate) fn each_by_numbers(
    conn: &mut dyn Connection,
    sql: &str,
    fixed: &[Param<'_>],
    numbers: &[i64],
    read: &mut dyn FnMut(Row) -> Result<()>,
) -> Result<()> {
    each_by_list(conn, (sql, "{numbers}"), fixed, numbers.iter().map(|number| Param::Int(*number)), read)
}

/// The same for rows found by texts, whose list takes the place of `{texts}`.
pub(crate) fn by_texts<'a, T>(
    conn: &mut dyn Connection,
    sql: &str,
    fixed: &[Param<'a>],
    texts: impl Iterator<Item = &'a str>,
    read: impl Fn(&Row) -> Result<T>,
) -> Result<Vec<T>> {
    by_list(conn, (sql, "{texts}"), fixed, texts.map(Param::Text), |row| read(&row))
}

/// The list always has the same length, so that it is one statement to prepare; its last value fills it.
fn by_list<'a, T>(
    conn: &mut dyn Connection,
    of_list: (&str, &str),
    fixed: &[Param<'a>],
    values: impl Iterator<Item = Param<'a>>,
    read: impl Fn(Row) -> Result<T>,
) -> Result<Vec<T>> {
    let mut found = vec![];
    each_by_list(conn, of_list, fixed, values, &mut |row| {
        found.push(read(row)?);
        Ok(())
    })?;
    Ok(found)
}

fn each_by_list<'a>(
    conn: &mut dyn Connection,
    (sql, list): (&str, &str),
    fixed: &[Param<'a>],
    values: impl Iterator<Item = Param<'a>>,
    read: &mut dyn FnMut(Row) -> Result<()>,
) -> Result<()> {
    let places: Vec<String> = (1..=AT_ONCE).map(|place| format!("?{}", fixed.len() + place)).collect();
    let sql = sql.replace(list, &format!("({})", places.join(", ")));
    let values: Vec<Param<'_>> = values.collect();
    for some in values.chunks(AT_ONCE) {
        let filling = std::iter::repeat_n(some[some.len() - 1], AT_ONCE - some.len());
        let params: Vec<Param<'_>> = fixed.iter().chain(some).copied().chain(filling).collect();
        conn.each(&sql, &params, read)?;
    }
    Ok(())
}

/// A column of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

/// One row of an answer, by column number.
#[derive(Debug, Clone, PartialEq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// The column as `T`; a column of another type means that the file does not hold what we wrote.
    pub fn get<T: FromValue>(&self, column: usize) -> Result<T> {
        let value = self.0.get(column).unwrap_or(&Value::Null);
        T::from_value(value).ok_or_else(|| {
            Error::Corrupt(format!("column {column} holds {value:?}, not a {}", std::any::type_name::<T>()))
        })
    }

    /// The bytes of a column, without a copy.
    pub fn into_blob(mut self, column: usize) -> Result<Vec<u8>> {
        match self.0.get_mut(column) {
            Some(Value::Blob(bytes)) => Ok(std::mem::take(bytes)),
            other => Err(Error::Corrupt(format!("column {column} holds {other:?}, not bytes"))),
        }
    }
}

/// A type that a column can be read as.
pub trait FromValue: Sized {
    fn from_value(value: &Value) -> Option<Self>;
}

impl FromValue for i64 {
    fn from_value(value: &Value) -> Option<i64> {
        if let Value::Int(n) = value { Some(*n) } else { None }
    }
}

impl FromValue for f64 {
    fn from_value(value: &Value) -> Option<f64> {
        if let Value::Real(x) = value { Some(*x) } else { None }
    }
}

impl FromValue for String {
    fn from_value(value: &Value) -> Option<String> {
        if let Value::Text(text) = value { Some(text.clone()) } else { None }
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: &Value) -> Option<Vec<u8>> {
        if let Value::Blob(bytes) = value { Some(bytes.clone()) } else { None }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &Value) -> Option<Option<T>> {
        if *value == Value::Null { Some(None) } else { T::from_value(value).map(Some) }
    }
}
