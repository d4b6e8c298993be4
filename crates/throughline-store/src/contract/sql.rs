//! The small interface that all statements are written against.

use super::fixture::write;
use crate::sql::{Param, Row, Value};
use crate::{Error, Store, params};

fn values_come_back_as_they_went_in(store: &Store) {
    let rows = write(store, |tx| {
        make_table(tx)?;
        let insert = "insert into value_kept (id, n, x, t, b) values (?1, ?2, ?3, ?4, ?5)";
        tx.execute(insert, params![1, i64::MIN, 0.1, "it's ?1", b"\0\xff".as_slice()])?;
        tx.execute(insert, params![2, i64::MAX, -1e300, "", b"".as_slice()])?;
        tx.execute(insert, params![3, None::<i64>, None::<f64>, None::<&str>, Param::Null])?;
        tx.query("select n, x, t, b from value_kept order by id", &[])
    });
    let expected = [
        [Value::Int(i64::MIN), Value::Real(0.1), Value::Text("it's ?1".into()), Value::Blob(vec![0, 255])],
        [Value::Int(i64::MAX), Value::Real(-1e300), Value::Text(String::new()), Value::Blob(Vec::new())],
        [Value::Null, Value::Null, Value::Null, Value::Null],
    ];
    assert_eq!(rows, expected.map(|row| Row(row.into())));
}

fn a_whole_number_is_welcome_where_a_real_one_is_kept(store: &Store) {
    let rows = write(store, |tx| {
        make_table(tx)?;
        tx.execute("insert into value_kept (id, x) values (1, ?1)", params![7])?;
        tx.query("select x from value_kept", &[])
    });
    assert_eq!(rows, [Row(vec![Value::Real(7.0)])]);
}

fn a_question_mark_in_a_literal_is_text(store: &Store) {
    let rows = write(store, |tx| {
        tx.query("select 'why?1', 'it''s ?2', cast(?1 as text), cast(?1 as text)", params!["because"])
    });
    let texts = ["why?1", "it's ?2", "because", "because"].map(|text| Value::Text(text.into()));
    assert_eq!(rows, [Row(texts.into())]);
}

fn a_statement_says_how_many_rows_it_changed(store: &Store) {
    let changed = write(store, |tx| {
        make_table(tx)?;
        let inserted = tx.execute("insert into value_kept (id) values (1), (2), (3)", &[])?;
        let updated = tx.execute("update value_kept set n = 1 where id > ?1", params![1])?;
        let deleted = tx.execute("delete from value_kept where id = ?1", params![9])?;
        Ok([inserted, updated, deleted])
    });
    assert_eq!(changed, [3, 2, 0]);
}

fn a_column_of_another_type_is_damage(store: &Store) {
    let read: Result<i64, Error> = store.write(|tx| tx.query("select cast('x' as text)", &[])?[0].get(0));
    assert!(matches!(read, Err(Error::Corrupt(_))), "{read:?}");
    let read: Result<String, Error> = store.write(|tx| tx.query("select cast(null as text)", &[])?[0].get(0));
    assert!(matches!(read, Err(Error::Corrupt(_))), "{read:?}");
}

fn a_wrong_statement_is_an_error_and_the_store_goes_on(store: &Store) {
    let wrong = store.write(|tx| tx.query("select nonsense from nowhere", &[]));
    assert!(matches!(wrong, Err(Error::Other(_))), "{wrong:?}");
    assert_eq!(write(store, |tx| tx.query("select count(*) from project", &[])), [Row(vec![Value::Int(0)])]);
}

fn make_table(tx: &mut dyn crate::Connection) -> crate::Result<()> {
    tx.batch("create table value_kept (id bigint primary key, n bigint, x double precision, t text, b bytea)")
}

super::contract![
    values_come_back_as_they_went_in,
    a_whole_number_is_welcome_where_a_real_one_is_kept,
    a_question_mark_in_a_literal_is_text,
    a_statement_says_how_many_rows_it_changed,
    a_column_of_another_type_is_damage,
    a_wrong_statement_is_an_error_and_the_store_goes_on,
];
