//! What could not be recorded in time waits in files, one for each event, and is recorded by the next hook that can.
//! Client keys make that happen once, also when two take it up or one dies in the middle.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::Value as Json;
use throughline_engine::capture::redact;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::store::time::Timestamp;
use throughline_engine::{Engine, Error};

use super::failures::{self, Failure};
use super::place::Place;
use super::remote::{self, Refused};
use super::{Heard, deliver};
use crate::config::Config;
use crate::wire::heard::{Kept, Waiting};

pub(super) const FOLDER: &str = "hooks";
/// A database that stays away must not fill the disk.
const MAX_FILES: usize = 5_000;
/// One event records at most so many others before itself.
const AT_ONCE: usize = 200;

/// Puts what was heard aside. Secrets are taken out first, as before everything that reaches the disk.
pub(crate) fn keep(home: &Path, heard: &Heard, place: &Place, now: Timestamp) -> Result<()> {
    let folder = home.join(FOLDER);
    make(&folder)?;
    let before = waiting(&folder)?;
    if before.len() >= MAX_FILES {
        bail!(
            "{MAX_FILES} events already wait to be recorded, so this one is lost; `throughline doctor` tells why they wait"
        );
    }
    let json = written(heard, place, now)?;
    let id: String = Ids::system().next(after(before.last(), now));
    let (being_written, file) = (folder.join(format!("{id}.new")), folder.join(format!("{id}.json")));
    fs::write(&being_written, json.to_string())?;
    Ok(fs::rename(being_written, file)?)
}

/// The moment to call a file by: the present, or right after the file before where the clock was set back since.
fn after(last: Option<&PathBuf>, now: Timestamp) -> Timestamp {
    let name = last.and_then(|file| file.file_stem()?.to_str());
    let next = name.and_then(Ids::time_of).map(|time| time.plus(Duration::from_millis(1)));
    next.map_or(now, |next| now.max(next))
}

/// What was heard as it waits or travels, without secrets.
pub(super) fn written(heard: &Heard, place: &Place, now: Timestamp) -> Result<Json> {
    let observations = place.observations(heard);
    let waiting = Waiting {
        folder: place.folder.root.clone(),
        project: place.project.clone(),
        name: Some(place.folder.suggested_name()),
        remote: place.folder.git.as_ref().and_then(|git| git.remote.clone()),
        person: place.person.to_string(),
        agent: place.agent.to_string(),
        observations: observations.into_iter().filter_map(|observation| Kept::of(observation, now)).collect(),
    };
    let mut json = serde_json::to_value(&waiting).context("cannot write the event down")?;
    redact::json(&mut json);
    Ok(json)
}

/// Records what waits, the oldest first, and says what could not be.
pub(super) fn drain(home: &Path, engine: &Engine) -> Vec<String> {
    drain_by(home, |text| take_up(text, engine))
}

/// The same, by whatever records one event.
pub(super) fn drain_by(home: &Path, record: impl Fn(&str) -> Result<()>) -> Vec<String> {
    let folder = home.join(FOLDER);
    let mut problems = Vec::new();
    let files = match waiting(&folder) {
        Ok(files) => files,
        Err(error) => return vec![format!("what waits in {} cannot be read: {error}", folder.display())],
    };
    for file in files.into_iter().take(AT_ONCE) {
        let text = match fs::read_to_string(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            text => text.map_err(anyhow::Error::from),
        };
        match text.and_then(|text| record(&text)) {
            Ok(()) => {}
            Err(error) if is_hopeless(&error) => {
                problems.push(format!("an event that waited is lost: {error:#}"));
            }
            Err(error) => {
                problems.push(format!("what waits cannot be recorded yet: {error:#}"));
                break;
            }
        }
        // Somebody else may have been quicker.
        if let Err(error) = fs::remove_file(&file)
            && error.kind() != ErrorKind::NotFound
        {
            problems.push(format!("{} cannot be removed: {error}", file.display()));
            break;
        }
    }
    problems
}

/// The same for processes that have time: a hook that does not reach its database before its deadline never gets so far.
/// What could not be recorded is noted where hooks note it.
pub(crate) fn take_up_all(config: &Config, engine: &Engine, by: &str) {
    let home = &config.home;
    while count(home) > 0 {
        let before = count(home);
        let problems = match &config.remote {
            Some(server) => remote::send_waiting(server, home),
            None => drain(home, engine),
        };
        for problem in problems {
            tracing::warn!(problem, "an event that waited could not be recorded");
            let failure =
                Failure { at: engine.now().0, client: by.to_owned(), event: None, problem: problem.clone() };
            if let Err(error) = failures::add(home, &failure) {
                tracing::warn!(%error, "this could not be noted");
            }
        }
        if count(home) >= before {
            return;
        }
    }
}

/// How many events wait.
pub(crate) fn count(home: &Path) -> usize {
    waiting(&home.join(FOLDER)).map_or(0, |files| files.len())
}

/// The folder is for its owner alone, as the database is.
pub(crate) fn make(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn waiting(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
        entries => entries?,
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    Ok(files)
}

fn take_up(text: &str, engine: &Engine) -> Result<()> {
    let waiting: Waiting = serde_json::from_str(text)?;
    let actor = |text: &str| text.parse().map_err(|why: String| anyhow!(Error::Invalid(why)));
    let place = Place {
        folder: Folder::discover(&waiting.folder),
        project: waiting.project.clone(),
        person: actor(&waiting.person)?,
        agent: actor(&waiting.agent)?,
    };
    let observations = waiting.observations.into_iter().map(Kept::observation).collect::<Result<_>>()?;
    deliver::record(engine, &place, observations).map(|_| ())
}

/// Whether trying again later would end the same.
pub(crate) fn is_hopeless(error: &anyhow::Error) -> bool {
    let engine = error.downcast_ref::<Error>();
    matches!(engine, Some(Error::Invalid(_) | Error::NotFound(_) | Error::Conflict(_)))
        || error.downcast_ref::<Refused>().is_some()
        || error.downcast_ref::<serde_json::Error>().is_some()
}
