//! Changing one value in a settings file, with its comments and order kept.

use std::fs;
use std::io::ErrorKind;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use throughline_engine::project::{Folder, PROJECT_FILE};
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use super::layers::{Layers, NOT_FOR_PROJECTS, must_be_known, remove};
use super::{home, user_file};
use crate::wire::decoded::type_in_words;
use crate::wire::error::{Usage, unread, unwritten};

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Scope {
    /// Your own settings
    User,
    /// The project's .throughline.toml, shared with the team
    Project,
}

/// Sets `key` and says in which file; a value that would not be accepted changes nothing.
pub(crate) fn set(scope: Scope, folder: &Folder, key: &str, value: &str) -> Result<PathBuf> {
    must_be_known(key)?;
    let table = key.split('.').next().unwrap_or_default();
    if scope == Scope::Project && NOT_FOR_PROJECTS.contains(&table) {
        bail!(Usage(format!("{key} cannot be set for a project; leave out --scope to set it for yourself")));
    }
    let path = match scope {
        Scope::User => user_file(&home()?),
        Scope::Project => folder.root.join(PROJECT_FILE),
    };
    let document = read(&path)?;
    let before = document.to_string();
    let with = |value: Value| -> Result<String> {
        let mut document = document.clone();
        insert(document.as_table_mut(), key, value)?;
        Ok(document.to_string())
    };
    let mut text = with(parse(value))?;
    let mut checked = check(&path, text.parse()?);
    // Who writes 5 where a text stands means that text.
    if checked.as_ref().is_err_and(|error| why(error).ends_with("expected a string")) {
        text = with(Value::from(value))?;
        checked = check(&path, text.parse()?);
    }
    if let Err(error) = checked {
        check_others(&path, before.parse()?, key)?;
        bail!(Usage(format!("{value:?} is no value for {key}, and nothing was changed: {}", why(&error))));
    }
    replace(&path, &text)?;
    Ok(path)
}

fn check(path: &Path, table: toml::Table) -> Result<()> {
    Layers::default().add_file(path.to_owned(), table)
}

/// What was wrong in the file before has to be corrected there, unless it is the value that is to be set.
fn check_others(path: &Path, mut before: toml::Table, key: &str) -> Result<()> {
    if check(path, before.clone()).is_ok() {
        return Ok(());
    }
    remove(&mut before, key);
    check(path, before).context("nothing was changed; correct the file first")
}

/// In words of the file, not of the program; the key is known.
fn why(error: &anyhow::Error) -> String {
    let why = error.root_cause().to_string();
    let first = why.lines().next().unwrap_or_default();
    let Some((given, expected)) = first.rsplit_once(", expected ") else { return first.to_owned() };
    let example = match expected {
        "a boolean" => "; write true or false",
        "a sequence" => "; write for instance '[\"a\", \"b\"]'",
        "f64" => "; write for instance 0.5",
        _ => "",
    };
    format!("{given}, expected {}{example}", type_in_words(expected))
}

fn read(path: &Path) -> Result<DocumentMut> {
    match fs::read_to_string(path) {
        Ok(text) => text.parse().with_context(|| {
            format!("{} is not valid TOML; correct it first, nothing was changed", path.display())
        }),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(DocumentMut::new()),
        Err(e) => Err(unread(path, &e)),
    }
}

/// A TOML value as it stands, else the text itself.
fn parse(value: &str) -> Value {
    value.parse().unwrap_or_else(|_| Value::from(value))
}

fn insert(table: &mut dyn TableLike, key: &str, mut value: Value) -> Result<()> {
    let Some((first, rest)) = key.split_once('.') else {
        match table.get_mut(key) {
            // In place, so that what stands around it stays.
            Some(Item::Value(old)) => {
                *value.decor_mut() = old.decor().clone();
                *old = value;
            }
            _ => {
                table.insert(key, Item::Value(value));
            }
        }
        return Ok(());
    };
    let inner = table.entry(first).or_insert_with(|| Item::Table(Table::new()));
    let inner = inner
        .as_table_like_mut()
        .with_context(|| format!("{first} is not a table in the settings file; make it one"))?;
    insert(inner, rest, value)
}

/// Writes beside and renames, so that a crash leaves the old file or the new one.
pub(super) fn replace(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a settings file lies in a folder")?;
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        if let Ok(old) = fs::metadata(path) {
            // A temporary file is private; the team's file must stay as readable as it was.
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(file.persist(path)?)
    });
    written.map(|_| ()).map_err(|error| unwritten(path, &error))
}
