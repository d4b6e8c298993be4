//! When sessions are compacted, how, and where they are cut: the project's settings, over them the workflow's.

use std::path::Path;

use throughline_store::event::{Event, Kind};
use throughline_store::session::Session;

use super::Cause;
use crate::session::{CompactionPart, Loaded, Strategy, Trigger, workflow};
use crate::{Engine, unfinished};

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

    /// How many of the events are to be replaced.
    pub(super) fn cut(&self, events: &[Event], cause: Cause) -> usize {
        match (self.strategy_for(cause), cause) {
            (_, Cause::Gate) => events.iter().rposition(passes_gate).map_or(0, |gate| gate + 1),
            (_, Cause::Idle) => before_turns(events, 1),
            (Strategy::SlidingWindow, _) => before_turns(events, self.keep_turns),
            (Strategy::TokenTruncation, _) => before_tokens(events, self.keep_tokens),
            (Strategy::RecursiveSummarization, _) => {
                before_turns(events, self.keep_turns).max(before_tokens(events, self.keep_tokens))
            }
        }
    }
}

pub(super) fn passes_gate(event: &Event) -> bool {
    event.kind == Kind::ValidationGate && unfinished::is_passed(event)
}

fn before_turns(events: &[Event], keep: usize) -> usize {
    let turns = events.iter().enumerate().rev().filter(|(_, event)| event.kind == Kind::UserMessage);
    turns.take(keep).last().map_or(0, |(place, _)| place)
}

fn before_tokens(events: &[Event], keep: i64) -> usize {
    let mut left = keep;
    for (place, event) in events.iter().enumerate().rev() {
        left -= event.tokens;
        if left < 0 {
            return place + 1;
        }
    }
    0
}
