//! What a model is told at a moment of its work: little, relevant, and nothing that it was told before.
//!
//! What a session's model has been given is noted with the session, in the same transaction as the moment itself, and is
//! forgotten when the client throws its context away.

mod given;
mod held;
mod isolation;
mod relevant;
mod stale;
mod thread;
mod told;

use std::collections::HashSet;

use serde_json::Value as Json;
use throughline_inference::tokens;
use throughline_store::Connection;
use throughline_store::context_entry::ContextEntry;
use throughline_store::id::MemoryId;
use throughline_store::item::{Item, Type};
use throughline_store::memory::Memory;
use throughline_store::session::{self as record, Session};
use throughline_store::time::Timestamp;

pub use given::Given;
pub use thread::Thread;
pub use told::{Beside, INJECTION_TARGET, Piece, Told, Why};

use crate::backlog::{RecentWork, recent};
use crate::capture::SessionRef;
use crate::orient::{COMPLETED, Orientation};
use crate::recall::{Files, Hit};
use crate::{Caller, Engine, Result};

/// A moment of a session, and how much may be said.
#[derive(Debug, Clone)]
pub struct Turn<'a> {
    pub session: &'a SessionRef,
    pub need: Need<'a>,
    /// Where the project stands, for moments that begin something.
    pub orientation: Option<Orientation>,
    pub max_tokens: u64,
    pub max_chars: usize,
    /// Where code is looked for.
    pub files: Files,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need<'a> {
    /// A model that knows nothing yet.
    Beginning,
    /// One that still has what it was given, and may have missed what happened since.
    Return,
    /// One that goes on with the context of another, of which nobody knows what it was given.
    Fork,
    /// One that has just lost its context.
    Compacted,
    /// One that is about to lose it, and is asked what must stay.
    Compaction,
    Prompt(&'a str),
    /// One that works for another.
    Subagent,
}

/// What is told at a moment, before it is a text.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnContext {
    pub now: Timestamp,
    pub orientation: Option<Orientation>,
    /// What this session has done so far.
    pub thread: Option<Thread>,
    /// What the agent holds HOT and does not have before it.
    pub held: Vec<ContextEntry>,
    /// What the prompt names.
    pub named: Vec<Item>,
    /// What the prompt is about, the best first.
    pub relevant: Vec<Hit>,
    /// Rules and preferences that were not told yet.
    pub rules: Vec<Memory>,
    /// Those of them all that cite code which has changed.
    pub stale: HashSet<MemoryId>,
    /// Goes with everything that is told, unless the orientation has it.
    pub work: Option<RecentWork>,
    /// What the session has written down for itself.
    pub scratchpad: Option<Json>,
    pub left_out: LeftOut,
}

/// What could have been told, and why it was not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeftOut {
    pub told_before: usize,
    pub no_room: usize,
}

/// What is told at prompts, and for which work nothing is.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// What is less relevant to a prompt is not told.
    pub floor: f64,
    /// How many memories and tasks a prompt brings at most.
    pub most: usize,
    /// Whether tasks need context that do not say so themselves.
    pub requires_context: bool,
    /// Tasks of these types need none.
    pub isolated_types: Vec<Type>,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { floor: 0.34, most: 8, requires_context: true, isolated_types: vec![] }
    }
}

const RULES: usize = 5;

impl Engine {
    /// What to tell a model now, and nothing when there is nothing worth its tokens. `write` makes the text, which is
    /// shortened until it fits.
    pub fn turn(
        &self,
        caller: &Caller,
        turn: &Turn<'_>,
        write: &dyn Fn(&TurnContext) -> String,
    ) -> Result<Option<Told>> {
        let gathered = self.store.read(|conn| {
            let session = self.session_of(conn, caller, turn.session)?;
            if isolation::is_isolated(conn, caller, session.as_ref(), (&self.settings.turn, turn.need))? {
                return Ok(None);
            }
            let given = given::of(conn, caller, session.as_ref(), turn.need)?;
            let context = self.what_to_tell(conn, caller, session.as_ref(), turn, &given)?;
            Ok::<_, crate::Error>(Some((given, context)))
        })?;
        let Some((given, context)) = gathered.filter(|(given, context)| context.is_worth_telling(given))
        else {
            return Ok(None);
        };
        let stale = stale::stale(&context, &turn.files);
        let (context, text) = fit(TurnContext { stale, ..context }, turn, write);
        Ok(Some(Told::new(turn.need, &context, given, text)))
    }

    /// Whether the session's model has been told where the project stands, and still has it.
    pub fn is_oriented(&self, caller: &Caller, session: &SessionRef) -> Result<bool> {
        self.store.read(|conn| {
            let session = self.session_of(conn, caller, session)?;
            let given = given::of(conn, caller, session.as_ref(), Need::Return)?;
            Ok(!given.is_news(&told::of_orienting()))
        })
    }

    fn session_of(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        session: &SessionRef,
    ) -> Result<Option<Session>> {
        let run = session.clone().run(&caller.actor);
        Ok(record::present(conn, &caller.project, run.client.as_deref(), &run.name)?)
    }

    fn what_to_tell(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        session: Option<&Session>,
        turn: &Turn<'_>,
        given: &Given,
    ) -> Result<TurnContext> {
        let mut context = TurnContext {
            now: self.now(),
            orientation: turn.orientation.clone(),
            thread: None,
            held: vec![],
            named: vec![],
            relevant: vec![],
            rules: vec![],
            stale: HashSet::new(),
            work: None,
            scratchpad: None,
            left_out: LeftOut::default(),
        };
        if turn.need.follows_compaction() || given.is_compacted() {
            context.thread = session.map(|session| thread::of(conn, caller, session)).transpose()?;
        }
        let policy = (&self.settings.hold, context.now);
        context.held = held::of(conn, caller, (session, turn), given, policy)?;
        if turn.need == Need::Return {
            given.take_from(&mut context);
        }
        if let Need::Prompt(message) = turn.need {
            context.named = relevant::named(conn, caller, message, given)?;
            self.add_relevant(conn, caller, message, given, &mut context)?;
            self.add_code(conn, caller, (message, &turn.files), given, &mut context)?;
            if context.orientation.is_none() {
                context.rules = self.untold_rules(conn, caller, given)?;
            }
        }
        if context.orientation.is_none() && turn.need != Need::Compaction {
            context.work = Some(recent::recent(conn, caller, COMPLETED)?);
        }
        context.scratchpad = session.and_then(|session| written(session, given));
        Ok(context)
    }
}

impl Need<'_> {
    fn follows_compaction(self) -> bool {
        matches!(self, Need::Compacted | Need::Compaction)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Need::Beginning => "session start",
            Need::Return => "resume",
            Need::Fork => "fork",
            Need::Compacted => "after compaction",
            Need::Compaction => "compaction",
            Need::Prompt(_) => "prompt",
            Need::Subagent => "sub-agent start",
        }
    }
}

impl TurnContext {
    /// What goes with other things is no reason to speak up. A name alone says nothing.
    fn is_worth_telling(&self, given: &Given) -> bool {
        let news = |work: &RecentWork| !work.is_empty() && given.is_news(&told::of_work(work));
        self.work.as_ref().is_some_and(news)
            || self.thread.is_some()
            || !self.held.is_empty()
            || !self.named.is_empty()
            || !self.relevant.is_empty()
            || !self.rules.is_empty()
            || self.orientation.as_ref().is_some_and(|orientation| !orientation.is_bare())
    }
}

fn written(session: &Session, given: &Given) -> Option<Json> {
    let scratchpad: Json = serde_json::from_str(&session.scratchpad).ok()?;
    let says_something = scratchpad.as_object().is_some_and(|keys| !keys.is_empty());
    (says_something && given.is_news(&told::of_scratchpad(&scratchpad))).then_some(scratchpad)
}

/// Leaves out what matters least until the rest fits; the working memory stays.
fn fit(
    mut context: TurnContext,
    turn: &Turn<'_>,
    write: &dyn Fn(&TurnContext) -> String,
) -> (TurnContext, String) {
    loop {
        let text = write(&context);
        let fits = text.chars().count() <= turn.max_chars && tokens::fits(&text, turn.max_tokens);
        if fits || !context.drop_least() {
            return (context, text);
        }
    }
}

impl TurnContext {
    /// False when nothing is left that could go.
    fn drop_least(&mut self) -> bool {
        let dropped = self.relevant.pop().is_some()
            || self.held.pop().is_some()
            || self.scratchpad.take().is_some()
            || self.rules.pop().is_some()
            || self.named.pop().is_some()
            || self.orientation.as_mut().is_some_and(Orientation::drop_least)
            || self.thread.as_mut().is_some_and(Thread::drop_least)
            || self.work.as_mut().is_some_and(|work| work.blockers.pop().is_some());
        self.left_out.no_room += usize::from(dropped);
        dropped
    }
}

#[cfg(test)]
mod tests;
