//! Whose turn it is to write to a SQLite file, among the threads of a process: who came first goes first.
//!
//! The file's own lock is only asked for again and again, by chance and with pauses; among many, somebody always has bad luck.
//! Between processes it has the last word.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::now;

#[derive(Debug, Default)]
pub(crate) struct Turns {
    queue: Mutex<Queue>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    /// The first one's turn it is.
    waiting: VecDeque<u64>,
    next: u64,
}

/// Until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    turns: &'a Turns,
    number: u64,
}

impl Turns {
    /// Nothing when others took longer than this.
    pub(crate) fn take(&self, at_most: Duration) -> Option<Turn<'_>> {
        let started = now();
        let mut queue = self.queue();
        let number = queue.next;
        queue.next += 1;
        queue.waiting.push_back(number);
        let turn = Turn { turns: self, number };
        while queue.waiting.front() != Some(&number) {
            let left = at_most.saturating_sub(started.elapsed());
            if left.is_zero() {
                // Leaving the queue takes its lock.
                drop(queue);
                return None;
            }
            queue = self.moved.wait_timeout(queue, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        Some(turn)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // A list of numbers; a panic elsewhere cannot leave it half-changed.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.turns.queue().waiting.retain(|waiting| *waiting != self.number);
        self.turns.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::Turns;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn who_came_first_goes_first() {
        let turns = Turns::default();
        let first = turns.take(LONG).unwrap();
        let (went, order) = mpsc::channel();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (turns, went) = (&turns, went.clone());
                scope.spawn(move || {
                    let _turn = turns.take(LONG).unwrap();
                    went.send(number).unwrap();
                });
                while turns.queue().waiting.len() < number + 2 {
                    std::thread::yield_now();
                }
            }
            drop(first);
        });
        drop(went);
        assert_eq!(order.iter().collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
    }

    #[test]
    fn who_gives_up_is_not_waited_for() {
        let turns = Turns::default();
        let first = turns.take(LONG).unwrap();
        assert!(turns.take(Duration::from_millis(1)).is_none());
        drop(first);
        assert!(turns.take(Duration::ZERO).is_some(), "nobody is before");
    }
}
