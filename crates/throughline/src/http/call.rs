//! One request on its way to the engine: in which project, on whose behalf, in which session.

use anyhow::Result;
use throughline_engine::capture::{During, Opening, SessionRef};
use throughline_engine::project::Folder;
use throughline_engine::recall::Files;
use throughline_engine::store::actor::ActorKind;
use throughline_engine::store::id::ProjectId;
use throughline_engine::{Caller, Engine, Error};

use super::admit::Admitted;
use super::problem::Refused;
use crate::door::{Door, Known};

pub(super) struct Call<'a> {
    pub(super) door: &'a Door,
    pub(super) engine: &'static Engine,
    pub(super) asked: &'a Asked,
}

/// What a request says beside its parameters.
#[derive(Debug)]
pub(super) struct Asked {
    /// By name; without one it is the server's own.
    pub(super) project: Option<String>,
    /// The variable parts of the path.
    pub(super) path: Vec<(String, String)>,
    pub(super) admitted: Admitted,
    /// What is written without naming a session belongs to this one.
    pub(super) session: String,
}

pub(super) const CLIENT: &str = "http";

impl Call<'_> {
    /// A variable part of the path.
    pub(super) fn path(&self, name: &str) -> &str {
        let found = self.asked.path.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// For what is only looked at: a project that nobody has written to yet is empty.
    pub(super) fn reader(&self) -> Result<Caller> {
        let project = match self.named_project()? {
            Some(project) => project,
            None => self.door.known_project(self.engine)?.id(),
        };
        Ok(Caller { project, actor: self.asked.admitted.actor.clone() })
    }

    /// For what is written: the server's own project is made on first sight.
    pub(super) fn writer(&self) -> Result<Caller> {
        let project = match self.named_project()? {
            Some(project) => project,
            None => self.door.project(self.engine)?,
        };
        Ok(Caller { project, actor: self.asked.admitted.actor.clone() })
    }

    /// The project that the request or its token names; an unknown name is an error, and so is one that is not for this
    /// token.
    fn named_project(&self) -> Result<Option<ProjectId>> {
        let only = &self.asked.admitted.project;
        let Some(name) = &self.asked.project else { return Ok(only.clone()) };
        let found = match self.engine.find_project(&self.door.folder, Some(name)) {
            Ok(found) => found.map(|project| project.id),
            Err(Error::NotFound(why)) if only.is_none() => return Err(Error::NotFound(why).into()),
            Err(Error::NotFound(_)) => None,
            Err(error) => return Err(error.into()),
        };
        match (only, found) {
            (Some(only), found) if found.as_ref() != Some(only) => {
                let why = format!(
                    "this token is not for the project {name:?}; leave project out, or use another token"
                );
                Err(Refused::forbidden(why).into())
            }
            (_, found) => Ok(found),
        }
    }

    /// The folder of the server, where the request is about its project.
    pub(super) fn own_folder(&self) -> Result<Option<&Folder>> {
        let Some(asked) = self.named_project()? else { return self.door.own_folder(self.engine) };
        match self.door.known_project(self.engine)? {
            Known::Project(own) if own == asked => self.door.own_folder(self.engine),
            Known::Project(_) | Known::Unknown(_) => Ok(None),
        }
    }

    /// Where code is looked for.
    pub(super) fn files(&self) -> Result<Files> {
        Ok(self.own_folder()?.map_or(Files::Nowhere, |folder| Files::In(folder.root.clone())))
    }

    pub(super) fn session(&self) -> SessionRef {
        SessionRef::Of { client: CLIENT.to_owned(), session: self.asked.session.clone() }
    }

    pub(super) fn opening(&self) -> Opening {
        let actor = &self.asked.admitted.actor;
        let user = (actor.kind == ActorKind::User).then(|| actor.name.clone());
        Opening { user, ..Opening::default() }
    }

    pub(super) fn during(&self) -> During {
        During { session: self.session(), opening: self.opening() }
    }
}
