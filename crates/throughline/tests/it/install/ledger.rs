//! When the ledger is lost, or the program has moved, our entries are still ours.

use std::fs;

use super::{PROGRAM, SHARED, action, install, notes, read, read_json, tree, uninstall};
use crate::fixture::Home;

#[test]
fn without_the_ledger_our_entries_are_found_by_what_they_start() {
    let home = Home::sqlite();
    let json = "{\n  // mine\n  \"a\": 1, // one\n  \"b\": {\"c\": [1, 2]}\n}\n";
    for shared in SHARED.iter().filter(|shared| shared.scope == "user") {
        home.write(
            shared.path,
            match shared.format {
                "json" => json,
                "toml" => "# mine\na = 1\n\n[b]\nc = 2\n",
                _ => "# mine\na: 1\nb:\n  c: 2\n",
            },
        );
    }
    let before = tree(&home);
    home.ok(&["install", "all"]);
    fs::remove_dir_all(home.data().join("install")).unwrap();
    let again = home.json(&["install", "all"]);
    assert!(again.to_string().matches("\"unchanged\"").count() > 20, "{again:#}");
    home.ok(&["uninstall", "all"]);
    let files = |tree: std::collections::BTreeMap<_, (Option<Vec<u8>>, u32)>| {
        tree.into_iter().filter(|(_, (content, _))| content.is_some()).collect::<Vec<_>>()
    };
    // Whoever made the folders is not known any more, nor whether a version was there.
    let (mut left, before) = (files(tree(&home)), files(before));
    let hooks = left.iter_mut().find(|(path, _)| path.ends_with(".cursor/hooks.json")).unwrap();
    let text = String::from_utf8(hooks.1.0.take().unwrap()).unwrap();
    hooks.1.0 = Some(text.replace("]},\n  \"version\": 1\n", "]}\n").into_bytes());
    assert_eq!(left, before);
}

#[test]
fn a_ledger_that_cannot_be_read_stops_everything() {
    let home = Home::sqlite();
    install(&home, "codex", "user");
    home.write("data/install/ledger.json", "{\"records\": 3");
    let before = tree(&home);
    let said = home.fails(&["uninstall", "codex"]);
    assert!(said.contains("ledger.json cannot be read; move it away"), "{said}");
    assert_eq!(tree(&home), before);
}

#[test]
fn a_lost_copy_leaves_only_our_entries_to_take_out() {
    let home = Home::sqlite();
    let start = "{\n  \"a\": 1 // mine\n}\n";
    home.write("user/.gemini/settings.json", start);
    install(&home, "gemini-cli", "user");
    fs::remove_dir_all(home.data().join("install/backups")).unwrap();
    let answer = uninstall(&home, "gemini-cli", "user");
    assert!(notes(&answer).contains("only our own entries were removed"), "{answer:#}");
    assert_eq!(read(&home, "user/.gemini/settings.json"), start);
}

#[test]
fn what_was_there_is_kept() {
    let home = Home::sqlite();
    home.write("user/.gemini/settings.json", "{\"a\": 1}");
    let answer = install(&home, "gemini-cli", "user");
    let backup = answer["clients"][0]["files"][0]["backup"].as_str().unwrap();
    assert_eq!(fs::read_to_string(backup).unwrap(), "{\"a\": 1}");
    uninstall(&home, "gemini-cli", "user");
    assert_eq!(fs::read_to_string(backup).unwrap(), "{\"a\": 1}", "and stays");
}

#[test]
fn a_program_that_moved_takes_its_entries_along() {
    let home = Home::sqlite();
    let start = "{\r\n\t\"a\": 1\r\n}";
    home.write("user/.gemini/settings.json", start);
    let before = tree(&home);
    let elsewhere = home.path().join("data/a place/throughline");
    fs::create_dir_all(elsewhere.parent().unwrap()).unwrap();
    fs::copy(PROGRAM, &elsewhere).unwrap();
    let run = |args: &[&str]| home.call(args).program(&elsewhere).ok();
    run(&["install", "gemini-cli"]);
    run(&["install", "cline"]);
    let path = "user/.gemini/settings.json";
    let command = format!("'{}' hook gemini-cli", elsewhere.display());
    assert_eq!(read_json(&home, path)["hooks"]["BeforeAgent"][0]["hooks"][0]["command"], command);
    fs::remove_file(&elsewhere).unwrap();
    let doctor = home.ok(&["doctor"]);
    assert!(
        doctor.contains("which is not there; `throughline install gemini-cli` points it here"),
        "{doctor}"
    );
    assert_eq!(action(&install(&home, "gemini-cli", "user"), "settings.json"), "changed");
    assert!(!read(&home, path).contains("a place"), "{}", read(&home, path));
    install(&home, "cline", "user");
    assert!(!read(&home, "user/.cline/hooks/TaskStart").contains("a place"));
    assert!(!home.ok(&["doctor"]).contains("warning"), "{}", home.ok(&["doctor"]));
    uninstall(&home, "gemini-cli", "user");
    uninstall(&home, "cline", "user");
    assert_eq!(tree(&home), before);
}

#[test]
fn installs_side_by_side_lose_nothing() {
    let home = Home::sqlite();
    let before = tree(&home);
    let started: Vec<_> =
        super::CLIENTS.iter().map(|client| home.call(&["install", client]).spawn()).collect();
    for child in started {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    home.ok(&["uninstall", "all"]);
    assert_eq!(tree(&home), before);
}
