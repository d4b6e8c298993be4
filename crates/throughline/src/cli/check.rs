//! `throughline check`: is the database whole, and does the log obey its laws?

use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;
use throughline_engine::repair::Health;

use super::app::App;

#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_: &Args, app: &App<'_>) -> Result<ExitCode> {
    let health = app.engine()?.check()?;
    let projects: Vec<_> = health
        .projects
        .iter()
        .map(|project| json!({ "name": project.name, "events": project.events, "violations": project.violations }))
        .collect();
    let answer = json!({
        "sound": health.is_sound(),
        "database": app.config.location.to_string(),
        "damage": health.damage,
        "projects": projects,
        "search": health.search,
        "jobs": health.jobs,
    });
    app.output.show(&answer, |_| text(&health, app));
    Ok(if health.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn text(health: &Health, app: &App<'_>) -> String {
    let mut lines = vec![format!("database  {}", app.config.location)];
    lines.extend(health.damage.iter().map(|damage| format!("damaged   {damage}")));
    for project in &health.projects {
        lines.push(format!("project   {}: {} events", project.name, project.events));
        lines.extend(project.violations.iter().map(|violation| format!("  broken  {violation}")));
    }
    lines.extend(health.search.iter().map(|fault| format!("search    {fault}")));
    lines.extend(health.jobs.iter().map(|stuck| format!("jobs      {stuck}")));
    lines.push(if health.is_sound() {
        "sound".to_owned()
    } else {
        "NOT sound: `throughline repair` sets this right and keeps a copy of what it replaces".to_owned()
    });
    lines.join("\n")
}
