//! Settings of ours and of clients: read or refused, and what cannot be read is not written over.

use super::{bytes, rounds, unbroken};
use crate::fixture::Home;

const ROUNDS: usize = 30;

const OURS: &str = include_str!("../../../config/default.toml");
const CLIENTS: [(&str, &str, &str); 4] = [
    (
        "claude-code",
        "user/.claude/settings.json",
        "{\n  // a comment\n  \"hooks\": {\"Stop\": []},\n  \"model\": \"x\",\n}\n",
    ),
    (
        "codex",
        "user/.codex/config.toml",
        "model = \"x\"\n\n[mcp_servers.other]\ncommand = \"y\"\nargs = []\n",
    ),
    ("gemini-cli", "user/.gemini/settings.json", "{\"mcpServers\": {\"other\": {\"command\": \"y\"}}}\n"),
    ("cursor", "user/.cursor/mcp.json", "{\"mcpServers\": {}}\n"),
];

#[test]
fn settings_with_chance_mixed_in_are_read_or_refused() {
    let home = Home::sqlite();
    rounds(ROUNDS, |chance| {
        let input = bytes(OURS.as_bytes().to_vec(), chance);
        home.write("work/shop/.throughline.toml", &input);
        unbroken(&home.call(&["config", "show"]).run(), &input);
        unbroken(
            &home.call(&["config", "set", "session.idle_after", "2h", "--scope", "project"]).run(),
            &input,
        );
    });
}

#[test]
fn clients_settings_with_chance_mixed_in_are_changed_or_left_alone() {
    let home = Home::sqlite();
    rounds(ROUNDS, |chance| {
        let (client, file, good) = CLIENTS[chance.below(CLIENTS.len())];
        let input = bytes(good.as_bytes().to_vec(), chance);
        let path = home.write(file, &input);
        let installed = home.call(&["install", client]).run();
        unbroken(&installed, &input);
        if installed.code != 0 {
            assert_eq!(std::fs::read(&path).unwrap(), input, "{client}: what was refused is not changed");
        }
        unbroken(&home.call(&["uninstall", client]).run(), &input);
    });
}
