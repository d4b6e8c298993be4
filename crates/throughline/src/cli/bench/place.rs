//! Where a benchmark works: a database of its own, in a folder that goes with it unless it is to be kept.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use tempfile::TempDir;
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::{Durability, Location, Options, Store};
use throughline_engine::{Caller, Engine};

use crate::config::{Config, Overrides};
use crate::door::current_folder;
use crate::wire::error::unwritten;

pub(super) struct Place {
    pub(super) engine: Engine,
    pub(super) caller: Caller,
    pub(super) database: &'static str,
    pub(super) folder: PathBuf,
    pub(super) project: &'static str,
    /// The database as it was named; without a name it is the file in the folder.
    pub(super) server: Option<String>,
    /// Goes with the place.
    _scratch: TempDir,
}

impl Place {
    /// A folder that was kept is gone on with. Each thing that is measured has a project of its own.
    pub(super) fn open(
        overrides: &Overrides,
        keep: Option<&Path>,
        project: &'static str,
        durability: Durability,
    ) -> Result<Place> {
        let scratch = tempfile::tempdir()
            .context("cannot create a folder for the benchmark; set TMPDIR to one that you may write to")?;
        let folder = keep.unwrap_or(scratch.path()).to_owned();
        std::fs::create_dir_all(&folder).map_err(|error| unwritten(&folder, &error))?;
        let config = Config::load(overrides, &current_folder()?)?;
        let location = match &overrides.database {
            Some(_) => config.location,
            None => Location::File(folder.join("throughline.db")),
        };
        let database = location.database();
        let store = Store::open(location, Options { durability, ..config.options })?;
        let engine = Engine::new(store, Clock::system(), Ids::system(), config.settings);
        let id = engine.project(&current_folder()?, Some(project))?.id;
        let actor = Actor { kind: ActorKind::User, name: "bench".to_owned() };
        let caller = Caller { project: id, actor };
        let server = overrides.database.clone();
        Ok(Place { engine, caller, database, folder, project, server, _scratch: scratch })
    }
}
