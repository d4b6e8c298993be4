//! Orientation from outside: on repositories that were never seen, on projects full of work, through every door.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use proptest::prelude::{Strategy, prop, prop_oneof};
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};
use throughline_engine::tokens;

use crate::fixture::{Home, command, git, jsonl, on_both, repository, shows};
use crate::hook::{claude, patient, well};
use crate::mcp::Client;

on_both!(
    an_unseen_repository_says_what_it_is,
    what_was_left_undone_and_what_the_last_session_did_are_told,
    the_work_of_a_full_project_comes_before_its_documents,
);

/// A small project with a history, as somebody would find it.
fn shop(home: &Home) -> PathBuf {
    let shop = home.work("shop");
    let files = [
        ("README.md", "# Shop\n\n[![badge](b.svg)](b)\n\nShop sells apples to people who like them.\n"),
        ("AGENTS.md", "- Never sell pears.\n- Run `cargo test` before you finish.\n- Apples are round.\n"),
        ("Cargo.toml", "[package]\nname = 'shop'\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("src/apple.rs", "// 0\n"),
    ];
    for (name, text) in files {
        home.write(&format!("work/shop/{name}"), text);
    }
    git(&shop, &["init", "-q", "-b", "main"]);
    commit(&shop, "Open the shop");
    for day in 1..=3 {
        home.write("work/shop/src/apple.rs", format!("// {day}\n"));
        commit(&shop, &format!("Sell {day} apples"));
    }
    shop
}

fn commit(folder: &Path, message: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", message]);
}

/// The text without what changes with each run: ids of commits and how long ago.
fn steady(text: &str) -> String {
    let line = |line: &str| match line.split_once(" ago: ") {
        Some((_, subject)) => format!("  COMMIT AGE ago: {subject}"),
        None => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn an_unseen_repository_says_what_it_is(home: &Home) {
    shop(home);
    let text = home.ok(&["orient"]);
    shows!(home, steady(&text), @r"
    shop (branch main), Rust
    Shop sells apples to people who like them.

    Build and test
      build: cargo build (Cargo.toml)
      test: cargo test (AGENTS.md)
      run: cargo run (Cargo.toml)

    Entry points
      src/main.rs: program shop

    The project tells agents
      Never sell pears. (AGENTS.md)
      Run `cargo test` before you finish. (AGENTS.md)

    Last commits
      COMMIT AGE ago: Sell 3 apples
      COMMIT AGE ago: Sell 2 apples
      COMMIT AGE ago: Sell 1 apples
      COMMIT AGE ago: Open the shop

    Changed most in the last 4 commits
      src/apple.rs (3 times)
    ");
    assert!(tokens::count(&text) <= 800);
    assert_eq!(home.json(&["project", "list"])["projects"], json!([]), "looking makes no project");
}

fn what_was_left_undone_and_what_the_last_session_did_are_told(home: &Home) {
    let line = |more: Json| {
        let mut line = json!({ "client": "codex", "session": "one" });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        line
    };
    home.batch(&[
        line(json!({ "kind": "user_message", "content": "Sell apples" })),
        line(json!({ "kind": "write", "target": "src/apple.rs" })),
        line(json!({ "kind": "tool_call", "target": "cargo test apple", "parts": { "ok": false } })),
        line(json!({ "kind": "write", "target": "src/pear.rs" })),
        line(json!({ "kind": "model_message", "content": "Next steps:\n- paint the door" })),
    ]);
    let orient = home.json(&["orient"]);
    let told = |section: &Json, field: &str| -> Vec<String> {
        section.as_array().unwrap().iter().map(|one| one[field].as_str().unwrap().to_owned()).collect()
    };
    let unfinished = &orient["unfinished"];
    assert_eq!(unfinished["total"], 3);
    assert_eq!(told(&unfinished["shown"], "why"), ["failing", "not tested", "next step"]);
    assert_eq!(told(&unfinished["shown"], "text"), ["cargo test apple", "src/pear.rs", "paint the door"]);
    let did = json!(["last request: Sell apples", "files written: src/pear.rs, src/apple.rs"]);
    assert_eq!(orient["last_session"]["did"], did);
}

fn the_work_of_a_full_project_comes_before_its_documents(home: &Home) {
    shop(home);
    import(home, (0..60).map(|number| format!("Task {number} that has a title of some length")));
    let short = home.json(&["orient", "--max-tokens", "500"]);
    assert_eq!(short["in_progress"]["total"], 30);
    assert_eq!(short["in_progress"]["shown"].as_array().unwrap().len(), 5, "{short:#}");
    assert_eq!(short["repository"].get("commits"), None);
    let text = home.ok(&["orient"]);
    assert!(text.contains("In progress (10 of 30)") && text.contains("Shop sells apples"), "{text}");
}

/// Every second one is being worked on.
fn import(home: &Home, titles: impl Iterator<Item = String>) {
    let item = |(number, title): (usize, String)| {
        let status = if number % 2 == 0 { "in_progress" } else { "open" };
        json!({ "id": format!("b-{number}"), "title": title, "status": status, "issue_type": "task" })
    };
    let items: Vec<Json> = titles.enumerate().map(item).collect();
    home.call(&["task", "import", "-", "--format", "beads"]).input(jsonl(&items)).ok();
}

#[test]
fn every_door_tells_the_same() {
    let home = patient();
    shop(&home);
    let of_cli = home.json(&["orient"]);
    let of_mcp = Client::of(&home).tool("orient", &json!({}));
    assert_eq!(of_mcp["repository"]["purpose"], "Shop sells apples to people who like them.");
    assert_eq!(of_mcp["repository"]["commands"], of_cli["repository"]["commands"]);
    let answer = well("claude-code", claude(&home, "SessionStart", &json!({ "source": "startup" })));
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains("Shop sells apples") && context.contains("Sell 3 apples"), "{context}");
}

#[test]
fn looking_changes_nothing_in_the_work_tree() {
    let home = patient();
    let shop = shop(&home);
    let before = listing(&shop);
    home.ok(&["orient"]);
    well("claude-code", claude(&home, "SessionStart", &json!({ "source": "startup" })));
    assert_eq!(listing(&shop), before);
}

fn listing(folder: &Path) -> Vec<(PathBuf, SystemTime, u64)> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let about = entry.metadata().unwrap();
        found.push((entry.path(), about.modified().unwrap(), about.len()));
        if about.is_dir() {
            found.extend(listing(&entry.path()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_repository_in_any_state_is_no_reason_to_fail() {
    let home = Home::sqlite();
    let shop = shop(&home);
    let branch =
        |name: &str| home.call(&["orient"]).within(&home.work(name)).json()["repository"]["branch"].clone();
    assert_eq!(branch("shop"), "main");
    git(&shop, &["worktree", "add", "-q", "-b", "fix/cart", "../fix"]);
    assert_eq!(branch("fix"), "fix/cart");
    git(&shop, &["checkout", "-q", "HEAD~1"]);
    assert_eq!(branch("shop"), Json::Null);
    let unborn = home.work("unborn");
    git(&unborn, &["init", "-q", "-b", "trunk"]);
    assert_eq!(branch("unborn"), "trunk");
    home.write("work/damaged/README.md", "A shop whose history somebody has lost for good.");
    let damaged = home.work("damaged");
    repository(&damaged);
    fs::remove_dir_all(damaged.join(".git/objects")).unwrap();
    let orient = home.call(&["orient"]).within(&damaged).json();
    assert_eq!(orient["repository"]["purpose"], "A shop whose history somebody has lost for good.");
    assert_eq!(orient["repository"].get("commits"), None);
}

#[test]
fn a_folder_says_nothing_about_another_project() {
    let home = Home::sqlite();
    shop(&home);
    home.ok(&["remember", "We sell apples"]);
    home.call(&["remember", "We sell nails"]).within(&home.work("forge")).ok();
    let of_forge = home.json(&["orient", "--project", "forge"]);
    assert_eq!((&of_forge["project"], of_forge.get("repository")), (&json!("forge"), None));
    let of_shop = home.json(&["orient", "--project", "shop"]);
    assert_eq!(of_shop["repository"]["branch"], "main");
    home.ok(&["remember", "We sell anything", "--project", "anywhere"]);
    repository(&home.work("stall"));
    let at_stall = home.call(&["orient", "--project", "anywhere"]).within(&home.work("stall")).json();
    assert_eq!(at_stall["repository"]["branch"], "main", "known by its name alone");
}

#[test]
fn thousands_of_commits_do_not_keep_a_session_from_starting() {
    let home = patient();
    let shop = shop(&home);
    let mut stream = String::new();
    for number in 0..4_000 {
        let from = if number == 0 { "from refs/heads/main^0\n" } else { "" };
        stream += &format!(
            "commit refs/heads/main\ncommitter t <t@example.org> {} +0000\ndata 6\nSell {}\n{from}\
             M 644 inline src/{}.rs\ndata 4\n{number:04}\n",
            1_800_000_000 + number,
            number % 10,
            number % 300,
        );
    }
    let mut import = command("git");
    import.args(["fast-import", "--quiet"]).current_dir(&shop).stdin(std::process::Stdio::piped());
    let mut import = import.spawn().unwrap();
    std::io::Write::write_all(&mut import.stdin.take().unwrap(), stream.as_bytes()).unwrap();
    assert!(import.wait().unwrap().success());
    let answer = well("claude-code", claude(&home, "SessionStart", &json!({ "source": "startup" })));
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains("Last commits") && context.contains("Sell 9"), "{context}");
}

/// Words of every kind of script and price.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-z]{1,12}",
        "[\u{4e00}-\u{9fff}]{1,8}",
        "[\u{1f600}-\u{1f64f}]{1,4}",
        "[!-/]{1,10}",
        "[\\\\\"\u{202e}\u{7}]{1,6}",
    ];
    prop::collection::vec(word, 1..30).prop_map(|words| words.join(" "))
}

#[test]
fn it_never_has_more_tokens_than_asked_for() {
    let texts = prop::collection::vec(text(), 20..60);
    let config = Config { cases: 12, max_shrink_iters: 0, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let outcome = runner.run(&(texts, 200_u64..1_200), |(texts, max_tokens)| {
        let home = Home::sqlite();
        big(&home, &texts);
        let max = max_tokens.to_string();
        for form in [&[][..], &["--json"]] {
            let text = home.ok(&[&["orient", "--max-tokens", &max, "--focus", "TASK-0001"], form].concat());
            let count = tokens::count(text.trim_end());
            assert!(count <= max_tokens, "{count} tokens, {max_tokens} asked for:\n{text}");
        }
        Ok(())
    });
    outcome.unwrap();
}

/// A project that has too much of everything.
fn big(home: &Home, texts: &[String]) {
    let shop = home.work("shop");
    let bullets: String = texts.iter().map(|text| format!("- Never {text}\n")).collect();
    home.write(
        "work/shop/README.md",
        format!("# Shop\n\n{}\n\n    make build {}\n", texts.join(" "), texts[0]),
    );
    home.write("work/shop/AGENTS.md", bullets);
    let scripts: serde_json::Map<String, Json> = ["test", "build", "lint", "dev"]
        .iter()
        .zip(texts)
        .map(|(name, text)| ((*name).to_owned(), json!(text)))
        .collect();
    home.write("work/shop/package.json", json!({ "scripts": scripts, "description": texts[1] }).to_string());
    for number in 0..9 {
        home.write(&format!("work/shop/cmd/program-{number}/main.go"), "");
    }
    git(&shop, &["init", "-q"]);
    for text in &texts[..6] {
        home.write("work/shop/main.go", text);
        commit(&shop, text);
    }
    import(
        home,
        texts
            .iter()
            .map(|text| text.chars().filter(|c| !c.is_control()).take(200).collect::<String>() + " x"),
    );
    let failed = |text: &String| json!({ "client": "c", "session": "s", "kind": "tool_call", "target": format!("make {text}"), "parts": { "ok": false } });
    home.batch(&texts.iter().map(failed).collect::<Vec<_>>());
    for text in &texts[..4] {
        home.call(&["remember", "-", "--kind", "rule"]).input(format!("Rule: {text}")).run();
    }
}
