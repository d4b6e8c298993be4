//! Ends a session that has been silent for long enough; waits on when it has not.

use throughline_store::id::SessionId;
use throughline_store::job::Job;
use throughline_store::session::{self, EndReason};

use super::Next;
use crate::clock::AHEAD;
use crate::{Caller, Engine, Result};

pub(crate) const KIND: &str = "close_idle_session";

pub(super) fn run(engine: &Engine, caller: &Caller, job: &Job) -> Result<Next> {
    let now = engine.now();
    let id = SessionId::from(job.key.clone());
    engine.write(caller, |tx| {
        let session = session::by_id(tx, &caller.project, &id)?;
        let Some(session) = session.filter(|session| session.ended.is_none()) else { return Ok(Next::Done) };
        let idle_at = session.last_event_at.plus(engine.settings.idle_after);
        if session.last_event_at > now.plus(AHEAD) {
            // A clock was ahead, and nothing came since. Its silence cannot be measured; whoever still works resumes it.
            engine.close(tx, caller, &session, EndReason::Idle, session.last_event_at)?;
            return Ok(Next::Done);
        }
        if idle_at > now {
            return Ok(Next::Again(idle_at));
        }
        engine.close(tx, caller, &session, EndReason::Idle, idle_at)?;
        Ok(Next::Done)
    })
}
