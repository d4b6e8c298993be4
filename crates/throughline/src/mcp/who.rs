//! Who a request comes from: the actor and the client's session, for each request anew.
//!
//! - The client is `clientInfo.name` of the request (or of `initialize`), under the name its hooks have. Without one it
//!   is the client whose session the environment names, else `mcp`.
//! - The actor is `--actor` or `THROUGHLINE_ACTOR` where given, else `agent:CLIENT`.
//! - The session is the one that the request's `_meta` names (Codex, VS Code), else the protocol's own over HTTP, where the
//!   client began with `initialize`, else the one that the client put into the environment of this process (Claude Code,
//!   Gemini CLI), but only where it is that client's: a program started inside another agent inherits its environment.
//!   Else it is a session of its own for this run of the process, never the person's own session on the command line.

use axum::http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::RequestMetaObject;
use rmcp::service::RequestContext;
use serde_json::Value as Json;
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::store::actor::{Actor, ActorKind};

use crate::config::non_empty_env;
use crate::hooks::Client as Hooked;

/// Who asks, and in which session of theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) actor: Actor,
    pub(super) client: String,
    pub(super) session: String,
}

/// What is known about the client beside its requests.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    /// The sessions that the environment names, with their clients.
    sessions: Vec<(&'static str, String)>,
    /// This run of the process.
    run: String,
    clients: Clients,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clients {
    One,
    Many,
}

/// A client by the name its hooks have, how its own name begins, and where it puts its session.
struct Client {
    name: &'static str,
    begins: &'static str,
    session_variable: Option<&'static str>,
}

const CLIENTS: [Client; 6] = [
    Client {
        name: Hooked::ClaudeCode.name(),
        begins: "claude-code",
        session_variable: Some("CLAUDE_CODE_SESSION_ID"),
    },
    Client { name: Hooked::Codex.name(), begins: "codex", session_variable: None },
    Client {
        name: Hooked::GeminiCli.name(),
        begins: "gemini-cli",
        session_variable: Some("GEMINI_SESSION_ID"),
    },
    Client { name: Hooked::Cursor.name(), begins: "cursor", session_variable: None },
    Client { name: Hooked::OpenCode.name(), begins: "opencode", session_variable: None },
    Client { name: Hooked::VsCode.name(), begins: "visual-studio-code", session_variable: None },
];
const UNNAMED: &str = "mcp";
const MAX_NAME_CHARS: usize = 60;
const MAX_SESSION_CHARS: usize = 200;

impl Surroundings {
    /// For a server that was not started by its client.
    pub(crate) fn unknown() -> Surroundings {
        let run = Ids::system().next(Clock::system().now());
        Surroundings { sessions: vec![], run, clients: Clients::Many }
    }

    /// For a process that its client started.
    pub(crate) fn of_this_process() -> Surroundings {
        let named = |client: &Client| Some((client.name, non_empty_env(client.session_variable?)?));
        let sessions = CLIENTS.iter().filter_map(named).filter(|(_, id)| is_session(id)).collect();
        Surroundings { sessions, clients: Clients::One, ..Surroundings::unknown() }
    }

    pub(super) fn has_one_client(&self) -> bool {
        self.clients == Clients::One
    }

    /// Under which name this process leases jobs.
    pub(super) fn worker(&self) -> String {
        format!("mcp:{}", self.run)
    }
}

impl Who {
    pub(super) fn of(
        context: &RequestContext<RoleServer>,
        surroundings: &Surroundings,
        named_actor: Option<&Actor>,
    ) -> Who {
        let told = context.client_info().and_then(|info| client_name(&info.name));
        let guessed = || surroundings.sessions.first().map(|(client, _)| (*client).to_owned());
        let client = told.or_else(guessed).unwrap_or_else(|| UNNAMED.to_owned());
        let in_environment = surroundings.sessions.iter().find(|(name, _)| *name == client);
        let session = session_in(&context.meta)
            .or_else(|| protocol_session(context))
            .or_else(|| in_environment.map(|(_, session)| session.clone()))
            .unwrap_or_else(|| surroundings.run.clone());
        let as_agent = || Actor { kind: ActorKind::Agent, name: client.clone() };
        Who { actor: named_actor.cloned().unwrap_or_else(as_agent), client, session }
    }
}

fn client_name(own: &str) -> Option<String> {
    let keep = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let plain: String = own.to_lowercase().chars().map(|c| if keep(c) { c } else { '-' }).collect();
    let plain: String = plain.trim_matches('-').chars().take(MAX_NAME_CHARS).collect();
    let known = CLIENTS.iter().find(|client| plain.starts_with(client.begins));
    let name = known.map_or(plain, |client| client.name.to_owned());
    (!name.is_empty()).then_some(name)
}

fn session_in(meta: &RequestMetaObject) -> Option<String> {
    let codex = meta.get("x-codex-turn-metadata").map(as_object);
    let of_codex = codex.as_ref().and_then(|turn| turn.get("session_id").or_else(|| turn.get("thread_id")));
    let named = of_codex.or_else(|| meta.get("vscode.conversationId"))?;
    named.as_str().filter(|id| is_session(id)).map(str::to_owned)
}

/// Over HTTP a server has many clients at once, also of one name.
fn protocol_session(context: &RequestContext<RoleServer>) -> Option<String> {
    let header = context.extensions.get::<Parts>()?.headers.get("mcp-session-id")?;
    header.to_str().ok().filter(|id| is_session(id)).map(str::to_owned)
}

/// Some clients write an object as the text of one.
fn as_object(value: &Json) -> Json {
    let parsed = value.as_str().and_then(|text| serde_json::from_str(text).ok());
    parsed.unwrap_or_else(|| value.clone())
}

fn is_session(id: &str) -> bool {
    (1..=MAX_SESSION_CHARS).contains(&id.chars().count()) && !id.contains(char::is_control)
}
