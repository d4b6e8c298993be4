//! Projects: which one a folder or a name means, and how a person renames or joins them.

mod folder;

use std::path::Path;

use throughline_store::id::ProjectId;
use throughline_store::project::{self as record, Project};
use throughline_store::{Connection, Location};

pub(crate) use folder::machine;
pub use folder::{Folder, Git, PROJECT_FILE};

use crate::capture::refuse_secret;
use crate::{Engine, Error, Result};

/// A project with the keys it is recognised by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    pub project: Project,
    pub keys: Vec<String>,
}

impl Engine {
    /// The project of a folder, or the named one; made on first sight.
    pub fn project(&self, folder: &Folder, name: Option<&str>) -> Result<Project> {
        match self.known_project(folder, name)? {
            Some(project) => Ok(project),
            None => self.found_project(folder, name),
        }
    }

    /// The project of a folder, or the named one, for those who only look. Nothing when the folder is not known yet;
    /// a name that nobody knows is an error.
    pub fn find_project(&self, folder: &Folder, name: Option<&str>) -> Result<Option<Project>> {
        match (self.known_project(folder, name)?, name) {
            (None, Some(name)) => self.store.read(|conn| Err(unknown(conn, name))),
            (found, _) => Ok(found),
        }
    }

    fn known_project(&self, folder: &Folder, name: Option<&str>) -> Result<Option<Project>> {
        if let Some(name) = name {
            check_name(name)?;
        }
        let machine = self.machine();
        self.store.read(|conn| match name {
            Some(name) => Ok(record::with_key(conn, &name_key(name))?),
            None => known(conn, folder, &machine),
        })
    }

    /// Paths mean something else on every machine, so where several share a database, a path's key names its machine.
    pub(crate) fn machine(&self) -> String {
        match self.store.location() {
            Location::File(_) | Location::Memory => String::new(),
            Location::Server(_) => machine(),
        }
    }

    pub fn projects(&self) -> Result<Vec<Described>> {
        self.store.read(|conn| {
            let projects = record::list(conn)?;
            projects.into_iter().map(|project| described(conn, project)).collect()
        })
    }

    pub fn describe_project(&self, id: &ProjectId) -> Result<Described> {
        self.store.read(|conn| {
            let project = existing(conn, id)?;
            described(conn, project)
        })
    }

    /// Gives the project another name; the old one stays valid as an alias.
    pub fn rename_project(&self, id: &ProjectId, name: &str) -> Result<Project> {
        check_name(name)?;
        self.store.write(|tx| {
            claim_key(tx, &name_key(name), id)?;
            record::rename(tx, id, name)?;
            existing(tx, id)
        })
    }

    /// Lets a further name stand for the project.
    pub fn alias_project(&self, id: &ProjectId, name: &str) -> Result<Described> {
        check_name(name)?;
        self.store.write(|tx| {
            claim_key(tx, &name_key(name), id)?;
            let project = existing(tx, id)?;
            described(tx, project)
        })
    }

    /// Makes this folder, and its repository, belong to the named project from now on.
    pub fn adopt_folder(&self, folder: &Folder, name: &str) -> Result<Described> {
        let machine = self.machine();
        self.store.write(|tx| {
            let project = record::with_key(tx, &name_key(name))?.ok_or_else(|| unknown(tx, name))?;
            for key in keys(folder, &machine) {
                record::move_key(tx, &key, &project.id)?;
            }
            described(tx, project)
        })
    }

    fn found_project(&self, folder: &Folder, name: Option<&str>) -> Result<Project> {
        let now = self.now();
        let id: ProjectId = self.ids.next(now);
        let machine = self.machine();
        self.store.write(|tx| {
            let raced = match name {
                Some(name) => record::with_key(tx, &name_key(name))?,
                None => known(tx, folder, &machine)?,
            };
            if let Some(project) = raced {
                return Ok(project);
            }
            if let (None, Some(project)) = (name, grown(tx, folder, &machine)?) {
                return Ok(project);
            }
            // An explicitly named project must not capture the folder it was first named in.
            let mut folder_keys =
                if name.is_some() { Vec::new() } else { keys(folder, &machine) }.into_iter();
            // The key that decides is taken first: it was free just now, so when it is not, another process was
            // faster, and running again finds what that one made.
            if let Some(surest) = folder_keys.next() {
                record::add_key(tx, &surest, &id)?;
            }
            let name = match name {
                Some(name) => name.to_owned(),
                None => free_name(tx, &folder.suggested_name())?,
            };
            record::add_key(tx, &name_key(&name), &id)?;
            for key in folder_keys {
                record::move_key(tx, &key, &id)?;
            }
            let project = Project { id: id.clone(), name, created_at: now, last_position: 0 };
            record::insert(tx, &project)?;
            Ok(project)
        })
    }
}

/// The ways to recognise a folder, the surest first.
fn keys(folder: &Folder, machine: &str) -> Vec<String> {
    match &folder.git {
        Some(git) => {
            let remote = git.remote.iter().map(|remote| match remote.starts_with('/') {
                true => format!("{REMOTE_KEY}{machine}{remote}"),
                false => format!("{REMOTE_KEY}{remote}"),
            });
            remote.chain([folder_key(&git.common_dir, machine)]).collect()
        }
        None => vec![folder_key(&folder.root, machine)],
    }
}

fn known(conn: &mut dyn Connection, folder: &Folder, machine: &str) -> Result<Option<Project>> {
    // A folder can be used again for another repository, so with a remote only the remote decides.
    let surest = keys(folder, machine).swap_remove(0);
    if let Some(project) = record::with_key(conn, &surest)? {
        return Ok(Some(project));
    }
    match folder.git {
        Some(_) => Ok(None),
        None => enclosing(conn, &folder.root, machine),
    }
}

/// A subfolder of a plain folder that is a project belongs to it; the home folder and the root never count,
/// or every folder would belong to whatever was once done there.
fn enclosing(conn: &mut dyn Connection, root: &Path, machine: &str) -> Result<Option<Project>> {
    let home = std::env::home_dir();
    for folder in root.ancestors().skip(1) {
        if Some(folder) == home.as_deref() || folder.parent().is_none() {
            break;
        }
        if let Some(project) = record::with_key(conn, &folder_key(folder, machine))? {
            return Ok(Some(project));
        }
    }
    Ok(None)
}

/// A plain folder that is a repository now, and a repository that has its first remote now, are still the same
/// project.
fn grown(tx: &mut dyn Connection, folder: &Folder, machine: &str) -> Result<Option<Project>> {
    let Some(git) = &folder.git else { return Ok(None) };
    let mut weaker = keys(folder, machine).into_iter();
    let surest = weaker.next().expect("a folder has a key");
    let is_own_repository = git.common_dir.parent() == Some(&folder.root);
    let as_plain_folder = is_own_repository.then(|| folder_key(&folder.root, machine));
    for key in weaker.chain(as_plain_folder) {
        let Some(project) = record::with_key(tx, &key)? else { continue };
        let has_remote = record::keys(tx, &project.id)?.iter().any(|key| key.starts_with(REMOTE_KEY));
        if !has_remote {
            record::add_key(tx, &surest, &project.id)?;
            return Ok(Some(project));
        }
    }
    Ok(None)
}

fn free_name(tx: &mut dyn Connection, suggested: &str) -> Result<String> {
    let base = slug(suggested);
    for n in 1.. {
        let name = if n == 1 { base.clone() } else { format!("{base}-{n}") };
        if record::with_key(tx, &name_key(&name))?.is_none() {
            return Ok(name);
        }
    }
    unreachable!("some number is free")
}

/// A name that needs no quoting in a shell.
fn slug(text: &str) -> String {
    let keep = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let name: String = text.chars().map(|c| if keep(c) { c } else { '-' }).take(100).collect();
    if name.is_empty() { "project".to_owned() } else { name }
}

/// Whether a project may have this name.
pub fn check_name(name: &str) -> Result<()> {
    let fits =
        (1..=200).contains(&name.chars().count()) && name.trim() == name && !name.contains(char::is_control);
    if fits {
        return refuse_secret("project's name", name);
    }
    Err(Error::Invalid(format!(
        "{name:?} cannot be a project's name; use 1 to 200 characters without line breaks or outer spaces"
    )))
}

const NAME_KEY: &str = "name:";
const REMOTE_KEY: &str = "remote:";

fn name_key(name: &str) -> String {
    format!("{NAME_KEY}{name}")
}

fn folder_key(folder: &Path, machine: &str) -> String {
    format!("folder:{machine}{}", folder.display())
}

fn claim_key(tx: &mut dyn Connection, key: &str, id: &ProjectId) -> Result<()> {
    match record::with_key(tx, key)? {
        Some(project) if project.id != *id => Err(Error::Conflict(format!(
            "the name {:?} belongs to another project; choose a different one (`throughline project list`)",
            key.trim_start_matches(NAME_KEY)
        ))),
        Some(_) => Ok(()),
        None => Ok(record::add_key(tx, key, id)?),
    }
}

fn existing(conn: &mut dyn Connection, id: &ProjectId) -> Result<Project> {
    record::by_id(conn, id)?.ok_or_else(|| {
        Error::NotFound(format!("there is no project {id}; `throughline project list` shows those there are"))
    })
}

fn unknown(conn: &mut dyn Connection, name: &str) -> Error {
    match record::list(conn) {
        Ok(projects) => {
            let names: Vec<String> = projects.into_iter().map(|project| project.name).collect();
            let known = if names.is_empty() { "there are none yet".to_owned() } else { names.join(", ") };
            Error::NotFound(format!("there is no project {name:?}; known are: {known}"))
        }
        Err(error) => error.into(),
    }
}

fn described(conn: &mut dyn Connection, project: Project) -> Result<Described> {
    let keys = record::keys(conn, &project.id)?;
    Ok(Described { project, keys })
}

#[cfg(test)]
mod tests;
