//! Where an event belongs: project, session, sub-agents, the same session over MCP; and what is kept of tools.

use serde_json::json;

use super::{be_patient, claude, patient, recorded, well};
use crate::fixture::{Home, on_both, repository, texts};
use crate::mcp::{Client, Era};

#[test]
fn the_project_is_where_the_client_works_not_where_its_shell_is() {
    let home = patient();
    let api = home.work("api");
    repository(&api);
    std::fs::create_dir_all(api.join("src")).unwrap();
    let read = json!({
        "cwd": api.join("src"), "tool_name": "Read", "tool_use_id": "t", "tool_input": {"file_path": api.join("src/lib.rs")},
    });
    well("claude-code", claude(&home, "PostToolUse", &read));
    let elsewhere = json!({ "cwd": home.work("elsewhere"), "prompt": "go on", "prompt_id": "p" });
    well("claude-code", claude(&home, "UserPromptSubmit", &elsewhere).env("CLAUDE_PROJECT_DIR", &api));
    let gone = json!({ "cwd": home.path().join("gone"), "prompt": "where am I", "prompt_id": "q" });
    well("claude-code", claude(&home, "UserPromptSubmit", &gone));

    let events = home.call(&["log", "tail"]).within(&api).json();
    let events = events["events"].as_array().unwrap();
    assert_eq!(texts(events, "summary"), ["read src/lib.rs", "go on"]);
    assert_eq!(texts(events, "target"), ["src/lib.rs", ""], "by its path in the project");
    let sessions = home.call(&["session", "list"]).within(&api).json();
    let session = &sessions["sessions"][0];
    let known = [&session["client"], &session["client_session"], &session["git_branch"], &session["user"]];
    assert_eq!(known, ["claude-code", "s1", "main", "tester"]);
    assert_eq!(
        recorded(&home),
        ["user_message | - | where am I"],
        "a folder that is gone is where the hook runs"
    );
}

on_both!(a_sub_agent_is_a_session_of_its_own_with_a_parent);

fn a_sub_agent_is_a_session_of_its_own_with_a_parent(home: &Home) {
    be_patient(home);
    let agent = json!({ "agent_id": "a1", "agent_type": "Explore" });
    let read = json!({
        "agent_id": "a1", "agent_type": "Explore", "tool_name": "Read", "tool_use_id": "t",
        "tool_input": {"file_path": "a.rs"},
    });
    well("claude-code", claude(home, "SessionStart", &json!({ "source": "startup" })));
    well("claude-code", claude(home, "SubagentStart", &agent));
    well("claude-code", claude(home, "PostToolUse", &read));
    well(
        "claude-code",
        claude(home, "UserPromptSubmit", &json!({ "prompt": "meanwhile", "prompt_id": "p" })),
    );
    well("claude-code", claude(home, "SubagentStop", &agent));
    let internal = json!({ "agent_id": "a2", "agent_type": "", "last_assistant_message": "a summary" });
    well("claude-code", claude(home, "SubagentStop", &internal));

    let sessions = home.json(&["session", "list"])["sessions"].as_array().unwrap().clone();
    let of = |name: &str| sessions.iter().find(|session| session["client_session"] == name).unwrap();
    assert_eq!(sessions.len(), 2, "what the client does for itself is nobody's session");
    assert_eq!(of("s1/a1")["parent"], of("s1")["id"]);
    assert_eq!((&of("s1/a1")["chatmode"], &of("s1")["chatmode"]), (&json!("Explore"), &json!("default")));
    assert_eq!((&of("s1")["state"], &of("s1/a1")["state"]), (&json!("open"), &json!("ended (client)")));
    let events = home.events_with(&["--session", "s1/a1", "--kind", "read"]);
    assert_eq!(texts(&events, "target"), ["a.rs"]);
}

/// A client's tools and its hooks speak of one session.
#[test]
fn hooks_and_mcp_calls_of_one_client_meet_in_one_session() {
    let home = patient();
    well("claude-code", claude(&home, "SessionStart", &json!({ "source": "startup" })));
    let call = home.call(&["mcp"]).env("CLAUDE_CODE_SESSION_ID", "s1");
    let mut server = Client::started(call, Era::Stateless { client: Some("claude-code") });
    server.remember("The port is 7420");
    well("claude-code", claude(&home, "SessionEnd", &json!({ "reason": "other" })));
    let sessions = home.json(&["session", "list"]);
    assert_eq!(sessions["total"], 1, "{sessions:#}");
}

#[test]
fn commits_are_noticed() {
    let home = patient();
    let bash = |id: &str, command: &str, response: serde_json::Value| {
        let input = json!({ "command": command });
        json!({ "tool_name": "Bash", "tool_use_id": id, "tool_input": input, "tool_response": response })
    };
    let told = json!({ "stdout": "", "gitOperation": {"commit": {"sha": "1a2b3c4d", "kind": "committed", "branch": "main"}} });
    let printed = json!({ "stdout": "[dev (root-commit) abcdef0] Fix the lock\n 1 file changed" });
    let uses = [
        bash("1", "git add -A && git -C sub commit -qm \"Say what it is\"", json!({ "stdout": "" })),
        bash("2", "make commit", told),
        bash("3", "cd x; GIT_EDITOR=true git commit --amend", printed),
        bash("4", "git log --grep 'git commit'", json!({ "stdout": "x" })),
        bash("5", "git commit --dry-run", json!({ "stdout": "x" })),
    ];
    for used in &uses {
        well("claude-code", claude(&home, "PostToolUse", used));
    }
    let failed = json!({
        "tool_name": "Bash", "tool_use_id": "6", "tool_input": {"command": "git commit -m x"}, "error": "Exit code 1",
    });
    well("claude-code", claude(&home, "PostToolUseFailure", &failed));
    // The batch tells it again, with what the model is shown.
    let again = bash("6", "git commit -m x", json!("Exit code 1\nnothing to commit"));
    well("claude-code", claude(&home, "PostToolBatch", &json!({ "tool_calls": [again] })));
    let events = home.events();
    assert_eq!(events.iter().filter(|event| event["kind"] == "tool_result").count(), 1);
    let commits: Vec<_> = events.iter().filter(|event| event["target"] == "git commit").cloned().collect();
    assert_eq!(
        texts(&commits, "summary"),
        [
            "git commit: Say what it is",
            "git commit 1a2b3c4d on main",
            "git commit abcdef0 on dev: Fix the lock"
        ]
    );
    assert_eq!(commits[1]["parts"], json!({ "sha": "1a2b3c4d", "branch": "main" }));
}

#[test]
fn what_files_say_is_not_kept_and_errors_are_kept_short() {
    let home = patient();
    let text = "CONTENTS ".repeat(1000);
    let uses = [
        json!({"tool_name": "Write", "tool_use_id": "1", "tool_input": {"file_path": "a", "content": text}, "tool_response": {"content": text}}),
        json!({"tool_name": "Read", "tool_use_id": "2", "tool_input": {"file_path": "a"}, "tool_response": {"file": {"content": text}}}),
        json!({"tool_name": "Edit", "tool_use_id": "3", "tool_input": {"file_path": "a", "old_string": text, "new_string": text}, "tool_response": {"originalFile": text}}),
        json!({"tool_name": "Bash", "tool_use_id": "4", "tool_input": {"command": "cat a"}, "tool_response": {"stdout": text}}),
        json!({"tool_name": "mcp__x__save", "tool_use_id": "5", "tool_input": {"text": text}, "tool_response": text}),
    ];
    for used in &uses {
        well("claude-code", claude(&home, "PostToolUse", used));
    }
    assert_eq!(home.files_with("CONTENTS"), [""; 0].map(std::path::PathBuf::from));
    let error = format!("Exit code 1\n{}\nthe end", "noise\n".repeat(2000));
    let failed =
        json!({"tool_name": "Bash", "tool_use_id": "6", "tool_input": {"command": "make"}, "error": error});
    well("claude-code", claude(&home, "PostToolUseFailure", &failed));
    let results = home.events_with(&["--kind", "tool_result"]);
    let kept = results[0]["content"].as_str().unwrap();
    assert!(kept.len() < 2100 && kept.starts_with("Exit code 1\n") && kept.ends_with("the end"), "{kept}");
}

/// They record what they do themselves.
#[test]
fn our_own_tools_are_not_recorded_again() {
    let home = patient();
    for name in [
        "mcp__throughline__search",
        "mcp__plugin_throughline_throughline__remember",
        "mcp_throughline_orient",
    ] {
        let used = json!({ "tool_name": name, "tool_use_id": name, "tool_input": {"query": "x"}, "tool_response": "y" });
        well("claude-code", claude(&home, "PostToolUse", &used));
    }
    assert_eq!(recorded(&home), [""; 0]);
}
