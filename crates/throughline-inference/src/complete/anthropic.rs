//! Anthropic's Messages API: the shape of the answer is the input of a tool that the model has to call.

use serde_json::{Value as Json, json};

use super::{Completion, Question, Usage};

pub(super) const PATH: &str = "/v1/messages";
pub(super) const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");
const TOOL: &str = "answer";

pub(super) fn request(model: &str, question: &Question) -> Json {
    json!({
        "model": model,
        "max_tokens": question.max_tokens,
        "system": question.system,
        "messages": [{ "role": "user", "content": question.prompt }],
        "tools": [{
            "name": TOOL,
            "description": "Gives the answer. Always call it, exactly once.",
            "input_schema": question.schema,
        }],
        "tool_choice": { "type": "tool", "name": TOOL },
    })
}

/// A model that does not call the tool may still have written the answer as text.
pub(super) fn completion(answer: &Json) -> Result<Completion, String> {
    let blocks = answer["content"].as_array().ok_or("it has no list `content`: see model.url")?;
    let called = blocks.iter().find(|block| block["type"] == "tool_use" && block["input"].is_object());
    let text = match called {
        Some(call) => call["input"].to_string(),
        None => blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n"),
    };
    Ok(Completion { text, usage: usage(&answer["usage"]) })
}

fn usage(usage: &Json) -> Option<Usage> {
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
    let cached = cached.iter().filter_map(|field| usage[*field].as_u64());
    let tokens_in = cached.fold(usage["input_tokens"].as_u64()?, u64::saturating_add);
    Some(Usage::claimed(tokens_in, usage["output_tokens"].as_u64()?))
}
