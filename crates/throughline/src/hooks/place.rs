//! Where something was heard and whose doing it is: the folder, the project, the person and the agent.

use std::path::{Path, PathBuf};

use anyhow::Result;
use throughline_engine::capture::{Observation, Opening};
use throughline_engine::project::Folder;
use throughline_engine::store::actor::{Actor, ActorKind};

use super::{Client, Heard};
use crate::config::{Config, machine_user, non_empty_env};
use crate::door::current_folder;

#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) folder: Folder,
    /// The explicitly named project, if any.
    pub(crate) project: Option<String>,
    pub(crate) person: Actor,
    pub(crate) agent: Actor,
}

impl Place {
    /// As far as it is known without settings.
    pub(crate) fn of(heard: &Heard) -> Result<Place> {
        let folder = match working_folder(heard) {
            Some(folder) => Folder::discover(&folder),
            None => current_folder()?,
        };
        let agent = Actor { kind: ActorKind::Agent, name: heard.client.name().to_owned() };
        Ok(Place { folder, project: None, person: machine_user(), agent })
    }

    /// With the names that the settings give.
    pub(crate) fn named_by(self, config: &Config) -> Place {
        let (mut person, mut agent) = (self.person, self.agent);
        match config.named_actor.clone() {
            Some(named) if named.kind == ActorKind::User => person = named,
            Some(named) => agent = named,
            None => {}
        }
        Place { project: config.project.clone(), person, agent, ..self }
    }

    /// The person at the machine says things; the client does them.
    pub(crate) fn actor(&self, kind: ActorKind) -> &Actor {
        match kind {
            ActorKind::User => &self.person,
            ActorKind::Agent => &self.agent,
        }
    }

    /// What was heard, with what is known here about where it was.
    pub(super) fn observations(&self, heard: &Heard) -> Vec<Observation> {
        let roots = self.roots(heard.folder.as_deref());
        let branch = self.folder.git.as_ref().and_then(|git| git.branch.clone());
        heard.observations.iter().map(|seen| self.located(seen, &roots, branch.as_ref())).collect()
    }

    /// The ways to write the top of the project; `told` is where the client says that it is.
    pub(crate) fn roots(&self, told: Option<&Path>) -> Vec<PathBuf> {
        let root = &self.folder.root;
        written_root(root, told).into_iter().chain([root.clone()]).collect()
    }

    /// One observation with where it was; `branch` holds where it names none itself.
    pub(crate) fn located(
        &self,
        observation: &Observation,
        roots: &[PathBuf],
        branch: Option<&String>,
    ) -> Observation {
        let opening = Opening {
            user: Some(self.person.name.clone()),
            git_branch: observation.opening.git_branch.clone().or_else(|| branch.cloned()),
            workspace: Some(self.folder.root.display().to_string()),
            ..observation.opening.clone()
        };
        let Some(target) = observation.target.as_deref() else {
            return Observation { opening, ..observation.clone() };
        };
        let below = below(roots, target);
        let summary = observation.summary.as_ref().map(|summary| summary.replace(target, below));
        Observation { opening, target: Some(below.to_owned()), summary, ..observation.clone() }
    }
}

/// The client's own word for its project before the folder that its shell happens to be in.
fn working_folder(heard: &Heard) -> Option<PathBuf> {
    let variable = match heard.client {
        Client::ClaudeCode => Some("CLAUDE_PROJECT_DIR"),
        Client::GeminiCli => Some("GEMINI_PROJECT_DIR"),
        _ => None,
    };
    let told = variable.and_then(non_empty_env).map(PathBuf::from).or_else(|| heard.folder.clone());
    told.filter(|folder| folder.is_dir())
}

/// The top of the project as the client writes it, which may be by way of a link.
fn written_root(root: &Path, told: Option<&Path>) -> Option<PathBuf> {
    let told = told?;
    let real = told.canonicalize().ok()?;
    let below = real.strip_prefix(root).ok()?.components().count();
    told.ancestors().nth(below).map(Path::to_owned)
}

/// A file of the project by its path in the project, everything else as it is.
fn below<'a>(roots: &[PathBuf], target: &'a str) -> &'a str {
    let path = Path::new(target);
    let below = roots.iter().find_map(|root| path.strip_prefix(root).ok());
    below.filter(|below| !below.as_os_str().is_empty()).and_then(Path::to_str).unwrap_or(target)
}
