//! Links, permissions and folders that cannot be written.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::{install, mode, read, tree, uninstall};
use crate::fixture::Home;

#[test]
fn a_link_stays_a_link() {
    let home = Home::sqlite();
    let real = home.write("user/dotfiles/claude.json", "{\"a\": 1}\n");
    fs::create_dir_all(home.path().join("user/.claude")).unwrap();
    let link = home.path().join("user/.claude/settings.json");
    symlink("../dotfiles/claude.json", &link).unwrap();
    install(&home, "claude-code", "user");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("\"SessionStart\""));
    uninstall(&home, "claude-code", "user");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), "{\"a\": 1}\n");
}

#[test]
fn a_link_to_what_is_not_there_yet_is_followed() {
    let home = Home::sqlite();
    fs::create_dir_all(home.path().join("user/.gemini")).unwrap();
    let link = home.path().join("user/.gemini/settings.json");
    symlink("../dotfiles/gemini.json", &link).unwrap();
    install(&home, "gemini-cli", "user");
    assert!(read(&home, "user/dotfiles/gemini.json").contains("BeforeAgent"));
    uninstall(&home, "gemini-cli", "user");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(!home.path().join("user/dotfiles").exists());
}

#[test]
fn permissions_stay_and_new_files_are_private() {
    let home = Home::sqlite();
    let state = home.write("user/.claude.json", "{}");
    fs::set_permissions(&state, fs::Permissions::from_mode(0o640)).unwrap();
    install(&home, "claude-code", "user");
    assert_eq!(mode(&state) & 0o777, 0o640);
    assert_eq!(mode(&home.path().join("user/.claude/settings.json")) & 0o777, 0o600);
    install(&home, "cline", "user");
    assert_eq!(mode(&home.path().join("user/.cline/hooks/TaskStart")) & 0o777, 0o700);
    install(&home, "claude-code", "project");
    assert_ne!(mode(&home.path().join("work/shop/.mcp.json")) & 0o044, 0, "a team shares it");
    let ledger = mode(&home.data().join("install/ledger.json"));
    assert_eq!(ledger & 0o077, 0, "what was in the settings is nobody else's to read");
    uninstall(&home, "claude-code", "user");
    assert_eq!(mode(&state) & 0o777, 0o640);
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let home = Home::sqlite();
    let settings = home.write("user/.claude/settings.json", "{}");
    fs::set_permissions(&settings, fs::Permissions::from_mode(0o444)).unwrap();
    let before = tree(&home);
    let said = home.fails(&["install", "claude-code"]);
    assert!(
        said.contains("~/.claude/settings.json cannot be changed, and nothing was: it is read-only"),
        "{said}"
    );
    assert_eq!(tree(&home), before);
}

#[test]
fn a_folder_where_a_file_should_be_is_named() {
    let home = Home::sqlite();
    fs::create_dir_all(home.path().join("user/.claude/settings.json")).unwrap();
    let said = home.fails(&["install", "claude-code"]);
    assert!(said.contains("settings.json is not a file; move it away first"), "{said}");
}

/// What was written beside the first files goes when a later one cannot be.
#[test]
fn when_one_file_cannot_be_written_none_is() {
    let home = Home::sqlite();
    home.write("user/.claude/settings.json", "{}");
    home.write("user/.claude/skills", "a file where a folder should be");
    let before = tree(&home);
    let said = home.fails(&["install", "claude-code"]);
    assert!(said.contains("skills"), "{said}");
    assert_eq!(tree(&home), before);
    assert_eq!(home.json(&["doctor"])["healthy"], true);
    assert!(!home.ok(&["doctor"]).contains("claude-code"), "nor is it in the ledger");
}

#[test]
fn variables_move_the_settings() {
    let home = Home::sqlite();
    let moved = home.path().join("user/elsewhere");
    let run = |args: &[&str]| home.call(args).env("CLAUDE_CONFIG_DIR", &moved).env("CODEX_HOME", &moved).ok();
    run(&["install", "claude-code"]);
    run(&["install", "codex"]);
    for path in ["settings.json", ".claude.json", "hooks.json", "config.toml"] {
        assert!(moved.join(path).exists(), "{path}");
    }
    assert!(!home.path().join("user/.claude").exists());
    run(&["uninstall", "codex"]);
    run(&["uninstall", "claude-code"]);
    assert!(!moved.exists());
}
