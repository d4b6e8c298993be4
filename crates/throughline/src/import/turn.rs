//! What must be remembered while a transcript is read: which prompt is being answered, and which tools have not returned
//! yet.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value as Json;

/// A prompt and the answers to it so far.
#[derive(Debug, Default)]
pub(super) struct Turn {
    prompt: Option<String>,
    said: HashMap<u64, usize>,
}

impl Turn {
    /// Another prompt begins another turn.
    pub(super) fn of(&mut self, prompt: &str) {
        if self.prompt.as_deref() != Some(prompt) {
            *self = Turn { prompt: Some(prompt.to_owned()), said: HashMap::new() };
        }
    }

    pub(super) fn prompt(&self) -> Option<String> {
        self.prompt.clone()
    }

    /// What sets a text of the model apart: the turn, as for the hook that hears the last one, and a number where the
    /// same was said before in it.
    pub(super) fn stamp(&mut self, text: &str) -> Option<String> {
        let mut hash = DefaultHasher::new();
        text.hash(&mut hash);
        let times = self.said.entry(hash.finish()).or_insert(0);
        *times += 1;
        let prompt = self.prompt.as_deref()?;
        Some(if *times == 1 { prompt.to_owned() } else { format!("{prompt}/{times}") })
    }
}

/// Tools that were called and have not returned.
#[derive(Debug, Default)]
pub(super) struct Calls {
    waiting: HashMap<String, Call>,
    order: VecDeque<String>,
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) tool: String,
    pub(super) input: Json,
}

/// More never wait in truth; a broken transcript must not fill the memory.
const MAX_WAITING: usize = 256;

impl Calls {
    pub(super) fn add(&mut self, id: &str, tool: String, input: Json) {
        if self.waiting.insert(id.to_owned(), Call { tool, input }).is_none() {
            self.order.push_back(id.to_owned());
        }
        while self.order.len() > MAX_WAITING {
            if let Some(oldest) = self.order.pop_front() {
                self.waiting.remove(&oldest);
            }
        }
    }

    pub(super) fn take(&mut self, id: &str) -> Option<Call> {
        let call = self.waiting.remove(id)?;
        self.order.retain(|waiting| waiting != id);
        Some(call)
    }
}
