//! Looks whether a session has grown too long or passed a gate, and does what is due.

use throughline_store::id::SessionId;
use throughline_store::job::Job;

use super::Next;
use crate::{Caller, Engine, Result};

pub(crate) const KIND: &str = "compact_session";

pub(super) fn run(engine: &Engine, caller: &Caller, job: &Job) -> Result<Next> {
    engine.see_to(caller, &SessionId::from(job.key.clone()))?;
    Ok(Next::Done)
}
