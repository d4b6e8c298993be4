//! What people and programs do to the files between install and uninstall stays.

use super::{action, install, notes, read, read_json, tree, uninstall};
use crate::fixture::{Home, shows};

#[test]
fn only_our_entries_go_when_somebody_changed_the_file() {
    let home = Home::sqlite();
    let start = "{\n  // mine\n  \"model\": \"opus\", // fast\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"say\"}]}\n    ]\n  }\n}\n";
    home.write("user/.claude/settings.json", start);
    install(&home, "claude-code", "user");
    let installed = read(&home, "user/.claude/settings.json");
    home.write("user/.claude/settings.json", installed.replace("\"opus\", // fast", "\"haiku\", // faster"));
    let answer = uninstall(&home, "claude-code", "user");
    assert_eq!(action(&answer, "settings.json"), "changed");
    assert!(notes(&answer).contains("was changed since it was installed"), "{answer:#}");
    let wanted = start.replace("\"opus\", // fast", "\"haiku\", // faster");
    assert_eq!(read(&home, "user/.claude/settings.json"), wanted);
}

#[test]
fn a_hook_that_somebody_added_to_our_group_stays() {
    let home = Home::sqlite();
    install(&home, "claude-code", "user");
    let path = "user/.claude/settings.json";
    let mut settings = read_json(&home, path);
    let theirs = serde_json::json!({"type": "command", "command": "say"});
    settings["hooks"]["PostToolUse"][0]["hooks"].as_array_mut().unwrap().push(theirs.clone());
    home.write(path, settings.to_string());
    uninstall(&home, "claude-code", "user");
    let left = serde_json::json!({"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [theirs]}]}});
    assert_eq!(read_json(&home, path), left);
}

#[test]
fn containers_that_were_there_before_stay_when_they_are_empty() {
    let home = Home::sqlite();
    let path = "user/.gemini/settings.json";
    home.write(path, "{\"hooks\": {\"SessionStart\": []}, \"ui\": 1}");
    install(&home, "gemini-cli", "user");
    let mut settings = read_json(&home, path);
    settings["ui"] = serde_json::json!(2);
    home.write(path, settings.to_string());
    uninstall(&home, "gemini-cli", "user");
    assert_eq!(read_json(&home, path), serde_json::json!({"hooks": {"SessionStart": []}, "ui": 2}));
}

#[test]
fn what_somebody_added_to_our_server_survives_an_update() {
    let home = Home::sqlite();
    install(&home, "claude-code", "user");
    let path = "user/.claude.json";
    let mut state = read_json(&home, path);
    state["mcpServers"]["throughline"]["env"] = serde_json::json!({"THROUGHLINE_PROJECT": "shop"});
    state["mcpServers"]["throughline"]["command"] = serde_json::json!("/old/throughline");
    home.write(path, state.to_string());
    let answer = install(&home, "claude-code", "user");
    assert_eq!(action(&answer, ".claude.json"), "changed");
    let server = &read_json(&home, path)["mcpServers"]["throughline"];
    assert_eq!(server["command"], super::PROGRAM);
    assert_eq!(server["env"]["THROUGHLINE_PROJECT"], "shop");
}

#[test]
fn a_file_that_somebody_else_uses_by_now_is_not_deleted() {
    let home = Home::sqlite();
    install(&home, "claude-code", "user");
    let mut state = read_json(&home, "user/.claude.json");
    state["numStartups"] = serde_json::json!(3);
    home.write("user/.claude.json", state.to_string());
    uninstall(&home, "claude-code", "user");
    assert_eq!(read_json(&home, "user/.claude.json"), serde_json::json!({"numStartups": 3}));
}

#[test]
fn toml_and_yaml_keep_what_was_added() {
    let home = Home::sqlite();
    home.write("user/.codex/config.toml", "model = \"a\"\n");
    install(&home, "codex", "user");
    let text =
        read(&home, "user/.codex/config.toml") + "startup_timeout_sec = 9\n\n# theirs\n[other]\nx = 1\n";
    home.write("user/.codex/config.toml", text);
    uninstall(&home, "codex", "user");
    assert_eq!(read(&home, "user/.codex/config.toml"), "model = \"a\"\n\n# theirs\n[other]\nx = 1\n");

    home.write("user/.config/goose/config.yaml", "extensions:\n  a:\n    enabled: true\n");
    install(&home, "goose", "user");
    let text = read(&home, "user/.config/goose/config.yaml") + "  b:\n    enabled: true\nlast: 1\n";
    home.write("user/.config/goose/config.yaml", text);
    uninstall(&home, "goose", "user");
    let left = "extensions:\n  a:\n    enabled: true\n  b:\n    enabled: true\nlast: 1\n";
    assert_eq!(read(&home, "user/.config/goose/config.yaml"), left);
}

#[test]
fn a_command_that_somebody_rewrote_is_theirs() {
    let home = Home::sqlite();
    install(&home, "gemini-cli", "user");
    let path = "user/.gemini/commands/throughline/remember.toml";
    home.write(path, "prompt = \"mine\"\n");
    let answer = install(&home, "gemini-cli", "user");
    assert_eq!(action(&answer, "remember.toml"), "left_alone");
    let answer = uninstall(&home, "gemini-cli", "user");
    shows!(home, notes(&answer), @"~/.gemini/commands/throughline/remember.toml was changed since it was installed; it was left alone");
    assert_eq!(read(&home, path), "prompt = \"mine\"\n");
    let left: Vec<_> = tree(&home).into_keys().filter(|path| path.extension().is_some()).collect();
    assert_eq!(left, [std::path::Path::new(path)]);
}

#[test]
fn files_of_others_under_our_names_are_left_alone() {
    let home = Home::sqlite();
    home.write("user/.cline/hooks/TaskStart", "#!/bin/sh\necho mine\n");
    home.write("user/.config/opencode/commands/remember.md", "mine\n");
    let answer = install(&home, "cline", "user");
    assert_eq!(action(&answer, "TaskStart"), "left_alone");
    assert!(
        notes(&answer).contains("TaskStart is there already and is not ours; it was left alone"),
        "{answer:#}"
    );
    assert_eq!(action(&install(&home, "opencode", "user"), "remember.md"), "left_alone");
    uninstall(&home, "cline", "user");
    uninstall(&home, "opencode", "user");
    assert_eq!(read(&home, "user/.cline/hooks/TaskStart"), "#!/bin/sh\necho mine\n");
    assert_eq!(read(&home, "user/.config/opencode/commands/remember.md"), "mine\n");
}

#[test]
fn a_file_that_somebody_deleted_is_no_trouble() {
    let home = Home::sqlite();
    let before = tree(&home);
    install(&home, "codex", "user");
    std::fs::remove_file(home.path().join("user/.codex/hooks.json")).unwrap();
    uninstall(&home, "codex", "user");
    assert_eq!(tree(&home), before);
}
