//! Gemini CLI: Claude Code's shape under names of its own.

use serde_json::Value as Json;
use throughline_engine::store::event::Kind;

use super::claude_code::{ended, head, prompt, response, returned, started};
use super::event::{Head, Said, Seen};
use super::tool;
use super::{Heard, Moment, field, said};

pub(super) fn hear(said: &Said<'_>) -> Result<Option<Heard>, String> {
    let payload = said.payload;
    let head = Head { stamp: field::text(payload, &["timestamp"]).map(str::to_owned), ..head(said) };
    let (moment, seen) = what(head.event, payload);
    said.heard(head, moment, seen)
}

fn what(event: &str, payload: &Json) -> (Moment, Vec<Seen>) {
    let reason = |name| field::text(payload, &[name]).unwrap_or("other");
    match event {
        "SessionStart" => started(reason("source")),
        "SessionEnd" => ended(reason("reason")),
        "BeforeAgent" => prompt(reason("prompt")),
        "AfterAgent" => {
            let text = field::text(payload, &["prompt_response"]).and_then(said::message);
            (Moment::Stop, text.map(|text| Seen::message(Kind::ModelMessage, text)).into_iter().collect())
        }
        "BeforeTool" => {
            let input = payload.get("tool_input").unwrap_or(&Json::Null);
            (Moment::BeforeTool(tool::target(reason("tool_name"), input)), vec![])
        }
        "AfterTool" => returned(payload, response(payload)),
        // Fires before every call of the model, whether anything is compressed or not.
        "PreCompress" => (Moment::BeforeCompaction, vec![]),
        _ => (Moment::Other, vec![]),
    }
}
