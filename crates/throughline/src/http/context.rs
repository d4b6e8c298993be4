//! What an agent would be given: the context of a task, where the project stands, what a prompt brings.

use std::borrow::Cow;
use std::marker::PhantomData;

use anyhow::Result;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value as Json, json};
use throughline_engine::capture::{SessionRef, mark};
use throughline_engine::hydrate::{Depth, Focus, Include, MaxTokens, Rendering as _, Request};
use throughline_engine::orient::Request as Orientation;
use throughline_engine::turn::{Need, Turn};

use super::call::Call;
use super::operation::{Operation, get};
use super::within::Within;
use crate::wire;
use crate::wire::context::{Explained, Explanation, Format};
use crate::wire::error::Usage;
use crate::wire::orient::Orient;
use crate::wire::turn::Given;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/context", "Everything that matters for a task, inside a token budget", context),
        get("/api/orient", "Where the project stands", orient),
        get("/api/turn", "What a prompt would be given, and why", turn),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// TASK-0042; either this or a query
    task_id: Option<String>,
    /// The task that matches this best
    query: Option<String>,
    #[serde(default)]
    depth: Within<1, 3, 1>,
    #[serde(default)]
    max_tokens: Within<500, 32_000, 4000>,
    #[serde(default = "yes")]
    include_related: bool,
    #[serde(default = "yes")]
    include_activity: bool,
    #[serde(default = "yes")]
    include_session: bool,
    /// What became of every candidate, and why; not counted in the budget
    #[serde(default)]
    explain: bool,
}

fn yes() -> bool {
    true
}

/// JSON that was written elsewhere, in the shape of `S`.
struct Written<S>(Json, PhantomData<S>);

impl<S> Serialize for Written<S> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        self.0.serialize(serializer)
    }
}

impl<S: JsonSchema> JsonSchema for Written<S> {
    fn schema_name() -> Cow<'static, str> {
        S::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        S::schema_id()
    }

    fn json_schema(shapes: &mut SchemaGenerator) -> Schema {
        S::json_schema(shapes)
    }
}

fn context(call: &Call<'_>, asked: Asked) -> Result<Written<Explained>> {
    let focus = match (asked.task_id, asked.query) {
        (Some(id), None) => Focus::Id(id),
        (None, Some(query)) => Focus::Query(query),
        _ => return Err(Usage("give either task_id or query".to_owned()).into()),
    };
    let request = Request {
        depth: Depth::new(asked.depth.get())?,
        max_tokens: MaxTokens::new(asked.max_tokens.get())?,
        related: Include::when(asked.include_related),
        activity: Include::when(asked.include_activity),
        session: Include::when(asked.include_session),
        files: call.files()?,
        ..Request::about(focus)
    };
    let answer = call.engine.hydrate(&call.reader()?, &request, &Format::Json)?;
    // As it was counted.
    let mut written: Json = serde_json::from_str(&Format::Json.whole(&answer))?;
    if asked.explain {
        written["explanation"] = json!(answer.trace.iter().map(Explanation::from).collect::<Vec<_>>());
    }
    Ok(Written(written, PhantomData))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Standing {
    /// An item's id
    focus: Option<String>,
    #[serde(default)]
    max_tokens: Within<200, 32_000, 800>,
}

fn orient(call: &Call<'_>, asked: Standing) -> Result<Orient> {
    let write = |orientation: &_| {
        serde_json::to_string(&Orient::from(orientation)).expect("our shapes are valid JSON")
    };
    let request = Orientation {
        focus: asked.focus.as_deref(),
        max_tokens: asked.max_tokens.get(),
        folder: call.own_folder()?,
        asking: None,
    };
    Ok(Orient::from(&call.engine.orient(&call.reader()?, request, &write)?))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Prompted {
    prompt: String,
    /// What this session was told already is not told again
    session: Option<String>,
    max_tokens: Option<Within<1, 32_000, 800>>,
}

const MOST_CHARS: usize = 200_000;

fn turn(call: &Call<'_>, asked: Prompted) -> Result<Given> {
    let session = asked.session.map_or_else(|| call.session(), SessionRef::Named);
    let usual = call.door.config.hooks.prompt_tokens;
    let turn = Turn {
        session: &session,
        need: Need::Prompt(&asked.prompt),
        orientation: None,
        max_tokens: asked.max_tokens.map_or(usual, Within::get),
        max_chars: MOST_CHARS,
        files: call.files()?,
    };
    let write = |context: &_| mark::wrap(&wire::turn::text(context));
    Ok(call.engine.turn(&call.reader()?, &turn, &write)?.map_or_else(Given::default, Given::from))
}
