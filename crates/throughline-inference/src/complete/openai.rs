//! OpenAI's chat completions, as many servers speak them. What a server does not know of it is left out.

use serde_json::{Value as Json, json};

use super::{Completion, Question, Usage};

pub(super) const PATH: &str = "/chat/completions";

/// What some servers refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extra {
    /// The shape of the answer stands in the prompt as well.
    Schema,
    /// How long the answer may be; the budget is settled with what came.
    Length,
}

pub(super) fn request(model: &str, question: &Question, without: &[Extra]) -> Json {
    let mut request = json!({
        "model": model,
        "messages": [
            { "role": "system", "content": question.system },
            { "role": "user", "content": question.prompt_in_words() },
        ],
        "stream": false,
    });
    if !without.contains(&Extra::Length) {
        request["max_tokens"] = json!(question.max_tokens);
    }
    if !without.contains(&Extra::Schema) {
        request["response_format"] = json!({
            "type": "json_schema",
            "json_schema": { "name": "answer", "schema": question.schema, "strict": true },
        });
    }
    request
}

/// What a server that refuses a request complains about.
pub(super) fn complained_about(said: &str) -> Option<Extra> {
    match said {
        said if said.contains("response_format") || said.contains("json_schema") => Some(Extra::Schema),
        said if said.contains("max_tokens") => Some(Extra::Length),
        _ => None,
    }
}

pub(super) fn completion(answer: &Json) -> Result<Completion, String> {
    let message = &answer["choices"][0]["message"];
    if !message.is_object() {
        return Err("it has no `choices` with a message: see model.url".to_owned());
    }
    let usage = &answer["usage"];
    let usage = usage["prompt_tokens"].as_u64().zip(usage["completion_tokens"].as_u64());
    let usage = usage.map(|(tokens_in, tokens_out)| Usage::claimed(tokens_in, tokens_out));
    Ok(Completion { text: text(&message["content"]), usage })
}

/// Some servers send it in parts; a model that refuses has none.
fn text(content: &Json) -> String {
    let parts = content.as_array().into_iter().flatten().filter(|part| part["type"] == "text");
    let parts = parts.filter_map(|part| part["text"].as_str());
    content.as_str().map_or_else(|| parts.collect(), str::to_owned)
}
