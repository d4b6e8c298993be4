//! What was written where: the defaults, the person's file, the project's file, environment and flags, the
//! later over the earlier.

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use throughline_engine::project::PROJECT_FILE;
use toml::{Table, Value};

use super::{Meant, Overrides, Setting, Values, Written, non_empty_env};
use crate::wire::error::Usage;

pub(crate) const DEFAULTS: &str = include_str!("../../config/default.toml");

/// Keys that have no default.
const WITHOUT_DEFAULT: [&str; 20] = [
    "storage.database",
    "storage.server",
    "project.name",
    "embedding.directory",
    "embedding.pooling",
    "embedding.query_prefix",
    "embedding.url",
    "embedding.name",
    "embedding.api_key_env",
    "embedding.dimensions",
    "model.name",
    "model.url",
    "model.api_key_env",
    "model.command",
    "model.input_price",
    "model.output_price",
    "set.flash_tokens",
    "traces.endpoint",
    "traces.headers_env",
    "compaction.strategy",
];
/// Whoever clones a repository must not find what is said about the work sent to its author's server, nor opened to
/// others, nor a program of its author's started.
pub(super) const NOT_FOR_PROJECTS: [&str; 6] =
    ["storage", "embedding", "server", "model", "traces", "diagnostics"];
/// Below these tables every name is the project's own.
const OPEN_TABLES: [&str; 3] = ["roles", "set.types", "memory.files.shelves"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Default,
    File(PathBuf),
    Environment(&'static str),
    Flag(&'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Default => f.write_str("default"),
            Source::File(path) => write!(f, "{}", path.display()),
            Source::Environment(name) => f.write_str(name),
            Source::Flag(name) => f.write_str(name),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Layers {
    /// What is laid over the defaults, the weakest first.
    layers: Vec<(Source, Table)>,
    pub(super) unknown: Vec<String>,
}

impl Layers {
    pub(super) fn read(overrides: &Overrides, user_file: &Path, root: &Path) -> Result<Layers> {
        let mut layers = Layers::default();
        if let Some(table) = read_file(user_file)? {
            layers.add_file(user_file.to_owned(), table)?;
        }
        let project_file = root.join(PROJECT_FILE);
        if let Some(mut table) = read_file(&project_file)? {
            for name in NOT_FOR_PROJECTS.iter().filter(|name| table.remove(**name).is_some()) {
                let file = project_file.display();
                layers.unknown.push(format!("{file}: {name} is ignored here; set it in your own file"));
            }
            layers.add_file(project_file, table)?;
        }
        let settable = [
            ("storage", "server", "THROUGHLINE_SERVER", "", &None),
            ("storage", "database", "THROUGHLINE_DATABASE_URL", "--database", &overrides.database),
            ("project", "name", "THROUGHLINE_PROJECT", "--project", &overrides.project),
        ];
        for (table, key, variable, flag, given) in settable {
            let from_environment =
                non_empty_env(variable).map(|value| (Source::Environment(variable), value));
            let from_flag = given.clone().map(|value| (Source::Flag(flag), value));
            for (source, value) in from_environment.into_iter().chain(from_flag) {
                let inner = Table::from_iter([(key.to_owned(), Value::String(value))]);
                layers.layers.push((source, Table::from_iter([(table.to_owned(), Value::Table(inner))])));
            }
        }
        Ok(layers)
    }

    /// Adds a file's values; keys that nobody knows are set aside, values of a wrong type are refused.
    pub(super) fn add_file(&mut self, path: PathBuf, mut table: Table) -> Result<()> {
        let known: Vec<String> = known_keys();
        let mut strangers = Vec::new();
        leaves(&table, "", &mut |key, _| {
            if !is_known(&known, key) {
                strangers.push(key.to_owned());
            }
        });
        for key in strangers {
            remove(&mut table, &key);
            self.unknown.push(format!("{}: {}", path.display(), stranger(&known, &key)));
        }
        self.layers.push((Source::File(path.clone()), table));
        self.meant().map(|_| ()).with_context(|| {
            let shown = "`throughline config show --default` shows right ones";
            format!("{} has a wrong value; correct it ({shown})", path.display())
        })
    }

    /// Most processes find no file; they need not read the defaults' text to know what it says, and a test holds
    /// the two equal.
    pub(super) fn meant(&self) -> Result<Meant> {
        if self.layers.iter().any(|(source, _)| matches!(source, Source::File(_))) {
            return self.merged().try_into::<Written>()?.meant();
        }
        let database = self.given("storage", "database");
        Meant::of(Values::default(), database.as_deref(), self.given("project", "name"))
    }

    /// A text without a default.
    pub(super) fn given(&self, table: &str, key: &str) -> Option<String> {
        let value = |(_, layer): &(Source, Table)| layer.get(table)?.get(key)?.as_str().map(str::to_owned);
        self.layers.iter().rev().find_map(value)
    }

    /// Where a value without a default comes from.
    pub(super) fn source_of(&self, table: &str, key: &str) -> Option<&Source> {
        let has =
            |(_, layer): &&(Source, Table)| layer.get(table).is_some_and(|inner| inner.get(key).is_some());
        self.layers.iter().rev().find(has).map(|(source, _)| source)
    }

    fn merged(&self) -> Table {
        let mut merged = defaults();
        for (_, table) in &self.layers {
            merge(&mut merged, table);
        }
        merged
    }

    /// Every value in force, by key, with the layer that it comes from.
    pub(super) fn values(&self) -> Vec<Setting> {
        let mut values: Vec<Setting> = Vec::new();
        let weakest = (Source::Default, defaults());
        for (source, table) in std::iter::once(&weakest).chain(&self.layers) {
            leaves(table, "", &mut |key, value| {
                values.retain(|setting| setting.key != key);
                values.push(Setting { key: key.to_owned(), value: value.clone(), source: source.clone() });
            });
        }
        values.sort_by(|a, b| a.key.cmp(&b.key));
        values
    }
}

fn defaults() -> Table {
    DEFAULTS.parse().expect("config/default.toml is valid")
}

pub(super) fn known_keys() -> Vec<String> {
    let mut known: Vec<String> = WITHOUT_DEFAULT.map(str::to_owned).to_vec();
    leaves(&defaults(), "", &mut |key, _| known.push(key.to_owned()));
    known.sort();
    known
}

pub(super) fn is_known(known: &[String], key: &str) -> bool {
    let is_open =
        OPEN_TABLES.iter().any(|table| key.strip_prefix(table).is_some_and(|rest| rest.starts_with('.')));
    is_open || known.iter().any(|name| name == key)
}

/// Refuses a setting that is none, with the one that may have been meant.
pub(crate) fn must_be_known(key: &str) -> Result<()> {
    let known = known_keys();
    if is_known(&known, key) {
        return Ok(());
    }
    bail!(Usage(stranger(&known, key)))
}

/// What to say of a key that is none.
fn stranger(known: &[String], key: &str) -> String {
    if known.iter().any(|name| name.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'))) {
        return format!("{key} is a table of settings; `throughline config show {key}` lists them");
    }
    match nearest(known, key) {
        Some(near) => format!("there is no setting {key}; did you mean {near}?"),
        None => format!("there is no setting {key}; `throughline config show` lists them all"),
    }
}

/// The known key that shares the most with a misspelt one.
fn nearest<'a>(known: &'a [String], key: &str) -> Option<&'a str> {
    let pairs = |text: &str| text.as_bytes().windows(2).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let wanted = pairs(key);
    let shared = |name: &String| pairs(name).iter().filter(|pair| wanted.contains(pair)).count();
    // Of the longer of both, lest the longest name be the nearest to everything.
    let alike = |name: &&String| shared(name) * 1000 / wanted.len().max(pairs(name).len()).max(1);
    let best = known.iter().max_by_key(alike)?;
    (alike(&best) > 500).then_some(best.as_str())
}

fn read_file(path: &Path) -> Result<Option<Table>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(e) => {
            let fix = match e.kind() {
                ErrorKind::InvalidData => "convert it to UTF-8",
                ErrorKind::IsADirectory => "put a file there",
                _ => "make it and its folder readable for you",
            };
            let path = path.display();
            bail!("cannot read the settings in {path}: {e}; {fix}, or move it away to use the defaults")
        }
    };
    let table = text.parse().with_context(|| {
        format!("{} is not valid TOML; correct it, or move it away to use the defaults", path.display())
    })?;
    Ok(Some(table))
}

fn merge(into: &mut Table, from: &Table) {
    for (key, value) in from {
        match (into.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(new)) => merge(inner, new),
            (_, value) => {
                into.insert(key.clone(), value.clone());
            }
        }
    }
}

pub(super) fn leaves(table: &Table, prefix: &str, each: &mut dyn FnMut(&str, &Value)) {
    for (key, value) in table {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Table(inner) => leaves(inner, &path, each),
            leaf => each(&path, leaf),
        }
    }
}

pub(super) fn remove(table: &mut Table, key: &str) {
    match key.split_once('.') {
        None => {
            table.remove(key);
        }
        Some((first, rest)) => {
            if let Some(Value::Table(inner)) = table.get_mut(first) {
                remove(inner, rest);
            }
        }
    }
}
