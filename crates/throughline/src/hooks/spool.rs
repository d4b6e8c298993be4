//! What could not be recorded in time waits in files, one for each event, and is recorded by the next hook that can.
//! Client keys make that happen once, also when two take it up or one dies in the middle.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use throughline_engine::capture::{Observation, Opening, SessionRef, Then, redact};
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::store::time::Timestamp;
use throughline_engine::{Engine, Error};

use super::place::Place;
use super::{Heard, deliver};

/// One event with what is needed to record it later and elsewhere.
#[derive(Debug, Serialize, Deserialize)]
struct Waiting {
    folder: PathBuf,
    project: Option<String>,
    person: String,
    agent: String,
    observations: Vec<Kept>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    at: i64,
    kind: String,
    client: String,
    session: String,
    parent: Option<String>,
    chatmode: Option<String>,
    user: Option<String>,
    git_branch: Option<String>,
    workspace: Option<String>,
    metadata: Option<Json>,
    target: Option<String>,
    summary: Option<String>,
    content: Option<String>,
    parts: Option<Json>,
    client_key: Option<String>,
    ends: bool,
}

pub(super) const FOLDER: &str = "hooks";
/// A database that stays away must not fill the disk.
const MAX_FILES: usize = 5_000;
/// One event records at most so many others before itself.
const AT_ONCE: usize = 200;

/// Puts what was heard aside. Secrets are taken out first, as before everything that reaches the disk.
pub(crate) fn keep(home: &Path, heard: &Heard, place: &Place, now: Timestamp) -> Result<()> {
    let folder = home.join(FOLDER);
    make(&folder)?;
    if waiting(&folder)?.len() >= MAX_FILES {
        bail!("{MAX_FILES} events already wait to be recorded; this one is lost");
    }
    let observations = place.observations(heard);
    let waiting = Waiting {
        folder: place.folder.root.clone(),
        project: place.project.clone(),
        person: place.person.to_string(),
        agent: place.agent.to_string(),
        observations: observations.into_iter().filter_map(|observation| Kept::of(observation, now)).collect(),
    };
    let mut json = serde_json::to_value(&waiting).context("cannot write the event down")?;
    redact::json(&mut json);
    let id: String = Ids::system().next(now);
    let (being_written, file) = (folder.join(format!("{id}.new")), folder.join(format!("{id}.json")));
    fs::write(&being_written, json.to_string())?;
    Ok(fs::rename(being_written, file)?)
}

/// Records what waits, the oldest first, and says what could not be.
pub(super) fn drain(home: &Path, engine: &Engine) -> Vec<String> {
    let folder = home.join(FOLDER);
    let mut problems = Vec::new();
    let files = match waiting(&folder) {
        Ok(files) => files,
        Err(error) => return vec![format!("what waits in {} cannot be read: {error}", folder.display())],
    };
    for file in files.into_iter().take(AT_ONCE) {
        match take_up(&file, engine) {
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

/// How many events wait.
pub(crate) fn count(home: &Path) -> usize {
    waiting(&home.join(FOLDER)).map_or(0, |files| files.len())
}

/// The folder is for its owner alone, as the database is.
pub(super) fn make(folder: &Path) -> std::io::Result<()> {
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

fn take_up(file: &Path, engine: &Engine) -> Result<()> {
    let text = match fs::read_to_string(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        text => text?,
    };
    let waiting: Waiting = serde_json::from_str(&text)?;
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
        || error.downcast_ref::<serde_json::Error>().is_some()
}

impl Kept {
    /// Hooks always name the client and its session.
    fn of(observation: Observation, now: Timestamp) -> Option<Kept> {
        let SessionRef::Of { client, session } = observation.session else { return None };
        let parent = observation.opening.parent.and_then(|parent| match parent {
            SessionRef::Of { session, .. } => Some(session),
            SessionRef::Own | SessionRef::Named(_) => None,
        });
        Some(Kept {
            at: observation.at.unwrap_or(now).0,
            kind: observation.kind.as_str().to_owned(),
            client,
            session,
            parent,
            chatmode: observation.opening.chatmode,
            user: observation.opening.user,
            git_branch: observation.opening.git_branch,
            workspace: observation.opening.workspace,
            metadata: observation.opening.metadata,
            target: observation.target,
            summary: observation.summary,
            content: observation.content,
            parts: observation.parts,
            client_key: observation.client_key,
            ends: observation.then == Then::Ends,
        })
    }

    fn observation(self) -> Result<Observation> {
        let kind = self.kind.parse().map_err(|why: String| anyhow!(Error::Invalid(why)))?;
        let of = |session| SessionRef::Of { client: self.client.clone(), session };
        let opening = Opening {
            chatmode: self.chatmode,
            user: self.user,
            git_branch: self.git_branch,
            workspace: self.workspace,
            parent: self.parent.map(of),
            metadata: self.metadata,
            ..Opening::default()
        };
        Ok(Observation {
            opening,
            at: Some(Timestamp(self.at)),
            target: self.target,
            summary: self.summary,
            content: self.content,
            parts: self.parts,
            client_key: self.client_key,
            then: if self.ends { Then::Ends } else { Then::GoesOn },
            ..Observation::of(kind, of(self.session))
        })
    }
}
