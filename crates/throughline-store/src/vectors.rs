//! The signs of vectors as a PostgreSQL server with pgvector compares them, so that they need not cross the connection.
//!
//! `document_vector` says the same as the pages of signs in `index_page`, in the type that pgvector compares. The server
//! itself keeps it so, by triggers, whoever writes: also a process that does not know of it. It is made and filled in one
//! transaction, so whoever sees the table sees all of it.

use crate::driver::{Access, Driver};
use crate::index_page::{Area, Index};
use crate::sql::{Connection, Dialect, Param, Result, Row};
use crate::{Error, migrate, params};

/// What compares vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// This process, for SQLite.
    InProcess,
    /// This process, for PostgreSQL, because pgvector is…
    WithoutServer(Lack),
    /// pgvector of this version.
    InServer { version: String },
}

/// Why pgvector is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lack {
    /// …not wanted here: by the settings, or because the server is on this machine.
    Unwanted,
    /// …not installed on the server's machine.
    Missing,
    /// …too old to compare bits, or in a schema that this user may not use.
    Outdated { version: String },
    /// …there, but this user may not create it.
    ExtensionRefused { version: String },
    /// …there, but the table is another user's to make, or to let this one read.
    TableRefused { version: String },
    /// …there, and will be used once the table is made, when the database is opened next.
    NotReady { version: String },
}

/// What is wanted of the vectors of a model.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    pub signs: &'a [u8],
    /// How many documents a page of signs has.
    pub per_page: i64,
    /// A bit for each document up to the end of the last page, the lowest bit of a byte first.
    pub documents: &'a [u8],
    pub count: i64,
}

/// The signs of a collection's vectors of one model, in a server that compares them.
#[derive(Debug)]
pub struct InServer<'a> {
    index: Index<'a>,
    model: &'a str,
    /// The extension may live in a schema where names are not looked up.
    schema: String,
    pub last_page: i64,
}

/// How vectors are compared here.
pub fn comparison(conn: &mut dyn Connection) -> Result<Comparison> {
    if conn.dialect() == Dialect::Sqlite {
        return Ok(Comparison::InProcess);
    }
    if !conn.may_use_pgvector() {
        return Ok(Comparison::WithoutServer(Lack::Unwanted));
    }
    let standing = Standing::read(conn)?;
    Ok(match (&standing.created, &standing.available) {
        (Some(version), _) if !standing.compares_bits => lacking(Lack::Outdated { version: version.clone() }),
        (Some(version), _) if standing.may_read => Comparison::InServer { version: version.clone() },
        (None, None) => lacking(Lack::Missing),
        (None, Some(version)) if !standing.may_create => {
            lacking(Lack::ExtensionRefused { version: version.clone() })
        }
        (Some(version), _) | (None, Some(version)) if standing.is_due() => {
            lacking(Lack::NotReady { version: version.clone() })
        }
        (Some(version), _) | (None, Some(version)) => {
            lacking(Lack::TableRefused { version: version.clone() })
        }
    })
}

/// The signs of a model in a server that compares them; nothing when this process has to.
pub fn in_server<'a>(
    conn: &mut dyn Connection,
    index: Index<'a>,
    model: &'a str,
) -> Result<Option<InServer<'a>>> {
    if !conn.may_use_pgvector() {
        return Ok(None);
    }
    // Catalogues are read as of this transaction's snapshot, like the table: it is there filled or not at all.
    let sql = format!(
        "select (select quote_ident(n.nspname) from {BIT_DISTANCE} and exists ({READABLE_TABLE})), max(number) from index_page
         where project_id = ?1 and collection = ?2 and area = ?3"
    );
    let area = Area::Codes(model).name();
    let rows = conn.query(&sql, params![index.project, index.collection, &area])?;
    let found = |row: &Row| -> Result<Option<InServer<'a>>> {
        let (schema, last): (Option<String>, Option<i64>) = (row.get(0)?, row.get(1)?);
        Ok(schema.map(|schema| InServer { index, model, schema, last_page: last.unwrap_or(-1) }))
    };
    rows.first().map_or(Ok(None), found)
}

impl InServer<'_> {
    /// The documents whose signs differ least, of equals the lower number; in no order.
    pub fn nearest(&self, conn: &mut dyn Connection, wanted: &Wanted<'_>) -> Result<Vec<i64>> {
        // A page is unpacked once (that is what the concatenation is for) and so are the parameters (the inner selects),
        // also in a plan that does not know their values. A slot without any sign is no document.
        let sql = format!(
            "select number from (
                select page * ?6 + place as number, substring(signs from place * ?5 + 1 for ?5) as code
                from (
                    select page, signs, generate_series(0, length(signs) / ?5 - 1) as place
                    from (
                        select page, signs || B'' as signs from document_vector
                        where project_id = ?1 and collection = ?2 and model = ?3 offset 0
                    ) packed
                ) page
             ) document
             where get_bit(cast(?7 as bytea), cast(number as integer)) = 1
               and code <> (select cast(repeat('0', ?5) as bit varying))
             order by code operator({}.<~>) (select cast(cast(?4 as text) as bit varying)), number
             limit ?8",
            self.schema
        );
        let signs = wanted.signs.iter().fold("x".to_owned(), |text, byte| format!("{text}{byte:02x}"));
        let bits = wanted.signs.len() as i64 * 8;
        let documents = Param::Blob(wanted.documents);
        let of = params![
            self.index.project,
            self.index.collection,
            self.model,
            &signs,
            bits,
            wanted.per_page,
            documents,
            wanted.count
        ];
        conn.query(&sql, of)?.iter().map(|row| row.get(0)).collect()
    }
}

/// Makes the table where the server can compare vectors and nobody has made it yet. One question when there is nothing
/// to do; whatever stands in the way is said by `comparison` and is no failure.
pub(crate) fn prepare(driver: &mut Driver) {
    let prepared = match driver.connection().may_use_pgvector() {
        true => Standing::read(driver.connection()).and_then(|standing| {
            if standing.is_due() { driver.transact(Access::Write, make) } else { Ok(()) }
        }),
        false => Ok(()),
    };
    if let Err(error) = prepared {
        tracing::info!(%error, "pgvector is not used yet");
    }
}

fn make(tx: &mut dyn Connection) -> Result<()> {
    // Everybody can do without it, so nobody is made to wait for it.
    tx.batch("set local lock_timeout = 100")?;
    migrate::lock(tx)?;
    tx.batch("create extension if not exists vector")?;
    // Another process may have made it while this one waited.
    let standing = Standing::read(tx)?;
    if !standing.compares_bits || standing.has_table {
        return Ok(());
    }
    let rows = tx.query("select quote_ident(current_schema())", &[])?;
    let schema: String = rows.first().ok_or_else(silent)?.get(0)?;
    tx.batch(&MAKE.replace("{schema}", &schema))
}

fn lacking(lack: Lack) -> Comparison {
    Comparison::WithoutServer(lack)
}

fn silent() -> Error {
    Error::Other("the server says nothing of itself".to_owned())
}

/// What the server says of pgvector.
#[derive(Debug)]
struct Standing {
    created: Option<String>,
    /// What could be created; not asked when it is.
    available: Option<String>,
    compares_bits: bool,
    has_table: bool,
    may_read: bool,
    may_create: bool,
    owns_pages: bool,
}

impl Standing {
    fn read(conn: &mut dyn Connection) -> Result<Standing> {
        // The list of what is available is made from files, so it is looked at only when it matters.
        let sql = format!(
            "select e.extversion,
                case when e.oid is null then
                    (select default_version from pg_available_extensions where name = 'vector') end,
                cast(exists (select 1 from {BIT_DISTANCE}) as integer),
                cast(exists ({TABLE}) as integer),
                cast(exists ({READABLE_TABLE}) as integer),
                case when e.oid is null then
                    (select max(cast(rolsuper or has_database_privilege(current_database(), 'create') and v.trusted as integer))
                     from pg_available_extension_versions v, pg_roles where v.name = 'vector' and rolname = current_user) end,
                (select cast(pg_has_role(c.relowner, 'usage') as integer) from pg_class c
                 where c.relname = 'index_page' and c.relnamespace = cast(current_schema() as regnamespace))
             from (select 1) one left join pg_extension e on e.extname = 'vector'"
        );
        let rows = conn.query(&sql, &[])?;
        let row = rows.first().ok_or_else(silent)?;
        let is = |column| Ok::<bool, Error>(row.get::<Option<i64>>(column)? == Some(1));
        Ok(Standing {
            created: row.get(0)?,
            available: row.get(1)?,
            compares_bits: is(2)?,
            has_table: is(3)?,
            may_read: is(4)?,
            may_create: is(5)?,
            owns_pages: is(6)?,
        })
    }

    /// Whether something can be made that is not there.
    fn is_due(&self) -> bool {
        match self.created {
            Some(_) => self.compares_bits && !self.has_table && self.owns_pages,
            None => self.may_create && self.owns_pages,
        }
    }
}

/// pgvector's comparison of bits, with the schema it is in.
const BIT_DISTANCE: &str = "pg_extension v join pg_namespace n on n.oid = v.extnamespace
    join pg_operator o on o.oprnamespace = n.oid and o.oprname = '<~>' and o.oprleft = cast('bit' as regtype)
    where v.extname = 'vector' and has_schema_privilege(n.oid, 'usage')";

const TABLE: &str = "select 1 from pg_class t
    where t.relname = 'document_vector' and t.relnamespace = cast(current_schema() as regnamespace)";

const READABLE_TABLE: &str = "select 1 from pg_class t
    where t.relname = 'document_vector' and t.relnamespace = cast(current_schema() as regnamespace)
    and has_table_privilege(t.oid, 'select')";

/// The triggers come before the pages that are there: making them keeps writers out until all of it is committed.
const MAKE: &str = include_str!("vectors.sql");
