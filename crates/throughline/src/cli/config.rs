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
    Show {
        /// The documented defaults instead
        #[arg(long)]
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
        Command::Show { default: true } => {
            output.show(&json!({ "default_toml": DEFAULTS }), |_| DEFAULTS.to_owned());
        }
        Command::Show { default: false } => {
            let config = Config::load(overrides, &folder)?;
            config.unknown().iter().for_each(|problem| output.warn(problem));
            output.show(&answer(&config), |_| text(&config));
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

fn answer(config: &Config) -> Json {
    let settings: Map<String, Json> = config
        .values()
        .iter()
        .map(|setting| {
            (setting.key.clone(), json!({ "value": shown(setting), "source": setting.source.to_string() }))
        })
        .collect();
    json!({
        "home": config.home,
        "database": config.location.to_string(),
        "actor": config.actor.to_string(),
        "settings": settings,
        "unknown": config.unknown(),
    })
}

fn text(config: &Config) -> String {
    let values = config.values();
    let rows = values
        .iter()
        .map(|setting| vec![setting.key.clone(), shown(setting).to_string(), setting.source.to_string()]);
    format!(
        "home      {}\ndatabase  {}\nactor     {}\n\n{}",
        config.home.display(),
        config.location,
        config.actor,
        table(&["setting", "value", "from"], rows)
    )
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
