//! The review queue in JSON, and what became of memories that were reviewed.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::remember::{
    Queue as EngineQueue, Reviewed as EngineReviewed, Waiting as EngineWaiting,
};
use throughline_engine::store::time::Timestamp;

use super::memory::Memory;
use super::time::Moment;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Queue {
    pub(crate) waiting: Vec<Waiting>,
    pub(crate) total: i64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Waiting {
    #[serde(flatten)]
    pub(crate) memory: Memory,
    /// Why it waits.
    pub(crate) why: String,
    pub(crate) since: Moment,
}

impl Queue {
    pub(crate) fn at(queue: EngineQueue, now: Timestamp) -> Queue {
        let waiting = queue.waiting.into_iter().map(|waiting| Waiting::at(waiting, now));
        Queue { waiting: waiting.collect(), total: queue.total }
    }
}

impl Waiting {
    pub(crate) fn at(waiting: EngineWaiting, now: Timestamp) -> Waiting {
        Waiting { memory: Memory::at(waiting.memory, now), why: waiting.why, since: Moment(waiting.since) }
    }

    /// The title, where it says something else than how the content begins.
    pub(crate) fn title_beside(&self) -> Option<&str> {
        let content = self.memory.content.split_whitespace().collect::<Vec<_>>().join(" ");
        let title = self.memory.title.as_str();
        (!content.starts_with(title.trim_end_matches('…'))).then_some(title)
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Review {
    pub(crate) memories: Vec<Reviewed>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Reviewed {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) status: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) superseded: Vec<String>,
}

impl From<Vec<EngineReviewed>> for Review {
    fn from(reviewed: Vec<EngineReviewed>) -> Review {
        let one = |reviewed: EngineReviewed| Reviewed {
            id: reviewed.memory.id.to_string(),
            title: reviewed.memory.title,
            status: reviewed.memory.status.to_string(),
            superseded: reviewed.superseded.iter().map(|old| old.id.to_string()).collect(),
        };
        Review { memories: reviewed.into_iter().map(one).collect() }
    }
}

impl Review {
    pub(crate) fn text(&self) -> String {
        let line = |memory: &Reviewed| {
            let past = match memory.superseded.as_slice() {
                [] => String::new(),
                past => format!(" (in place of {})", past.join(", ")),
            };
            format!("{} {}: {}{past}", memory.id, memory.status, memory.title)
        };
        self.memories.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
