//! One request on its way to the engine: in which project, on whose behalf, in which session.

use anyhow::Result;
use throughline_engine::capture::{During, Opening, SessionRef};
use throughline_engine::recall::{Files, Query};
use throughline_engine::store::actor::ActorKind;
use throughline_engine::{Caller, Engine};

use super::who::Who;
use crate::door::Door;
use crate::wire::recall::{Answer, Detail};

pub(super) struct Call<'a> {
    pub(super) door: &'a Door,
    pub(super) engine: &'static Engine,
    pub(super) who: &'a Who,
}

impl Call<'_> {
    /// For what is only looked at: a project that nobody has written to yet is empty.
    pub(super) fn reader(&self) -> Result<Caller> {
        let project = self.door.known_project(self.engine)?.id();
        Ok(Caller { project, actor: self.who.actor.clone() })
    }

    /// For what is written: the project is made on first sight.
    pub(super) fn writer(&self) -> Result<Caller> {
        Ok(Caller { project: self.door.project(self.engine)?, actor: self.who.actor.clone() })
    }

    pub(super) fn session(&self) -> SessionRef {
        SessionRef::Of { client: self.who.client.clone(), session: self.who.session.clone() }
    }

    pub(super) fn during(&self) -> During {
        During { session: self.session(), opening: self.opening() }
    }

    /// Whose working set: the named agent's, else the caller's.
    pub(super) fn agent(&self, asked: Option<String>) -> String {
        asked.unwrap_or_else(|| self.who.actor.to_string())
    }

    /// The session to look at: the named one, else the caller's own where it has one, else the newest of all.
    pub(super) fn session_name(&self, caller: &Caller, asked: Option<String>) -> Result<Option<String>> {
        if asked.is_some() {
            return Ok(asked);
        }
        let own = self.engine.known_session(caller, &self.session())?;
        Ok(own.map(|session| session.id.to_string()))
    }

    /// Searches. A model that was chosen and cannot be used is no reason to fail, and is told to whoever runs this.
    pub(super) fn recall(&self, query: &Query, detail: Detail) -> Result<Answer> {
        let query = &Query { asking: Some(self.session()), ..query.clone() };
        let recalled = self.engine.recall(&self.reader()?, query)?;
        if let Some(problem) = recalled.searched.iter().find_map(|searched| searched.model_problem.as_ref()) {
            tracing::warn!(
                problem,
                "the embedding model could not be used; the built-in table took its place"
            );
        }
        let root = self.door.own_folder(self.engine)?.map(|folder| folder.root.as_path());
        Ok(Answer::new(recalled, &query.text, detail, (self.engine.now(), root)))
    }

    /// Where code is looked for: the folder, unless another project than its own was asked for.
    pub(super) fn files(&self) -> Result<Files> {
        let folder = self.door.own_folder(self.engine)?;
        Ok(folder.map_or(Files::Nowhere, |folder| Files::In(folder.root.clone())))
    }

    /// The person at the machine, whoever acts for them.
    pub(super) fn opening(&self) -> Opening {
        let person = &self.door.config.actor;
        let user = (person.kind == ActorKind::User).then(|| person.name.clone());
        Opening { user, ..self.door.opening() }
    }
}
