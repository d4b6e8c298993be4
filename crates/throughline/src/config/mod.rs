//! What is set: defaults, files, environment and flags become one checked `Config`, in two typed steps.
//!
//! `layers` merges what was written and knows where each value came from; here its meaning is checked once,
//! and nothing after this step asks the environment again.

mod backups;
mod code;
mod context;
mod diagnostics;
mod embedding;
mod files;
mod hold;
mod hooks;
mod layers;
mod mend;
mod model;
mod server;
mod storage;
mod traces;
mod write;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use serde::Deserialize;
use throughline_engine::project::{Folder, check_name};
use throughline_engine::recall::Weights;
use throughline_engine::settings::{Jobs, Patterns, Recall, Role, Settings, Window};
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::{Location, Options};

use crate::wire::error::Usage;

pub(crate) use diagnostics::DiagnosticsSettings;
pub(crate) use hooks::HookSettings;
pub(crate) use layers::{DEFAULTS, Source, must_be_known};
pub(crate) use mend::mend;
pub(crate) use server::{ServerSettings, listen_address};
pub(crate) use traces::TraceSettings;
pub(crate) use write::{Scope, set};

use code::CodeTable;
use context::ContextTable;
use diagnostics::DiagnosticsTable;
use embedding::EmbeddingTable;
use files::FilesTable;
use hold::{CompactionTable, SetTable};
use hooks::HooksTable;
use layers::Layers;
use model::ModelTable;
use server::ServerTable;
use storage::StorageTable;
use traces::TracesTable;

/// What the command line says about where to work.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overrides {
    pub(crate) database: Option<String>,
    pub(crate) project: Option<String>,
    pub(crate) actor: Option<String>,
}

/// Everything a command needs to know about its surroundings, checked.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) home: PathBuf,
    pub(crate) location: Location,
    /// The server that hooks send to, instead of writing to the database.
    pub(crate) remote: Option<String>,
    pub(crate) options: Options,
    pub(crate) settings: Settings,
    pub(crate) server: ServerSettings,
    pub(crate) diagnostics: DiagnosticsSettings,
    /// Where traces go; nowhere without it.
    pub(crate) traces: Option<TraceSettings>,
    pub(crate) hooks: HookSettings,
    /// The explicitly named project, if any.
    pub(crate) project: Option<String>,
    /// Who acts: the named one, else the person at this machine.
    pub(crate) actor: Actor,
    /// The actor that a flag or the environment names, for doors that know better than the machine's user.
    pub(crate) named_actor: Option<Actor>,
    layers: Layers,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) value: toml::Value,
    pub(crate) source: Source,
}

impl Config {
    pub(crate) fn load(overrides: &Overrides, folder: &Folder) -> Result<Config> {
        let home = home()?;
        Config::within((&home, &user_file(&home)), overrides, folder)
    }

    /// With another home and another file of settings than the person's own.
    pub(crate) fn within(at: (&Path, &Path), overrides: &Overrides, folder: &Folder) -> Result<Config> {
        let (home, user_file) = (at.0.to_owned(), at.1);
        let layers = Layers::read(overrides, user_file, &folder.root)?;
        let meant = layers.meant()?;
        let named_actor = named_actor(overrides)?;
        Ok(Config {
            location: location(meant.database, &home)?,
            remote: layers.given("storage", "server"),
            options: meant.values.options,
            settings: meant.values.settings,
            server: meant.values.server,
            diagnostics: meant.values.diagnostics,
            traces: meant.values.traces,
            hooks: meant.values.hooks,
            project: meant.project,
            actor: named_actor.clone().unwrap_or_else(machine_user),
            named_actor,
            layers,
            home,
        })
    }

    /// Each value in force and where it comes from.
    pub(crate) fn values(&self) -> Vec<Setting> {
        self.layers.values()
    }

    /// Whether the project was named for this call, rather than in a file.
    pub(crate) fn is_project_named_here(&self) -> bool {
        matches!(self.layers.source_of("project", "name"), Some(Source::Environment(_) | Source::Flag(_)))
    }

    /// Keys that nobody knows, with their file.
    pub(crate) fn unknown(&self) -> &[String] {
        &self.layers.unknown
    }
}

/// What the layers together mean.
struct Meant {
    values: Values,
    database: Option<Location>,
    project: Option<String>,
}

/// What has a default.
#[derive(Debug, Default, PartialEq)]
struct Values {
    options: Options,
    settings: Settings,
    server: ServerSettings,
    diagnostics: DiagnosticsSettings,
    traces: Option<TraceSettings>,
    hooks: HookSettings,
}

impl Meant {
    fn of(values: Values, database: Option<&str>, project: Option<String>) -> Result<Meant> {
        let database = database.map(|text| text.parse().map_err(Usage)).transpose()?;
        project.as_deref().map_or(Ok(()), check_name)?;
        Ok(Meant { values, database, project })
    }
}

/// The data folder: `THROUGHLINE_HOME`, else the platform's.
pub(crate) fn home() -> Result<PathBuf> {
    match non_empty_env("THROUGHLINE_HOME") {
        Some(home) => Ok(std::path::absolute(&home)?),
        None => Ok(dirs::data_dir()
            .context("this system names no data folder; set THROUGHLINE_HOME to a folder of yours")?
            .join("throughline")),
    }
}

/// The person's own settings: in the data folder when that was chosen, else where the platform keeps settings.
pub(crate) fn user_file(home: &Path) -> PathBuf {
    match (non_empty_env("THROUGHLINE_HOME"), dirs::config_dir()) {
        (None, Some(folder)) => folder.join("throughline").join("config.toml"),
        _ => home.join("config.toml"),
    }
}

pub(crate) fn non_empty_env(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn location(written: Option<Location>, home: &Path) -> Result<Location> {
    match written {
        None => Ok(Location::File(home.join("throughline.db"))),
        Some(Location::File(path)) => Ok(Location::File(std::path::absolute(path)?)),
        Some(other) => Ok(other),
    }
}

fn named_actor(overrides: &Overrides) -> Result<Option<Actor>> {
    let named = overrides.actor.clone().or_else(|| non_empty_env("THROUGHLINE_ACTOR"));
    named.map(|text| text.parse().map_err(|e: String| Usage(e).into())).transpose()
}

/// Whoever is logged in here.
pub(crate) fn machine_user() -> Actor {
    let name = non_empty_env("USER").or_else(|| non_empty_env("USERNAME"));
    Actor { kind: ActorKind::User, name: name.unwrap_or_else(|| "unknown".to_owned()) }
}

/// The values as they are written in a file; every one is there because the defaults name them all.
#[derive(Debug, Deserialize)]
struct Written {
    storage: StorageTable,
    log: Log,
    session: Session,
    recall: RecallTable,
    embedding: EmbeddingTable,
    workflows: Workflows,
    jobs: JobsTable,
    server: ServerTable,
    diagnostics: DiagnosticsTable,
    traces: TracesTable,
    hooks: HooksTable,
    code: CodeTable,
    context: ContextTable,
    memory: MemoryTable,
    model: ModelTable,
    patterns: PatternsTable,
    set: SetTable,
    compaction: CompactionTable,
    project: ProjectTable,
    roles: BTreeMap<String, RoleTable>,
}

#[derive(Debug, Deserialize)]
struct Log {
    pack_over_bytes: usize,
    max_content_bytes: usize,
}

#[derive(Debug, Deserialize)]
struct Session {
    idle_after: String,
    history_turns: usize,
    history_max_tokens: u64,
}

#[derive(Debug, Deserialize)]
struct RecallTable {
    relevance: f64,
    recency: f64,
    importance: f64,
    half_life: String,
    floor: f64,
    catch_up_events: i64,
}

#[derive(Debug, Deserialize)]
struct MemoryTable {
    generate: bool,
    files: FilesTable,
}

#[derive(Debug, Deserialize)]
struct Workflows {
    folders: Vec<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct JobsTable {
    lease: String,
    max_attempts: i64,
    first_backoff: String,
}

#[derive(Debug, Deserialize)]
struct PatternsTable {
    approve_above: f64,
}

#[derive(Debug, Deserialize)]
struct ProjectTable {
    name: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[derive(Default)]
struct RoleTable {
    static_files: Vec<PathBuf>,
    scopes: Vec<String>,
    tool_sets: Vec<String>,
    max_tokens: Option<u64>,
}

impl RecallTable {
    fn meant(&self) -> Result<Recall> {
        let shares = [
            ("relevance", self.relevance),
            ("recency", self.recency),
            ("importance", self.importance),
            ("floor", self.floor),
        ];
        for (name, share) in shares {
            if !(0.0..=1.0).contains(&share) {
                return Err(anyhow!("recall.{name} is {share}; write a share between 0 and 1"));
            }
        }
        let (relevance, recency, importance) = (self.relevance, self.recency, self.importance);
        Ok(Recall {
            weights: Weights { relevance, recency, importance },
            half_life: duration("recall.half_life", &self.half_life)?,
            floor: self.floor,
            catch_up_events: self.catch_up_events.max(0),
        })
    }
}

impl Written {
    fn meant(self) -> Result<Meant> {
        let (options, settings) = (self.storage.options()?, self.settings()?);
        let values = Values {
            options,
            settings,
            server: self.server.meant()?,
            diagnostics: self.diagnostics.meant()?,
            traces: self.traces.meant(),
            hooks: self.hooks.meant(),
        };
        Meant::of(values, self.storage.database.as_deref(), self.project.name)
    }

    fn settings(&self) -> Result<Settings> {
        let role = |role: &RoleTable| Role {
            static_files: role.static_files.clone(),
            scopes: role.scopes.clone(),
            tool_sets: role.tool_sets.clone(),
            max_tokens: role.max_tokens,
        };
        Ok(Settings {
            pack_over_bytes: self.log.pack_over_bytes,
            max_content_bytes: self.log.max_content_bytes,
            idle_after: duration("session.idle_after", &self.session.idle_after)?,
            history: Window {
                turns: self.session.history_turns,
                max_tokens: self.session.history_max_tokens,
            },
            roles: self.roles.iter().map(|(name, table)| (name.clone(), role(table))).collect(),
            recall: self.recall.meant()?,
            generate_memories: self.memory.generate,
            files: self.memory.files.meant()?,
            turn: self.context.meant()?,
            code: self.code.meant()?,
            patterns: Patterns { approve_above: self.patterns.approve_above },
            hold: self.set.meant()?,
            compaction: self.compaction.meant()?,
            embedding: self.embedding.meant()?,
            model: self.model.meant()?,
            workflow_folders: self.workflows.folders.clone(),
            jobs: Jobs {
                lease: duration("jobs.lease", &self.jobs.lease)?,
                max_attempts: self.jobs.max_attempts.max(1),
                first_backoff: duration("jobs.first_backoff", &self.jobs.first_backoff)?,
            },
        })
    }
}

fn duration(key: &str, text: &str) -> Result<Duration> {
    let wrong = || {
        anyhow!("{key} is {text:?}, which is no length of time; write for instance \"30s\", \"5m\" or \"1h\"")
    };
    let span: jiff::SignedDuration = text.parse().map_err(|_| wrong())?;
    Duration::try_from(span).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::layers::DEFAULTS;
    use super::{Values, Written};

    #[test]
    fn the_reference_shows_the_defaults_as_they_are() {
        let reference = include_str!("../../../../docs/configuration.md");
        assert!(reference.contains(DEFAULTS), "copy config/default.toml into docs/configuration.md");
    }

    #[test]
    fn the_documented_defaults_are_the_programs_defaults() {
        let written: Written = toml::from_str(DEFAULTS).unwrap();
        let meant = written.meant().unwrap();
        assert_eq!(meant.values, Values::default());
    }
}
