//! What is done after sessions have ended: their patterns are looked for, and memories that nobody needs are put away.

use throughline_store::Connection;

use crate::capture::{During, Opening, SessionRef};
use crate::remember::Archiving;
use crate::work::Next;
use crate::{Caller, Engine, Result};

pub(crate) const KIND: &str = "tend_knowledge";

pub(crate) fn request(tx: &mut dyn Connection, engine: &Engine, caller: &Caller) -> Result<()> {
    engine.ask_for(tx, &caller.project, KIND, "all")
}

pub(crate) fn run(engine: &Engine, caller: &Caller) -> Result<Next> {
    let during = During { session: SessionRef::Own, opening: Opening::default() };
    let mined = engine.mine_patterns(caller, &during)?;
    let archived = engine.archive_memories(caller, Archiving::Do, &during)?;
    tracing::info!(
        sessions = mined.sessions,
        patterns = mined.suggested.len(),
        archived = archived.len(),
        "knowledge tended"
    );
    Ok(Next::Done)
}
