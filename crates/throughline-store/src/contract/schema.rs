//! What the schema promises to whoever distributes it by project.

use super::fixture::{query, read};
use crate::Store;
use crate::sql::Dialect;

fn every_unique_key_leads_with_the_project(store: &Store) {
    let keys = unique_keys(store);
    for table in [
        "project",
        "session",
        "event",
        "job",
        "memory",
        "memory_origin",
        "index_page",
        "item",
        "item_counter",
        "resource",
        "link",
        "context_entry",
        "checkpoint",
        "handoff",
        "model_call",
        "model_answer",
        "file",
        "chunk",
        "revision",
        "code_index",
        "set_change",
        "memory_file_block",
    ] {
        assert!(keys.iter().any(|key| key.table == table), "{table} has a key: {keys:?}");
    }
    let astray: Vec<&Key> = keys
        .iter()
        .filter(|key| !["project_key", "access_token", "schema_version"].contains(&key.table.as_str()))
        .filter(|key| key.leading_column != "project_id")
        .collect();
    assert!(astray.is_empty(), "{astray:?}");
}

fn every_table_has_a_primary_key(store: &Store) {
    let tables = match dialect(store) {
        Dialect::Sqlite => {
            "select m.name from sqlite_master m where m.type = 'table' and m.name not like 'sqlite%'
             and not exists (select 1 from pragma_table_info(m.name) where pk > 0)"
        }
        Dialect::Postgres => {
            "select cast(c.relname as text) from pg_class c
             where c.relnamespace = cast(current_schema() as regnamespace) and c.relkind in ('r', 'p')
             and not exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary)"
        }
    };
    assert_eq!(query(store, tables), []);
}

/// A primary key or unique index.
#[derive(Debug)]
struct Key {
    table: String,
    #[expect(dead_code, reason = "shown when a test fails")]
    name: String,
    leading_column: String,
}

/// An expression in the place of the leading column reads as `(expression)`.
fn unique_keys(store: &Store) -> Vec<Key> {
    let sql = match dialect(store) {
        Dialect::Sqlite => {
            "select m.name, 'primary key', c.name from sqlite_master m join pragma_table_info(m.name) c
             where m.type = 'table' and c.pk = 1
             union all
             select m.name, i.name, coalesce(c.name, '(expression)')
             from sqlite_master m join pragma_index_list(m.name) i join pragma_index_info(i.name) c
             where m.type = 'table' and i.\"unique\" = 1 and c.seqno = 0"
        }
        Dialect::Postgres => {
            "select cast(t.relname as text), cast(n.relname as text), coalesce(cast(a.attname as text), '(expression)')
             from pg_index i join pg_class t on t.oid = i.indrelid join pg_class n on n.oid = i.indexrelid
             left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
             where i.indisunique and t.relnamespace = cast(current_schema() as regnamespace)"
        }
    };
    query(store, sql)
        .iter()
        .map(|row| Key {
            table: row.get(0).unwrap(),
            name: row.get(1).unwrap(),
            leading_column: row.get(2).unwrap(),
        })
        .collect()
}

fn dialect(store: &Store) -> Dialect {
    read(store, |conn| Ok(conn.dialect()))
}

super::contract![every_unique_key_leads_with_the_project, every_table_has_a_primary_key];
