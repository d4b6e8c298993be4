//! What a command works with: the door it comes through, and where to show the answer.

use std::ops::Deref;

use anyhow::Result;
use throughline_engine::store::{Location, Reading};
use throughline_engine::{Caller, Engine};

use super::meant::is_slip;
use super::output::Output;
use crate::config::Overrides;
use crate::door::{Door, Known};

pub(super) struct App<'a> {
    door: Door,
    pub(super) output: &'a Output,
}

impl<'a> App<'a> {
    pub(super) fn load(overrides: &Overrides, output: &'a Output) -> Result<App<'a>> {
        let door = Door::load(overrides, |problem| output.warn(problem))?;
        if overrides.database.is_some()
            && let Location::File(path) = &door.config.location
            && !path.exists()
        {
            output.warn(&format!("there is no database {} yet; it is made now", path.display()));
        }
        Ok(App { door, output })
    }

    /// For commands that look something up, and end.
    pub(super) fn load_to_look(overrides: &Overrides, output: &'a Output) -> Result<App<'a>> {
        let mut app = App::load(overrides, output)?;
        app.door.config.options.reading = Reading::Mapped;
        Ok(app)
    }

    /// For those who write: a project is made on first sight. A name may be misspelt, so that is said.
    pub(super) fn caller(&self, engine: &Engine) -> Result<Caller> {
        if let (true, Some(name)) = (self.config.is_project_named_here(), &self.config.project)
            && let Known::Unknown(Some(_)) = self.known_project(engine)?
            && let Some(near) = engine.projects()?.iter().find(|known| is_slip(name, &known.project.name))
        {
            let near = &near.project.name;
            self.output
                .warn(&format!("there is no project {name:?} yet, so it is made now; there is {near:?}"));
        }
        Ok(Caller { project: self.project(engine)?, actor: self.config.actor.clone() })
    }

    /// For those who only look: what is not known yet has nothing to show, and stays unknown. A name may be
    /// misspelt, so that is said.
    pub(super) fn reader(&self, engine: &Engine) -> Result<Caller> {
        let known = self.known_project(engine)?;
        if let Known::Unknown(Some(why)) = &known {
            self.output.warn(why);
        }
        Ok(Caller { project: known.id(), actor: self.config.actor.clone() })
    }
}

impl Deref for App<'_> {
    type Target = Door;

    fn deref(&self) -> &Door {
        &self.door
    }
}

impl Drop for App<'_> {
    fn drop(&mut self) {
        self.door.close();
    }
}
