//! What memory is asked to do, told as OpenTelemetry's conventions for generative AI have it: who listens for spans hears how
//! long it took and how it ended, and never what was said or looked for. Nobody listens unless traces were asked for.

use throughline_store::Error as StoreError;
use tracing::field::Empty;
use tracing::span::EnteredSpan;

use crate::{Caller, Error, Result};

/// Spans that are for traces and not for the log.
pub const TARGET: &str = "otel";

/// An operation in the conventions' words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Search,
    Upsert,
    Update,
    Delete,
    /// Everything that bears on a piece of work.
    Retrieval,
}

impl Operation {
    fn name(self) -> &'static str {
        match self {
            Operation::Search => "search_memory",
            Operation::Upsert => "upsert_memory",
            Operation::Update => "update_memory",
            Operation::Delete => "delete_memory",
            Operation::Retrieval => "retrieval",
        }
    }

    /// From now on until it has ended. The project is the store.
    pub(crate) fn begin(self, caller: &Caller) -> Begun {
        let name = self.name();
        Begun(
            tracing::info_span!(
                target: TARGET,
                "memory",
                otel.name = name,
                gen_ai.operation.name = name,
                gen_ai.memory.store.id = caller.project.as_str(),
                gen_ai.memory.record.id = Empty,
                gen_ai.memory.record.count = Empty,
                "error.type" = Empty,
            )
            .entered(),
        )
    }
}

#[derive(Debug)]
pub(crate) struct Begun(EnteredSpan);

impl Begun {
    /// How many records it is about.
    pub(crate) fn records(&self, count: usize) {
        self.0.record("gen_ai.memory.record.count", count);
    }

    /// About these, by their ids.
    pub(crate) fn named(self, names: &[String]) -> Begun {
        self.records(names.len());
        if let [only] = names {
            self.0.record("gen_ai.memory.record.id", only.as_str());
        }
        self
    }

    pub(crate) fn ended<T>(self, outcome: Result<T>) -> Result<T> {
        if let Err(error) = &outcome {
            self.0.record("error.type", kind(error));
        }
        outcome
    }
}

fn kind(error: &Error) -> &'static str {
    match error {
        Error::NotFound(_) => "not_found",
        Error::Invalid(_) => "invalid",
        Error::Conflict(_) => "conflict",
        Error::Model(_) => "model",
        Error::Store(StoreError::Busy { .. }) => "busy",
        Error::Store(_) => "store",
    }
}
