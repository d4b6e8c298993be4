//! What a tool is: how it is described to clients, and the one function behind it.
//!
//! Each tool is a file with a `TOOL`, its argument type and `run`: decode, one call of the engine, encode.

use anyhow::Result;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject, Tool as Described, ToolAnnotations};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::call::Call;
use crate::wire;
use crate::wire::error::{Usage, message};

pub(super) struct Tool {
    pub(super) name: &'static str,
    /// The first sentence carries the words by which clients that hide tools find it.
    pub(super) description: &'static str,
    pub(super) effect: Effect,
    pub(super) loading: Loading,
    pub(super) input: fn() -> JsonObject,
    pub(super) output: fn() -> JsonObject,
    pub(super) run: fn(&Call<'_>, JsonObject) -> Result<Json>,
}

/// What calling a tool does, as clients need to know before they allow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Reads,
    /// Adds, and the same twice is as good as once.
    Adds,
    /// Adds to what is there each time it is called.
    Changes,
    /// Takes something away.
    Removes,
}

/// Whether a client that loads tools on demand should load this one at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loading {
    Always,
    OnDemand,
}

impl Tool {
    pub(super) fn described(&self) -> Described {
        let described = Described::new(self.name, self.description, (self.input)())
            .with_raw_output_schema((self.output)().into())
            .with_annotations(self.effect.annotations());
        match self.loading {
            Loading::Always => described.with_meta(always_loaded()),
            Loading::OnDemand => described,
        }
    }
}

impl Effect {
    fn annotations(self) -> ToolAnnotations {
        let closed = ToolAnnotations::new().open_world(false);
        match self {
            Effect::Reads => closed.read_only(true),
            Effect::Adds => closed.destructive(false).idempotent(true),
            Effect::Changes => closed.destructive(false),
            Effect::Removes => closed.destructive(true).idempotent(true),
        }
    }
}

/// Claude Code's word for it.
fn always_loaded() -> MetaObject {
    MetaObject(JsonObject::from_iter([("anthropic/alwaysLoad".to_owned(), json!(true))]))
}

/// Decodes, runs, encodes. An argument that is null is an argument that was not given.
pub(super) fn answer<A: DeserializeOwned, T: Serialize>(
    call: &Call<'_>,
    mut arguments: JsonObject,
    run: fn(&Call<'_>, A) -> Result<T>,
) -> Result<Json> {
    arguments.retain(|_, value| !value.is_null());
    Ok(serde_json::to_value(run(call, decoded(arguments)?)?)?)
}

pub(super) fn decoded<A: DeserializeOwned>(arguments: JsonObject) -> Result<A> {
    Ok(wire::decoded::decoded(arguments).map_err(|problem| Usage(format!("wrong arguments: {problem}")))?)
}

/// The same JSON as text and as structured content; markdown is text as it is. An error is a text that says what to do.
pub(super) fn result(outcome: Result<Json>) -> CallToolResult {
    match outcome {
        Ok(answer) => {
            let markdown = answer.get("markdown").and_then(Json::as_str).map(ContentBlock::text);
            let mut result = CallToolResult::structured(answer);
            if let Some(markdown) = markdown {
                result.content = vec![markdown];
            }
            result
        }
        Err(error) => CallToolResult::error(vec![ContentBlock::text(message(&error))]),
    }
}

/// A list that names nothing was not meant.
pub(super) fn at_least_one(ids: &[String]) -> Result<(), Usage> {
    if ids.is_empty() { Err(Usage("ids is empty; give at least one id".to_owned())) } else { Ok(()) }
}
