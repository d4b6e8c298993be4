//! Windsurf (Devin Desktop): hooks that only watch, the server, workflows as commands, and a rule that says what the
//! hooks cannot.

use serde_json::{Value as Json, json};

use super::super::client::{Client, CommandStyle, Entry, Event, Format, Piece, Shape, What, event};
use super::super::guidance;
use super::super::places::{Base, Scope};
use super::super::program::Program;

const NAME: &str = "windsurf";

pub(super) static CLIENT: Client = Client {
    name: NAME,
    title: "Windsurf",
    signs: &[(Base::Home, ".codeium/windsurf")],
    pieces: &[
        Piece { scope: Scope::User, base: Base::Home, path: ".codeium/windsurf/hooks.json", what: HOOKS },
        Piece {
            scope: Scope::User,
            base: Base::Home,
            path: ".codeium/windsurf/mcp_config.json",
            what: What::Entries {
                format: Format::Json,
                entries: &[Entry::Server { within: "mcpServers", entry: server }],
                or: &[],
            },
        },
        Piece {
            scope: Scope::User,
            base: Base::Home,
            path: ".codeium/windsurf/global_workflows",
            what: COMMANDS,
        },
        Piece { scope: Scope::Project, base: Base::Project, path: ".windsurf/hooks.json", what: HOOKS },
        Piece { scope: Scope::Project, base: Base::Project, path: ".windsurf/workflows", what: COMMANDS },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".windsurf/rules/throughline.md",
            what: What::Text(guidance::windsurf_rule),
        },
    ],
    runs_hooks_of: &[],
    obstacles: &[],
    steps: &[
        (Scope::User, "press refresh in Windsurf's MCP settings"),
        (
            Scope::Project,
            "Windsurf knows MCP servers for the user only: `throughline install windsurf` adds it",
        ),
    ],
    question: None,
};

const HOOKS: What = What::Entries {
    format: Format::Json,
    entries: &[Entry::Hooks { shape: Shape::Flat, events: EVENTS, handler }],
    or: &[],
};
const COMMANDS: What = What::Commands(CommandStyle::Plain);

const EVENTS: &[Event] = &[
    event("pre_user_prompt", 10),
    event("post_read_code", 10),
    event("post_write_code", 10),
    event("post_run_command", 10),
    event("post_mcp_tool_use", 10),
    event("post_cascade_response", 10),
];

fn handler(program: &Program, _: &Event) -> Json {
    json!({ "command": program.shell(&["hook", NAME]), "show_output": false })
}

fn server(program: &Program) -> Json {
    json!({ "command": program.path(), "args": ["mcp"] })
}
