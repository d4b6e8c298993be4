//! What is carried of a project, held against the schema: a table or a column that is added is carried or left behind on purpose.

use super::fixture::{query, read};
use crate::Store;
use crate::carry::{Sort, TABLES, Table};
use crate::sql::{Dialect, Value};

/// What can be made again, and what belongs to a machine.
const LEFT_BEHIND: [&str; 13] = [
    "access_token",
    "chunk",
    "code_index",
    "document_vector",
    "file",
    "index_page",
    "job",
    "memory_file_block",
    "model_answer",
    "model_call",
    "project",
    "project_key",
    "revision",
];

fn every_table_is_carried_or_left_behind_on_purpose(store: &Store) {
    let mut tables: Vec<String> = columns(store).into_iter().map(|(table, _)| table).collect();
    tables.sort();
    tables.dedup();
    for table in tables.iter().filter(|table| !["schema_version"].contains(&table.as_str())) {
        let is_known = Table::named(table).is_some() || LEFT_BEHIND.contains(&table.as_str());
        assert!(is_known, "{table} is new: carry it, or say that it is left behind");
    }
}

fn every_column_of_what_is_carried_is_carried(store: &Store) {
    let there = columns(store);
    for table in &TABLES {
        let mut wanted: Vec<String> = vec!["project_id".to_owned()];
        for column in table.columns {
            wanted.push(column.name.to_owned());
            wanted.extend((column.sort == Sort::Long).then(|| format!("{}_packed", column.name)));
        }
        let own = there.iter().filter(|(name, _)| name == table.name);
        // Where the search index knows a memory, an index that is made anew says.
        let own = own.filter(|column| **column != ("memory".to_owned(), "document".to_owned()));
        let mut found: Vec<String> = own.map(|(_, column)| column.clone()).collect();
        wanted.sort();
        found.sort();
        assert_eq!(found, wanted, "{}", table.name);
    }
}

fn columns(store: &Store) -> Vec<(String, String)> {
    let sql = match read(store, |conn| Ok(conn.dialect())) {
        Dialect::Sqlite => {
            "select m.name, c.name from sqlite_master m join pragma_table_info(m.name) c
             where m.type = 'table' and m.name not like 'sqlite%'"
        }
        Dialect::Postgres => {
            "select cast(table_name as text), cast(column_name as text) from information_schema.columns
             where table_schema = current_schema()"
        }
    };
    let text = |value: &Value| match value {
        Value::Text(text) => text.clone(),
        other => panic!("{other:?} is no name"),
    };
    query(store, sql).iter().map(|row| (text(&row.0[0]), text(&row.0[1]))).collect()
}

super::contract![
    every_table_is_carried_or_left_behind_on_purpose,
    every_column_of_what_is_carried_is_carried
];
