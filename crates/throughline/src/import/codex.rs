//! Codex's rollouts: what the model was sent and answered, item by item, each with its turn.

use serde_json::{Value as Json, json};
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

use super::turn::{Call, Calls, Turn};
use super::{Past, Transcript, moment, tell, tell_otherwise};
use crate::hooks::claude_code::prompt;
use crate::hooks::event::{Head, Seen};
use crate::hooks::tool::{self, Outcome, Use};
use crate::hooks::{Client, field, said};

const CLIENT: Client = Client::Codex;
/// Texts in the person's name that the client puts before the model.
const NOT_BY_A_PERSON: [&str; 7] = [
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<user_shell_command>",
];

#[derive(Debug, Default)]
pub(super) struct Reader {
    head: Head<'static>,
    turn: Turn,
    calls: Calls,
}

impl Transcript for Reader {
    fn read(&mut self, line: &Json, past: &mut Vec<Past>) {
        let (Some(at), Some(payload)) = (moment(line), line.get("payload")) else { return };
        match field::text(line, &["type"]) {
            // A fork repeats that of its origin.
            Some("session_meta") if self.head.session.is_empty() => self.begin(payload),
            Some("turn_context" | "event_msg") => self.enter(payload),
            Some("response_item") if !self.head.session.is_empty() => self.item(payload, at, past),
            Some("compacted") if !self.head.session.is_empty() => {
                let note = Seen::note("compaction", "the context was compacted".to_owned());
                let content = field::text(payload, &["message"]).and_then(said::message);
                let id = Some(format!("compacted {}", at.0));
                past.extend(tell_otherwise(CLIENT, &self.head, at, vec![Seen { content, id, ..note }]));
            }
            _ => {}
        }
    }
}

impl Reader {
    fn begin(&mut self, about: &Json) {
        let id = field::text(about, &["id", "session_id"]).unwrap_or_default().to_owned();
        let spawn = about.pointer("/source/subagent/thread_spawn").unwrap_or(&Json::Null);
        let parent = field::text(spawn, &["parent_thread_id"]).map(str::to_owned);
        self.head = Head {
            session: parent.as_ref().map_or_else(|| id.clone(), |parent| format!("{parent}/{id}")),
            parent,
            role: field::text(spawn, &["agent_role", "agent_nickname"]).map(said::line),
            branch: about.get("git").and_then(|git| field::text(git, &["branch"])).map(str::to_owned),
            ..Head::default()
        };
    }

    fn enter(&mut self, payload: &Json) {
        if let Some(turn) = field::text(payload, &["turn_id"]) {
            self.turn.of(turn);
        }
    }

    fn item(&mut self, item: &Json, at: Timestamp, past: &mut Vec<Past>) {
        self.enter(item.get("internal_chat_message_metadata_passthrough").unwrap_or(&Json::Null));
        let seen = match field::text(item, &["type"]) {
            Some("message") => return self.message(item, at, past),
            Some("function_call" | "custom_tool_call" | "local_shell_call") => {
                self.called(item);
                return;
            }
            Some("function_call_output" | "custom_tool_call_output") => self.returned(item),
            _ => return,
        };
        past.extend(tell(CLIENT, &self.head, at, seen));
    }

    fn message(&mut self, item: &Json, at: Timestamp, past: &mut Vec<Past>) {
        // Versions that name no turns.
        let by_time = || Some(at.0.to_string());
        let (stamp, seen) = match field::text(item, &["role"]) {
            Some("user") if self.head.parent.is_none() => (self.turn.prompt(), prompt(&typed(item)).1),
            Some("assistant") => {
                let Some(text) = said::message(&texts(item).join("\n")) else { return };
                (self.turn.stamp(&text), vec![Seen::message(Kind::ModelMessage, text)])
            }
            _ => return,
        };
        let head = Head { stamp: stamp.or_else(by_time), ..self.head.clone() };
        past.extend(tell(CLIENT, &head, at, seen));
    }

    /// Under the names and with the input that hooks are told.
    fn called(&mut self, item: &Json) {
        let Some(id) = field::text(item, &["call_id", "id"]) else { return };
        let name = field::text(item, &["name"]).unwrap_or("shell");
        let given = match field::text(item, &["arguments"]) {
            Some(arguments) => serde_json::from_str(arguments).unwrap_or_default(),
            None => item.get("action").cloned().unwrap_or_default(),
        };
        let (tool, input) = match (field::text(item, &["namespace"]), name) {
            (Some(namespace), _) => (format!("{namespace}__{name}"), given),
            (None, "exec_command" | "shell" | "shell_command" | "local_shell") => {
                ("Bash".to_owned(), json!({ "command": command(&given) }))
            }
            (None, _) => match field::text(item, &["input"]) {
                Some(text) => (name.to_owned(), json!({ "command": text })),
                None => (name.to_owned(), given),
            },
        };
        self.calls.add(id, tool, input);
    }

    fn returned(&mut self, item: &Json) -> Vec<Seen> {
        let Some(id) = field::text(item, &["call_id"]) else { return vec![] };
        let Some(Call { tool, input }) = self.calls.take(id) else { return vec![] };
        let response = response(item.get("output").unwrap_or(&Json::Null));
        let outcome = Outcome::of_response(&tool, Some(&response));
        tool::seen(&Use { name: &tool, input: &input, id: Some(id), outcome, duration_ms: None })
    }
}

/// What a person typed, without what the client adds.
fn typed(item: &Json) -> String {
    let kinds = item.pointer("/internal_chat_message_metadata_passthrough/content_item_kinds");
    let is_typed = |(number, text): &(usize, &str)| match kinds.and_then(|kinds| kinds.get(*number)?.as_str())
    {
        Some(kind) => kind == "user.text",
        None => !NOT_BY_A_PERSON.iter().any(|by| text.trim_start().starts_with(by)),
    };
    let typed = texts(item).into_iter().enumerate().filter(is_typed);
    typed.map(|(_, text)| text).collect::<Vec<_>>().join("\n")
}

fn texts(item: &Json) -> Vec<&str> {
    let content = item.get("content").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    content.iter().map(|part| field::text(part, &["text"]).unwrap_or_default()).collect()
}

/// The line that a person would have typed; some versions write the shell's arguments.
fn command(given: &Json) -> String {
    if let Some(line) = field::text(given, &["cmd", "command"]) {
        return line.to_owned();
    }
    match field::texts(given, "command")[..] {
        [shell, flag, line] if flag.starts_with('-') && shell.ends_with("sh") => line.to_owned(),
        ref words => words.join(" "),
    }
}

/// What a tool returned and how it ended, however the version writes it.
fn response(output: &Json) -> Json {
    let text = tool::returned_text(output).unwrap_or_default();
    if let Ok(told @ Json::Object(_)) = serde_json::from_str::<Json>(text)
        && told.get("metadata").is_some()
    {
        return told;
    }
    let (about, printed) = text.split_once("\nOutput:\n").unwrap_or(("", text));
    let code = about.lines().find_map(|line| {
        let code =
            line.strip_prefix("Process exited with code ").or_else(|| line.strip_prefix("Exit code: "))?;
        code.trim().parse::<i64>().ok()
    });
    json!({ "output": printed, "exit_code": code })
}
