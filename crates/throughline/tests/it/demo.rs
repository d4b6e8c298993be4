//! The first minute: what `demo` tells, that it is true, and that it leaves nothing behind.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;

use crate::fixture::{Call, Home, command, get};

/// Its folder lies in the test's own.
fn demo(home: &Home, args: &[&str]) -> Call {
    home.call(&[&["demo"], args].concat()).env("TMPDIR", home.work("tmp"))
}

fn left(home: &Home) -> Vec<PathBuf> {
    fs::read_dir(home.work("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The name of the folder and the ids are made by chance, and what ids cost in tokens follows from that.
fn plain(home: &Home, text: &str) -> String {
    let text = home.plain(text);
    let (before, after) = text.split_once("throughline-demo-").unwrap();
    let text = format!("{before}throughline-demo-XXXXXX{}", &after[6..]);
    let without = |part: &str| part.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    text.split(" of 900 tokens").map(without).collect::<Vec<_>>().join("N of 900 tokens")
}

#[test]
fn a_week_of_two_agents_is_told() {
    let home = Home::sqlite();
    insta::assert_snapshot!(plain(&home, &demo(&home, &["--no-serve"]).ok()));
}

#[test]
fn what_is_told_is_in_the_log() {
    let home = Home::sqlite();
    let told = demo(&home, &[]).json();
    let clients: Vec<&str> = told["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| session["client"].as_str().unwrap())
        .collect();
    assert_eq!(clients, ["claude-code", "codex", "claude-code", "claude-code", "codex"]);
    let memories = told["memories"].as_array().unwrap();
    assert!(memories.iter().any(|memory| memory["content"] == "Use pnpm, not npm"), "{told:#}");
    assert!(told["context_tokens"].as_u64().unwrap() <= 900);
    assert!(!told.to_string().contains("x7Rk2mQ9vLc4"), "a token was kept");
}

#[test]
fn nothing_is_left_and_nothing_of_yours_is_read_or_written() {
    let home = Home::sqlite();
    home.write("data/config.toml", "[hooks]\nenabled = false\n[memory]\ngenerate = false\n");
    let mine = home.work("shop");
    let call = demo(&home, &["--no-serve"])
        .env("THROUGHLINE_DATABASE_URL", "postgres://nobody@127.0.0.1:1/none")
        .env("THROUGHLINE_PROJECT", "mine")
        .env("THROUGHLINE_ACTOR", "agent:me")
        .env("CLAUDE_PROJECT_DIR", &mine);
    let text = call.ok();
    assert!(text.contains("Use pnpm, not npm"), "{text}");
    assert_eq!(left(&home), Vec::<PathBuf>::new());
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 1);
    assert_eq!(fs::read_dir(mine).unwrap().count(), 0);
}

#[test]
fn a_kept_demo_can_be_gone_on_with() {
    let home = Home::sqlite();
    let said = demo(&home, &["--keep", "--no-serve"]).run();
    let [kept] = &left(&home)[..] else { panic!("one folder: {:?}", left(&home)) };
    assert!(said.stderr.contains(&format!("THROUGHLINE_HOME={}", kept.display())), "{}", said.stderr);
    let found = home.call(&["search", "paging", "--project", "shop"]).env("THROUGHLINE_HOME", kept).ok();
    assert!(found.contains("Follow next_cursor"), "{found}");
    let health = home.call(&["check"]).env("THROUGHLINE_HOME", kept).json();
    assert_eq!(health["sound"], true, "{health:#}");
}

#[test]
fn its_dashboard_is_there_until_it_is_told_to_stop() {
    let home = Home::sqlite();
    let mut child = demo(&home, &[]).env("THROUGHLINE_LOG", "error").spawn();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    let line = lines.find(|line| line.starts_with("listening on ")).unwrap();
    let address = line.split("http://").nth(1).unwrap().split(' ').next().unwrap();
    let answer = get(address, "/api/projects");
    assert!(answer.contains("200 OK") && answer.contains("\"shop\""), "{answer}");
    let stopped = command("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(stopped.success() && child.wait().unwrap().success());
    assert_eq!(left(&home), Vec::<PathBuf>::new());
}
