//! VS Code: hooks in a file of our own, the server in its `mcp.json`, prompts.

use serde_json::Value as Json;

use super::super::client::{Client, CommandStyle, Entry, Event, Format, Piece, Shape, What, event};
use super::super::places::{Base, Scope};
use super::super::program::Program;
use super::{CLAUDE_CODE, shell_handler, stdio_server};

const NAME: &str = "vscode";

pub(super) static CLIENT: Client = Client {
    name: NAME,
    title: "VS Code",
    signs: &[(Base::CodeUser, "")],
    pieces: &[
        Piece { scope: Scope::User, base: Base::Copilot, path: "hooks/throughline-vscode.json", what: HOOKS },
        Piece { scope: Scope::User, base: Base::CodeUser, path: "mcp.json", what: SERVER },
        Piece { scope: Scope::User, base: Base::CodeUser, path: "prompts", what: COMMANDS },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".github/hooks/throughline-vscode.json",
            what: HOOKS,
        },
        Piece { scope: Scope::Project, base: Base::Project, path: ".vscode/mcp.json", what: SERVER },
        Piece { scope: Scope::Project, base: Base::Project, path: ".github/prompts", what: COMMANDS },
    ],
    runs_hooks_of: &[CLAUDE_CODE, "copilot-cli"],
    obstacles: &[],
    steps: &[
        (
            Scope::User,
            "VS Code asks whether you trust the server when it starts it first; hooks are a preview there (`chat.useHooks`)",
        ),
        (Scope::Project, "trust the workspace in VS Code, then the server when it starts it first"),
    ],
    question: None,
};

const HOOKS: What = What::Entries {
    format: Format::Json,
    entries: &[Entry::Hooks { shape: Shape::Flat, events: EVENTS, handler }],
    or: &[],
};
const SERVER: What = What::Entries {
    format: Format::Json,
    entries: &[Entry::Server { within: "servers", entry: stdio_server }],
    or: &[],
};
const COMMANDS: What = What::Commands(CommandStyle::Prompt);

const EVENTS: &[Event] = &[
    event("SessionStart", 10),
    event("UserPromptSubmit", 10),
    event("PostToolUse", 10),
    event("PreCompact", 10),
    event("SubagentStart", 10),
    event("SubagentStop", 10),
    event("Stop", 10),
];

fn handler(program: &Program, event: &Event) -> Json {
    shell_handler(program, event, NAME, "windows")
}
