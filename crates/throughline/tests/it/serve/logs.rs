//! The log that servers keep: where it is, how large it gets, and what is never in it.

use std::fs;
use std::path::PathBuf;

use super::http::Served;
use crate::fixture::{Home, shows};

const SMALL: &str = "[diagnostics]\nmax_bytes = 4096\nkeep = 2\n";

fn logs(home: &Home) -> Vec<(String, String)> {
    let Ok(entries) = fs::read_dir(home.data().join("logs")) else { return vec![] };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let name = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().to_owned();
    files.iter().map(|file| (name(file), fs::read_to_string(file).unwrap())).collect()
}

#[test]
fn the_log_turns_over_and_has_a_bound_also_with_several_servers() {
    let home = Home::sqlite();
    home.write("data/config.toml", SMALL);
    let servers = [Served::start(&home, &[]), Served::start(&home, &[])];
    for number in 0..200 {
        let path = format!("/api/sessions/number-{number}");
        assert_eq!(servers[number % 2].ask(&format!("GET {path}"), None).status, 404);
    }
    let files = logs(&home);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["throughline.1.log", "throughline.2.log", "throughline.log"]);
    for (name, text) in &files {
        // Two processes may each find room for a last line.
        assert!(text.len() <= 4096 + 512, "{name} has {} bytes", text.len());
        let is_whole = |line: &str| line.starts_with("20") && line.contains("duration_ms=");
        assert!(text.ends_with('\n') && text.lines().all(is_whole), "{name}: {text}");
    }
    assert!(files.last().unwrap().1.contains("number-199"));
    assert_eq!(home.json(&["doctor", "--no-ask"])["healthy"], true);
}

#[test]
fn secrets_never_reach_the_log() {
    let home = Home::sqlite();
    let server = Served::start(&home, &[]);
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
    server.ask(&format!("GET /api/sessions/{secret}?query={secret}"), None);
    server.ask_with("GET /api/stats", &[&format!("Authorization: Bearer {secret}")], None);
    let text: String = logs(&home).into_iter().map(|(_, text)| text).collect();
    assert!(text.contains("/api/sessions/[redacted:"), "{text}");
    assert!(!text.contains(secret), "{text}");
}

#[test]
fn doctor_says_where_the_log_is_and_what_it_may_take_up() {
    let home = Home::sqlite();
    let log = |home: &Home| {
        let findings = home.ok(&["doctor", "--no-ask"]);
        findings.lines().find(|line| line.contains("log file")).unwrap_or_default().trim().to_owned()
    };
    shows!(home, log(&home), @"ok  log file     [TMP]/data/logs/throughline.log, from info on, nothing yet of 20 MB at most");
    home.write("data/config.toml", "[diagnostics]\nlevel = \"off\"\n");
    shows!(home, log(&home), @"ok  log file     none is written (diagnostics.level)");
}

#[test]
fn only_those_that_stay_keep_a_log_and_only_when_it_is_wanted() {
    let home = Home::sqlite();
    home.ok(&["log", "append", "--kind", "read"]);
    home.ok(&["jobs", "run"]);
    home.write("data/config.toml", "[diagnostics]\nlevel = \"off\"\n");
    Served::start(&home, &[]).ask("GET /api/stats", None);
    assert_eq!(logs(&home), []);
}

#[test]
fn a_level_that_is_none_is_refused_with_those_there_are() {
    let home = Home::sqlite();
    home.write("data/config.toml", "[diagnostics]\nlevel = \"loud\"\n");
    let ran = home.call(&["serve", "--listen", "127.0.0.1:0"]).run();
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("diagnostics.level is \"loud\"; write one of \"error\""), "{}", ran.stderr);
}
