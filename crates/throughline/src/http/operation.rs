//! What an operation of the interface is: how it is described, and the one function behind it.
//!
//! The list of operations is the router and the OpenAPI document at once, so neither can say what the other does not. Each
//! resource is a file with its operations: decode, one call of the engine, encode.

use anyhow::Result;
use axum::http::Method;
use rmcp::model::JsonObject;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use throughline_engine::store::token::Role;

use super::call::Call;
use super::schema;
use crate::wire::error::Usage;

pub(super) struct Operation {
    pub(super) method: Method,
    /// With `{name}` for what varies; `{path}` takes all that follows.
    pub(super) path: &'static str,
    pub(super) about: &'static str,
    /// The least that whoever asks must be allowed.
    pub(super) needs: Role,
    pub(super) query: JsonObject,
    pub(super) body: Option<BodyShape>,
    pub(super) answer: fn(&mut SchemaGenerator) -> Schema,
    run: Run,
}

/// What a body looks like, and whether there must be one.
pub(super) struct BodyShape {
    pub(super) schema: JsonObject,
    pub(super) required: bool,
}

type Run = Box<dyn Fn(&Call<'_>, JsonObject, Json) -> Result<Vec<u8>> + Send + Sync>;

/// No parameters, or a body with nothing in it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// What an operation reads, and what it answers.
pub(super) trait Input: DeserializeOwned + JsonSchema + 'static {}
pub(super) trait Answer: Serialize + JsonSchema + 'static {}
impl<T: DeserializeOwned + JsonSchema + 'static> Input for T {}
impl<T: Serialize + JsonSchema + 'static> Answer for T {}

type Runs<I, A> = fn(&Call<'_>, I) -> Result<A>;

pub(super) fn get<Q: Input, A: Answer>(
    path: &'static str,
    about: &'static str,
    run: Runs<Q, A>,
) -> Operation {
    let run: Run = Box::new(move |call, query, _| encoded(&run(call, parameters(query)?)?));
    Operation { query: schema::input::<Q>(), ..operation::<A>(path, about, run) }
}

pub(super) fn post<B: Input, A: Answer>(
    path: &'static str,
    about: &'static str,
    run: Runs<B, A>,
) -> Operation {
    let required = serde_json::from_value::<B>(json!({})).is_err();
    let run: Run = Box::new(move |call, query, body| {
        parameters::<Nothing>(query)?;
        encoded(&run(call, decoded(body)?)?)
    });
    Operation {
        method: Method::POST,
        needs: Role::Write,
        body: Some(BodyShape { schema: schema::input::<B>(), required }),
        ..operation::<A>(path, about, run)
    }
}

pub(super) fn patch<B: Input, A: Answer>(
    path: &'static str,
    about: &'static str,
    run: Runs<B, A>,
) -> Operation {
    Operation { method: Method::PATCH, ..post(path, about, run) }
}

pub(super) fn delete<Q: Input, A: Answer>(
    path: &'static str,
    about: &'static str,
    run: Runs<Q, A>,
) -> Operation {
    Operation { method: Method::DELETE, needs: Role::Write, ..get(path, about, run) }
}

/// One that only looks, and takes nothing.
fn operation<A: Answer>(path: &'static str, about: &'static str, run: Run) -> Operation {
    Operation {
        method: Method::GET,
        path,
        about,
        needs: Role::Read,
        query: schema::input::<Nothing>(),
        body: None,
        answer: |shapes| shapes.subschema_for::<A>(),
        run,
    }
}

impl Operation {
    /// For those that change nothing although they have a body, and for those that change something although they have none.
    pub(super) fn needs(self, needs: Role) -> Operation {
        Operation { needs, ..self }
    }

    /// For a field of the body that takes more than its type tells.
    pub(super) fn takes(mut self, field: &str, schema: Json) -> Operation {
        let properties = self.body.as_mut().and_then(|body| body.schema.get_mut("properties"));
        if let Some(Json::Object(properties)) = properties {
            properties.insert(field.to_owned(), schema);
        }
        self
    }

    /// May block. The answer is JSON.
    pub(super) fn run(&self, call: &Call<'_>, query: JsonObject, body: Json) -> Result<Vec<u8>> {
        (self.run)(call, query, body)
    }
}

fn parameters<Q: DeserializeOwned>(query: JsonObject) -> Result<Q> {
    let read = serde_json::from_value(Json::Object(query));
    Ok(read.map_err(|problem| Usage(format!("wrong parameters: {problem}")))?)
}

fn decoded<B: DeserializeOwned>(body: Json) -> Result<B> {
    // A list would be read as the fields in their order.
    if !body.is_object() {
        return Err(Usage("wrong body: send one JSON object".to_owned()).into());
    }
    Ok(serde_json::from_value(body).map_err(|problem| Usage(format!("wrong body: {problem}")))?)
}

fn encoded<A: Serialize>(answer: &A) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec(answer)?)
}
