//! When sessions are compacted, how, and where they are cut: the project's settings, over them the workflow's.

use std::path::Path;

use throughline_store::Connection;
use throughline_store::event::{Event, Kind, Order};
use throughline_store::session::Session;

use super::Cause;
use super::pages::Since;
use crate::session::{CompactionPart, Loaded, Strategy, Trigger, workflow};
use crate::{Engine, Result, unfinished};

/// The place before every event: nothing is cut off there.
pub(super) const NOWHERE: i64 = 0;

#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// After so many turns.
    pub turns: usize,
    /// At this share of so many tokens.
    pub token_budget: i64,
    pub share: f64,
    /// When the session falls silent, and when it passes a gate.
    pub on_idle: bool,
    pub on_gate: bool,
    /// So many of the newest turns stay as they are, and so many tokens.
    pub keep_turns: usize,
    pub keep_tokens: i64,
    /// Less than this is not worth a summary.
    pub min_tokens: i64,
    /// In place of the strategy that fits the cause.
    pub strategy: Option<Strategy>,
    /// Only for these causes a checkpoint is made; for all when empty.
    pub checkpoint_on: Vec<Trigger>,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            turns: 30,
            token_budget: 100_000,
            share: 0.8,
            on_idle: true,
            on_gate: true,
            keep_turns: 10,
            keep_tokens: 20_000,
            min_tokens: 2_000,
            strategy: None,
            checkpoint_on: vec![],
        }
    }
}

impl Engine {
    /// What holds for a session: where it names a workflow, what that sets goes first.
    pub(crate) fn compaction_of(&self, session: &Session) -> Policy {
        let policy = self.settings.compaction.clone();
        let (Some(name), Some(root)) = (&session.workflow, &session.workspace) else { return policy };
        match workflow::load(Path::new(root), &self.settings.workflow_folders, name) {
            Loaded::Read { workflow, .. } => policy.with(&workflow.session.compaction),
            Loaded::Ignored { .. } | Loaded::Missing { .. } => policy,
        }
    }
}

impl Policy {
    fn with(self, set: &CompactionPart) -> Policy {
        Policy {
            turns: set.turns.unwrap_or(self.turns),
            token_budget: set.token_budget.unwrap_or(self.token_budget),
            strategy: set.strategy.or(self.strategy),
            checkpoint_on: set.checkpoint_on.clone(),
            ..self
        }
    }

    /// From so many tokens on.
    pub fn most_tokens(&self) -> i64 {
        (self.token_budget as f64 * self.share) as i64
    }

    pub(super) fn strategy_for(&self, cause: Cause) -> Strategy {
        self.strategy.unwrap_or(match cause {
            Cause::Turns => Strategy::SlidingWindow,
            Cause::Tokens => Strategy::TokenTruncation,
            Cause::Idle | Cause::Gate | Cause::Request => Strategy::RecursiveSummarization,
        })
    }

    pub(super) fn checkpoints(&self, cause: Cause) -> bool {
        let trigger = match cause {
            Cause::Turns => Trigger::Turns,
            Cause::Tokens => Trigger::Tokens,
            Cause::Idle => Trigger::Idle,
            Cause::Gate => Trigger::ValidationGate,
            Cause::Request => return true,
        };
        self.checkpoint_on.is_empty() || self.checkpoint_on.contains(&trigger)
    }

    /// Where what came since the last summary is to be cut: the sequence of the first event that stays.
    pub(super) fn cut(&self, conn: &mut dyn Connection, since: &Since<'_>, cause: Cause) -> Result<i64> {
        match (self.strategy_for(cause), cause) {
            (_, Cause::Gate) => behind_gate(conn, since),
            (_, Cause::Idle) => before_turns(conn, since, 1),
            (Strategy::SlidingWindow, _) => before_turns(conn, since, self.keep_turns),
            (Strategy::TokenTruncation, _) => before_tokens(conn, since, self.keep_tokens),
            (Strategy::RecursiveSummarization, _) => {
                let turns = before_turns(conn, since, self.keep_turns)?;
                Ok(turns.max(before_tokens(conn, since, self.keep_tokens)?))
            }
        }
    }
}

pub(super) fn passes_gate(event: &Event) -> bool {
    event.kind == Kind::ValidationGate && unfinished::is_passed(event)
}

fn behind_gate(conn: &mut dyn Connection, since: &Since<'_>) -> Result<i64> {
    let mut pages = since.pages(Order::NewestFirst).of_kinds(&[Kind::ValidationGate]);
    while let Some(page) = pages.next(conn)? {
        if let Some(gate) = page.iter().find(|event| passes_gate(event)) {
            return Ok(gate.sequence + 1);
        }
    }
    Ok(NOWHERE)
}

fn before_turns(conn: &mut dyn Connection, since: &Since<'_>, keep: usize) -> Result<i64> {
    let mut pages = since.pages(Order::NewestFirst).of_kinds(&[Kind::UserMessage]);
    let (mut left, mut place) = (keep, NOWHERE);
    while left > 0
        && let Some(page) = pages.next(conn)?
    {
        let turns = &page[..left.min(page.len())];
        left -= turns.len();
        place = turns.last().map_or(place, |turn| turn.sequence);
    }
    Ok(place)
}

fn before_tokens(conn: &mut dyn Connection, since: &Since<'_>, keep: i64) -> Result<i64> {
    let mut pages = since.pages(Order::NewestFirst);
    let mut left = keep;
    while let Some(page) = pages.next(conn)? {
        for event in page {
            left -= event.tokens;
            if left < 0 {
                return Ok(event.sequence + 1);
            }
        }
    }
    Ok(NOWHERE)
}
