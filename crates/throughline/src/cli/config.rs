//! `throughline config …`: the settings in force, and changing one.

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use serde_json::{Map, Value as Json, json};

use super::output::{Output, table};
use crate::config::{self, Config, DEFAULTS, Overrides, Scope, Setting};
use crate::door::current_folder;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Every setting, its value, and where it comes from
    #[command(alias = "get")]
    Show {
        /// Only this setting, or those of this table: session.idle_after, session
        key: Option<String>,
        /// The documented defaults instead
        #[arg(long, conflicts_with = "key")]
        default: bool,
    },
    /// Change a setting
    Set {
        /// For instance session.idle_after
        key: String,
        /// As it stands in the file; text needs no quotes
        value: String,
        /// Whose settings
        #[arg(long, value_enum, default_value = "user")]
        scope: Scope,
    },
}

pub(super) fn run(command: Command, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let folder = current_folder()?;
    match command {
        Command::Show { default: true, .. } => {
            output.show(&json!({ "default_toml": DEFAULTS }), |_| DEFAULTS.to_owned());
        }
        Command::Show { key: Some(key), .. } => {
            let settings = within(&Config::load(overrides, &folder)?, &key)?;
            output.show(&json!({ "settings": answer(&settings) }), |_| listed(&settings));
        }
        Command::Show { .. } => {
            let config = Config::load(overrides, &folder)?;
            config.unknown().iter().for_each(|problem| output.warn(problem));
            output.show(&whole(&config), |_| text(&config));
        }
        Command::Set { key, value, scope } => {
            let file = config::set(scope, &folder, &key, &value)?;
            output.show(&json!({ "key": key, "value": value, "file": file }), |_| {
                format!("{key} = {value} in {}", file.display())
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The setting of that name, or those of the table.
fn within(config: &Config, key: &str) -> Result<Vec<Setting>> {
    let is_within = |setting: &Setting| {
        setting.key.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let found: Vec<Setting> = config.values().into_iter().filter(is_within).collect();
    if found.is_empty() {
        config::must_be_known(key)?;
    }
    Ok(found)
}

fn answer(settings: &[Setting]) -> Map<String, Json> {
    let row = |setting: &Setting| {
        (setting.key.clone(), json!({ "value": shown(setting), "source": setting.source.to_string() }))
    };
    settings.iter().map(row).collect()
}

fn whole(config: &Config) -> Json {
    json!({
        "home": config.home,
        "database": config.location.to_string(),
        "actor": config.actor.to_string(),
        "settings": answer(&config.values()),
        "unknown": config.unknown(),
    })
}

fn text(config: &Config) -> String {
    format!(
        "home      {}\ndatabase  {}\nactor     {}\n\n{}",
        config.home.display(),
        config.location,
        config.actor,
        listed(&config.values())
    )
}

fn listed(settings: &[Setting]) -> String {
    if settings.is_empty() {
        return "not set".to_owned();
    }
    let rows = settings
        .iter()
        .map(|setting| vec![setting.key.clone(), shown(setting).to_string(), setting.source.to_string()]);
    table(&["setting", "value", "from"], rows)
}

/// Without the password of a database address.
fn shown(setting: &Setting) -> Json {
    match (&setting.value, setting.key.as_str()) {
        (toml::Value::String(url), "storage.database") => {
            json!(
                url.parse()
                    .map_or_else(|_| url.clone(), |at: throughline_engine::store::Location| at.to_string())
            )
        }
        (value, _) => json!(value),
    }
}
