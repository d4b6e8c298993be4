//! What finished sessions teach: sequences that recur, and fixes that worked more than once. Found by counting, the same each
//! time; each is suggested as a belief with the events that show it, and holds once somebody approves it.

pub(crate) mod job;

mod fix;
mod habit;
mod propose;
#[cfg(test)]
mod tests;
mod trail;
mod word;
mod wording;

use throughline_store::Connection;
use throughline_store::event::{self, Filter, Order};
use throughline_store::id::EventId;
use throughline_store::memory::Memory;
use throughline_store::session::{self, Session};

pub(crate) use propose::TAG;
pub use propose::{Fate, Suggested};
pub use word::Worded;

use propose::Known;
use wording::Order as Course;

use crate::ask::{is_purged_since, position};
use crate::capture::{CLI, During};
use crate::{Caller, Engine, Result};

/// Something that recurs, before anybody has a say in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// The same pattern has the same key, however much shows it.
    pub key: String,
    /// What it would be to believe it.
    pub belief: String,
    /// In how many cases it held, of how many where it could have.
    pub held: usize,
    pub cases: usize,
    /// Events that show it.
    pub evidence: Vec<EventId>,
    /// What comes first in it, and what after.
    course: Course,
}

/// What looking at finished sessions brought.
#[derive(Debug, Clone, PartialEq)]
pub struct Mined {
    pub sessions: usize,
    pub suggested: Vec<Suggested>,
    /// What a model had to do with it, where one was chosen and something was to be said for the first time.
    pub model: Option<Worded>,
}

/// So many of the newest finished sessions are looked at, and so much of each.
const SESSIONS: usize = 200;
const LISTED: i64 = 1000;
const EVENTS: i64 = 2000;
/// So many events are kept as evidence of one pattern.
const EVIDENCE: usize = 20;

impl Pattern {
    /// How sure it is: that it held in all cases of a few says less than in many.
    pub fn confidence(&self) -> f64 {
        (self.held as f64 + 1.0) / (self.cases as f64 + 2.0)
    }
}

impl Engine {
    /// Looks at the finished sessions, and suggests what they teach.
    pub fn mine_patterns(&self, caller: &Caller, during: &During) -> Result<Mined> {
        let (position, trails, known) = self.store.read(|conn| -> Result<_> {
            Ok((position(conn, caller)?, trails(conn, caller)?, Known::of(conn, caller)?))
        })?;
        let patterns = [habit::all(&trails, &known), fix::all(&trails, &known)].concat();
        let (wordings, model) = self.word_patterns(caller, &patterns)?;
        // What a model was asked about for long may not all be there any more.
        if model.is_some() && self.store.read(|conn| is_purged_since(conn, caller, position))? {
            return self.mine_patterns(caller, during);
        }
        let mut suggested = vec![];
        for (pattern, wording) in patterns.iter().zip(wordings) {
            suggested.extend(self.suggest(caller, pattern, (wording, during))?);
        }
        Ok(Mined { sessions: trails.len(), suggested, model })
    }

    /// The patterns that were suggested and that hold, newest first.
    pub fn patterns(&self, caller: &Caller) -> Result<Vec<Memory>> {
        self.store.read(|conn| propose::known(conn, caller))
    }
}

/// What finished sessions did, the oldest first.
fn trails(conn: &mut dyn Connection, caller: &Caller) -> Result<Vec<trail::Trail>> {
    let newest = session::list(conn, &caller.project, &session::Filter::default(), LISTED)?;
    let is_done = |session: &Session| session.ended.is_some() && session.client != CLI;
    let mut trails = vec![];
    for session in newest.into_iter().filter(is_done).take(SESSIONS) {
        let filter = Filter { sessions: vec![session.id], kinds: trail::KINDS.to_vec(), ..Filter::default() };
        let mut events = event::list(conn, &caller.project, &filter, Order::NewestFirst, EVENTS)?;
        events.reverse();
        trails.push(trail::Trail::of(&events));
    }
    trails.reverse();
    Ok(trails)
}

/// Some of the evidence: of many, the newest.
fn kept(mut evidence: Vec<EventId>) -> Vec<EventId> {
    evidence.sort();
    evidence.dedup();
    let surplus = evidence.len().saturating_sub(EVIDENCE);
    evidence.split_off(surplus)
}
