//! Taking out of the person's settings file what keeps it from being read; the file as it was is kept beside it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Result;
use toml::{Table, Value};
use toml_edit::{DocumentMut, TableLike};

use super::layers::{Layers, leaves};
use super::write::replace;
use super::{home, user_file};
use crate::wire::error::{unread, unwritten};

/// Says what was done. The project's file is the team's, and is left to them.
pub(crate) fn mend() -> Result<Vec<String>> {
    let path = user_file(&home()?);
    let text = match fs::read_to_string(&path) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(vec![]),
        text => text.map_err(|error| unread(&path, &error))?,
    };
    let Ok(table) = text.parse::<Table>() else {
        let kept = kept(&path);
        fs::rename(&path, &kept).map_err(|error| unwritten(&kept, &error))?;
        return Ok(vec![format!(
            "{} is no TOML and was moved to {}; the defaults hold",
            path.display(),
            kept.display()
        )]);
    };
    let refused = refused(&path, &table);
    if refused.is_empty() {
        return Ok(vec![]);
    }
    let kept = kept(&path);
    fs::copy(&path, &kept).map_err(|error| unwritten(&kept, &error))?;
    let mut document: DocumentMut = text.parse()?;
    refused.iter().for_each(|key| take_out(document.as_table_mut(), key));
    replace(&path, &document.to_string())?;
    Ok(vec![format!(
        "took {} out of {}; the file as it was is {}",
        refused.join(", "),
        path.display(),
        kept.display()
    )])
}

/// Keys that nobody knows, and those whose value is not accepted.
fn refused(path: &Path, table: &Table) -> Vec<String> {
    let mut refused = vec![];
    leaves(table, "", &mut |key, value| {
        let mut layers = Layers::default();
        let is_read = layers.add_file(path.to_owned(), alone(key, value)).is_ok();
        if !is_read || !layers.unknown.is_empty() {
            refused.push(key.to_owned());
        }
    });
    refused
}

/// The value in the tables that its key names, and nothing else.
fn alone(key: &str, value: &Value) -> Table {
    let (first, inner) = match key.split_once('.') {
        Some((first, rest)) => (first, Value::Table(alone(rest, value))),
        None => (key, value.clone()),
    };
    Table::from_iter([(first.to_owned(), inner)])
}

fn take_out(table: &mut dyn TableLike, key: &str) {
    match key.split_once('.') {
        None => {
            table.remove(key);
        }
        Some((first, rest)) => {
            if let Some(inner) = table.get_mut(first).and_then(toml_edit::Item::as_table_like_mut) {
                take_out(inner, rest);
            }
        }
    }
}

/// A name beside the file that is not taken.
fn kept(path: &Path) -> PathBuf {
    let names = (1..).map(|number| path.with_extension(format!("toml.before-fix-{number}")));
    names.into_iter().find(|name| !name.exists()).expect("numbers do not end")
}
