//! Cline: a hook is an executable file named after its event; the server in its MCP settings; workflows as commands.

use serde_json::{Value as Json, json};

use super::super::client::{Client, CommandStyle, Entry, Format, Piece, What};
use super::super::places::{Base, Scope};
use super::super::program::Program;

const NAME: &str = "cline";

pub(super) static CLIENT: Client = Client {
    name: NAME,
    title: "Cline",
    signs: &[(Base::Cline, "")],
    pieces: &[
        Piece { scope: Scope::User, base: Base::Cline, path: "hooks", what: HOOKS },
        Piece {
            scope: Scope::User,
            base: Base::ClineSettings,
            path: "cline_mcp_settings.json",
            what: What::Entries {
                format: Format::Json,
                entries: &[Entry::Server { within: "mcpServers", entry: server }],
                or: &[],
            },
        },
        Piece { scope: Scope::Project, base: Base::Project, path: ".clinerules/hooks", what: HOOKS },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".clinerules/workflows",
            what: What::Commands(CommandStyle::Plain),
        },
    ],
    runs_hooks_of: &[],
    obstacles: &[],
    steps: &[
        (Scope::User, "switch hooks on in Cline's settings"),
        (
            Scope::Project,
            "switch hooks on in Cline's settings; it knows MCP servers for the user only: `throughline install cline` adds it",
        ),
    ],
    question: None,
};

const HOOKS: What = What::Scripts {
    client: NAME,
    events: &[
        "TaskStart",
        "TaskResume",
        "UserPromptSubmit",
        "PostToolUse",
        "PreCompact",
        "TaskCancel",
        "TaskComplete",
        "TaskError",
        "SessionShutdown",
    ],
};

fn server(program: &Program) -> Json {
    json!({ "command": program.path(), "args": ["mcp"], "disabled": false, "autoApprove": [] })
}
