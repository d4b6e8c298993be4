//! Gemini CLI: hooks and server in its settings, commands in a namespace of their own.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::super::asked::{Answer, Question, Verdict};
use super::super::client::{
    Client, CommandStyle, Entry, Event, Format, Obstacle, Piece, Shape, What, When, event, matched,
};
use super::super::places::{Base, Scope};
use super::super::program::{self, Program};

const NAME: &str = "gemini-cli";

pub(super) static CLIENT: Client = Client {
    name: NAME,
    title: "Gemini CLI",
    signs: &[(Base::Home, ".gemini")],
    pieces: &[
        Piece { scope: Scope::User, base: Base::Home, path: ".gemini/settings.json", what: SETTINGS },
        Piece { scope: Scope::User, base: Base::Home, path: ".gemini/commands/throughline", what: COMMANDS },
        Piece { scope: Scope::Project, base: Base::Project, path: ".gemini/settings.json", what: SETTINGS },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".gemini/commands/throughline",
            what: COMMANDS,
        },
    ],
    runs_hooks_of: &[],
    obstacles: &[
        Obstacle { scope: Scope::User, base: Base::Home, ..NOT_READ },
        Obstacle { scope: Scope::Project, base: Base::Project, ..NOT_READ },
        Obstacle { scope: Scope::User, base: Base::Home, ..SWITCHED_OFF },
        Obstacle { scope: Scope::Project, base: Base::Project, ..SWITCHED_OFF },
    ],
    steps: &[
        (Scope::User, "start Gemini CLI again; the commands are `/throughline:session-status` and so on"),
        (
            Scope::Project,
            "Gemini CLI reads a project's .gemini only in a trusted folder, and asks before it runs its hooks",
        ),
    ],
    question: Some(Question { command: &["gemini", "mcp", "list"], read: says }),
};

/// Why servers are off stands above its list.
fn says(answer: &Answer, _: &Path) -> Verdict {
    match (answer.in_list("- connected"), answer.line("untrusted")) {
        (Verdict::Problem(line), Some(why)) => Verdict::Problem(format!("{line} ({why})")),
        (verdict, _) => verdict,
    }
}

const SWITCHED_OFF: Obstacle = Obstacle {
    scope: Scope::User,
    base: Base::Home,
    path: ".gemini/settings.json",
    format: Format::Json,
    at: "/hooksConfig/enabled",
    when: When::False,
    says: "hooks are switched off",
};

const NOT_READ: Obstacle = Obstacle {
    at: "",
    when: When::TrailingComma,
    says: "Gemini CLI reads comments but no trailing commas, and does not start",
    ..SWITCHED_OFF
};

const SETTINGS: What = What::Entries {
    format: Format::Json,
    entries: &[
        Entry::Hooks { shape: Shape::Grouped, events: EVENTS, handler },
        Entry::Server { within: "mcpServers", entry: server },
    ],
    or: &[],
};
const COMMANDS: What = What::Commands(CommandStyle::Toml);

/// `PreCompress` is left out: it comes before every call of the model.
const EVENTS: &[Event] = &[
    event("SessionStart", 10),
    event("BeforeAgent", 10),
    matched("AfterTool", "*", 10),
    event("AfterAgent", 10),
    event("SessionEnd", 10),
];

/// Times are in milliseconds here.
fn handler(program: &Program, event: &Event) -> Json {
    json!({
        "type": "command",
        "name": program::NAME,
        "command": program.shell(&["hook", NAME]),
        "timeout": event.timeout_seconds * 1000,
    })
}

fn server(program: &Program) -> Json {
    json!({ "command": program.path(), "args": ["mcp"] })
}
