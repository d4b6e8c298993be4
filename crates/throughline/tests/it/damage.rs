//! Databases and settings that were damaged: found by `check`, explained by `doctor`, set right by `repair` or refused with
//! what to do. What was damaged is kept.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, on_both, texts};

on_both!(
    a_missing_index_is_made_again,
    a_broken_search_index_is_made_again,
    records_that_the_search_lost_are_found_again,
    stuck_jobs_run_again,
    a_log_with_gaps_gets_tombstones,
    migrate_says_that_nothing_is_left_to_apply,
    a_newer_schema_is_refused_by_all_that_repair,
);

/// Enough for a few hundred pages.
fn filled(home: &Home) {
    let content = |n: usize| format!("{n} {}", "x".repeat(500));
    let lines: Vec<Json> = (0..400)
        .map(|n| json!({"kind": "user_message", "session": format!("s{}", n % 4), "content": content(n)}))
        .collect();
    home.batch(&lines);
    let known = [
        "the quokka gateway listens on port 4711",
        "invoices are rounded half to even, as banks do",
        "we deploy on tuesdays and never on fridays",
    ];
    for statement in known {
        home.ok(&["remember", statement]);
        home.ok(&["task", "create", &format!("write down that {statement}")]);
    }
}

/// Everything in the one file.
fn folded(home: &Home) -> PathBuf {
    home.ok(&["log", "purge", "--after", "405", "--reason", "moves everything from the log into the file"]);
    file(home)
}

fn file(home: &Home) -> PathBuf {
    home.data().join("throughline.db")
}

/// Statements that no statement of ours would run.
pub(crate) fn vandalise(home: &Home, sql: &str) {
    match home.is_server() {
        true => home.administer(sql),
        false => rusqlite::Connection::open(file(home)).unwrap().execute_batch(sql).unwrap(),
    }
}

fn problems(home: &Home) -> String {
    let ran = home.call(&["check"]).run();
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let doctor = home.call(&["doctor", "--no-ask"]).run();
    assert_eq!(doctor.code, 1, "{}", doctor.stdout);
    assert!(doctor.stdout.contains("doctor --fix") || doctor.stdout.contains("repair"), "{}", doctor.stdout);
    ran.stdout + &ran.stderr
}

fn backups(home: &Home) -> Vec<String> {
    let Ok(entries) = fs::read_dir(home.data().join("backups")) else { return vec![] };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn a_missing_index_is_made_again(home: &Home) {
    filled(home);
    vandalise(home, "drop index event_by_kind; drop index memory_by_state_key");
    let said = problems(home);
    assert!(said.contains("the index event_by_kind of the table event is missing"), "{said}");
    let done = home.json(&["repair"])["done"].to_string();
    assert!(done.contains("event_by_kind") && done.contains("memory_by_state_key"), "{done}");
    home.check();
    assert_eq!(home.json(&["repair"])["done"], json!([]), "nothing is left to repair");
}

fn a_broken_search_index_is_made_again(home: &Home) {
    filled(home);
    let broken = if home.is_server() { "'\\xff01'" } else { "x'ff01'" };
    vandalise(home, &format!("update index_page set data = {broken} where area in ('pending', 'lengths')"));
    let said = problems(home);
    assert!(said.contains("the search index of memory cannot be read"), "{said}");
    home.ok(&["doctor", "--no-ask", "--fix"]);
    home.check();
    let found = home.json(&["search", "quokka gateway", "--kind", "memory"]);
    assert!(found["hits"][0]["title"].as_str().unwrap().contains("quokka"), "{found:#}");
}

fn records_that_the_search_lost_are_found_again(home: &Home) {
    filled(home);
    vandalise(home, "delete from index_page");
    let said = problems(home);
    assert!(said.contains("3 of memory are not in the search index"), "{said}");
    assert!(said.contains("3 of item are not in the search index"), "{said}");
    home.ok(&["repair"]);
    home.check();
    let found = home.json(&["search", "invoices rounded", "--kind", "task"]);
    assert!(found["hits"][0]["title"].as_str().unwrap().contains("invoices"), "{found:#}");
}

fn stuck_jobs_run_again(home: &Home) {
    filled(home);
    vandalise(
        home,
        "update job set state = 'running', lease_owner = 'dead', leased_until = 9000000000000000, run_at = 1
             where kind = 'close_idle_session';
         insert into job (project_id, kind, key, payload, state, requests, attempts, run_at, created_at)
             values ('gone', 'index_events', 'events', '{}', 'ready', 1, 0, 9000000000000000, 1)",
    );
    let said = problems(home);
    assert!(said.contains("1 jobs belong to projects that do not exist"), "{said}");
    assert!(said.contains("jobs are leased for longer than any worker leases"), "{said}");
    home.ok(&["repair"]);
    home.check();
    let jobs = home.json(&["jobs", "list", "-n", "1000"]);
    assert!(jobs["jobs"].as_array().unwrap().iter().all(|job| job["state"] == "ready"), "{jobs:#}");
    home.ok(&["jobs", "run"]);
}

fn a_log_with_gaps_gets_tombstones(home: &Home) {
    filled(home);
    vandalise(
        home,
        "delete from event where position in (7, 8, 390);
         delete from session where session_id in (select session_id from event where position = 9);
         update project set last_position = last_position + 5",
    );
    problems(home);
    let done = home.json(&["repair"])["done"].to_string();
    assert!(done.contains("3 lost events have a tombstone in their place"), "{done}");
    home.check();
    let events = home.events();
    assert_eq!(events.len(), 406);
    let lost: Vec<i64> = events
        .iter()
        .filter(|event| event["purged"]["reason"] == "lost when the database was damaged")
        .map(|event| event["position"].as_i64().unwrap())
        .collect();
    assert_eq!(lost, [7, 8, 390]);
    home.ok(&["log", "append", "--kind", "read", "--session", "s1", "--content", "goes on"]);
    home.check();
}

fn migrate_says_that_nothing_is_left_to_apply(home: &Home) {
    let before = home.json(&["migrate", "--dry-run"]);
    let known = before["known"].as_i64().unwrap();
    assert_eq!((before["found"].as_i64(), before["applied"].as_bool()), (Some(0), Some(false)));
    assert_eq!(before["pending"].as_array().unwrap().len() as i64, known);
    assert!(!file(home).exists(), "looking makes nothing");
    let applied = home.json(&["migrate"]);
    assert_eq!((applied["applied"].as_bool(), &applied["copy"]), (Some(true), &Json::Null));
    let after = home.json(&["migrate"]);
    assert_eq!((after["found"].as_i64(), after["pending"].as_array().unwrap().len()), (Some(known), 0));
}

fn a_newer_schema_is_refused_by_all_that_repair(home: &Home) {
    home.ok(&["log", "append", "--kind", "read"]);
    home.pretend_newer_schema();
    for args in [&["migrate"][..], &["repair"], &["check"], &["log", "append", "--kind", "read"]] {
        let said = home.fails(args);
        assert!(said.contains("has schema 99") && said.contains("install the newer throughline"), "{said}");
    }
}

#[test]
fn an_old_schema_is_migrated_and_its_copy_named() {
    let home = Home::sqlite();
    home.ok(&["remember", "The API listens on port 8080"]);
    // The last migration undone: its index, and the number.
    vandalise(&home, "drop index memory_origin_by_event; pragma user_version = 15");
    let dry = home.json(&["migrate", "--dry-run"]);
    assert_eq!(dry["pending"], json!([{"version": 16, "name": "overruled"}]));
    let applied = home.json(&["migrate"]);
    assert!(applied["copy"].as_str().unwrap().ends_with("throughline-before-schema-16-1.db"), "{applied}");
    assert!(home.ok(&["search", "API port"]).contains("The API listens on port 8080"));
    home.check();
}

#[test]
fn a_corrupt_page_is_found_and_what_can_be_read_is_saved() {
    let home = Home::sqlite();
    filled(&home);
    let file = folded(&home);
    let whole = home.ok(&["log", "export"]);
    let mut bytes = fs::read(&file).unwrap();
    // Pages that hold rows of the log: their text says so.
    let pages: Vec<usize> = (1..bytes.len() / 4096)
        .filter(|page| {
            bytes[page * 4096] == 13
                && String::from_utf8_lossy(&bytes[page * 4096..][..4096]).contains("xxxx")
        })
        .collect();
    assert!(pages.len() > 20, "{pages:?}");
    for page in [pages[3], pages[10]] {
        bytes[page * 4096..page * 4096 + 2048].fill(0xa5);
    }
    fs::write(&file, &bytes).unwrap();
    problems(&home);

    let repaired = home.json(&["repair"]);
    let of = |table: &str| {
        let tables = repaired["tables"].as_array().unwrap();
        tables.iter().find(|saved| saved["table"] == table).unwrap().clone()
    };
    let (saved, lost) =
        (of("event")["saved"].as_i64().unwrap(), of("event")["lost_at_most"].as_i64().unwrap());
    assert!(lost > 0 && lost < 40, "{repaired:#}");
    assert_eq!(saved + lost, 407);
    assert_eq!(of("memory"), json!({"table": "memory", "saved": 3, "lost_at_most": 0}));
    home.check();

    let kept = repaired["kept"].as_str().unwrap();
    assert!(fs::read(kept).unwrap() == bytes, "the damaged file is kept as it was");
    let after = home.ok(&["log", "export"]);
    let left = after.lines().filter(|line| whole.lines().any(|before| before == *line)).count() as i64;
    assert!(left >= saved - 4, "what was saved is unchanged but for its sessions: {left} of {saved}");
    assert_eq!(home.events().len(), 407, "a tombstone for each that is lost");
    home.ok(&["log", "append", "--kind", "read", "--session", "s2", "--content", "goes on"]);
    home.check();
}

#[test]
fn a_truncated_file_never_opens_as_healthy() {
    let home = Home::sqlite();
    filled(&home);
    let file = folded(&home);
    let bytes = fs::read(&file).unwrap();
    for share in [9, 7, 5, 3] {
        let cut = &bytes[..bytes.len() * share / 10 + 17];
        fs::write(&file, cut).unwrap();
        for args in [&["log", "append", "--kind", "read"][..], &["log", "tail"], &["orient"], &["check"]] {
            let ran = home.call(args).run();
            assert_eq!(ran.code, 1, "{share}0%: {args:?} {}", ran.stdout);
            assert!(ran.stderr.contains("throughline repair"), "it says what to do: {}", ran.stderr);
        }
        let ran = home.call(&["repair"]).run();
        if ran.code == 0 {
            home.check();
        } else {
            assert!(ran.stderr.contains("throughline restore"), "or what to do instead: {}", ran.stderr);
        }
    }
}

#[test]
fn a_file_without_its_beginning_is_refused_with_what_to_do() {
    let home = Home::sqlite();
    filled(&home);
    let backup = home.json(&["backup"])["file"].as_str().unwrap().to_owned();
    let file = folded(&home);
    let mut bytes = fs::read(&file).unwrap();
    bytes[100..4096].fill(0x5a);
    fs::write(&file, &bytes).unwrap();
    let said = home.fails(&["check"]);
    assert!(said.contains("damaged") && said.contains("restore"), "{said}");
    let said = home.fails(&["repair"]);
    assert!(said.contains("throughline restore FILE --force"), "{said}");
    home.ok(&["restore", &backup, "--force"]);
    home.check();
    assert_eq!(home.events().len(), 406);
    let kept = home.data().join("backups").join("throughline-before-restore-1.db");
    assert!(fs::read(kept).unwrap() == bytes, "the damaged file is kept");
}

#[test]
fn a_backup_is_one_file_of_one_moment() {
    let home = Home::sqlite();
    filled(&home);
    let backup = home.json(&["backup"]);
    let path = backup["file"].as_str().unwrap();
    assert_eq!((backup["events"].as_i64(), backup["memories"].as_i64()), (Some(406), Some(3)));
    assert_eq!(backups(&home).len(), 1, "one file and nothing beside it: {:?}", backups(&home));
    home.ok(&["log", "append", "--kind", "read", "--content", "after the backup"]);
    let said = home.fails(&["backup", path]);
    assert!(said.contains("exists"), "{said}");

    let said = home.fails(&["restore", path]);
    assert!(said.contains("restore --force"), "{said}");
    assert_eq!(home.events().len(), 407, "nothing was replaced");
    let restored = home.json(&["restore", path, "--force"]);
    assert_eq!(home.events().len(), 406);
    home.check();
    let kept = restored["kept"].as_str().unwrap();
    home.ok(&["restore", kept, "--force"]);
    assert_eq!(texts(&home.events(), "content").last(), Some(&"after the backup"), "and back again");
}

#[test]
fn what_is_no_backup_is_not_restored() {
    let home = Home::sqlite();
    filled(&home);
    let path = home.json(&["backup"])["file"].as_str().unwrap().to_owned();
    let mut bytes = fs::read(&path).unwrap();
    let half = bytes.len() / 2;
    bytes[half..half + 9000].fill(0xa5);
    let damaged = home.write("damaged.db", &bytes);
    let text = home.write("text.db", "no database at all");
    for wrong in [damaged, text] {
        home.fails(&["restore", wrong.to_str().unwrap(), "--force"]);
    }
    let said = home.fails(&["restore", "nowhere.db"]);
    assert!(said.contains("there is no file nowhere.db; name one that"), "{said}");
    assert_eq!(home.events().len(), 406);
    home.check();
}

#[test]
fn a_database_in_use_is_not_replaced() {
    let home = Home::sqlite();
    filled(&home);
    let path = home.json(&["backup"])["file"].as_str().unwrap().to_owned();
    let mut client = crate::mcp::Client::of(&home);
    client.remember("a server that has the database open");
    let said = home.fails(&["restore", &path, "--force"]);
    assert!(said.contains(&format!("process {} has", client.pid())), "{said}");
    client.remember("and goes on writing to it");
    client.leave();
    home.check();
    assert_eq!(home.json(&["memory", "list", "-n", "100"])["total"], 5);
}

#[test]
fn a_server_does_not_serve_a_damaged_database() {
    let home = Home::sqlite();
    filled(&home);
    let file = folded(&home);
    let mut bytes = fs::read(&file).unwrap();
    for page in [12, 20, 30] {
        bytes[page * 4096..page * 4096 + 2048].fill(0xa5);
    }
    fs::write(&file, bytes).unwrap();
    let ran = home.call(&["serve", "--listen", "127.0.0.1:0"]).run();
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stderr.contains("damaged") && ran.stderr.contains("throughline repair"), "{}", ran.stderr);
}

#[test]
fn settings_that_cannot_be_read_are_moved_away_or_taken_out() {
    let home = Home::sqlite();
    home.write("data/config.toml", "[session\n");
    let ran = home.call(&["doctor", "--no-ask", "--fix"]).run();
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert_eq!(fs::read_to_string(home.data().join("config.toml.before-fix-1")).unwrap(), "[session\n");

    let text = "# mine\n[session]\nidle_afterr = \"2h\"\nidle_after = \"3h\"\n[recall]\nfloor = 7\n";
    home.write("data/config.toml", text);
    let ran = home.call(&["doctor", "--no-ask", "--fix"]).run();
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("took recall.floor, session.idle_afterr out of"), "{}", ran.stdout);
    let left = fs::read_to_string(home.data().join("config.toml")).unwrap();
    assert_eq!(left, "# mine\n[session]\nidle_after = \"3h\"\n[recall]\n");
    assert_eq!(fs::read_to_string(home.data().join("config.toml.before-fix-2")).unwrap(), text);
}

#[test]
#[ignore = "needs a server in TEST_POSTGRES; ./test starts one"]
fn a_backup_of_a_server_is_its_own_tools_work() {
    let home = Home::postgres();
    home.ok(&["log", "append", "--kind", "read"]);
    let said = home.fails(&["backup"]);
    assert!(said.contains("pg_dump"), "{said}");
    let file = home.write("a.dump", "");
    let said = home.fails(&["restore", file.to_str().unwrap()]);
    assert!(said.contains("pg_restore"), "{said}");
}

/// A hook whose database is slower than its deadline puts everything aside, also the next one.
#[test]
fn what_hooks_put_aside_is_taken_up_by_whoever_has_time() {
    for command in [&["jobs", "run"][..], &["doctor", "--no-ask", "--fix"]] {
        let home = Home::sqlite();
        let prompt = |n: usize| json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": format!("say {n}"), "cwd": home.work("shop")});
        for n in 0..30 {
            let away = format!("sqlite:{}", home.work("shop").display());
            let call = home.call(&["hook", "claude-code"]).env("THROUGHLINE_DATABASE_URL", away);
            assert_eq!(call.input(prompt(n).to_string()).run().code, 0);
        }
        home.ok(command);
        let said = home.events_with(&["--kind", "user_message"]);
        assert_eq!(texts(&said, "content"), (0..30).map(|n| format!("say {n}")).collect::<Vec<_>>());
        home.check();
    }
}
