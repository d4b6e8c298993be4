//! `throughline index watch`: the index follows the files while they change.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use notify::{EventKind, RecursiveMode, Watcher as _};
use throughline_engine::index::code::Bound;
use throughline_engine::{Caller, Engine, Error};

use super::super::app::App;
use super::run::told;

/// What changes within this time is taken in together.
const TOGETHER: Duration = Duration::from_millis(200);
/// How often it is asked whether to stop.
const LOOK: Duration = Duration::from_millis(250);
/// More at once, and the whole folder is looked at.
const MANY: usize = 200;

pub(super) fn run(app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    let Some(folder) = app.own_folder(engine)? else {
        bail!(Error::Invalid(
            "this folder is of another project than the one that was named; change to its folder".to_owned()
        ));
    };
    let root = std::fs::canonicalize(&folder.root)?;
    let (sender, changes) = mpsc::channel();
    // Whoever receives has gone when this fails, and with it the reason to tell.
    let mut watcher = notify::recommended_watcher(move |event| drop(sender.send(event)))
        .context("this system cannot be asked for changes of files; `throughline index run` takes them in without watching")?;
    watcher.watch(&root, RecursiveMode::Recursive).with_context(|| {
        format!("cannot watch {}; `throughline index run` takes changes in without watching", root.display())
    })?;
    let whole = || engine.index_code(&caller, &root, Bound::Everything, &mut |_| {});
    app.output.say(&told(&whole()?));
    let mut paths: BTreeSet<String> = BTreeSet::new();
    let mut everything = false;
    // Every transaction leaves the index whole, so that the process may be ended at any moment.
    loop {
        let wait = if paths.is_empty() && !everything { LOOK } else { TOGETHER };
        match changes.recv_timeout(wait) {
            Ok(Ok(event)) if matches!(event.kind, EventKind::Access(_)) => {}
            Ok(Ok(event)) => {
                everything |= event.need_rescan() || event.paths.iter().any(|path| path.is_dir());
                paths.extend(event.paths.iter().filter_map(|path| relative(&root, path)));
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, "some changes were missed; the whole folder is looked at");
                everything = true;
            }
            Err(RecvTimeoutError::Timeout) if everything || paths.len() > MANY => {
                app.output.say(&told(&whole()?));
                (paths, everything) = (BTreeSet::new(), false);
            }
            Err(RecvTimeoutError::Timeout) if !paths.is_empty() => {
                let some = std::mem::take(&mut paths);
                let progress = match changed(engine, &caller, &root, some)? {
                    Changed::Files(files) if files.is_empty() => continue,
                    Changed::Files(files) => engine.index_files(&caller, &root, &files)?,
                    Changed::More => whole()?,
                };
                app.output.say(&told(&progress));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(ExitCode::SUCCESS),
        }
    }
}

/// What paths that something happened to come to.
enum Changed {
    /// Known files that are other than they were.
    Files(Vec<String>),
    /// What .gitignore leaves out, and what was moved or is gone, is known to the walk alone.
    More,
}

fn changed(engine: &Engine, caller: &Caller, root: &Path, paths: BTreeSet<String>) -> Result<Changed, Error> {
    let mut files = vec![];
    for path in paths {
        let is_there = root.join(&path).exists();
        match (is_there, engine.knows_below(caller, &path)?) {
            (true, true) => files.push(path),
            // What an editor wrote beside a file and put in its place.
            (false, false) => {}
            (true, false) | (false, true) => return Ok(Changed::More),
        }
    }
    Ok(Changed::Files(files))
}

/// Nothing for what is never source.
fn relative(root: &Path, path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
    let is_own = !inside.is_empty() && !throughline_engine::code::walk::is_foreign(&inside);
    is_own.then_some(inside)
}
