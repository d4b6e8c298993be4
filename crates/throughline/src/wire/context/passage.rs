//! The JSON shape of code in a context.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::hydrate::{Brief, Passage as EnginePassage};

use crate::wire::memory::rounded;

/// A place in the project's files.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Passage {
    path: String,
    lines: [i64; 2],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    symbols: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    fidelity: &'static str,
    relevance_score: f64,
}

impl From<&EnginePassage> for Passage {
    fn from(passage: &EnginePassage) -> Passage {
        let chunk = &passage.code.chunk;
        let summary = passage.fidelity == Brief::Summary;
        Passage {
            path: passage.code.file.path.clone(),
            lines: [chunk.first_line, chunk.last_line],
            symbols: if summary { chunk.symbols.clone() } else { vec![] },
            signature: Some(chunk.signature.clone()).filter(|signature| summary && !signature.is_empty()),
            fidelity: passage.fidelity.as_str(),
            relevance_score: rounded(passage.relevance),
        }
    }
}
