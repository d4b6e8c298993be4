//! What coding agents tell us while they work: one client's event in, what to record and what to answer out.
//!
//! One file per client, each pure: its JSON becomes `Heard`, and the text to put before its model becomes its answer.
//! `deliver` does the rest, and `inject` says what the text is.

pub(crate) mod claude_code;
mod cline;
mod codex;
pub(crate) mod commit;
mod cursor;
mod deliver;
pub(crate) mod event;
mod failures;
pub(crate) mod field;
mod gemini_cli;
mod goose;
mod inject;
mod opencode;
mod place;
mod remote;
pub(crate) mod said;
mod spool;
mod task;
#[cfg(test)]
mod tests;
pub(crate) mod tool;
mod vscode;
mod windsurf;

use std::path::PathBuf;
use std::str::FromStr;

use serde_json::Value as Json;
use throughline_engine::capture::{Observation, Opening, SessionRef};
use throughline_engine::store::actor::ActorKind;
use throughline_engine::store::time::Timestamp;

pub(crate) use deliver::{Delivered, deliver};
pub(crate) use failures::{Failure, Failures, add as add_failure};
pub(crate) use place::Place;
pub(crate) use spool::{count as waiting, is_hopeless, keep, make as make_private, take_up_all};

/// The clients whose events are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Client {
    ClaudeCode,
    Codex,
    GeminiCli,
    OpenCode,
    Cursor,
    VsCode,
    CopilotCli,
    Windsurf,
    Cline,
    Goose,
}

/// One event of a client, understood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heard {
    /// Who it really is: some clients run the hooks that were written for another.
    pub(crate) client: Client,
    /// What the client calls the event.
    pub(crate) event: String,
    pub(crate) session: SessionRef,
    pub(crate) opening: Opening,
    /// Where the client works, when it says so.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) actor: ActorKind,
    pub(crate) observations: Vec<Observation>,
    pub(crate) moment: Moment,
}

/// What an event is in the loop of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Moment {
    SessionStart(Start),
    /// With what the person said, without anything that was put into it.
    Prompt(String),
    /// With the file, command or pattern that the tool is about.
    BeforeTool(Option<String>),
    AfterTool,
    ToolFailed,
    SubagentStart,
    SubagentStop,
    BeforeCompaction,
    AfterCompaction,
    Stop,
    SessionEnd,
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    Startup,
    Resume,
    Clear,
    Compact,
    Fork,
}

/// How much a client takes in at once; more would be cut, or put into a file that nobody reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) max_chars: usize,
    pub(crate) max_tokens: u64,
}

impl Heard {
    /// Whether the model may be told something now.
    pub(crate) fn injects(&self) -> bool {
        let moment = match self.moment {
            Moment::SessionStart(_)
            | Moment::Prompt(_)
            | Moment::SubagentStart
            | Moment::BeforeCompaction => true,
            Moment::BeforeTool(_)
            | Moment::AfterTool
            | Moment::ToolFailed
            | Moment::SubagentStop
            | Moment::AfterCompaction
            | Moment::Stop
            | Moment::SessionEnd
            | Moment::Other => false,
        };
        moment && self.client.takes(&self.moment)
    }
}

impl Client {
    pub(crate) const ALL: [Client; 10] = [
        Client::ClaudeCode,
        Client::Codex,
        Client::GeminiCli,
        Client::OpenCode,
        Client::Cursor,
        Client::VsCode,
        Client::CopilotCli,
        Client::Windsurf,
        Client::Cline,
        Client::Goose,
    ];

    /// The name of the client everywhere: sessions, actors, and requests of the same client over MCP.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Client::ClaudeCode => "claude-code",
            Client::Codex => "codex",
            Client::GeminiCli => "gemini-cli",
            Client::OpenCode => "opencode",
            Client::Cursor => "cursor",
            Client::VsCode => "vscode",
            Client::CopilotCli => "copilot-cli",
            Client::Windsurf => "windsurf",
            Client::Cline => "cline",
            Client::Goose => "goose",
        }
    }

    /// What an event says, or nothing where it is none of our business. `event` is its name, for clients that do not
    /// write it into what they say. An error means that this is no event at all.
    pub(crate) fn hear(
        self,
        event: Option<&str>,
        payload: &Json,
        now: Timestamp,
    ) -> Result<Option<Heard>, String> {
        if !payload.is_object() {
            return Err("the event is no JSON object".to_owned());
        }
        let said = event::Said { client: self.really(payload), event, payload, now };
        match said.client {
            Client::ClaudeCode => claude_code::hear(&said),
            Client::Codex => codex::hear(&said),
            Client::GeminiCli => gemini_cli::hear(&said),
            Client::OpenCode => opencode::hear(&said),
            Client::Cursor => cursor::hear(&said),
            Client::VsCode | Client::CopilotCli => vscode::hear(&said),
            Client::Windsurf => windsurf::hear(&said),
            Client::Cline => cline::hear(&said),
            Client::Goose => goose::hear(&said),
        }
    }

    /// Cursor and VS Code also run the hooks that are written for Claude Code.
    fn really(self, payload: &Json) -> Client {
        match self {
            Client::ClaudeCode if payload.get("cursor_version").is_some() => Client::Cursor,
            Client::ClaudeCode if payload.get("timestamp").is_some() => Client::VsCode,
            told => told,
        }
    }

    /// What the client is answered; `context` is the text to put before its model.
    pub(crate) fn answer(self, heard: Option<&Heard>, context: Option<&str>) -> String {
        let client = heard.map_or(self, |heard| heard.client);
        match client {
            Client::ClaudeCode | Client::Codex | Client::GeminiCli | Client::VsCode => {
                claude_code::answer(heard, context)
            }
            Client::OpenCode => opencode::answer(context),
            Client::Cursor => cursor::answer(heard, context),
            Client::Cline => cline::answer(context),
            Client::CopilotCli | Client::Goose => "{}".to_owned(),
            Client::Windsurf => String::new(),
        }
    }

    /// Whether the client shows its model what it is given at that moment.
    pub(crate) fn takes(self, moment: &Moment) -> bool {
        let begins = matches!(moment, Moment::SessionStart(_));
        let prompt = matches!(moment, Moment::Prompt(_));
        let tool = matches!(moment, Moment::AfterTool | Moment::ToolFailed);
        match self {
            Client::ClaudeCode => begins || prompt || tool || *moment == Moment::SubagentStart,
            Client::Codex => begins || prompt || tool,
            // What Gemini CLI is given when a session begins costs the person's own prompt when it is resumed.
            Client::GeminiCli => prompt || tool,
            Client::OpenCode => begins || prompt || *moment == Moment::BeforeCompaction,
            Client::Cursor => begins,
            Client::VsCode => begins || tool || *moment == Moment::SubagentStart,
            Client::Cline => begins || prompt || tool,
            // Copilot CLI repeats what it was given on every turn; the others show nothing at all.
            Client::CopilotCli | Client::Windsurf | Client::Goose => false,
        }
    }

    pub(crate) fn limits(self) -> Limits {
        match self {
            Client::ClaudeCode => Limits { max_chars: 10_000, max_tokens: 2_500 },
            Client::Codex => Limits { max_chars: 20_000, max_tokens: 2_400 },
            Client::Cline => Limits { max_chars: 50_000, max_tokens: 10_000 },
            Client::GeminiCli
            | Client::OpenCode
            | Client::Cursor
            | Client::VsCode
            | Client::CopilotCli
            | Client::Windsurf
            | Client::Goose => Limits { max_chars: 10_000, max_tokens: 2_500 },
        }
    }
}

impl FromStr for Client {
    type Err = String;

    fn from_str(text: &str) -> Result<Client, String> {
        let named = match text {
            "claude" => Some(Client::ClaudeCode),
            "gemini" => Some(Client::GeminiCli),
            "copilot" => Some(Client::CopilotCli),
            name => Client::ALL.into_iter().find(|client| client.name() == name),
        };
        named.ok_or_else(|| {
            let known: Vec<&str> = Client::ALL.iter().map(|client| client.name()).collect();
            format!("{text:?} is no client that is known here; known are {}", known.join(", "))
        })
    }
}
