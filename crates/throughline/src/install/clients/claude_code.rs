//! Claude Code: hooks in its settings, the server in `.claude.json` or `.mcp.json`, commands, a skill; or all as a plugin.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::super::asked::{Answer, Question, Verdict};
use super::super::client::{
    Client, CommandStyle, Content, Entry, Event, Format, Obstacle, Piece, Shape, Target, TextKind, What,
    When, event, matched,
};
use super::super::guidance::{self, MARK};
use super::super::places::{Base, Scope};
use super::super::program::{NAME, Program};
use super::{CLAUDE_CODE, stdio_server};

pub(super) static CLIENT: Client = Client {
    name: CLAUDE_CODE,
    title: "Claude Code",
    signs: &[(Base::Claude, "")],
    pieces: &[
        Piece { scope: Scope::User, base: Base::Claude, path: "settings.json", what: HOOKS },
        Piece { scope: Scope::User, base: Base::ClaudeState, path: ".claude.json", what: SERVER },
        Piece { scope: Scope::User, base: Base::Claude, path: "commands/throughline", what: COMMANDS },
        Piece { scope: Scope::User, base: Base::Claude, path: "skills/throughline/SKILL.md", what: SKILL },
        Piece { scope: Scope::Project, base: Base::Project, path: ".claude/settings.json", what: HOOKS },
        Piece { scope: Scope::Project, base: Base::Project, path: ".mcp.json", what: SERVER },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".claude/commands/throughline",
            what: COMMANDS,
        },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".claude/skills/throughline/SKILL.md",
            what: SKILL,
        },
    ],
    runs_hooks_of: &[],
    obstacles: &[
        Obstacle { scope: Scope::User, base: Base::Claude, path: "settings.json", ..NOT_READ },
        Obstacle { scope: Scope::User, base: Base::ClaudeState, path: ".claude.json", ..NOT_READ },
        Obstacle { scope: Scope::Project, base: Base::Project, path: ".claude/settings.json", ..NOT_READ },
        Obstacle { scope: Scope::Project, base: Base::Project, path: ".mcp.json", ..NOT_READ },
        Obstacle { scope: Scope::User, base: Base::Claude, path: "settings.json", ..SWITCHED_OFF },
        Obstacle {
            scope: Scope::Project,
            base: Base::Project,
            path: ".claude/settings.json",
            ..SWITCHED_OFF
        },
    ],
    steps: &[
        (Scope::User, "start a new session; `/hooks` and `/mcp` show what was added"),
        (
            Scope::Project,
            "Claude Code asks each user to approve the server in .mcp.json; say yes there, or in `/mcp`",
        ),
        (Scope::Project, "the files name the program on this machine; think before you commit them"),
    ],
    question: Some(Question { command: &["claude", "mcp", "get", NAME], read: says }),
};

/// It tries the server before it answers.
fn says(answer: &Answer, _: &Path) -> Verdict {
    match answer.line("Status:") {
        Some(status) if status.ends_with("Connected") => Verdict::Fine(status.to_owned()),
        Some(status) => Verdict::Problem(
            [Some(status), answer.line("Issue:")].into_iter().flatten().collect::<Vec<_>>().join(", "),
        ),
        None => Verdict::Problem(answer.text.trim().to_owned()),
    }
}

const SWITCHED_OFF: Obstacle = Obstacle {
    scope: Scope::User,
    base: Base::Claude,
    path: "settings.json",
    format: Format::Json,
    at: "/disableAllHooks",
    when: When::True,
    says: "disableAllHooks keeps every hook from running",
};

const NOT_READ: Obstacle = Obstacle {
    at: "",
    when: When::BeyondJson,
    says: "Claude Code reads no comments and no trailing commas; nothing in this file has an effect",
    ..SWITCHED_OFF
};

const HOOKS: What = What::Entries { format: Format::Json, entries: HOOK_ENTRIES, or: &[] };
const SERVER: What = What::Entries { format: Format::Json, entries: SERVER_ENTRIES, or: &[] };
const COMMANDS: What = What::Commands(CommandStyle::Markdown);
const SKILL: What = What::Text(guidance::skill);

const HOOK_ENTRIES: &[Entry] = &[Entry::Hooks { shape: Shape::Grouped, events: EVENTS, handler }];
const SERVER_ENTRIES: &[Entry] = &[Entry::Server { within: "mcpServers", entry: stdio_server }];

const EVENTS: &[Event] = &[
    event("SessionStart", 10),
    event("UserPromptSubmit", 10),
    matched("PostToolUse", "*", 10),
    matched("PostToolUseFailure", "*", 10),
    matched("PermissionDenied", "*", 10),
    event("SubagentStart", 10),
    event("SubagentStop", 10),
    event("PreCompact", 10),
    event("PostCompact", 10),
    event("Stop", 10),
    event("StopFailure", 10),
    event("InstructionsLoaded", 10),
    event("SessionEnd", 10),
];

/// Started without a shell.
fn handler(program: &Program, event: &Event) -> Json {
    json!({
        "type": "command",
        "command": program.path(),
        "args": ["hook", CLAUDE_CODE],
        "timeout": event.timeout_seconds,
    })
}

/// The plugin as a folder that `claude plugin` and others who read its format can install.
pub(in super::super) fn plugin(folder: &Path, program: &Program) -> Vec<Target> {
    let text = |path: &str, text: String| Target {
        path: folder.join(path),
        content: Content::Text { text, kind: TextKind::Plain },
    };
    let entries = |path: &str, entries| Target {
        path: folder.join(path),
        content: Content::Entries(Format::Json, entries),
    };
    let manifest = json!({
        "name": NAME,
        "version": env!("CARGO_PKG_VERSION"),
        "description": format!("What happened on this project, found again in every session ({MARK})"),
        "author": { "name": "Throughline" },
    });
    let readme = format!(
        "# Throughline\n\nHooks, MCP server, commands and a skill that start `{}`.\n\n<!-- {MARK} -->\n",
        program.path()
    );
    let mut targets = vec![
        text(".claude-plugin/plugin.json", format!("{manifest:#}\n")),
        entries("hooks/hooks.json", HOOK_ENTRIES),
        entries(".mcp.json", SERVER_ENTRIES),
        text("skills/throughline/SKILL.md", guidance::skill(program)),
        text("README.md", readme),
    ];
    let commands = guidance::commands(CommandStyle::Markdown);
    targets.extend(commands.map(|(name, body)| text(&format!("commands/{name}"), body)));
    targets
}
