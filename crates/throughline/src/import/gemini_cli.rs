//! Gemini CLI's chats: messages that are written again as they grow, and changes of the whole. Its hooks name neither
//! messages nor calls, so nothing here has their keys.

use std::collections::HashSet;

use serde_json::{Value as Json, json};
use throughline_engine::store::event::Kind;

use super::{Past, Transcript, moment, tell_otherwise};
use crate::hooks::claude_code::prompt;
use crate::hooks::event::{Head, Seen};
use crate::hooks::tool::{self, Outcome, Use};
use crate::hooks::{Client, field, said};

const CLIENT: Client = Client::GeminiCli;

#[derive(Debug, Default)]
pub(super) struct Reader {
    head: Head<'static>,
    /// The messages and calls that were told, by their ids.
    told: HashSet<String>,
}

impl Transcript for Reader {
    fn read(&mut self, line: &Json, past: &mut Vec<Past>) {
        if let Some(session) = field::text(line, &["sessionId"]).filter(|_| self.head.session.is_empty()) {
            self.head.session = session.to_owned();
        }
        if self.head.session.is_empty() {
            return;
        }
        // The whole of a chat in one file, as earlier versions wrote it, or what a change made of it.
        let all = [Some(line), line.get("$set")].into_iter().flatten();
        for message in all.filter_map(|line| line.get("messages")?.as_array()).flatten() {
            self.message(message, past);
        }
        self.message(line, past);
    }
}

impl Reader {
    fn message(&mut self, message: &Json, past: &mut Vec<Past>) {
        let (Some(at), Some(id)) = (moment(message), field::text(message, &["id"])) else { return };
        let text = text(message.get("content").unwrap_or(&Json::Null));
        let said = match field::text(message, &["type"]) {
            Some("user") if text.trim_start().starts_with("<session_context>") => vec![],
            Some("user") => prompt(&text).1,
            Some("gemini") => {
                let said = said::message(&text).map(|text| Seen::message(Kind::ModelMessage, text));
                said.into_iter().collect()
            }
            _ => vec![],
        };
        for seen in said {
            if self.told.insert(id.to_owned()) {
                let seen = Seen { id: Some(id.to_owned()), ..seen };
                past.extend(tell_otherwise(CLIENT, &self.head, at, vec![seen]));
            }
        }
        for call in message.get("toolCalls").and_then(Json::as_array).into_iter().flatten() {
            self.call(call, past);
        }
    }

    fn call(&mut self, call: &Json, past: &mut Vec<Past>) {
        let (Some(at), Some(id)) = (moment(call), field::text(call, &["id"])) else { return };
        let status = field::text(call, &["status"]).unwrap_or_default();
        // What still runs is written again when it has returned.
        if !["success", "error", "cancelled"].contains(&status) || !self.told.insert(id.to_owned()) {
            return;
        }
        let name = field::text(call, &["name"]).unwrap_or("tool");
        let response = response(call);
        let outcome = match Outcome::of_response(name, Some(&response)) {
            Outcome::Done(_) if status != "success" => Outcome::Failed(status.to_owned()),
            outcome => outcome,
        };
        let input = call.get("args").unwrap_or(&Json::Null);
        let used = Use { name, input, id: Some(id), outcome, duration_ms: None };
        past.extend(tell_otherwise(CLIENT, &self.head, at, tool::seen(&used)));
    }
}

/// As a hook is told it: without what hooks have added.
fn response(call: &Json) -> Json {
    let response = call.pointer("/result/0/functionResponse/response").unwrap_or(&Json::Null);
    match field::text(response, &["error"]) {
        Some(error) => json!({ "error": error }),
        None => json!({ "output": field::text(response, &["output"]).and_then(said::message) }),
    }
}

fn text(content: &Json) -> String {
    match content {
        Json::String(text) => text.clone(),
        _ => {
            let parts = content.as_array().map_or(&[][..], Vec::as_slice);
            parts.iter().filter_map(|part| field::text(part, &["text"])).collect::<Vec<_>>().join("\n")
        }
    }
}
