//! What cannot be read, or is not ours to change, is named and left alone, with all other files of the client.

use super::{SHARED, tree};
use crate::fixture::{Home, shows};

#[test]
fn broken_files_are_left_alone_and_their_place_is_named() {
    for shared in &SHARED {
        let broken = match shared.format {
            "json" => "{\n  \"a\": 1\n  \"b\": 2\n}\n",
            "toml" => "a = 1\nb = = 2\n",
            _ => "a: 1\nb: [1\nc: 2\n",
        };
        let home = Home::sqlite();
        home.write(shared.path, broken);
        let before = tree(&home);
        let said = home.fails(&["install", shared.client, "--scope", shared.scope]);
        assert!(said.contains(" cannot be changed, and nothing was: line "), "{}: {said}", shared.path);
        assert!(said.ends_with("; correct the file, then run this again\n"), "{}: {said}", shared.path);
        assert!(said.contains(shared.path.rsplit('/').next().unwrap()), "{said}");
        assert_eq!(tree(&home), before, "{}", shared.path);
    }
}

#[test]
fn every_file_is_checked_before_one_is_written() {
    let home = Home::sqlite();
    home.write("user/.claude.json", "{\"mcpServers\": [");
    let before = tree(&home);
    let said = home.fails(&["install", "claude-code"]);
    shows!(home, said, @"error: ~/.claude.json cannot be changed, and nothing was: line 1, column 16: Unterminated array; correct the file, then run this again");
    assert_eq!(tree(&home), before, "the settings come first and are fine");
}

#[test]
fn a_broken_file_is_not_uninstalled_from_either() {
    let home = Home::sqlite();
    home.ok(&["install", "gemini-cli"]);
    home.write("user/.gemini/settings.json", "{\"a\": ");
    let before = tree(&home);
    let said = home.fails(&["uninstall", "gemini-cli"]);
    assert!(said.contains("settings.json cannot be changed, and nothing was: line 1, column "), "{said}");
    assert_eq!(tree(&home), before);
}

#[test]
fn files_that_mean_something_else_are_refused() {
    let refused = |path: &str, text: &[u8], client: &str| {
        let home = Home::sqlite();
        home.write(path, text);
        let before = tree(&home);
        let said = home.fails(&["install", client]);
        assert_eq!(tree(&home), before);
        home.plain(&said)
            .replace("error: ", "")
            .replace(" cannot be changed, and nothing was", "")
            .trim()
            .to_owned()
    };
    let claude = |text: &str| refused("user/.claude.json", text.as_bytes(), "claude-code");
    assert_eq!(claude("[]"), "~/.claude.json: line 1, column 1: the document is not an object; make it one");
    assert_eq!(
        claude("{\"a\": 1,\n \"mcpServers\": 3}"),
        "~/.claude.json: line 2, column 16: mcpServers is not an object; make it one"
    );
    assert_eq!(
        claude(
            "{\"mcpServers\": {\"throughline\": {\"type\": \"http\", \"url\": \"http://localhost/mcp\"}}}"
        ),
        "~/.claude.json: mcpServers.throughline is there already and starts something else; rename or remove it"
    );
    assert_eq!(
        refused("user/.claude.json", b"{\"a\": \"\xff\xfe\"}", "claude-code"),
        "~/.claude.json: it is not UTF-8 text: byte 8 is not; convert it"
    );
    assert_eq!(
        refused("user/.cursor/hooks.json", b"{\"version\": 1, \"hooks\": {\"stop\": {}}}", "cursor"),
        "~/.cursor/hooks.json: line 1, column 34: hooks.stop is not a list; make it one"
    );
    assert_eq!(
        refused("user/.config/goose/config.yaml", b"extensions: {a: {enabled: true}}\n", "goose"),
        "~/.config/goose/config.yaml: line 1, column 1: extensions is not written as a block; write one entry a line"
    );
}

#[test]
fn one_broken_client_does_not_stop_the_others() {
    let home = Home::sqlite();
    home.write("user/.codex/config.toml", "= 1");
    home.write("user/.gemini/settings.json", "{}");
    let ran = home.call(&["install", "all", "--json"]).run();
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["clients"][0]["client"], "gemini-cli");
    assert_eq!(answer["failed"][0]["client"], "codex");
    assert!(answer["failed"][0]["message"].as_str().unwrap().contains("config.toml"), "{answer:#}");
}

#[test]
fn wrong_calls_say_what_is_right() {
    let home = Home::sqlite();
    let refused = |args: &[&str]| home.call(args).run().refuses();
    shows!(home, refused(&["install", "emacs"]), @r#"error: there is no client "emacs"; there are: claude-code, codex, gemini-cli, opencode, cursor, vscode, copilot-cli, windsurf, cline, goose, and all"#);
    shows!(home, refused(&["install", "codex", "--plugin", "x"]), @"error: --plugin goes with claude-code only; leave it out");
    refused(&["install"]);
    refused(&["install", "codex", "--scope", "world"]);
}
