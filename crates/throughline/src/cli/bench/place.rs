//! Where a benchmark works: a database of its own, in a folder that goes with it unless it is to be kept.

use std::path::Path;

use anyhow::{Context as _, Result};
use tempfile::TempDir;
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::{Durability, Location, Options, Store};
use throughline_engine::{Caller, Engine};

use crate::config::{Config, Overrides};
use crate::door::current_folder;

pub(super) struct Place {
    pub(super) engine: Engine,
    pub(super) caller: Caller,
    pub(super) database: &'static str,
    /// Goes with the place.
    _scratch: TempDir,
}

impl Place {
    /// A folder that was kept is gone on with.
    pub(super) fn open(overrides: &Overrides, keep: Option<&Path>) -> Result<Place> {
        let scratch = tempfile::tempdir().context("cannot create a folder for the benchmark")?;
        let folder = keep.unwrap_or(scratch.path());
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let config = Config::load(overrides, &current_folder()?)?;
        let location = match &overrides.database {
            Some(_) => config.location,
            None => Location::File(folder.join("throughline.db")),
        };
        let database = location.database();
        let options = Options { durability: Durability::Process, ..config.options };
        let store = Store::open(location, options)?;
        let engine = Engine::new(store, Clock::system(), Ids::system(), config.settings);
        let project = engine.project(&current_folder()?, Some("bench"))?;
        let actor = Actor { kind: ActorKind::User, name: "bench".to_owned() };
        let caller = Caller { project: project.id, actor };
        Ok(Place { engine, caller, database, _scratch: scratch })
    }
}
