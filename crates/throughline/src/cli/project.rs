//! `throughline project …`: which project this is, and what it is recognised by.

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use serde::Serialize;

use super::app::App;
use super::output::table;
use crate::wire::project::Project;
use crate::wire::time::readable;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// The project of this folder
    Show,
    /// All projects in the database
    List,
    /// Give this project another name; the old one stays valid
    Rename {
        /// The new name
        name: String,
    },
    /// Let a further name stand for this project
    Alias {
        /// The further name
        name: String,
    },
    /// Make this folder and its repository belong to an existing project
    Adopt {
        /// The project that is there, as `project list` shows it
        name: String,
    },
}

#[derive(Serialize)]
struct Projects {
    projects: Vec<Project>,
}

pub(super) fn run(command: Command, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    match command {
        Command::List => {
            let projects = engine.projects()?.into_iter().map(Project::from).collect();
            app.output.show(&Projects { projects }, |answer| list(&answer.projects));
        }
        Command::Show => {
            let project = engine.describe_project(&app.caller(engine)?.project)?;
            app.output.show(&Project::from(project), describe);
        }
        Command::Rename { name } => {
            let id = app.caller(engine)?.project;
            engine.rename_project(&id, &name)?;
            app.output.show(&Project::from(engine.describe_project(&id)?), describe);
        }
        Command::Alias { name } => {
            let project = engine.alias_project(&app.caller(engine)?.project, &name)?;
            app.output.show(&Project::from(project), describe);
        }
        Command::Adopt { name } => {
            let project = engine.adopt_folder(&app.folder, &name)?;
            app.output.show(&Project::from(project), describe);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list(projects: &[Project]) -> String {
    let rows = projects.iter().map(|project| {
        vec![
            project.name.clone(),
            project.id.clone(),
            project.events.to_string(),
            readable(project.created_at.0),
        ]
    });
    table(&["name", "id", "events", "since (utc)"], rows)
}

fn describe(project: &Project) -> String {
    let keys: Vec<String> = project.keys.iter().map(|key| format!("  {key}")).collect();
    format!(
        "{} ({}), {} events, recognised by\n{}",
        project.name,
        project.id,
        project.events,
        keys.join("\n")
    )
}
