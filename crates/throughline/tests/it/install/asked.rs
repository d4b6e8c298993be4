//! `doctor` asks clients what they make of what was installed. The clients themselves are asked in `./test agents`; here
//! stand scripts that answer as they do.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value as Json;

use super::{PROGRAM, install};
use crate::fixture::Home;

/// Puts a client on the path that answers with this.
fn client(home: &Home, name: &str, script: &str) {
    let path = home.write(&format!("bin/{name}"), format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// What `doctor` heard: verdict and words.
fn heard(home: &Home, args: &[&str]) -> Vec<(String, String)> {
    let path = format!("{}:/usr/bin:/bin", home.path().join("bin").display());
    let answer = home.call(args).env("PATH", path).json();
    let findings = answer["findings"].as_array().unwrap();
    let text = |finding: &Json, name: &str| finding[name].as_str().unwrap().to_owned();
    let told = findings.iter().map(|finding| (text(finding, "verdict"), text(finding, "detail")));
    told.filter(|(_, detail)| detail.contains("says: ")).collect()
}

#[test]
fn a_client_says_that_it_is_connected_or_why_not() {
    let home = Home::sqlite();
    install(&home, "claude-code", "user");
    let with = |word: &str| {
        client(
            &home,
            "claude",
            &format!("echo 'throughline:'; echo '  Status: {word}'; echo '  Issue: CLOSED'"),
        );
        heard(&home, &["doctor"])
    };
    let says = "claude-code: `claude mcp get throughline` says: ";
    assert_eq!(with("✔ Connected"), [("ok".to_owned(), format!("{says}Status: ✔ Connected"))]);
    let failed = format!("{says}Status: ✘ Failed to connect, Issue: CLOSED");
    assert_eq!(with("✘ Failed to connect"), [("warning".to_owned(), failed)]);
}

#[test]
fn codex_shows_what_it_would_start() {
    let home = Home::sqlite();
    install(&home, "codex", "user");
    let with = |enabled: bool, command: &str| {
        let shown =
            format!(r#"{{"enabled":{enabled},"transport":{{"type":"stdio","command":"{command}"}}}}"#);
        client(&home, "codex", &format!("echo 'WARNING: no aliases' >&2\necho '{shown}'"));
        heard(&home, &["doctor"]).remove(0)
    };
    assert_eq!(with(true, PROGRAM).0, "ok");
    let (verdict, detail) = with(true, "/opt/old/throughline");
    assert_eq!(verdict, "warning");
    assert!(detail.contains("not this program; `throughline install codex` points it here"), "{detail}");
    let (verdict, detail) = with(false, PROGRAM);
    assert_eq!((verdict.as_str(), detail.contains("switched off")), ("warning", true), "{detail}");
}

#[test]
fn a_client_that_does_not_know_our_server_is_named_with_the_remedy() {
    let home = Home::sqlite();
    install(&home, "gemini-cli", "user");
    client(&home, "gemini", "echo 'No MCP servers configured.'");
    let [(verdict, detail)] = &heard(&home, &["doctor"])[..] else { panic!("heard nothing") };
    assert_eq!(verdict, "warning");
    assert!(detail.contains("`throughline install` writes it again"), "{detail}");
}

#[test]
fn nobody_is_asked_who_is_not_installed_or_not_there_or_when_told_not_to() {
    let home = Home::sqlite();
    client(&home, "claude", "touch \"$HOME/asked\"");
    assert_eq!(heard(&home, &["doctor"]), []);
    install(&home, "opencode", "user");
    assert_eq!(heard(&home, &["doctor"]), [], "opencode is not on the path");
    install(&home, "claude-code", "user");
    assert_eq!(heard(&home, &["doctor", "--no-ask"]), []);
    assert!(!home.path().join("user/asked").exists());
}

/// Claude Code runs its hooks when it ends, even if all it did was to show a server.
#[test]
fn asking_leaves_nothing_in_the_log() {
    let home = Home::sqlite();
    install(&home, "claude-code", "user");
    let event = r#"{"session_id":"s","hook_event_name":"SessionEnd","cwd":"/","reason":"other"}"#;
    client(
        &home,
        "claude",
        &format!("echo '{event}' | '{PROGRAM}' hook claude-code\necho 'Status: Connected'"),
    );
    assert_eq!(heard(&home, &["doctor"]).len(), 1);
    assert_eq!(home.events(), Vec::<Json>::new());
}
