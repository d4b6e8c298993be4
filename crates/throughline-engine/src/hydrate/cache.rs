//! Answers that were given before: good as long as nothing was written to the project's log.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use throughline_store::id::ProjectId;
use throughline_store::time::Timestamp;

use super::answer::Hydration;
use super::request::Request;

/// So many answers are kept.
const KEPT: usize = 32;

#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<VecDeque<Kept>>);

/// Of the log, and of the index of the project's files.
type Position = (i64, i64);

#[derive(Debug)]
struct Kept {
    key: Key,
    position: Position,
    /// When something in it runs out.
    until: Option<Timestamp>,
    answer: Arc<Hydration>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) project: ProjectId,
    pub(super) request: Request,
    pub(super) rendering: &'static str,
}

impl Cache {
    /// The answer that was given at this position of the log.
    pub(super) fn get(&self, key: &Key, position: Position, now: Timestamp) -> Option<Arc<Hydration>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter()
            .find(|kept| {
                kept.key == *key && kept.position == position && kept.until.is_none_or(|until| now < until)
            })
            .map(|kept| Arc::clone(&kept.answer))
    }

    pub(super) fn put(&self, key: Key, position: Position, answer: &Arc<Hydration>) {
        let known = answer.memories.iter().chain(&answer.decisions);
        let until = known.filter_map(|known| known.memory.expires_at).min();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.key != key);
        kept.truncate(KEPT - 1);
        kept.push_front(Kept { key, position, until, answer: Arc::clone(answer) });
    }
}
