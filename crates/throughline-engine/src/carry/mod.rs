//! Everything of a project carried out of a database and into another, record by record, without loss.

use std::cell::Cell;

use throughline_store::carry::{self, Counters, Put, TABLES, Table};
use throughline_store::checkpoint;
use throughline_store::context_entry::{self, Holder};
use throughline_store::event::{self, Filter, Order};
use throughline_store::handoff;
use throughline_store::item;
use throughline_store::link;
use throughline_store::memory;
use throughline_store::session::{self, Which};
use throughline_store::sql::Value;
use throughline_store::{Connection, Error as StoreError, integrity};

use crate::capture::{redact, redacted};
use crate::{Caller, Engine, Error, Result};

/// One record on its way.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    Counters(Counters),
    Row { table: &'static Table, values: Vec<Value> },
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Brought {
    pub imported: u64,
    pub already_there: u64,
}

const PAGE: i64 = 512;

impl Engine {
    /// Hands out every record of one snapshot, always in the same order; says how many.
    pub fn export_records(&self, caller: &Caller, each: &dyn Fn(Record) -> Result<()>) -> Result<u64> {
        let started = Cell::new(false);
        self.store.read(|conn| {
            if started.replace(true) {
                // What was handed out cannot be taken back, so a second run would repeat it.
                return Err(
                    StoreError::Unavailable("the connection was lost; export again".to_owned()).into()
                );
            }
            let mut count = 0;
            if let Some(counters) = carry::counters(conn, &caller.project)? {
                each(Record::Counters(counters))?;
                count += 1;
            }
            for table in &TABLES {
                table.walk(conn, &caller.project, |values| {
                    count += 1;
                    each(Record::Row { table, values })
                })?;
            }
            Ok(count)
        })
    }

    /// Takes the secrets out of a record from elsewhere, before it is kept anywhere.
    pub fn clean_record(&self, record: Record) -> Record {
        match record {
            Record::Counters(_) => record,
            Record::Row { table, values } => {
                Record::Row { table, values: values.into_iter().map(clean).collect() }
            }
        }
    }

    /// Brings the records into the project, all or none. `records` is asked once for each try of the transaction.
    pub fn import_records<I>(&self, caller: &Caller, records: impl Fn() -> Result<I>) -> Result<Brought>
    where
        I: Iterator<Item = Result<Record>>,
    {
        let brought = self.write(caller, |tx| {
            let brought = self.take_in_records(tx, caller, records()?)?;
            if brought.imported > 0 {
                check(tx, caller)?;
                self.watch_sessions(tx, caller)?;
                self.rebuild_memory_index(tx, caller)?;
                self.rebuild_backlog_index(tx, caller)?;
                self.forget_event_index(tx, caller)?;
            }
            Ok(brought)
        })?;
        if brought.imported > 0 {
            self.request_indexing(caller)?;
        }
        Ok(brought)
    }

    fn take_in_records(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        records: impl Iterator<Item = Result<Record>>,
    ) -> Result<Brought> {
        let mut brought = Brought::default();
        for record in records {
            let (table, values) = match record? {
                Record::Row { table, values } => (table, values),
                Record::Counters(counters) => {
                    carry::count_on(tx, &caller.project, counters)?;
                    continue;
                }
            };
            match table.put(tx, &caller.project, &values, self.settings.pack_over_bytes)? {
                Put::Inserted => brought.imported += 1,
                Put::AlreadyThere => brought.already_there += 1,
                Put::Taken => return Err(taken(table)),
            }
        }
        Ok(brought)
    }

    /// Sessions that were open go on being watched here.
    fn watch_sessions(&self, tx: &mut dyn Connection, caller: &Caller) -> Result<()> {
        let open = session::Filter { which: Which::Open, ..session::Filter::default() };
        for open in session::list(tx, &caller.project, &open, i64::MAX)? {
            self.watch_idleness(tx, caller, &open.id, open.last_event_at)?;
        }
        Ok(())
    }
}

fn taken(table: &Table) -> Error {
    Error::Invalid(format!(
        "the project has a {} of its own in the place of one that is to be imported; import into a project that is \
         still empty: --project NAME",
        table.name
    ))
}

/// A text that is JSON stays JSON.
fn clean(value: Value) -> Value {
    let Value::Text(text) = value else { return value };
    if text.starts_with(['{', '['])
        && let Ok(mut json) = serde_json::from_str::<serde_json::Value>(&text)
    {
        let found = redact::json(&mut json);
        return Value::Text(if found > 0 { json.to_string() } else { text });
    }
    Value::Text(redacted(text, &mut 0))
}

/// What was brought in can be read, and the log obeys its laws: a file may have been changed by hand.
fn check(conn: &mut dyn Connection, caller: &Caller) -> Result<()> {
    let wrong = |why: &dyn std::fmt::Display| {
        Error::Invalid(format!("what is imported is not whole: {why}; export it again"))
    };
    let unreadable = |error: StoreError| match error {
        StoreError::Corrupt(why) => wrong(&why),
        other => other.into(),
    };
    if let Some(violation) = integrity::violations(conn, &caller.project)?.first() {
        return Err(wrong(violation));
    }
    read_all(conn, caller).map_err(unreadable)
}

fn read_all(conn: &mut dyn Connection, caller: &Caller) -> throughline_store::Result<()> {
    let project = &caller.project;
    session::list(conn, project, &session::Filter::default(), i64::MAX)?;
    checkpoint::list(conn, project, &checkpoint::Filter::default(), i64::MAX)?;
    handoff::list(conn, project, &handoff::Filter::default(), i64::MAX)?;
    link::list(conn, project)?;
    for (agent, _) in context_entry::agents(conn, project)? {
        context_entry::list(conn, Holder { project, agent: &agent })?;
    }
    let mut filter = Filter::default();
    while let Some(last) = event::list(conn, project, &filter, Order::OldestFirst, PAGE)?.last() {
        filter.after_position = Some(last.position);
    }
    let mut after = 0;
    while let Some(last) = memory::after(conn, project, after, PAGE)?.last() {
        after = last.number;
    }
    let mut after = 0;
    while let Some(last) = item::after(conn, project, after, PAGE)?.last() {
        after = last.number;
    }
    Ok(())
}
