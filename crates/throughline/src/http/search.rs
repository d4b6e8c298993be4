//! Finding what the project knows, and reading it whole.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::recall::{CodeQuery, Kind, Query, Weights};
use throughline_engine::store::token::Role;

use super::call::Call;
use super::operation::{Operation, get, post};
use super::within::Within;
use crate::wire::closed::One;
use crate::wire::code::Answer as Code;
use crate::wire::memory::Expanded;
use crate::wire::recall::{Answer, Detail};
use crate::wire::time::Asked as When;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        get("/api/search", "What the project knows about something, the most useful first", search),
        get("/api/code/search", "The places in the project's files that a question is about", code),
        post("/api/expand", "The full texts of what a search showed in short", expand).needs(Role::Read),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Asked {
    query: String,
    #[serde(default)]
    kind: Vec<One<Kind>>,
    #[serde(default)]
    tag: Vec<String>,
    /// 2026-11-15, or 3d ago
    since: Option<When>,
    #[serde(default)]
    limit: Within<1, 500, 10>,
    /// Whole texts, not only snippets
    #[serde(default)]
    full: bool,
    /// How each score came about
    #[serde(default)]
    explain: bool,
}

fn search(call: &Call<'_>, asked: Asked) -> Result<Answer> {
    let query = Query {
        kinds: asked.kind.into_iter().map(|One(kind)| kind).collect(),
        tags: asked.tag,
        since: asked.since.map(|since| since.resolve(call.engine.now())),
        code: CodeQuery { files: call.files()?, ..CodeQuery::default() },
        ..Query::of(asked.query, asked.limit.size())
    };
    let recalled = call.engine.recall(&call.reader()?, &query)?;
    let detail = Detail { full: asked.full, explain: asked.explain };
    let root = call.own_folder()?.map(|folder| folder.root.as_path());
    Ok(Answer::new(recalled, &query.text, detail, (call.engine.now(), root)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AskedCode {
    query: String,
    /// Beginning or part of the path
    path: Option<String>,
    symbol: Option<String>,
    language: Option<String>,
    #[serde(default)]
    limit: Within<1, 500, 10>,
}

fn code(call: &Call<'_>, asked: AskedCode) -> Result<Code> {
    let query = Query {
        kinds: vec![Kind::Code],
        weights: Some(Weights::RELEVANCE),
        code: CodeQuery {
            files: call.files()?,
            path: asked.path,
            symbol: asked.symbol,
            language: asked.language,
            touched: vec![],
        },
        ..Query::of(asked.query, asked.limit.size())
    };
    Ok(Code::from(call.engine.recall(&call.reader()?, &query)?))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Named {
    ids: Vec<String>,
    max_tokens: Option<u64>,
}

fn expand(call: &Call<'_>, named: Named) -> Result<Expanded> {
    let expanded = call.engine.expand(&call.reader()?, &named.ids, named.max_tokens)?;
    let root = call.own_folder()?.map(|folder| folder.root.as_path());
    Ok(Expanded::at(expanded, call.engine.now(), root))
}
