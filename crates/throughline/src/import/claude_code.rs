//! Claude Code's transcripts: one line for each block of a message, results of tools in lines of the user. Sub-agents
//! have files of their own, with the parent's session in each line.

use std::collections::HashMap;

use serde_json::Value as Json;
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

use super::turn::{Calls, Turn};
use super::{Past, Transcript, moment, tell, tell_otherwise};
use crate::hooks::claude_code::{client_prompt, is_of_client, prompt};
use crate::hooks::event::{Head, Seen};
use crate::hooks::tool::{self, Outcome, Use};
use crate::hooks::{Client, field, said};

const CLIENT: Client = Client::ClaudeCode;
/// Texts in the person's name that the client writes into transcripts alone; hooks never hear them.
const NOT_BY_A_PERSON: [&str; 4] =
    ["[Request interrupted", "<system-reminder>", "<bash-", "<user-memory-input>"];

#[derive(Debug)]
pub(super) struct Reader {
    /// What kind of sub-agent it is, for a sub-agent's transcript.
    role: Option<String>,
    turns: HashMap<String, Turn>,
    calls: Calls,
}

impl Reader {
    pub(super) fn new(beside: &Json) -> Reader {
        let role = field::text(beside, &["agentType", "agent_type"]).map(said::line);
        Reader { role, turns: HashMap::new(), calls: Calls::default() }
    }
}

impl Transcript for Reader {
    fn read(&mut self, line: &Json, past: &mut Vec<Past>) {
        let Some(at) = moment(line) else { return };
        // A fork begins with what its origin has recorded.
        if line.get("forkedFrom").is_some_and(Json::is_object) {
            return;
        }
        let Some(head) = self.head(line) else { return };
        match field::text(line, &["type"]) {
            Some("user") => self.user(line, head, at, past),
            Some("assistant") => self.assistant(line, head, at, past),
            _ => {}
        }
    }
}

impl Reader {
    /// Named as the hooks name it: a sub-agent's session by its parent's and its own.
    fn head(&self, line: &Json) -> Option<Head<'static>> {
        let session = field::text(line, &["sessionId"])?;
        // Transcripts of earlier versions hold sub-agents in the parent's file, without a name.
        let unnamed = field::is_true(line, "isSidechain").then_some("sidechain");
        let agent = field::text(line, &["agentId"]).or(unnamed);
        Some(Head {
            session: agent.map_or_else(|| session.to_owned(), |agent| format!("{session}/{agent}")),
            parent: agent.map(|_| session.to_owned()),
            role: agent.and(self.role.clone()),
            branch: field::text(line, &["gitBranch"]).map(str::to_owned),
            ..Head::default()
        })
    }

    fn user(&mut self, line: &Json, head: Head<'static>, at: Timestamp, past: &mut Vec<Past>) {
        let content = line.get("message").and_then(|message| message.get("content")).unwrap_or(&Json::Null);
        if field::is_true(line, "isCompactSummary") {
            past.extend(tell_otherwise(CLIENT, &head, at, vec![compacted(line, content)]));
            return;
        }
        let turn = self.turns.entry(head.session.clone()).or_default();
        if let Some(prompt) = field::text(line, &["promptId", "uuid"]) {
            let is_prompt = line.get("promptId").is_some() || !has_results(content);
            if is_prompt {
                turn.of(prompt);
            }
        }
        let head = Head { stamp: turn.prompt(), ..head };
        for result in blocks(content, "tool_result") {
            past.extend(tell(CLIENT, &head, at, self.returned(line, result)));
        }
        let is_meta = ["isMeta", "isVisibleInTranscriptOnly"].iter().any(|name| field::is_true(line, name));
        if head.parent.is_none() && !is_meta && !has_results(content) {
            let by_client = field::text(line, &["promptSource"]).is_some_and(is_of_client);
            let seen = if by_client { client_prompt(&text(content)).1 } else { asked(content) };
            past.extend(tell(CLIENT, &head, at, seen));
        }
    }

    fn returned(&mut self, line: &Json, result: &Json) -> Vec<Seen> {
        let Some(id) = field::text(result, &["tool_use_id"]) else { return vec![] };
        let Some(call) = self.calls.take(id) else { return vec![] };
        let told = line.get("toolUseResult").or_else(|| result.get("content"));
        let outcome = if field::is_true(result, "is_error") {
            Outcome::Failed(tool::returned_text(result).unwrap_or("failed").to_owned())
        } else {
            Outcome::of_response(&call.tool, told)
        };
        let used = Use { name: &call.tool, input: &call.input, id: Some(id), outcome, duration_ms: None };
        tool::seen(&used)
    }

    fn assistant(&mut self, line: &Json, head: Head<'static>, at: Timestamp, past: &mut Vec<Past>) {
        let message = line.get("message").unwrap_or(&Json::Null);
        // The client's own words for an error of the service.
        if field::is_true(line, "isApiErrorMessage")
            || field::text(message, &["model"]) == Some("<synthetic>")
        {
            return;
        }
        let content = message.get("content").unwrap_or(&Json::Null);
        for call in blocks(content, "tool_use") {
            if let (Some(id), Some(name)) = (field::text(call, &["id"]), field::text(call, &["name"])) {
                let input = call.get("input").cloned().unwrap_or_default();
                self.calls.add(id, name.to_owned(), input);
            }
        }
        let turn = self.turns.entry(head.session.clone()).or_default();
        for text in blocks(content, "text").filter_map(|block| field::text(block, &["text"])) {
            let Some(text) = said::message(text) else { continue };
            let head = Head { stamp: turn.stamp(&text), ..head.clone() };
            past.extend(tell(CLIENT, &head, at, vec![Seen::message(Kind::ModelMessage, text)]));
        }
    }
}

fn compacted(line: &Json, content: &Json) -> Seen {
    let note = Seen::note("compaction", "the context was compacted".to_owned());
    let id = field::text(line, &["uuid"]).map(str::to_owned);
    Seen { content: said::message(&text(content)), id, ..note }
}

fn asked(content: &Json) -> Vec<Seen> {
    let text = text(content);
    let by_client = NOT_BY_A_PERSON.iter().any(|by| text.trim_start().starts_with(by));
    if by_client { vec![] } else { prompt(&text).1 }
}

fn text(content: &Json) -> String {
    match content {
        Json::String(text) => text.clone(),
        _ => {
            let texts = blocks(content, "text").filter_map(|block| field::text(block, &["text"]));
            texts.collect::<Vec<_>>().join("\n")
        }
    }
}

fn has_results(content: &Json) -> bool {
    blocks(content, "tool_result").next().is_some()
}

fn blocks<'a>(content: &'a Json, kind: &'static str) -> impl Iterator<Item = &'a Json> {
    let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
    blocks.iter().filter(move |block| field::text(block, &["type"]) == Some(kind))
}
