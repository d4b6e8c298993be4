//! What happened before anybody watched: events with times of their own, by whoever did them. Sessions that were over
//! long ago end at their own last moment.

use std::collections::HashSet;

use throughline_store::actor::Actor;
use throughline_store::event;
use throughline_store::id::ProjectId;
use throughline_store::session::{self as record, EndReason, Filter, Session, Which};

use super::{Observation, Outcome, Prepared, Recorded, SessionRef, Silence, append};
use crate::{Caller, Engine, Result};

impl Engine {
    /// Records what several actors did, all or none, in this order.
    pub fn capture_past(
        &self,
        project: &ProjectId,
        past: Vec<(Actor, Observation)>,
    ) -> Result<Vec<Recorded>> {
        let Some((first, _)) = past.first() else { return Ok(vec![]) };
        let caller = Caller { project: project.clone(), actor: first.clone() };
        let now = self.now();
        let prepared = past
            .into_iter()
            .map(|(actor, observation)| {
                let caller = Caller { project: project.clone(), actor };
                let prepared = self.prepare(&caller, observation, now)?;
                Ok(Prepared { silence: Silence::IsPartOfIt, ..prepared })
            })
            .collect::<Result<Vec<_>>>()?;
        self.write(&caller, |tx| append::all(self, tx, &caller, &prepared))
    }

    /// What recording them would come to.
    pub fn foresee_past(&self, project: &ProjectId, past: &[(Actor, Observation)]) -> Result<Vec<Outcome>> {
        self.store.read(|conn| {
            let mut said = HashSet::new();
            let mut outcome = |observation: &Observation| {
                let Some(key) = observation.client_key.as_deref() else { return Ok(Outcome::Appended) };
                let known =
                    !said.insert(key.to_owned()) || event::by_client_key(conn, project, key)?.is_some();
                Ok(if known { Outcome::AlreadyThere } else { Outcome::Appended })
            };
            past.iter().map(|(_, observation)| outcome(observation)).collect()
        })
    }

    /// Ends the session where it has been silent for so long that nobody will go on with it.
    pub fn settle(&self, caller: &Caller, session: &SessionRef) -> Result<()> {
        let run = session.clone().run(&caller.actor);
        let now = self.now();
        self.write(caller, |tx| {
            let filter =
                Filter { client_session: Some(run.name.clone()), which: Which::Open, ..Filter::default() };
            let open = record::list(tx, &caller.project, &filter, i64::MAX)?;
            let is_over = |session: &&Session| {
                run.client.as_deref().is_none_or(|client| client == session.client)
                    && session.last_event_at.plus(self.settings.idle_after) <= now
            };
            for session in open.iter().filter(is_over) {
                self.close(tx, caller, session, EndReason::Client, session.last_event_at)?;
            }
            Ok(())
        })
    }
}
