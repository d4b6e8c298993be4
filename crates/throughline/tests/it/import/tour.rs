//! A transcript that each client really wrote: what comes of every line of it.

use std::fmt::Write as _;

use super::transcript;
use crate::fixture::Home;

const CLAUDE: &str = "ff26324c-ea3c-4258-bc52-37adb70f2b04";

#[test]
fn claude_code() {
    let home = Home::sqlite();
    let place = "user/.claude/projects/-home-dev-shop";
    let earlier = home.write(&format!("{place}/{CLAUDE}.jsonl"), transcript(&home, "claude-code"));
    // Within a tick of the file system's clock nothing tells which came first.
    let earlier = std::fs::File::options().write(true).open(earlier).unwrap();
    earlier.set_modified(std::time::UNIX_EPOCH).unwrap();
    home.write(
        &format!("{place}/76fbf739-f1d7-4859-b80a-5c6557ea879d.jsonl"),
        transcript(&home, "claude-code-compacted"),
    );
    let agent = format!("{place}/{CLAUDE}/subagents/agent-a50ec5a74e20e08fa");
    home.write(&format!("{agent}.jsonl"), transcript(&home, "claude-code-agent"));
    home.write(&format!("{agent}.meta.json"), r#"{"agentType":"general-purpose"}"#);
    insta::assert_snapshot!(tour(&home, "claude-code"));
}

#[test]
fn codex() {
    let home = Home::sqlite();
    let file = "user/.codex/sessions/2026/11/15/rollout-2026-11-15T00-53-10-01a1dcb1.jsonl";
    home.write(file, transcript(&home, "codex"));
    insta::assert_snapshot!(tour(&home, "codex"));
}

#[test]
fn gemini_cli() {
    let home = Home::sqlite();
    home.write(
        "user/.gemini/tmp/shop/chats/session-2026-11-15T00-54-80f0da75.jsonl",
        transcript(&home, "gemini-cli"),
    );
    let shop = home.work("shop").canonicalize().unwrap();
    home.write("user/.gemini/tmp/shop/.project_root", shop.to_str().unwrap());
    insta::assert_snapshot!(tour(&home, "gemini"));
}

/// What was imported, and what each session is afterwards; a second time changes nothing.
fn tour(home: &Home, source: &str) -> String {
    let mut text = home.ok(&["import", source]);
    let events = home.events();
    for event in &events {
        let field = |name: &str| event[name].as_str().unwrap_or("-").to_owned();
        let clock = field("at")[11..23].to_owned();
        let _ = writeln!(
            text,
            "{clock} {} {} | {} | {}",
            field("actor"),
            field("kind"),
            field("target"),
            field("summary")
        );
        assert!(!event.to_string().contains("INJECTED"), "{event}");
    }
    for session in home.json(&["session", "list"])["sessions"].as_array().unwrap() {
        let field = |name: &str| session[name].as_str().unwrap_or("-").to_owned();
        let parent = if session["parent"].is_null() { "nobody" } else { "its parent" };
        let _ = writeln!(
            text,
            "{} {} for {parent}, {}",
            field("client_session"),
            field("chatmode"),
            field("state")
        );
    }
    home.ok(&["import", source]);
    assert_eq!(home.events(), events);
    home.check();
    home.plain(&text)
}
