//! Codex: hooks in `hooks.json`, which its user must trust; the server in `config.toml`; prompts and a skill.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::super::asked::{Answer, Question, Verdict};
use super::super::client::{
    Client, CommandStyle, Entry, Event, Format, Obstacle, Piece, Shape, What, When, event,
};
use super::super::guidance;
use super::super::places::{Base, Scope};
use super::super::program::{NAME as SERVER_NAME, Program};
use super::shell_handler;

const NAME: &str = "codex";

pub(super) static CLIENT: Client = Client {
    name: NAME,
    title: "Codex",
    signs: &[(Base::Codex, "")],
    pieces: &[
        Piece { scope: Scope::User, base: Base::Codex, path: "hooks.json", what: HOOKS },
        Piece { scope: Scope::User, base: Base::Codex, path: "config.toml", what: SERVER },
        Piece {
            scope: Scope::User,
            base: Base::Codex,
            path: "prompts",
            what: What::Commands(CommandStyle::Markdown),
        },
        Piece {
            scope: Scope::User,
            base: Base::Home,
            path: ".agents/skills/throughline/SKILL.md",
            what: SKILL,
        },
        Piece { scope: Scope::Project, base: Base::Project, path: ".codex/hooks.json", what: HOOKS },
        Piece { scope: Scope::Project, base: Base::Project, path: ".codex/config.toml", what: SERVER },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".agents/skills/throughline/SKILL.md",
            what: SKILL,
        },
    ],
    runs_hooks_of: &[],
    obstacles: &[
        Obstacle { scope: Scope::User, base: Base::Codex, path: "hooks.json", ..NOT_READ },
        Obstacle { scope: Scope::Project, base: Base::Project, path: ".codex/hooks.json", ..NOT_READ },
        Obstacle { scope: Scope::User, base: Base::Codex, path: "config.toml", ..TWO_PLACES },
        Obstacle { scope: Scope::Project, base: Base::Project, path: ".codex/config.toml", ..TWO_PLACES },
        Obstacle { at: "/features/hooks", when: When::False, says: "hooks are switched off", ..TWO_PLACES },
    ],
    steps: &[
        (Scope::User, TRUST),
        (Scope::Project, TRUST),
        (Scope::Project, "Codex reads a project's .codex only when you trust the project"),
    ],
    question: Some(Question { command: &["codex", "mcp", "get", SERVER_NAME, "--json"], read: says }),
};

/// It shows what it would start, and starts nothing.
fn says(answer: &Answer, program: &Path) -> Verdict {
    let shown: Option<Json> =
        answer.text.find('{').and_then(|start| serde_json::from_str(&answer.text[start..]).ok());
    let Some(shown) = shown.filter(|_| answer.is_success) else {
        return Verdict::Problem(answer.line("Error").unwrap_or(answer.text.trim()).to_owned());
    };
    let command = shown["transport"]["command"].as_str().unwrap_or_default();
    match shown["enabled"].as_bool() {
        Some(true) if Path::new(command) == program => Verdict::Fine(format!("enabled, starts {command}")),
        Some(true) => Verdict::Problem(format!(
            "it starts {command}, not this program; `throughline install codex` points it here"
        )),
        _ => Verdict::Problem(format!(
            "the server is switched off ({})",
            shown["disabled_reason"].as_str().unwrap_or("enabled = false")
        )),
    }
}

const TWO_PLACES: Obstacle = Obstacle {
    scope: Scope::User,
    base: Base::Codex,
    path: "config.toml",
    format: Format::Toml,
    at: "/hooks",
    when: When::There,
    says: "Codex wants hooks in one place, and there are some in [hooks]; move those to hooks.json",
};

const NOT_READ: Obstacle = Obstacle {
    format: Format::Json,
    at: "",
    when: When::BeyondJson,
    says: "Codex reads no comments and no trailing commas; nothing in this file has an effect",
    ..TWO_PLACES
};

const TRUST: &str =
    "run `/hooks` in Codex and trust the hooks of throughline; until then Codex does not run them";

const HOOKS: What = What::Entries {
    format: Format::Json,
    entries: &[Entry::Hooks { shape: Shape::Grouped, events: EVENTS, handler }],
    or: &[],
};
const SERVER: What = What::Entries {
    format: Format::Toml,
    entries: &[Entry::Server { within: "mcp_servers", entry: server }],
    or: &[],
};
const SKILL: What = What::Text(guidance::skill);

const EVENTS: &[Event] = &[
    event("SessionStart", 10),
    event("UserPromptSubmit", 10),
    event("PostToolUse", 10),
    event("SubagentStart", 10),
    event("SubagentStop", 10),
    event("PreCompact", 10),
    event("PostCompact", 10),
    event("Stop", 10),
    // Codex waits no longer than this when it ends.
    event("SessionEnd", 3),
];

/// Codex starts servers with hardly any of its environment; without these a server would open another database than hooks.
const PASSED_ON: [&str; 7] = [
    "THROUGHLINE_HOME",
    "THROUGHLINE_DATABASE_URL",
    "THROUGHLINE_PROJECT",
    "THROUGHLINE_ACTOR",
    "THROUGHLINE_LOG",
    "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
];

fn handler(program: &Program, event: &Event) -> Json {
    shell_handler(program, event, NAME, "commandWindows")
}

fn server(program: &Program) -> Json {
    json!({ "command": program.path(), "args": ["mcp"], "env_vars": PASSED_ON })
}
