//! Cursor: hooks, server, commands, a skill, and for a project a rule, because its hooks may come too late to say
//! anything.

use serde_json::{Value as Json, json};

use super::super::client::{Client, CommandStyle, Entry, Event, Format, Piece, Shape, What, event};
use super::super::guidance;
use super::super::places::{Base, Scope};
use super::super::program::Program;
use super::{CLAUDE_CODE, stdio_server};

const NAME: &str = "cursor";

pub(super) static CLIENT: Client = Client {
    name: NAME,
    title: "Cursor",
    signs: &[(Base::Home, ".cursor")],
    pieces: &[
        Piece { scope: Scope::User, base: Base::Home, path: ".cursor/hooks.json", what: HOOKS },
        Piece { scope: Scope::User, base: Base::Home, path: ".cursor/mcp.json", what: SERVER },
        Piece { scope: Scope::User, base: Base::Home, path: ".cursor/commands", what: COMMANDS },
        Piece {
            scope: Scope::User,
            base: Base::Home,
            path: ".cursor/skills/throughline/SKILL.md",
            what: SKILL,
        },
        Piece { scope: Scope::Project, base: Base::Project, path: ".cursor/hooks.json", what: HOOKS },
        Piece { scope: Scope::Project, base: Base::Project, path: ".cursor/mcp.json", what: SERVER },
        Piece { scope: Scope::Project, base: Base::Project, path: ".cursor/commands", what: COMMANDS },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".cursor/skills/throughline/SKILL.md",
            what: SKILL,
        },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".cursor/rules/throughline.mdc",
            what: What::Text(guidance::cursor_rule),
        },
    ],
    runs_hooks_of: &[CLAUDE_CODE],
    obstacles: &[],
    steps: &[
        (Scope::User, "start Cursor again and switch the server on in its MCP settings"),
        (
            Scope::Project,
            "start Cursor again, trust the project and switch the server on in its MCP settings",
        ),
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
const COMMANDS: What = What::Commands(CommandStyle::Plain);
const SKILL: What = What::Text(guidance::skill);

const EVENTS: &[Event] = &[
    event("sessionStart", 10),
    event("beforeSubmitPrompt", 10),
    event("postToolUse", 10),
    event("postToolUseFailure", 10),
    event("subagentStart", 10),
    event("subagentStop", 10),
    event("afterAgentResponse", 10),
    event("preCompact", 10),
    event("stop", 10),
    event("sessionEnd", 10),
];

fn handler(program: &Program, event: &Event) -> Json {
    json!({ "command": program.shell(&["hook", NAME]), "timeout": event.timeout_seconds })
}
