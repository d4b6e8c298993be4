//! What every door works with: the settings, the folder, and the engine, opened once and when first needed.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};
use throughline_engine::capture::Opening;
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::store::id::ProjectId;
use throughline_engine::store::{Location, Store};
use throughline_engine::{Engine, Error};

use crate::config::{Config, Overrides};

pub(crate) struct Door {
    pub(crate) config: Config,
    pub(crate) folder: Folder,
    engine: Mutex<Option<&'static Engine>>,
}

/// The project that a reader looks at.
pub(crate) enum Known {
    Project(ProjectId),
    /// Nobody has written there yet; the text says so where a name was given, which may be misspelt.
    Unknown(Option<String>),
}

impl Door {
    /// Reads settings and nothing else. `warn` hears of what is set and not understood.
    pub(crate) fn load(overrides: &Overrides, warn: impl Fn(&str)) -> Result<Door> {
        Door::at(overrides, current_folder()?, warn)
    }

    /// The same for another folder than the current one.
    pub(crate) fn at(overrides: &Overrides, folder: Folder, warn: impl Fn(&str)) -> Result<Door> {
        let config = Config::load(overrides, &folder)?;
        config.unknown().iter().for_each(|problem| warn(problem));
        Ok(Door { config, folder, engine: Mutex::new(None) })
    }

    /// With an engine that somebody else has opened, and whose time may be another.
    pub(crate) fn opened(config: Config, folder: Folder, engine: Engine) -> Door {
        Door { config, folder, engine: Mutex::new(Some(Box::leak(Box::new(engine)))) }
    }

    /// The engine lives as long as the process: closing it would only take time. Where the database cannot be opened,
    /// the next call tries again.
    pub(crate) fn engine(&self) -> Result<&'static Engine> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = *engine {
            return Ok(engine);
        }
        let store = Store::open(self.config.location.clone(), self.config.options.clone())?;
        let opened = Engine::new(store, Clock::system(), Ids::system(), self.config.settings.clone());
        Ok(engine.insert(Box::leak(Box::new(opened))))
    }

    /// For what is done at the side, which is no reason to open a database.
    pub(crate) fn opened_engine(&self) -> Option<&'static Engine> {
        *self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For those who would not want a database to be made: nothing where there is none yet.
    pub(crate) fn existing_engine(&self) -> Result<Option<&'static Engine>> {
        match &self.config.location {
            Location::File(path) if !path.exists() => Ok(None),
            Location::File(_) | Location::Memory | Location::Server(_) => self.engine().map(Some),
        }
    }

    /// The project to write to; made on first sight.
    pub(crate) fn project(&self, engine: &Engine) -> Result<ProjectId> {
        Ok(engine.project(&self.folder, self.config.project.as_deref())?.id)
    }

    /// The project to look at; what is not known yet stays unknown.
    pub(crate) fn known_project(&self, engine: &Engine) -> Result<Known> {
        match engine.find_project(&self.folder, self.config.project.as_deref()) {
            Ok(Some(project)) => Ok(Known::Project(project.id)),
            Ok(None) => Ok(Known::Unknown(None)),
            Err(Error::NotFound(why)) => Ok(Known::Unknown(Some(why))),
            Err(error) => Err(error.into()),
        }
    }

    /// The folder, unless another project than its own was asked for. A project that is known by its name alone may be
    /// worked on anywhere.
    pub(crate) fn own_folder(&self, engine: &Engine) -> Result<Option<&Folder>> {
        if !self.config.is_project_named_here() {
            return Ok(Some(&self.folder));
        }
        let Known::Project(asked) = self.known_project(engine)? else { return Ok(Some(&self.folder)) };
        let is_own = match engine.find_project(&self.folder, None)? {
            Some(own) => own.id == asked,
            None => engine.describe_project(&asked)?.keys.iter().all(|key| key.starts_with("name:")),
        };
        Ok(is_own.then_some(&self.folder))
    }

    /// What a session that opens here should know about its surroundings.
    pub(crate) fn opening(&self) -> Opening {
        Opening {
            git_branch: self.folder.git.as_ref().and_then(|git| git.branch.clone()),
            workspace: Some(self.folder.root.display().to_string()),
            ..Opening::default()
        }
    }

    /// To be called before the process ends.
    pub(crate) fn close(&self) {
        let Some(engine) = self.opened_engine() else { return };
        if let Err(error) = engine.leave_jobs() {
            tracing::warn!(%error, "background jobs could not be given back; they begin again when their leases end");
        }
        if let Err(error) = engine.store().fold_log() {
            tracing::warn!(%error, "could not fold the write-ahead log");
        }
    }
}

impl Known {
    /// As an id under which an unknown project has nothing.
    pub(crate) fn id(self) -> ProjectId {
        match self {
            Known::Project(id) => id,
            Known::Unknown(_) => ProjectId::from(String::new()),
        }
    }
}

pub(crate) fn current_folder() -> Result<Folder> {
    let here =
        std::env::current_dir().context("the current folder does not exist any more; change to another")?;
    Ok(Folder::discover(Path::new(&here)))
}
