//! `doctor` and `check`: what is well, and what is wrong with a reason and a remedy.

use std::fs;

use serde_json::json;

use crate::fixture::{Home, at, on_both, shows};

on_both!(check_counts_the_events_of_every_project, a_healthy_home_passes);

fn check_counts_the_events_of_every_project(home: &Home) {
    home.batch(&[json!({"kind": "read"}), json!({"kind": "read", "session": "s"})]);
    home.ok(&["--project", "other", "log", "append", "--kind", "read"]);
    let answer = home.json(&["check"]);
    assert_eq!(
        answer["projects"],
        json!([
            {"name": "other", "events": 1, "violations": []},
            {"name": "shop", "events": 2, "violations": []},
        ])
    );
    assert_eq!((&answer["sound"], &answer["damage"]), (&json!(true), &json!([])));
    assert!(home.ok(&["check"]).ends_with("project   other: 1 events\nproject   shop: 2 events\nsound\n"));
}

fn a_healthy_home_passes(home: &Home) {
    home.ok(&["log", "append", "--kind", "read"]);
    let answer = home.json(&["doctor"]);
    assert_eq!(answer["healthy"], true);
    for finding in answer["findings"].as_array().unwrap() {
        assert_eq!(finding["verdict"], "ok", "{finding}");
    }
}

#[test]
fn doctor_is_for_people() {
    let home = Home::sqlite();
    home.ok(&["log", "append", "--kind", "read", "--at", &at("10:00:00")]);
    shows!(home, home.ok(&["doctor"]), @r"
        CHECK        DETAIL
    ok  data folder  [TMP]/data
    ok  settings     98 values, all known
    ok  hooks        no failures in the last day
    ok  log file     [TMP]/data/logs/throughline.log, from info on, nothing yet of 20 MB at most
    ok  database     sqlite:[TMP]/data/throughline.db
    ok  disk         database under 1 MB, backups under 1 MB
    ok  project      shop by folder:[TMP]/work/shop, name:shop
    ok  jobs         1 waiting, 0 running, 0 dead
    ok  search       meaning by the built-in table, by an exact scan of the index in the file; 1 events not indexed yet
    ok  integrity    1 events in 1 projects
    ");
    shows!(home, home.ok(&["check"]), @r"
    database  sqlite:[TMP]/data/throughline.db
    project   shop: 1 events
    sound
    ");
}

#[test]
fn doctor_explains_what_is_wrong() {
    let home = Home::sqlite();
    home.ok(&["log", "append", "--kind", "read"]);
    home.write("work/shop/.throughline/workflows/bad.md", "---\ntitle: a\n");
    home.write("data/config.toml", "[session]\nidle_afterr = \"2h\"\n");
    let ran = home.call(&["doctor"]).run();
    assert_eq!(ran.code, 0, "warnings are no failure");
    shows!(home, ran.stdout, @r"
             CHECK        DETAIL
    ok       data folder  [TMP]/data
    warning  settings     ignored: [TMP]/data/config.toml: there is no setting session.idle_afterr; did you mean session.idle_after?; correct them, or take them out with `throughline doctor --fix`
    ok       hooks        no failures in the last day
    ok       log file     [TMP]/data/logs/throughline.log, from info on, nothing yet of 20 MB at most
    warning  workflow     [TMP]/work/shop/.throughline/workflows/bad.md is ignored: line 1: the front matter has no closing line of ---; add one
    ok       database     sqlite:[TMP]/data/throughline.db
    ok       disk         database under 1 MB, backups under 1 MB
    ok       project      shop by folder:[TMP]/work/shop, name:shop
    ok       jobs         1 waiting, 0 running, 0 dead
    ok       search       meaning by the built-in table, by an exact scan of the index in the file; 1 events not indexed yet
    ok       integrity    1 events in 1 projects
    ");
}

#[test]
fn doctor_goes_on_when_the_settings_cannot_be_read() {
    let home = Home::sqlite();
    home.write("data/config.toml", "[session\n");
    let ran = home.call(&["doctor"]).run();
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    shows!(home, ran.stdout, @r"
            CHECK        DETAIL
    ok      data folder  [TMP]/data
    FAILED  settings     [TMP]/data/config.toml is not valid TOML; correct it, or move it away to use the defaults: TOML parse error at line 1, column 9
                           |
                         1 | [session
                           |         ^
                         unclosed table, expected `]`
    ");
}

#[test]
fn doctor_goes_on_when_the_database_cannot_be_opened() {
    let home = Home::sqlite();
    fs::write(
        home.data().join("throughline.db"),
        "this is some other file, and long enough to look like one",
    )
    .unwrap();
    let ran = home.call(&["doctor"]).run();
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    shows!(home, ran.stdout, @r"
            CHECK        DETAIL
    ok      data folder  [TMP]/data
    ok      settings     98 values, all known
    ok      hooks        no failures in the last day
    ok      log file     [TMP]/data/logs/throughline.log, from info on, nothing yet of 20 MB at most
    FAILED  database     [TMP]/data/throughline.db is not a Throughline database, or damaged from its beginning; `throughline restore FILE --force` puts a backup in its place and keeps it, or point --database at another path
    ");
    let json = home.call(&["doctor", "--json"]).run();
    assert_eq!(json.code, 1);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json.stdout).unwrap()["healthy"], false);
}

/// Page 2 and everything behind it overwritten: the file still begins like ours.
#[test]
fn check_finds_damage() {
    let home = Home::sqlite();
    let lines: Vec<_> =
        (0..200).map(|n| json!({"kind": "read", "content": format!("{n} {}", "x".repeat(500))})).collect();
    home.batch(&lines);
    home.ok(&["log", "purge", "--after", "199", "--reason", "moves everything from the log into the file"]);
    let file = home.data().join("throughline.db");
    let mut bytes = fs::read(&file).unwrap();
    assert!(bytes.len() > 40 * 4096);
    for page in [12, 20, 30] {
        bytes[page * 4096..page * 4096 + 2048].fill(0xa5);
    }
    fs::write(&file, bytes).unwrap();
    let ran = home.call(&["check"]).run();
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let said = ran.stdout + &ran.stderr;
    assert!(said.contains("throughline repair"), "it says what to do: {said}");
}
