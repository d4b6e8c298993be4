//! The model of the client that uses us: whoever speaks with the client says how it is asked.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Completion, Question, Result};

type Ask = dyn Fn(&Question, Duration) -> Result<Completion> + Send + Sync;

/// Waits for an answer no longer than it is told to.
#[derive(Clone)]
pub struct ClientModel(Arc<Ask>);

impl ClientModel {
    pub fn from_fn(
        ask: impl Fn(&Question, Duration) -> Result<Completion> + Send + Sync + 'static,
    ) -> ClientModel {
        ClientModel(Arc::new(ask))
    }

    pub(super) fn complete(&self, question: &Question, timeout: Duration) -> Result<Completion> {
        (self.0)(question, timeout)
    }
}

impl fmt::Debug for ClientModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientModel")
    }
}
