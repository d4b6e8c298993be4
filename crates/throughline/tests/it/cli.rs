//! The command line as such: help, exit codes, JSON, and what happens when nobody listens.

use std::fs;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, on_both, shows};

on_both!(every_command_prints_one_json_document, a_reader_that_has_seen_enough_is_no_failure);

fn every_command_prints_one_json_document(home: &Home) {
    let file = home.path().join("export.jsonl");
    let lines = home.write("lines.jsonl", "{\"kind\":\"read\",\"session\":\"s\"}\n");
    let (file, lines) = (file.to_str().unwrap(), lines.to_str().unwrap());
    home.call(&["project", "show"]).within(&home.work("other")).ok();
    let commands: [&[&str]; 28] = [
        &["demo"],
        &["log", "append", "--kind", "read", "--content", "x", "--session", "s"],
        &["log", "append", "--batch", lines],
        &["log", "tail"],
        &["log", "export", "--output", file],
        &["log", "import", file],
        &["log", "purge", "--kind", "read", "--reason", "r", "--dry-run"],
        &["log", "purge", "--kind", "read", "--reason", "r"],
        &["session", "list"],
        &["session", "show"],
        &["session", "status"],
        &["session", "state"],
        &["session", "state", "--patch", "{\"a\":1}"],
        &["session", "end"],
        &["session", "resume"],
        &["project", "show"],
        &["project", "list"],
        &["project", "rename", "renamed"],
        &["project", "alias", "aliased"],
        &["project", "adopt", "other"],
        &["config", "show"],
        &["config", "show", "--default"],
        &["config", "set", "session.idle_after", "2h"],
        &["jobs", "list"],
        &["jobs", "run"],
        &["jobs", "retry"],
        &["doctor"],
        &["check"],
    ];
    for command in commands {
        let answer = home.json(command);
        assert!(answer.is_object(), "{command:?}: {answer}");
        assert_eq!(answer.get("error"), None, "{command:?}");
    }
    let answer = home.json(&["completions", "bash"]);
    assert_eq!(answer["shell"], "bash");
}

fn a_reader_that_has_seen_enough_is_no_failure(home: &Home) {
    let lines: Vec<Json> = (0..3000).map(|n| json!({"kind": "read", "content": format!("line {n} {}", "x".repeat(60))})).collect();
    home.batch(&lines);
    for command in [&["log", "tail", "-n", "3000"][..], &["log", "export"], &["log", "tail", "-n", "3000", "--json"], &["completions", "zsh"]] {
        let mut child = home.call(command).spawn();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{command:?}");
    }
}

#[test]
fn a_failure_is_one_json_document_too() {
    let home = Home::sqlite();
    let ran = home.call(&["session", "show", "nobody", "--json"]).run();
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    let problem: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        problem,
        json!({"error": {
            "kind": "not_found",
            "message": "there is no session \"nobody\" in this project; `throughline session list` shows those there are",
        }})
    );
    let ran = home.call(&["log", "purge", "--reason", "r", "--json"]).run();
    let problem: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &problem["error"]["kind"]), (2, &json!("usage")));
    let ran = home.call(&["log", "import", "/does/not/exist", "--json"]).run();
    let problem: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &problem["error"]["kind"]), (1, &json!("failed")));
}

#[test]
fn wrong_usage_exits_with_2() {
    let home = Home::sqlite();
    let wrong: [&[&str]; 9] = [
        &["nonsense"],
        &["log", "nonsense"],
        &["log", "append"],
        &["log", "append", "--kind", "read", "--client", "c"],
        &["log", "append", "--kind", "read", "--batch", "-"],
        &["log", "tail", "--limit", "many"],
        &["log", "tail", "--nonsense"],
        &["session", "state", "--if-version", "1"],
        &["completions", "tcsh"],
    ];
    for command in wrong {
        home.call(command).run().is_wrong_usage();
    }
    shows!(home, home.call(&["logg"]).run().is_wrong_usage(), @"");
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0, "nothing was made");
}

#[test]
fn without_a_command_the_help_is_shown() {
    let home = Home::sqlite();
    let help = home.call(&[]).run().is_wrong_usage();
    assert_eq!(help, home.ok(&["--help"]));
    assert_eq!(home.ok(&["--version"]), format!("throughline {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_shell_gets_its_completions() {
    let home = Home::sqlite();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = home.ok(&["completions", shell]);
        assert!(script.contains("throughline") && script.contains("purge"), "{shell}");
    }
}

#[test]
fn the_demo_leaves_your_own_data_alone() {
    let home = Home::sqlite();
    let text = home.ok(&["demo"]);
    assert!(text.contains("212 passed, 0 failed"), "{text}");
    let answer = home.json(&["demo"]);
    assert_eq!((&answer["shown"], &answer["session"]["chatmode"]), (&json!(11), &json!("engineer")));
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0);
}

#[test]
fn the_data_folder_is_the_platforms_unless_it_is_named() {
    let home = Home::sqlite();
    home.call(&["log", "append", "--kind", "read"]).without("THROUGHLINE_HOME").ok();
    assert!(home.path().join("user/.local/share/throughline/throughline.db").is_file());
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0);
}

#[test]
fn logs_go_to_stderr() {
    let home = Home::sqlite();
    home.ok(&["log", "append", "--kind", "read", "--at", "2h"]);
    let ran = home.call(&["jobs", "run", "--json"]).env("THROUGHLINE_LOG", "debug").run();
    serde_json::from_str::<Json>(&ran.stdout).unwrap();
    assert!(ran.stderr.contains("job run"), "{}", ran.stderr);
}

#[test]
fn help_of_the_program() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["--help"]), @"");
}

#[test]
fn help_of_log() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["log", "--help"]), @"");
    shows!(home, home.ok(&["log", "append", "--help"]), @"");
    shows!(home, home.ok(&["log", "tail", "--help"]), @"");
    shows!(home, home.ok(&["log", "export", "--help"]), @"");
    shows!(home, home.ok(&["log", "import", "--help"]), @"");
    shows!(home, home.ok(&["log", "purge", "--help"]), @"");
}

#[test]
fn help_of_session() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["session", "--help"]), @"");
    shows!(home, home.ok(&["session", "list", "--help"]), @"");
    shows!(home, home.ok(&["session", "show", "--help"]), @"");
    shows!(home, home.ok(&["session", "status", "--help"]), @"");
    shows!(home, home.ok(&["session", "state", "--help"]), @"");
    shows!(home, home.ok(&["session", "end", "--help"]), @"");
    shows!(home, home.ok(&["session", "resume", "--help"]), @"");
}

#[test]
fn help_of_project_config_and_jobs() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["project", "--help"]), @"");
    shows!(home, home.ok(&["project", "rename", "--help"]), @"");
    shows!(home, home.ok(&["config", "--help"]), @"");
    shows!(home, home.ok(&["config", "show", "--help"]), @"");
    shows!(home, home.ok(&["config", "set", "--help"]), @"");
    shows!(home, home.ok(&["jobs", "--help"]), @"");
    shows!(home, home.ok(&["jobs", "list", "--help"]), @"");
    shows!(home, home.ok(&["jobs", "run", "--help"]), @"");
}

#[test]
fn help_of_the_rest() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["demo", "--help"]), @"");
    shows!(home, home.ok(&["doctor", "--help"]), @"");
    shows!(home, home.ok(&["check", "--help"]), @"");
    shows!(home, home.ok(&["completions", "--help"]), @"");
}
