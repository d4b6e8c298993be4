//! A record of a project on its way from one database to another, as one line of JSON: its columns by name.

use serde_json::{Map, Value as Json, json};
use throughline_engine::carry::Record;
use throughline_engine::store::carry::{Column, Counters, Sort, Table};
use throughline_engine::store::sql::Value;
use throughline_engine::store::time::Timestamp;

/// What the first line says about the others. Since the second there is a last line, by which a file is known to be whole.
const FORMAT: u64 = 2;
const HEADER: &str = "throughline";
const COUNTERS: &str = "project";
const END: &str = "end";

/// What a line is.
pub(crate) enum Line {
    Header { has_end: bool },
    Record(Record),
    End { records: u64 },
}

pub(crate) fn header() -> Json {
    json!({"record": HEADER, "format": FORMAT})
}

/// Says how many records stand before it.
pub(crate) fn end(records: u64) -> Json {
    json!({"record": END, "records": records})
}

pub(crate) fn line(record: &Record) -> Json {
    match record {
        Record::Counters(counters) => json!({
            "record": COUNTERS,
            "created_at": counters.created_at.0,
            "last_position": counters.last_position,
            "set_revision": counters.set_revision,
        }),
        Record::Row { table, values } => {
            let mut fields = Map::from_iter([("record".to_owned(), Json::from(table.name))]);
            let named = table.columns.iter().zip(values).filter(|(_, value)| **value != Value::Null);
            fields.extend(named.map(|(column, value)| (column.name.to_owned(), written(value))));
            Json::Object(fields)
        }
    }
}

pub(crate) fn read(line: &Json) -> Result<Line, String> {
    let fields = line.as_object().ok_or("a line is a JSON object and this one is none; export again")?;
    let sort = fields
        .get("record")
        .and_then(Json::as_str)
        .ok_or("this is no line of `throughline export`; what `log export` wrote is read by `throughline log import`")?;
    let number = |name: &str| {
        fields.get(name).and_then(Json::as_i64).ok_or(format!("`{name}` is missing; export again"))
    };
    match sort {
        HEADER => match fields.get("format").and_then(Json::as_u64) {
            Some(format @ 1..=FORMAT) => Ok(Line::Header { has_end: format > 1 }),
            other => Err(format!(
                "the file has format {other:?} and this program reads up to {FORMAT}; use the throughline that wrote it"
            )),
        },
        END => Ok(Line::End { records: number("records")?.unsigned_abs() }),
        COUNTERS => Ok(Line::Record(Record::Counters(Counters {
            created_at: Timestamp(number("created_at")?),
            last_position: number("last_position")?,
            set_revision: number("set_revision")?,
        }))),
        other => {
            let table = Table::named(other).ok_or_else(|| {
                format!("there are no records called {other:?}; use the throughline that wrote the file")
            })?;
            row(table, fields).map(Line::Record)
        }
    }
}

fn row(table: &'static Table, fields: &Map<String, Json>) -> Result<Record, String> {
    let is_known = |name: &str| name == "record" || table.columns.iter().any(|column| column.name == name);
    if let Some(unknown) = fields.keys().find(|name| !is_known(name)) {
        return Err(format!("a {} has no `{unknown}`; use the throughline that wrote the file", table.name));
    }
    let value = |column: &Column| value(*column, fields.get(column.name).unwrap_or(&Json::Null));
    let values = table.columns.iter().map(value).collect::<Result<_, String>>()?;
    Ok(Record::Row { table, values })
}

fn value(column: Column, json: &Json) -> Result<Value, String> {
    let wrong = || format!("`{}` cannot be {json}; export again", column.name);
    match (column.sort, json) {
        (_, Json::Null) => Ok(Value::Null),
        (Sort::Text | Sort::Long, Json::String(text)) => Ok(Value::Text(text.clone())),
        (Sort::Int, Json::Number(number)) => number.as_i64().map(Value::Int).ok_or_else(wrong),
        (Sort::Real, Json::Number(number)) => number.as_f64().map(Value::Real).ok_or_else(wrong),
        _ => Err(wrong()),
    }
}

fn written(value: &Value) -> Json {
    match value {
        Value::Null | Value::Blob(_) => Json::Null,
        Value::Int(number) => Json::from(*number),
        Value::Real(number) => Json::from(*number),
        Value::Text(text) => Json::from(text.as_str()),
    }
}
