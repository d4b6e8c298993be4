//! What a command works with: the door it comes through, and where to show the answer.

use std::ops::Deref;

use anyhow::Result;
use throughline_engine::store::Reading;
use throughline_engine::{Caller, Engine};

use super::output::Output;
use crate::config::Overrides;
use crate::door::{Door, Known};

pub(super) struct App<'a> {
    door: Door,
    pub(super) output: &'a Output,
}

impl<'a> App<'a> {
    pub(super) fn load(overrides: &Overrides, output: &'a Output) -> Result<App<'a>> {
        Ok(App { door: Door::load(overrides, |problem| output.warn(problem))?, output })
    }

    /// For commands that look something up, and end.
    pub(super) fn load_to_look(overrides: &Overrides, output: &'a Output) -> Result<App<'a>> {
        let mut app = App::load(overrides, output)?;
        app.door.config.options.reading = Reading::Mapped;
        Ok(app)
    }

    pub(super) fn caller(&self, engine: &Engine) -> Result<Caller> {
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
