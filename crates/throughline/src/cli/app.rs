//! What a command works with: its settings, its folder, the engine, and where to show the answer.

use std::cell::OnceCell;
use std::path::Path;

use anyhow::{Context as _, Result};
use throughline_engine::capture::Opening;
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::store::Store;
use throughline_engine::store::id::ProjectId;
use throughline_engine::{Caller, Engine, Error};

use super::output::Output;
use crate::config::{Config, Overrides};

pub(super) struct App<'a> {
    pub(super) config: Config,
    pub(super) folder: Folder,
    pub(super) output: &'a Output,
    engine: OnceCell<&'static Engine>,
}

impl<'a> App<'a> {
    pub(super) fn load(overrides: &Overrides, output: &'a Output) -> Result<App<'a>> {
        let folder = current_folder()?;
        let config = Config::load(overrides, &folder)?;
        for problem in config.unknown() {
            output.warn(problem);
        }
        Ok(App { config, folder, output, engine: OnceCell::new() })
    }

    /// The engine lives as long as the process, which is short: closing it would only take time.
    pub(super) fn engine(&self) -> Result<&'static Engine> {
        if let Some(engine) = self.engine.get() {
            return Ok(engine);
        }
        let store = Store::open(self.config.location.clone(), self.config.options.clone())?;
        let engine = Engine::new(store, Clock::system(), Ids::system(), self.config.settings.clone());
        Ok(self.engine.get_or_init(|| Box::leak(Box::new(engine))))
    }

    pub(super) fn caller(&self, engine: &Engine) -> Result<Caller> {
        let project = engine.project(&self.folder, self.config.project.as_deref())?;
        Ok(Caller { project: project.id, actor: self.config.actor.clone() })
    }

    /// For those who only look: what is not known yet has nothing to show, and stays unknown. A name may be
    /// misspelt, so that is said.
    pub(super) fn reader(&self, engine: &Engine) -> Result<Caller> {
        let project = match engine.find_project(&self.folder, self.config.project.as_deref()) {
            Err(Error::NotFound(why)) => {
                self.output.warn(&why);
                None
            }
            found => found?,
        };
        let id = project.map_or_else(|| ProjectId::from(String::new()), |project| project.id);
        Ok(Caller { project: id, actor: self.config.actor.clone() })
    }

    /// What a session that opens here should know about its surroundings.
    pub(super) fn opening(&self) -> Opening {
        Opening {
            git_branch: self.folder.git.as_ref().and_then(|git| git.branch.clone()),
            workspace: Some(self.folder.root.display().to_string()),
            ..Opening::default()
        }
    }
}

impl Drop for App<'_> {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.engine.get().map(|engine| engine.store().fold_log()) {
            tracing::warn!(%error, "could not fold the write-ahead log");
        }
    }
}

pub(super) fn current_folder() -> Result<Folder> {
    let here =
        std::env::current_dir().context("the current folder does not exist any more; change to another")?;
    Ok(Folder::discover(Path::new(&here)))
}
