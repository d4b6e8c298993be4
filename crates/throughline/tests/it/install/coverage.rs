//! Hooks that would run twice are found, and `doctor` knows what is wrong with a client.

use super::{install, notes, read, uninstall};
use crate::fixture::{Home, shows};

fn doctor(home: &Home) -> String {
    let lines = home.ok(&["doctor"]);
    lines.lines().filter(|line| line.contains("  client ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn both_scopes_would_run_twice() {
    let home = Home::sqlite();
    assert_eq!(notes(&install(&home, "claude-code", "user")), "");
    let said = notes(&install(&home, "claude-code", "project"));
    shows!(home, said, @"Claude Code runs our hooks from each of ~/.claude/settings.json and [TMP]/work/shop/.claude/settings.json: keep one of them");
    assert!(doctor(&home).contains("keep one of them"), "{}", doctor(&home));
    uninstall(&home, "claude-code", "user");
    assert!(!doctor(&home).contains("keep one of them"), "{}", doctor(&home));
}

#[test]
fn clients_that_read_the_hooks_of_others_are_named() {
    let home = Home::sqlite();
    install(&home, "claude-code", "user");
    let said = notes(&install(&home, "cursor", "user"));
    shows!(home, said, @"Cursor runs our hooks from each of ~/.cursor/hooks.json and ~/.claude/settings.json: keep one of them");
    let said = notes(&install(&home, "vscode", "user"));
    assert!(said.contains("VS Code runs our hooks from each of"), "{said}");
    uninstall(&home, "claude-code", "user");
    let said = notes(&install(&home, "copilot-cli", "user"));
    assert!(said.contains("Copilot CLI runs our hooks from each of"), "{said}");
    assert!(said.contains("VS Code runs our hooks from each of"), "both read both: {said}");
}

#[test]
fn the_plugin_and_the_settings_would_run_twice() {
    let home = Home::sqlite();
    home.write("user/.claude/plugins/installed_plugins.json", "{\"plugins\": {\"throughline@mine\": []}}");
    let said = notes(&install(&home, "claude-code", "user"));
    assert!(said.contains("installed_plugins.json: keep one of them"), "{said}");
    let plugin = home.path().join("user/plugin");
    let answer = home.json(&["install", "claude-code", "--plugin", plugin.to_str().unwrap()]);
    assert!(notes(&answer).contains("holds our hooks as well"), "{answer:#}");
}

#[test]
fn doctor_explains_what_is_wrong_with_a_client() {
    let home = Home::sqlite();
    install(&home, "codex", "user");
    install(&home, "gemini-cli", "project");
    shows!(home, doctor(&home), @"
    ok  client       codex (user)
    ok  client       gemini-cli (project)
    ");
    let hooks = read(&home, "user/.codex/hooks.json");
    let without_one = hooks.replacen("hook codex", "hook codex --loud", 1);
    home.write("user/.codex/hooks.json", without_one);
    home.write("user/.codex/config.toml", "a = = 1\n");
    home.write("work/shop/.gemini/settings.json", "{}");
    std::fs::remove_file(home.path().join("user/.codex/prompts/remember.md")).unwrap();
    shows!(home, doctor(&home), @"
    warning  client       codex (user): ~/.codex/hooks.json is not as this version writes it; `throughline install codex` brings it up to date; ~/.codex/config.toml: line 1, column 5: extra `=`, expected nothing; the client cannot read it; ~/.codex/prompts/remember.md is gone; `throughline install codex` writes it again
    warning  client       gemini-cli (project): [TMP]/work/shop/.gemini/settings.json holds nothing of ours any more; `throughline install gemini-cli --scope project` puts it back
    ");
}

#[test]
fn doctor_names_a_program_that_is_another() {
    let home = Home::sqlite();
    install(&home, "codex", "user");
    let other = home.write("data/bin/throughline", "another program");
    let text = read(&home, "user/.codex/config.toml");
    home.write("user/.codex/config.toml", text.replace(super::PROGRAM, other.to_str().unwrap()));
    let said = doctor(&home);
    assert!(said.contains("data/bin/throughline, not this program ("), "{said}");
}

#[test]
fn settings_that_keep_hooks_from_running_are_named() {
    let home = Home::sqlite();
    home.write("user/.claude/settings.json", "{\"disableAllHooks\": true}");
    let said = notes(&install(&home, "claude-code", "user"));
    assert_eq!(said, "~/.claude/settings.json: disableAllHooks keeps every hook from running");
    home.write("user/.codex/config.toml", "[[hooks.Stop]]\nhooks = []\n[features]\nhooks = false\n");
    let said = notes(&install(&home, "codex", "user"));
    assert!(
        said.contains("Codex wants hooks in one place") && said.contains("hooks are switched off"),
        "{said}"
    );
    assert!(doctor(&home).contains("disableAllHooks"), "{}", doctor(&home));
    home.write("work/shop/.claude/settings.json", "{\n  // a note\n}\n");
    let said = notes(&install(&home, "claude-code", "project"));
    assert!(said.contains("/.claude/settings.json: Claude Code reads no comments"), "{said}");
    home.write("user/.gemini/settings.json", "{\"hooksConfig\": {\"enabled\": true}}");
    assert_eq!(notes(&install(&home, "gemini-cli", "user")), "");
    home.write("work/shop/.gemini/settings.json", "{\n  \"a\": 1, // a note\n}\n");
    let said = notes(&install(&home, "gemini-cli", "project"));
    assert!(said.contains("Gemini CLI reads comments but no trailing commas"), "{said}");
}
