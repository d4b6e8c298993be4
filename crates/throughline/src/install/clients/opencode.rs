//! OpenCode: a small plugin in JavaScript for the hooks, the server in `opencode.json`, commands.

use serde_json::{Value as Json, json};

use super::super::asked::Question;
use super::super::client::{Client, CommandStyle, Entry, Format, Piece, What};
use super::super::guidance;
use super::super::places::{Base, Scope};
use super::super::program::Program;

pub(super) static CLIENT: Client = Client {
    name: "opencode",
    title: "OpenCode",
    signs: &[(Base::OpenCode, "")],
    pieces: &[
        Piece { scope: Scope::User, base: Base::OpenCode, path: "opencode.json", what: SERVER },
        Piece { scope: Scope::User, base: Base::OpenCode, path: "plugins/throughline.js", what: PLUGIN },
        Piece { scope: Scope::User, base: Base::OpenCode, path: "commands", what: COMMANDS },
        Piece { scope: Scope::Project, base: Base::Project, path: "opencode.json", what: SERVER },
        Piece {
            scope: Scope::Project,
            base: Base::Project,
            path: ".opencode/plugins/throughline.js",
            what: PLUGIN,
        },
        Piece { scope: Scope::Project, base: Base::Project, path: ".opencode/commands", what: COMMANDS },
    ],
    runs_hooks_of: &[],
    obstacles: &[],
    steps: &[(Scope::User, "start OpenCode again"), (Scope::Project, "start OpenCode again in this project")],
    question: Some(Question {
        command: &["opencode", "mcp", "list"],
        read: |answer, _| answer.in_list("connected"),
    }),
};

const SERVER: What = What::Entries {
    format: Format::Json,
    entries: &[Entry::Server { within: "mcp", entry: server }],
    or: &["opencode.jsonc"],
};
const PLUGIN: What = What::Text(guidance::opencode_plugin);
const COMMANDS: What = What::Commands(CommandStyle::Markdown);

fn server(program: &Program) -> Json {
    json!({ "type": "local", "command": [program.path(), "mcp"], "enabled": true })
}
