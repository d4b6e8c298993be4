//! What is put before the model at a moment of its work: the one place that decides it.

use anyhow::Result;
use throughline_engine::capture::SessionRef;
use throughline_engine::orient::Orientation;
use throughline_engine::{Caller, Engine, tokens};

use super::{Heard, Limits, Moment};
use crate::wire::orient::{Orient, text};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Injection {
    /// Without the marks that tell it from what people say.
    pub(crate) text: String,
    pub(crate) tokens: u64,
}

const ORIENT_TOKENS: u64 = 800;

/// Nothing when nothing is worth saying.
pub(super) fn inject(
    engine: &Engine,
    caller: &Caller,
    heard: &Heard,
    limits: Limits,
) -> Result<Option<Injection>> {
    if !matches!(heard.moment, Moment::SessionStart(_)) {
        return Ok(None);
    }
    let budget = ORIENT_TOKENS.min(limits.max_tokens);
    let write = |orientation: &Orientation| text(&Orient::from(orientation));
    let mut orientation = engine.orient(caller, (None, budget), &write)?;
    let is_this = |client: &str, session: &str| {
        heard.session == SessionRef::Of { client: client.to_owned(), session: session.to_owned() }
    };
    orientation.last_session.take_if(|last| is_this(&last.client, &last.client_session));
    let text = write(&orientation);
    let says_more_than_its_name = text.trim() != orientation.project;
    Ok(says_more_than_its_name.then(|| Injection { tokens: tokens::count(&text), text }))
}
