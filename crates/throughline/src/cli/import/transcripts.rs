//! `throughline import claude-code|codex|gemini|opencode`: what clients wrote down about their own sessions.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use throughline_engine::project::Folder;
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::id::ProjectId;
use throughline_engine::{Engine, Error};

use super::super::app::App;
use crate::config::machine_user;
use crate::hooks::Place;
use crate::import::opencode::{self, Kept};
use crate::import::{Aim, Homes, Keeper, Origin, Problem, Tally, bring};
use crate::wire::error::unread;

/// What paths are to OpenCode, which keeps the sessions of all projects in one file.
pub(super) const DATABASES: &str = "Databases, or folders of them; their sessions say themselves which project they are about [default: where the client keeps them]";

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Transcripts, or folders of them, all of which are about this project [default: where the client keeps them]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The sessions of every project, each under its own, by where the client worked
    #[arg(long)]
    all: bool,
    /// Only say what there is to import
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer {
    client: &'static str,
    dry_run: bool,
    files: usize,
    /// Files that are about other projects, or do not say which.
    left_out: usize,
    /// Those that do not.
    nowhere: usize,
    sessions: usize,
    imported: u64,
    already_there: u64,
    unreadable: u64,
    problems: Vec<Unread>,
}

#[derive(Serialize)]
struct Unread {
    file: String,
    line: usize,
    what: String,
}

/// A transcript and where the client worked, as it says.
struct Found {
    path: PathBuf,
    /// Which session it is, where the file has several.
    session: Option<String>,
    bytes: u64,
    worked_in: Option<PathBuf>,
}

pub(super) fn run(keeper: Keeper, args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let found = find(keeper, args, app)?;
    let mut desk = Desk { keeper, args, app, engine, known: HashMap::new() };
    let bar = app.output.progress(found.iter().map(|found| found.bytes).sum());
    let (mut tally, mut left_out, mut nowhere) = (Tally::default(), 0, 0);
    for found in &found {
        let Some(addressed) = desk.addressed(found)? else {
            left_out += 1;
            nowhere += usize::from(found.worked_in.is_none());
            bar.inc(found.bytes);
            continue;
        };
        let (place, project) = &*addressed;
        let aim = if args.dry_run { Aim::Count } else { Aim::Record };
        let worked_in = found.worked_in.as_deref();
        let session = found.session.as_deref();
        let origin = Origin { keeper, path: &found.path, session, place, worked_in };
        bring(engine, (project, aim), origin, &mut tally, &mut |bytes| bar.inc(bytes))?;
    }
    bar.finish_and_clear();
    if left_out == 0 {
        check_taken_in(keeper, args, &found, &tally)?;
    }
    if found.is_empty() && !app.output.is_json() {
        let folder = kept_in(keeper)?;
        app.output
            .warn(&format!("{} has no transcripts; name them where they are elsewhere", folder.display()));
    }
    app.output.show(&Answer::of(keeper, args, (left_out, nowhere), tally), text);
    Ok(ExitCode::SUCCESS)
}

/// Who names files of which nothing at all could be read has named something else.
fn check_taken_in(keeper: Keeper, args: &Args, found: &[Found], tally: &Tally) -> Result<()> {
    let is_nothing = tally.appended + tally.already_there == 0 && tally.sessions.is_empty();
    if !is_nothing || args.paths.is_empty() {
        return Ok(());
    }
    let client = keeper.client().name();
    let why = match (tally.problems.first(), found.first()) {
        (Some(Problem { file, line, what }), _) => format!("{}, line {line}: {what}", file.display()),
        (None, Some(first)) => format!("{} has no session of {client}", first.path.display()),
        (None, None) => format!("there is no transcript in {}", args.paths[0].display()),
    };
    bail!(
        "nothing was imported: {why}; name transcripts of {client}, or no file to import those that it keeps"
    )
}

/// Where the client keeps its transcripts on this machine.
fn kept_in(keeper: Keeper) -> Result<PathBuf> {
    let homes = Homes::of_this_machine().context("this system names no home folder; name the transcripts")?;
    Ok(homes.transcripts(keeper))
}

fn find(keeper: Keeper, args: &Args, app: &App<'_>) -> Result<Vec<Found>> {
    let mut paths = vec![];
    for path in &args.paths {
        let told = |error| unread(path, &error);
        match fs::metadata(path).map_err(told)?.is_dir() {
            true => paths.extend(keeper.transcripts_in(path).map_err(told)?),
            false => paths.push(path.clone()),
        }
    }
    if args.paths.is_empty() {
        let folder = kept_in(keeper)?;
        if folder.is_dir() {
            paths = keeper.transcripts_in(&folder).map_err(|error| unread(&folder, &error))?;
        }
    }
    let mut found = vec![];
    for path in paths {
        let told = |error| unread(&path, &error);
        let bytes = fs::metadata(&path).map_err(told)?.len();
        if keeper == Keeper::OpenCode {
            found.extend(sessions(app, path, bytes)?);
        } else {
            let worked_in = keeper.worked_in(&path, &app.folder.root).map_err(told)?;
            found.push(Found { path, session: None, bytes, worked_in });
        }
    }
    Ok(found)
}

/// Those of one database, which is taken to be shared by them alike.
fn sessions(app: &App<'_>, path: PathBuf, bytes: u64) -> Result<Vec<Found>> {
    let (kept, newer) = opencode::sessions(&path)?;
    if newer > 0 {
        let path = path.display();
        app.output
            .warn(&format!("{newer} sessions of {path} are of OpenCode 2, which is not understood yet"));
    }
    let bytes = bytes / kept.len().max(1) as u64;
    let found = |Kept { id, worked_in }| Found { path: path.clone(), session: Some(id), bytes, worked_in };
    Ok(kept.into_iter().map(found).collect())
}

type Addressed = std::rc::Rc<(Place, ProjectId)>;

/// Says where transcripts go; each folder is looked at once.
struct Desk<'a> {
    keeper: Keeper,
    args: &'a Args,
    app: &'a App<'a>,
    engine: &'a Engine,
    known: HashMap<Option<PathBuf>, Option<Addressed>>,
}

impl Desk<'_> {
    /// Nothing for those of other projects, where they are not asked for.
    fn addressed(&mut self, found: &Found) -> Result<Option<Addressed>> {
        if let Some(known) = self.known.get(&found.worked_in) {
            return Ok(known.clone());
        }
        let addressed = self.address(found)?.map(Addressed::new);
        self.known.insert(found.worked_in.clone(), addressed.clone());
        Ok(addressed)
    }

    fn address(&self, found: &Found) -> Result<Option<(Place, ProjectId)>> {
        let (named, worked_in) = (self.app.config.project.as_deref(), found.worked_in.as_deref());
        // Who names a transcript says that it is about this project; a database has those of all.
        let is_named = !self.args.paths.is_empty() && !self.args.all && found.session.is_none();
        let is_here = match worked_in {
            _ if is_named => true,
            None => false,
            Some(folder) => self.is_here(folder)?,
        };
        let (folder, named) = match worked_in {
            _ if is_here => (self.app.folder.clone(), named),
            Some(other) if self.args.all => (Folder::discover(other), None),
            _ => return Ok(None),
        };
        let project = self.project(&folder, named)?;
        let agent = Actor { kind: ActorKind::Agent, name: self.keeper.client().name().to_owned() };
        let place = Place { folder, project: None, person: machine_user(), agent };
        let named = named.map(str::to_owned);
        Ok(Some((Place { project: named, ..place.named_by(&self.app.config) }, project)))
    }

    /// Who only looks makes no project; one that is not there has nothing.
    fn project(&self, folder: &Folder, named: Option<&str>) -> Result<ProjectId> {
        if !self.args.dry_run {
            return Ok(self.engine.project(folder, named)?.id);
        }
        let known = match self.engine.find_project(folder, named) {
            Ok(known) => known.map(|project| project.id),
            Err(Error::NotFound(_)) => None,
            Err(error) => return Err(error.into()),
        };
        Ok(known.unwrap_or_else(|| ProjectId::from(String::new())))
    }

    /// A folder that is gone was in this project when it lay inside its folder.
    fn is_here(&self, worked_in: &Path) -> Result<bool> {
        let here = &self.app.folder;
        if !worked_in.is_dir() {
            return Ok(worked_in.starts_with(&here.root));
        }
        let folder = Folder::discover(worked_in);
        if folder.root == here.root {
            return Ok(true);
        }
        let (other, this) = (self.engine.find_project(&folder, None)?, self.engine.find_project(here, None)?);
        Ok(other.is_some() && other == this)
    }
}

impl Answer {
    fn of(keeper: Keeper, args: &Args, (left_out, nowhere): (usize, usize), tally: Tally) -> Answer {
        let unread =
            |Problem { file, line, what }: Problem| Unread { file: file.display().to_string(), line, what };
        Answer {
            client: keeper.client().name(),
            dry_run: args.dry_run,
            files: tally.transcripts,
            left_out,
            nowhere,
            sessions: tally.sessions.len(),
            imported: tally.appended,
            already_there: tally.already_there,
            unreadable: tally.unreadable,
            problems: tally.problems.into_iter().map(unread).collect(),
        }
    }
}

fn text(answer: &Answer) -> String {
    let Answer { files, sessions, imported, already_there, unreadable, left_out, nowhere, .. } = answer;
    let did = if answer.dry_run { "would import" } else { "imported" };
    let mut lines = vec![format!(
        "{did} {imported} events of {sessions} sessions from {files} transcripts, {already_there} were there already"
    )];
    let elsewhere = left_out - nowhere;
    if elsewhere > 0 {
        lines.push(format!("{elsewhere} transcripts are about other projects; --all imports them as well"));
    }
    if *nowhere > 0 {
        lines.push(format!("{nowhere} transcripts do not say where their client worked, and are left out"));
    }
    if *unreadable > 0 {
        lines.push(format!("{unreadable} lines could not be read; the first:"));
        let told = |problem: &Unread| format!("  {}:{}: {}", problem.file, problem.line, problem.what);
        lines.extend(answer.problems.iter().map(told));
    }
    lines.join("\n")
}
