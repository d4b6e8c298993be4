//! Copilot CLI: hooks in a file of our own, the server in its own file or the project's `.mcp.json`.

use serde_json::{Value as Json, json};

use super::super::client::{Client, Entry, Event, Format, Piece, Shape, What, event};
use super::super::places::{Base, Scope, System};
use super::super::program::Program;
use super::stdio_server;

const NAME: &str = "copilot-cli";

pub(super) static CLIENT: Client = Client {
    name: NAME,
    title: "Copilot CLI",
    signs: &[(Base::Copilot, "")],
    pieces: &[
        Piece {
            scope: Scope::User,
            base: Base::Copilot,
            path: "hooks/throughline-copilot.json",
            what: HOOKS,
        },
        Piece { scope: Scope::User, base: Base::Copilot, path: "mcp-config.json", what: SERVER },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".github/hooks/throughline-copilot.json",
            what: HOOKS,
        },
        Piece { scope: Scope::Project, base: Base::Project, path: ".mcp.json", what: SERVER },
    ],
    runs_hooks_of: &["vscode"],
    obstacles: &[],
    steps: &[
        (Scope::User, "start Copilot CLI again; `/mcp` shows the server"),
        (Scope::Project, "Copilot CLI asks whether you trust the folder; its hooks run only then"),
    ],
    question: None,
};

const HOOKS: What = What::Entries {
    format: Format::Json,
    entries: &[
        Entry::Constant { name: "version", value: 1 },
        Entry::Hooks { shape: Shape::Flat, events: EVENTS, handler },
    ],
    or: &[],
};
const SERVER: What = What::Entries {
    format: Format::Json,
    entries: &[Entry::Server { within: "mcpServers", entry: stdio_server }],
    or: &[],
};

const EVENTS: &[Event] = &[
    event("sessionStart", 10),
    event("userPromptSubmitted", 10),
    event("postToolUse", 10),
    event("postToolUseFailure", 10),
    event("subagentStart", 10),
    event("subagentStop", 10),
    event("preCompact", 10),
    event("agentStop", 10),
    event("errorOccurred", 10),
    event("sessionEnd", 10),
];

fn handler(program: &Program, event: &Event) -> Json {
    // What it says to a hook leaves out which event it is.
    let args = ["hook", NAME, event.name];
    let (shell, line) = match program.system() {
        System::Linux | System::Mac => ("bash", program.posix(&args)),
        System::Windows => ("powershell", program.powershell(&args)),
    };
    json!({ "type": "command", shell: line, "timeoutSec": event.timeout_seconds })
}
