//! What is done after sessions have ended: what they were told is counted, their patterns are looked for, and memories that nobody needs are put away.

use throughline_store::time::Timestamp;
use throughline_store::{Connection, session};

use crate::capture::{During, Opening, SessionRef};
use crate::remember::Archiving;
use crate::work::Next;
use crate::{Caller, Engine, Result};

pub(crate) const KIND: &str = "tend_knowledge";

const DAY: i64 = 24 * 60 * 60 * 1_000_000;
const WEEK: i64 = 7 * DAY;
const MONTH: i64 = 30 * DAY;

pub(crate) fn request(tx: &mut dyn Connection, engine: &Engine, caller: &Caller) -> Result<()> {
    engine.ask_for(tx, &caller.project, KIND, "all")
}

pub(crate) fn run(engine: &Engine, caller: &Caller) -> Result<Next> {
    let during = During { session: SessionRef::Own, opening: Opening::default() };
    engine.count_told(caller)?;
    let mined = engine.mine_patterns(caller, &during)?;
    let archived = match is_in_use(engine, caller)? {
        true => engine.archive_memories(caller, Archiving::Do, &during)?,
        false => vec![],
    };
    tracing::info!(
        sessions = mined.sessions,
        patterns = mined.suggested.len(),
        archived = archived.len(),
        "knowledge tended"
    );
    Ok(Next::Done)
}

/// Whether there was work in the month before the last week. After a long silence, or when the clock is suddenly a year ahead,
/// everything looks worn: nobody had the chance to use it.
fn is_in_use(engine: &Engine, caller: &Caller) -> Result<bool> {
    let until = Timestamp(engine.now().0.saturating_sub(WEEK));
    let from = Timestamp(until.0.saturating_sub(MONTH));
    Ok(engine.store.read(|conn| session::any_between(conn, &caller.project, from, until))?)
}
