//! Connecting clients: what is written into their settings, and how it is taken out again without a trace.
//!
//! Clients are data (`clients/`), formats are machinery (`format/`). Every change is planned and checked first
//! (`plan.rs`), recorded in a ledger (`ledger.rs`), then written (`carry_out.rs`).

mod asked;
mod carry_out;
mod checkup;
mod client;
mod clients;
mod coverage;
mod diff;
mod disk;
mod entries;
mod format;
mod guidance;
mod ledger;
mod places;
mod plan;
mod program;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Serialize;

use client::{Client, Target};
use ledger::{Ledger, Owner};
use places::Places;
pub(crate) use places::Scope;
use plan::Plan;
use program::Program;

use crate::config::home;
use crate::wire::error::Usage;

/// What every install and uninstall works with.
pub(crate) struct Setup {
    places: Places,
    program: Program,
    home: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    /// Shows what would be written.
    Try,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Install,
    Uninstall,
}

/// What is to be done, and for whom.
struct Asked<'a> {
    verb: Verb,
    client: &'static Client,
    owner: Owner,
    program: &'a Program,
}

/// What happened to one client, or would.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) client: &'static str,
    pub(crate) title: &'static str,
    pub(crate) scope: Scope,
    pub(crate) files: Vec<FileOutcome>,
    /// What somebody should know: files left alone, hooks that run twice.
    pub(crate) notes: Vec<String>,
    /// What only the user can do.
    pub(crate) steps: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct FileOutcome {
    pub(crate) path: PathBuf,
    pub(crate) action: Action,
    /// A copy of what was there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) backup: Option<PathBuf>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) diff: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Created,
    Changed,
    Restored,
    Removed,
    Unchanged,
    LeftAlone,
}

/// A folder for Claude Code's plugin tree, which belongs to no scope.
pub(crate) struct Plugin(pub(crate) PathBuf);

impl Setup {
    pub(crate) fn load(project: &Path) -> Result<Setup> {
        let places = Places::of_this_machine(project)?;
        let program = Program::this(places.system)?;
        Ok(Setup { places, program, home: home()? })
    }

    /// The clients that are meant, one by name or all that are used here, and whose settings. Who does not say whose installs
    /// for themselves, and uninstalls what they installed.
    pub(crate) fn meant(
        &self,
        verb: Verb,
        name: &str,
        scope: Option<Scope>,
    ) -> Result<Vec<(&'static str, Scope)>> {
        let ledger = Ledger::read(&self.home)?;
        let own = scope.unwrap_or(Scope::User);
        let is_meant = |client: &&&Client| match verb {
            Verb::Install => client.has(own) && client.is_here(&self.places),
            Verb::Uninstall => self.is_installed(client, own, &ledger),
        };
        let mut meant: Vec<(&str, Scope)> = match name {
            "all" => clients::ALL.iter().filter(is_meant).map(|client| (client.name, own)).collect(),
            name => vec![(find(name)?.name, own)],
        };
        if verb == Verb::Uninstall && scope.is_none() {
            let clients = clients::ALL.iter().filter(|client| name == "all" || name == client.name);
            let recorded = clients.filter(|client| self.is_recorded(client, Scope::Project, &ledger));
            meant.extend(recorded.map(|client| (client.name, Scope::Project)));
        }
        Ok(meant)
    }

    /// What is still written into other projects' files, by client.
    pub(crate) fn elsewhere(&self, name: &str) -> Result<Vec<(String, PathBuf)>> {
        Ok(Ledger::read(&self.home)?.of_projects(name))
    }

    pub(crate) fn run(&self, verb: Verb, name: &str, scope: Scope, mode: Mode) -> Result<Outcome> {
        let client = find(name)?;
        if !client.has(scope) {
            let title = client.title;
            return Err(Usage(format!(
                "{title} has nothing to write for the scope {}; choose the other with --scope",
                scope.name()
            ))
            .into());
        }
        let targets = client.targets(scope, &self.places, &self.program);
        let mut outcome = self.change(&self.asked(verb, client, scope), targets, mode)?;
        if verb == Verb::Install {
            let steps = client.steps.iter().filter(|(of, _)| *of == scope);
            outcome.steps.extend(steps.map(|(_, step)| (*step).to_owned()));
            outcome.notes.extend(self.obstacles(client, scope));
            outcome.notes.extend(self.doubled(client));
        }
        Ok(outcome)
    }

    /// Claude Code's plugin tree, for those who would rather install it from there.
    pub(crate) fn run_plugin(&self, verb: Verb, plugin: &Plugin, mode: Mode) -> Result<Outcome> {
        let folder = std::path::absolute(&plugin.0)
            .with_context(|| format!("{} names no folder; write the path of one", plugin.0.display()))?;
        let client = find(clients::CLAUDE_CODE)?;
        let targets = clients::claude_plugin(&folder, &self.program);
        let mut outcome = self.change(&self.asked(verb, client, Scope::User), targets, mode)?;
        if verb == Verb::Install {
            let folder = folder.display();
            outcome
                .steps
                .push(format!("try it with `claude --plugin-dir {folder}`, or add it to a marketplace"));
            outcome.notes.extend(self.covered_by_settings());
        }
        Ok(outcome)
    }

    fn asked(&self, verb: Verb, client: &'static Client, scope: Scope) -> Asked<'_> {
        let owner = Owner { client: client.name.to_owned(), scope };
        Asked { verb, client, owner, program: &self.program }
    }

    fn change(&self, asked: &Asked<'_>, targets: Vec<Target>, mode: Mode) -> Result<Outcome> {
        let mut ledger = Ledger::read(&self.home)?;
        let _held = match mode {
            Mode::Try => None,
            Mode::Write => {
                let lock = ledger.lock()?;
                // Somebody may have written it while we waited.
                ledger = Ledger::read(&self.home)?;
                Some(lock)
            }
        };
        let plans = targets
            .into_iter()
            .map(|target| {
                let shown = self.places.shown(&target.path);
                Plan::of(asked, target, &ledger)
                    .with_context(|| format!("{shown} cannot be changed, and nothing was"))
            })
            .collect::<Result<Vec<Plan>>>()?;
        let notes = plans.iter().filter_map(|plan| plan.note(&self.places)).collect();
        let files = match mode {
            Mode::Try => plans.iter().map(|plan| plan.shown(&self.places)).collect(),
            Mode::Write => carry_out::all(&plans, &asked.owner, &mut ledger)?,
        };
        let Client { name, title, .. } = asked.client;
        Ok(Outcome { client: name, title, scope: asked.owner.scope, files, notes, steps: Vec::new() })
    }
}

fn find(name: &str) -> Result<&'static Client> {
    let found = clients::ALL.iter().find(|client| client.name == name).copied();
    found.ok_or_else(|| {
        let known: Vec<&str> = clients::ALL.iter().map(|client| client.name).collect();
        let near = known.iter().find(|known| !name.is_empty() && known.starts_with(name));
        let near = near.map(|near| format!("did you mean {near}? ")).unwrap_or_default();
        Usage(format!("there is no client {name:?}; {near}there are: {}, and all", known.join(", "))).into()
    })
}
