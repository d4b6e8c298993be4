//! The index of a project's files is kept up in the background: a little at a time, so that nobody waits for it.

use std::path::Path;
use std::time::Duration;

use throughline_store::event::{Event, Kind};
use throughline_store::job::{self, Request};
use throughline_store::{Connection, code_index};

use super::Bound;
use crate::work::Next;
use crate::{Caller, Engine, Result};

pub(crate) const KIND: &str = "index_code";
const KEY: &str = "code";

/// Others get their turn after this long.
const RUN_FOR: Duration = Duration::from_secs(2);
/// What is written is often written again at once.
const AFTER_A_WRITE: Duration = Duration::from_secs(1);
/// A folder of another machine is left to that one.
const ELSEWHERE: Duration = Duration::from_secs(60);

/// Asks for the folder to be looked at.
pub(crate) fn request(tx: &mut dyn Connection, engine: &Engine, caller: &Caller) -> Result<()> {
    engine.ask_for(tx, &caller.project, KIND, KEY)
}

/// Asks for it where somebody wrote to a file and there is an index to keep up.
pub(crate) fn follow(
    engine: &Engine,
    tx: &mut dyn Connection,
    caller: &Caller,
    placed: &[Event],
) -> Result<()> {
    let wrote = placed.iter().any(|event| event.kind == Kind::Write);
    if !wrote || code_index::get(tx, &caller.project)?.is_none() {
        return Ok(());
    }
    let now = engine.now();
    let run_at = now.plus(AFTER_A_WRITE);
    let request = Request { kind: KIND, key: KEY, payload: "{}", run_at, deadline: None };
    Ok(job::enqueue(tx, &caller.project, &request, now)?)
}

pub(crate) fn run(engine: &Engine, caller: &Caller) -> Result<Next> {
    let index = engine.store.read(|conn| code_index::get(conn, &caller.project))?;
    let Some(index) = index else { return Ok(Next::Done) };
    if index.machine != crate::project::machine() {
        return Ok(Next::Again(engine.now().plus(ELSEWHERE)));
    }
    let root = Path::new(&index.root);
    // A folder that is gone is nothing to try again: whoever works elsewhere asks for that.
    if !root.is_dir() {
        return Ok(Next::Done);
    }
    let progress = engine.index_code(caller, root, Bound::For(RUN_FOR), &mut |_| {})?;
    Ok(if progress.left > 0 { Next::Again(engine.now()) } else { Next::Done })
}
