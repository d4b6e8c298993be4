//! Where the demo plays: a home, a sample project and a clock of its own; nothing of yours is read or written.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use anyhow::{Context as _, Result};
use tempfile::TempDir;
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::store::Store;
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::time::Timestamp;
use throughline_engine::{Caller, Engine};

use crate::config::{Config, Overrides};
use crate::door::Door;
use crate::wire::error::unwritten;

pub(super) const PERSON: &str = "maria";
const PROJECT: &str = "shop";
/// The sample project; an empty repository is one.
const FILES: [(&str, &str); 7] = [
    (".git/HEAD", "ref: refs/heads/main\n"),
    (".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"),
    (".git/objects/info/packs", ""),
    (".git/refs/heads/.keep", ""),
    ("README.md", include_str!("../../../assets/demo/shop/README.md")),
    ("src/cart.ts", include_str!("../../../assets/demo/shop/src/cart.ts")),
    ("src/price.ts", include_str!("../../../assets/demo/shop/src/price.ts")),
];

pub(super) struct Ground {
    home: TempDir,
    pub(super) folder: PathBuf,
    pub(super) door: Arc<Door>,
    pub(super) engine: &'static Engine,
    /// What the clock says, in microseconds; nothing says that it is the system's time.
    told: Arc<AtomicI64>,
}

impl Ground {
    pub(super) fn new() -> Result<Ground> {
        let home = tempfile::Builder::new()
            .prefix("throughline-demo-")
            .tempdir()
            .context("cannot make a folder for the demo; set TMPDIR to one that you may write to")?;
        let folder = home.path().join(PROJECT);
        FILES.iter().try_for_each(|(name, text)| write(&folder.join(name), text))?;
        let found = Folder::discover(&folder);
        let config =
            Config::within((home.path(), &home.path().join("config.toml")), &overrides(home.path()), &found)?;
        let told = Arc::new(AtomicI64::new(0));
        let store = Store::open(config.location.clone(), config.options.clone())?;
        let engine = Engine::new(store, clock(&told), Ids::system(), config.settings.clone());
        let folder = found.root.clone();
        let door = Arc::new(Door::opened(config, found, engine));
        Ok(Ground { engine: door.engine()?, home, folder, door, told })
    }

    /// Makes it `minutes` before the present.
    pub(super) fn go_back(&self, minutes: i64) {
        let present = Clock::system().now().0;
        self.told.store(present - minutes * 60_000_000, Ordering::Relaxed);
    }

    pub(super) fn let_pass(&self, seconds: i64) {
        self.told.fetch_add(seconds * 1_000_000, Ordering::Relaxed);
    }

    pub(super) fn come_to_the_present(&self) {
        self.told.store(0, Ordering::Relaxed);
    }

    /// Whoever looks at the sample project.
    pub(super) fn reader(&self) -> Result<Caller> {
        let actor = Actor { kind: ActorKind::User, name: PERSON.to_owned() };
        Ok(Caller { project: self.door.known_project(self.engine)?.id(), actor })
    }

    pub(super) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(super) fn keep(self) -> PathBuf {
        self.home.keep()
    }
}

/// As flags, which no environment changes.
fn overrides(home: &Path) -> Overrides {
    Overrides {
        database: Some(format!("sqlite:{}", home.join("throughline.db").display())),
        project: Some(PROJECT.to_owned()),
        actor: Some(format!("user:{PERSON}")),
    }
}

fn clock(told: &Arc<AtomicI64>) -> Clock {
    let (told, system) = (Arc::clone(told), Clock::system());
    Clock::from_fn(move || match told.load(Ordering::Relaxed) {
        0 => system.now(),
        told => Timestamp(told),
    })
}

fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().context("a file has a folder")?;
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| unwritten(path, &error))
}
