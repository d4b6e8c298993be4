//! Goose: the server in `config.yaml`, hooks as an open plugin.

use serde_json::{Value as Json, json};

use super::super::client::{Client, Entry, Event, Format, Piece, Shape, What, event};
use super::super::guidance;
use super::super::places::{Base, Scope};
use super::super::program::{self, Program};

const NAME: &str = "goose";

pub(super) static CLIENT: Client = Client {
    name: NAME,
    title: "Goose",
    signs: &[(Base::Goose, "")],
    pieces: &[
        Piece {
            scope: Scope::User,
            base: Base::Goose,
            path: "config.yaml",
            what: What::Entries {
                format: Format::Yaml,
                entries: &[Entry::Server { within: "extensions", entry: server }],
                or: &[],
            },
        },
        Piece {
            scope: Scope::User,
            base: Base::Home,
            path: ".agents/plugins/throughline/plugin.json",
            what: MANIFEST,
        },
        Piece {
            scope: Scope::User,
            base: Base::Home,
            path: ".agents/plugins/throughline/hooks/hooks.json",
            what: HOOKS,
        },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".agents/plugins/throughline/plugin.json",
            what: MANIFEST,
        },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".agents/plugins/throughline/hooks/hooks.json",
            what: HOOKS,
        },
    ],
    runs_hooks_of: &[],
    obstacles: &[],
    steps: &[
        (Scope::User, "start Goose again"),
        (
            Scope::Project,
            "Goose knows extensions for the user only: `throughline install goose` adds the server",
        ),
    ],
    question: None,
};

const MANIFEST: What = What::Text(guidance::open_plugin);
const HOOKS: What = What::Entries {
    format: Format::Json,
    entries: &[Entry::Hooks { shape: Shape::Grouped, events: EVENTS, handler }],
    or: &[],
};

const EVENTS: &[Event] = &[
    event("SessionStart", 10),
    event("UserPromptSubmit", 10),
    event("PostToolUse", 10),
    event("PostToolUseFailure", 10),
    event("Stop", 10),
    event("SessionEnd", 10),
];

fn handler(program: &Program, event: &Event) -> Json {
    json!({
        "type": "command",
        "command": program.shell(&["hook", NAME]),
        "timeout": event.timeout_seconds,
    })
}

fn server(program: &Program) -> Json {
    json!({
        "type": "stdio",
        "name": program::NAME,
        "description": "The memory of this project",
        "cmd": program.path(),
        "args": ["mcp"],
        "envs": {},
        "enabled": true,
        "timeout": 300,
    })
}
