//! `code_search`: the places in the project's files that a question is about.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::Caller;
use throughline_engine::recall::{AnsweredBy, CodeQuery, Files, Kind, Query, Recalled, Weights};

use super::call::Call;
use super::limit::Limit;
use super::schema;
use super::tool::{Effect, Loading, Tool, answer};
use crate::wire::code::Answer;

pub(super) const TOOL: Tool = Tool {
    name: "code_search",
    description: "Find code of this project by what it does, by words, symbol or path. Answers path, lines and text; \
                  results are checked against the files as they are now.",
    effect: Effect::Reads,
    loading: Loading::OnDemand,
    input: schema::input::<Args>,
    output: || schema::output::<Answer>(&["hits", "total"]),
    run: |call, arguments| answer(call, arguments, run),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    query: String,
    /// Beginning or part of the path
    path: Option<String>,
    symbol: Option<String>,
    language: Option<String>,
    #[serde(default)]
    limit: Limit<5>,
}

fn run(call: &Call<'_>, args: Args) -> Result<Answer> {
    let caller = call.reader()?;
    let session = call.engine.known_session(&caller, &call.session())?;
    let touched = match session {
        Some(session) => call.engine.touched_files(&caller, &session.id)?,
        None => vec![],
    };
    let query = Query {
        kinds: vec![Kind::Code],
        weights: Some(Weights::RELEVANCE),
        code: CodeQuery {
            files: call.files()?,
            path: args.path,
            symbol: args.symbol,
            language: args.language,
            touched,
        },
        ..Query::of(args.query, args.limit.get())
    };
    let recalled = call.engine.recall(&caller, &query)?;
    ask_for_index(call, &query, &recalled);
    Ok(Answer::from(recalled))
}

/// Whoever asks once will ask again: the next answer shall come from an index. Not worth failing for.
fn ask_for_index(call: &Call<'_>, query: &Query, recalled: &Recalled) {
    let Files::In(root) = &query.code.files else { return };
    let is_there = recalled.code.is_some_and(|code| code.answered_by == AnsweredBy::Index);
    // A folder that is no repository may be anything, somebody's home too.
    if is_there || call.door.folder.git.is_none() || !call.engine.settings().code.index {
        return;
    }
    let asked = call.writer().and_then(|caller: Caller| Ok(call.engine.request_code_index(&caller, root)?));
    if let Err(error) = asked {
        tracing::warn!(%error, "an index of the files could not be asked for");
    }
}
