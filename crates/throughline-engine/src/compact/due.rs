//! Whether a session is to be compacted, found out in the background: recording only asks for the question to be asked.

use throughline_store::Connection;
use throughline_store::checkpoint::{self, Reason};
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::id::{CheckpointId, SessionId};
use throughline_store::session::{self as record, EndReason, Session};

use super::{Cause, Policy, after, newest_summary, policy};
use crate::hold::checkpoint::Wish;
use crate::session::{State, Trigger};
use crate::work::COMPACT_SESSION;
use crate::{Caller, Engine, Result};

/// In a run without prompts the question is asked once in so many events.
const EVENTS: i64 = 16;
/// Events of so many tokens together are worth asking as well.
const MANY_TOKENS: i64 = 4_000;
/// So many gates are looked at.
const GATES: i64 = 20;

impl Engine {
    /// Asks for a look at the sessions that these events made longer, where a look may find something.
    pub(crate) fn watch_growth(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        placed: &[Event],
    ) -> Result<()> {
        let mut asked: Vec<&SessionId> = vec![];
        for event in placed {
            if !asked.contains(&&event.session_id) && self.may_be_due(event, placed) {
                asked.push(&event.session_id);
                self.ask_for(tx, &caller.project, COMPACT_SESSION, event.session_id.as_str())?;
            }
        }
        Ok(())
    }

    /// What is told of long ago is nobody's context now.
    fn may_be_due(&self, event: &Event, placed: &[Event]) -> bool {
        let is_present = self.now().since(event.at) < self.settings.idle_after;
        let turns = i64::try_from(self.settings.compaction.turns).unwrap_or(i64::MAX);
        let is_turn = event.kind == Kind::UserMessage && event.sequence >= turns;
        let tokens: i64 = placed.iter().map(|event| event.tokens).sum();
        is_present
            && (is_turn
                || event.kind == Kind::ValidationGate
                || event.sequence % EVENTS == 0
                || tokens >= MANY_TOKENS)
    }

    /// Makes the checkpoints and the summary that are due.
    pub(crate) fn see_to(&self, caller: &Caller, id: &SessionId) -> Result<()> {
        let Some(session) = self.store.read(|conn| record::by_id(conn, &caller.project, id))? else {
            return Ok(());
        };
        let policy = self.compaction_of(&session);
        for cause in self.causes(caller, &session, &policy)? {
            if self.compact(caller, &session, cause, &policy)?.is_some() {
                break;
            }
            if cause == Cause::Gate {
                self.checkpoint_gate(caller, &session, &policy)?;
            }
        }
        self.checkpoint_end(caller, &session, &policy)
    }

    /// Why the session is to be compacted, the most pressing first.
    pub(crate) fn causes(&self, caller: &Caller, session: &Session, policy: &Policy) -> Result<Vec<Cause>> {
        let is_idle = matches!(self.session_state(session), State::Idle | State::Ended(EndReason::Idle));
        self.store.read(|conn| {
            let summary = newest_summary(conn, caller, session)?;
            let (_, tokens) = super::since(conn, caller, session, summary.as_ref())?;
            let since = after(session, summary.as_ref());
            let of_kind = |kind| Filter { kinds: vec![kind], ..since.clone() };
            let turns = event::count(conn, &caller.project, &of_kind(Kind::UserMessage))?;
            let gates = of_kind(Kind::ValidationGate);
            let gates = event::list(conn, &caller.project, &gates, Order::NewestFirst, GATES)?;
            let most_turns = i64::try_from(policy.turns).unwrap_or(i64::MAX);
            let causes = [
                (Cause::Tokens, tokens >= policy.most_tokens()),
                (Cause::Turns, turns > most_turns),
                (Cause::Gate, policy.on_gate && gates.iter().any(policy::passes_gate)),
                (Cause::Idle, policy.on_idle && is_idle && turns > 1 && tokens >= policy.min_tokens),
            ];
            Ok(causes.into_iter().filter(|(_, is_due)| *is_due).map(|(cause, _)| cause).collect())
        })
    }

    /// A gate is a moment to come back to, also when there is too little for a summary.
    fn checkpoint_gate(&self, caller: &Caller, session: &Session, policy: &Policy) -> Result<()> {
        if !policy.checkpoints(Cause::Gate) {
            return Ok(());
        }
        let gates = Filter {
            sessions: vec![session.id.clone()],
            kinds: vec![Kind::ValidationGate],
            ..Filter::default()
        };
        let id: CheckpointId = self.ids.next(self.now());
        self.write(caller, |tx| {
            let newest = event::list(tx, &caller.project, &gates, Order::NewestFirst, GATES)?;
            let Some(gate) = newest.iter().find(|gate| policy::passes_gate(gate)) else { return Ok(()) };
            let kept =
                checkpoint::Filter { session: Some(session.id.clone()), ..checkpoint::Filter::default() };
            let last = checkpoint::list(tx, &caller.project, &kept, 1)?.pop();
            if last.is_some_and(|last| last.position >= gate.position) {
                return Ok(());
            }
            let name = gate.target.clone().unwrap_or_else(|| gate.summary.clone());
            let title = format!("gate passed: {name}");
            let wish = Wish::of(session, id.clone(), Reason::Gate, title);
            self.make_checkpoint(tx, caller, wish).map(|_| ())
        })
    }

    /// Where a workflow wants one of the end.
    fn checkpoint_end(&self, caller: &Caller, session: &Session, policy: &Policy) -> Result<()> {
        if session.ended.is_none() || !policy.checkpoint_on.contains(&Trigger::SessionEnd) {
            return Ok(());
        }
        let id: CheckpointId = self.ids.next(self.now());
        self.write(caller, |tx| {
            let kept =
                checkpoint::Filter { session: Some(session.id.clone()), ..checkpoint::Filter::default() };
            let last = checkpoint::list(tx, &caller.project, &kept, 1)?.pop();
            if last.is_some_and(|last| session.ended.is_some_and(|ended| last.created_at >= ended.at)) {
                return Ok(());
            }
            let title = "the session's end".to_owned();
            let wish = Wish::of(session, id.clone(), Reason::Request, title);
            self.make_checkpoint(tx, caller, wish).map(|_| ())
        })
    }
}
