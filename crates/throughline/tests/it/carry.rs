//! A whole project carried elsewhere and back, with everything that is in it: nothing is lost, changed, doubled or half-done.

use proptest::prelude::{Strategy, any, prop};
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};

use crate::fixture::{Home, at, on_both};

on_both!(
    a_project_comes_back_byte_for_byte,
    a_project_moves_between_databases,
    what_came_back_is_found_and_goes_on,
    importing_a_project_twice_changes_nothing,
    what_changed_since_stays_as_it_is,
    a_project_with_records_of_its_own_is_left_alone,
    a_line_that_is_wrong_is_refused_with_its_number,
    a_file_that_was_cut_is_refused_before_anything_is_made,
    a_file_of_the_first_format_has_no_last_line,
    a_record_that_was_changed_by_hand_is_refused_whole,
    a_secret_in_a_file_is_taken_out,
    any_project_comes_back_byte_for_byte,
    a_project_without_anything_is_carried_too,
);

fn export(home: &Home) -> String {
    home.ok(&["export"])
}

fn import(home: &Home, lines: &str) -> Json {
    home.call(&["import", "project", "-"]).input(lines).json()
}

fn id(answer: &Json) -> String {
    answer["id"].as_str().unwrap_or_else(|| panic!("no id in {answer:#}")).to_owned()
}

#[track_caller]
fn same(left: &str, right: &str) {
    for (number, (left, right)) in left.lines().zip(right.lines()).enumerate() {
        assert_eq!(left, right, "line {}", number + 1);
    }
    assert_eq!(left, right);
}

/// Something of every sort, with its states and what links them.
fn rich(home: &Home) {
    let long = "a long line that compresses well\n".repeat(3000);
    home.batch(&[
        json!({"kind": "user_message", "session": "one", "client": "claude-code", "content": "Fix the 🛒", "at": at("10:00:00"), "chatmode": "architect", "workflow": "ship", "metadata": {"z": 1, "a": [null, 2.5]}}),
        json!({"kind": "tool_result", "session": "one", "client": "claude-code", "target": "cargo test", "content": long, "parts": {"p": long, "b": 1, "a": 1e-7}, "at": at("10:00:02")}),
        json!({"kind": "user_message", "session": "two", "client": "codex", "content": "private words", "at": at("10:00:03")}),
    ]);
    home.ok(&["session", "state", "one", "--patch", r#"{"current_task":"T-1","z":{"y":[1,2.5]}}"#]);
    home.ok(&["session", "end", "two"]);
    home.ok(&["log", "purge", "--session", "two", "--kind", "user_message", "--reason", "asked to"]);
    home.ok(&["remember", "The cache lives for 5 minutes", "--state-key", "cache.ttl", "--tag", "cache,ops"]);
    home.ok(&["remember", "The cache lives for 9 minutes", "--state-key", "cache.ttl"]);
    let fact = id(&home.json(&[
        "remember",
        "Carts are kept in Redis on the second node",
        "--importance",
        "0.3333333333333333",
    ]));
    let wrong = id(&home.json(&["remember", "Invoices are printed in Comic Sans"]));
    home.ok(&["feedback", &fact, "--outcome", "helpful"]);
    home.ok(&["forget", &wrong]);
    let belief = id(&home.json(&["remember", "--kind", "belief", "Users want fewer clicks at the till"]));
    home.ok(&[
        "decide",
        "checkout",
        "one page",
        "--because",
        "fewer clicks",
        "--instead-of",
        "three pages",
        "--supports",
        &belief,
    ]);
    home.ok(&["belief", "adjust", &belief, "--contradicts", "--because", "a test said so"]);
    let epic = id(&home.json(&["task", "create", "Sell books", "--type", "epic", "--priority", "high"]));
    let first = id(&home.json(&[
        "task",
        "create",
        "Print labels",
        "--parent",
        &epic,
        "--reference",
        "https://example.com/1=One",
    ]));
    let second = id(&home.json(&[
        "task",
        "create",
        "Ship them",
        "--parent",
        &epic,
        "--depends-on",
        &first,
        "-d",
        "See TASK-0001",
    ]));
    home.ok(&["task", "complete", &first, "--evidence", "labels are on the table"]);
    home.ok(&["task", "block", &second, "--reason", "no boxes"]);
    let gone = id(&home.json(&["task", "create", "Nobody wants this"]));
    home.ok(&["task", "delete", &gone]);
    home.ok(&[
        "resource",
        "write",
        "notes/plan.md",
        "--content",
        &format!("# Plan\n\nFor {epic}: boxes first.\n"),
    ]);
    home.ok(&["resource", "write", "notes/plan.md", "--append", "Then tape.\n"]);
    home.ok(&["set", "save", "TASK", "sell pears", "--agent", "a"]);
    home.ok(&["set", "save", "NOTE", "rains", "--importance", "0.1", "--agent", "a"]);
    home.ok(&["set", "load", "--agent", "a"]);
    home.ok(&["set", "flash", "--agent", "a"]);
    home.ok(&["checkpoint", "save", "before the storm", "--session", "one"]);
    home.ok(&["handoff", "give", "tester", "--context", r#"{"notes":"look at the till"}"#]);
    home.ok(&["handoff", "give", "writer", "--context", r#"{"notes":"write it down"}"#]);
    home.ok(&["handoff", "take", "tester"]);
    home.ok(&["search", "cache minutes"]);
}

fn a_project_comes_back_byte_for_byte(home: &Home) {
    rich(home);
    let lines = export(home);
    for record in ["session", "event", "memory", "memory_origin", "item", "item_counter", "resource", "link"]
    {
        assert!(lines.contains(&format!("{{\"record\":\"{record}\"")), "no {record} in {lines}");
    }
    for record in ["context_entry", "set_change", "checkpoint", "handoff"] {
        assert!(lines.contains(&format!("{{\"record\":\"{record}\"")), "no {record} in {lines}");
    }
    let other = home.fresh();
    let brought = import(&other, &lines);
    // The first and the last line and what the project counts are no records of it.
    assert_eq!(brought, json!({"imported": lines.lines().count() - 3, "already_there": 0}));
    same(&export(&other), &lines);
    other.check();
}

fn a_project_moves_between_databases(home: &Home) {
    let first = Home::sqlite();
    rich(&first);
    let lines = export(&first);
    import(home, &lines);
    same(&export(home), &lines);
    let last = Home::sqlite();
    import(&last, &export(home));
    same(&export(&last), &lines);
    home.check();
    last.check();
}

fn what_came_back_is_found_and_goes_on(home: &Home) {
    rich(home);
    let other = home.fresh();
    import(&other, &export(home));
    let asked = ["search", "how long does the cache live", "--kind", "memory"];
    let hits = other.json(&asked);
    assert!(hits["hits"][0]["title"].as_str().unwrap().contains("9 minutes"), "{hits:#}");
    assert!(!hits.to_string().contains("5 minutes"), "what was superseded stays so: {hits:#}");
    for list in [&["task", "list"][..], &["memory", "list"], &["session", "list"], &["handoff", "list"]] {
        assert_eq!(other.json(list), home.json(list), "{list:?}");
    }
    let next = id(&other.json(&["task", "create", "One more"]));
    assert!(!export(home).contains(&format!("\"{next}\"")), "{next} was given out before");
    other.ok(&["log", "append", "--kind", "read", "--session", "one", "--client", "claude-code"]);
    other.ok(&["jobs", "run"]);
    other.check();
}

fn importing_a_project_twice_changes_nothing(home: &Home) {
    rich(home);
    let lines = export(home);
    let count = lines.lines().count() - 3;
    assert_eq!(import(home, &lines), json!({"imported": 0, "already_there": count}));
    same(&export(home), &lines);
    let other = home.fresh();
    import(&other, &lines);
    assert_eq!(import(&other, &lines), json!({"imported": 0, "already_there": count}));
    same(&export(&other), &lines);
}

fn what_changed_since_stays_as_it_is(home: &Home) {
    rich(home);
    let lines = export(home);
    home.ok(&["task", "create", "Later work"]);
    home.ok(&["remember", "Known only since then"]);
    let now = export(home);
    assert_eq!(import(home, &lines)["imported"], 0);
    same(&export(home), &now);
}

fn a_project_with_records_of_its_own_is_left_alone(home: &Home) {
    rich(home);
    let other = home.fresh();
    other.ok(&["remember", "This one is mine"]);
    let before = export(&other);
    let error = other.call(&["import", "project", "-"]).input(export(home)).run().fails();
    assert!(error.contains("--project NAME"), "{error}");
    same(&export(&other), &before);
    other.check();
}

fn a_line_that_is_wrong_is_refused_with_its_number(home: &Home) {
    home.ok(&["remember", "Boats are green"]);
    let lines = export(home);
    let other = home.fresh();
    for wrong in [
        "{}",
        "[]",
        "no JSON",
        r#"{"record":"nothing"}"#,
        r#"{"record":"memory","number":"one"}"#,
        r#"{"record":"memory","colour":"blue"}"#,
        r#"{"record":"throughline","format":99}"#,
    ] {
        let error = other.call(&["import", "project", "-"]).input(format!("{lines}{wrong}\n")).run().fails();
        assert!(error.contains(&format!("line {}", lines.lines().count() + 1)), "{wrong}: {error}");
    }
    let headless: String = lines.lines().skip(1).map(|line| format!("{line}\n")).collect();
    let error = other.call(&["import", "project", "-"]).input(headless).run().fails();
    assert!(error.contains("throughline export"), "{error}");
    assert_eq!(other.json(&["log", "tail"])["total"], 0);
}

fn a_file_that_was_cut_is_refused_before_anything_is_made(home: &Home) {
    rich(home);
    let whole = export(home);
    let lines: Vec<&str> = whole.lines().collect();
    let other = home.fresh();
    for kept in [1, 2, lines.len() / 2, lines.len() - 1] {
        let cut = format!("{}\n", lines[..kept].join("\n"));
        let error = other.call(&["import", "project", "-"]).input(cut).run().fails();
        assert!(error.contains(&format!("cut off after {} records", kept - 1)), "{error}");
    }
    let without_one = format!("{}\n", [&lines[..3], &lines[4..]].concat().join("\n"));
    let error = other.call(&["import", "project", "-"]).input(without_one).run().fails();
    let records = lines.len() - 2;
    assert!(error.contains(&format!("has {} of {records} records", records - 1)), "{error}");
    assert_eq!(other.json(&["project", "list"])["projects"].as_array().unwrap().len(), 0);
}

fn a_file_of_the_first_format_has_no_last_line(home: &Home) {
    rich(home);
    let lines = export(home);
    let (records, _) = lines.trim_end().rsplit_once('\n').unwrap();
    let first = records.replacen("\"format\":2", "\"format\":1", 1);
    let other = home.fresh();
    other.call(&["import", "project", "-"]).input(format!("{first}\n")).ok();
    same(&export(&other), &lines);
}

fn a_record_that_was_changed_by_hand_is_refused_whole(home: &Home) {
    rich(home);
    let lines = export(home);
    for (from, to) in [
        ("\"status\":\"active\"", "\"status\":\"splendid\""),
        ("\"kind\":\"user_message\"", "\"kind\":\"shouting\""),
        ("\"record\":\"event\",\"position\":2,", "\"record\":\"event\",\"position\":2000,"),
        ("\"status\":\"blocked\"", "\"status\":\"stuck\""),
    ] {
        let other = home.fresh();
        assert!(lines.contains(from), "{from}");
        let error = other.call(&["import", "project", "-"]).input(lines.replace(from, to)).run().fails();
        assert!(error.contains("not whole"), "{to}: {error}");
        assert_eq!(other.json(&["log", "tail"])["total"], 0, "{to}");
    }
}

fn a_secret_in_a_file_is_taken_out(home: &Home) {
    home.ok(&["remember", "CI pushes with a word"]);
    let secret = concat!("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a");
    let lines = export(home).replace("with a word", &format!("with {secret}"));
    let other = home.fresh();
    import(&other, &lines);
    assert!(!export(&other).contains(secret));
    assert_eq!(other.files_with(secret), Vec::<std::path::PathBuf>::new());
}

fn a_project_without_anything_is_carried_too(home: &Home) {
    let lines = export(home);
    let other = home.fresh();
    assert_eq!(import(&other, &lines)["imported"], 0);
}

/// A command with chance in it.
fn command() -> impl Strategy<Value = Vec<String>> {
    let text = || {
        prop::collection::vec(any::<char>(), 1..24).prop_map(|chars| {
            format!("word {}", chars.into_iter().filter(|c| *c != '\0').collect::<String>())
        })
    };
    let call =
        |parts: &[&str], text: String| parts.iter().map(|part| (*part).to_owned()).chain([text]).collect();
    (0..7u8, text(), 0.0..1.0f64).prop_map(move |(sort, text, share)| match sort {
        0 => call(&["remember", "--state-key", "k", "--importance", &share.to_string(), "--"], text),
        1 => call(&["remember", "--kind", "rule", "--tag", "a,b", "--"], text),
        2 => call(&["task", "create", "--"], text),
        3 => call(&["resource", "write", "a.md", "--content"], text.replace('-', "_")),
        4 => call(&["set", "save", "--agent", "x", "--importance", &share.to_string(), "--", "CODE"], text),
        5 => call(&["decide", "--because", "so", "--", "subject"], text),
        _ => {
            call(&["log", "append", "--kind", "read", "--session", "s", "--content"], text.replace('-', "_"))
        }
    })
}

fn any_project_comes_back_byte_for_byte(home: &Home) {
    let mut runner = TestRunner::new(Config { cases: 8, failure_persistence: None, ..Config::default() });
    let project = std::cell::Cell::new(0);
    let outcome = runner.run(&prop::collection::vec(command(), 1..10), |commands| {
        project.set(project.get() + 1);
        let (from, to) = (format!("from{}", project.get()), format!("to{}", project.get()));
        for command in &commands {
            let args: Vec<&str> =
                ["--project", &from].into_iter().chain(command.iter().map(String::as_str)).collect();
            // What is refused on the way in is not there to be carried.
            home.call(&args).run();
        }
        let lines = home.ok(&["--project", &from, "export"]);
        home.call(&["--project", &to, "import", "project", "-"]).input(lines.clone()).ok();
        proptest::prop_assert_eq!(home.ok(&["--project", &to, "export"]), lines);
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
    home.check();
}
