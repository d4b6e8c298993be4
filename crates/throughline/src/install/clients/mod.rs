//! The clients, a file each.

mod claude_code;
mod cline;
mod codex;
mod copilot_cli;
mod cursor;
mod gemini_cli;
mod goose;
mod opencode;
mod vscode;
mod windsurf;

use serde_json::{Value as Json, json};

use super::client::{Client, Event};
use super::places::System;
use super::program::Program;
pub(super) use claude_code::plugin as claude_plugin;

pub(super) const CLAUDE_CODE: &str = "claude-code";

pub(super) static ALL: [&Client; 10] = [
    &claude_code::CLIENT,
    &codex::CLIENT,
    &gemini_cli::CLIENT,
    &opencode::CLIENT,
    &cursor::CLIENT,
    &vscode::CLIENT,
    &copilot_cli::CLIENT,
    &windsurf::CLIENT,
    &cline::CLIENT,
    &goose::CLIENT,
];

/// A hook whose command goes through the system's shell; `windows` is what the client calls the command for there.
fn shell_handler(program: &Program, event: &Event, client: &str, windows: &str) -> Json {
    let args = ["hook", client];
    let mut handler = json!({
        "type": "command",
        "command": program.shell(&args),
        "timeout": event.timeout_seconds,
    });
    if program.system() == System::Windows {
        handler[windows] = json!(program.cmd(&args));
    }
    handler
}

/// As most clients write a server that they start.
fn stdio_server(program: &Program) -> Json {
    json!({ "type": "stdio", "command": program.path(), "args": ["mcp"] })
}
