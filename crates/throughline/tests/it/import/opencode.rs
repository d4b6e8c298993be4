//! OpenCode's database: sessions of all projects in one file, messages and their parts in rows.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::imports;
use crate::fixture::{Home, at, on_both};
use crate::hook::{patient, recorded, well};

on_both!(a_session_becomes_what_hooks_would_have_recorded);

/// Milliseconds since 1970, in the morning of 15 January 2026.
const MORNING: i64 = 1_768_471_200_000;

/// As OpenCode creates it, without what is of no use here.
struct Kept {
    path: PathBuf,
    db: rusqlite::Connection,
    moment: i64,
}

impl Kept {
    fn within(home: &Home) -> Kept {
        let path = home.path().join("user/.local/share/opencode/opencode.db");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let db = rusqlite::Connection::open(&path).unwrap();
        db.execute_batch(
            "create table session (id text primary key, project_id text not null, parent_id text, slug text not null,
                 directory text not null, title text not null, agent text, time_created integer not null);
             create table message (id text primary key, session_id text not null, time_created integer not null, data text not null);
             create table part (id text primary key, message_id text not null, session_id text not null, data text not null);",
        )
        .unwrap();
        Kept { path, db, moment: MORNING }
    }

    fn session(&mut self, id: &str, parent: Option<&str>, folder: &Path) {
        self.moment += 1000;
        let folder = folder.canonicalize().unwrap().display().to_string();
        let sql = "insert into session values (?1, 'p', ?2, 'slug', ?3, 'a title', 'build', ?4)";
        self.db.execute(sql, (id, parent, folder, self.moment)).unwrap();
    }

    fn message(&mut self, session: &str, id: &str, role: &str, parts: &[Json]) {
        self.moment += 1000;
        let data = json!({ "role": role, "time": { "created": self.moment, "completed": self.moment } });
        self.told(session, id, &data, parts);
    }

    fn told(&mut self, session: &str, id: &str, data: &Json, parts: &[Json]) {
        let sql = "insert into message values (?1, ?2, ?3, ?4)";
        self.db.execute(sql, (id, session, self.moment, data.to_string())).unwrap();
        // It writes them as they come, which need not be their order.
        for (number, part) in parts.iter().enumerate().rev() {
            let sql = "insert into part values (?1, ?2, ?3, ?4)";
            self.db.execute(sql, (format!("{id}-{number}"), id, session, part.to_string())).unwrap();
        }
    }

    fn used(&self, id: &str, tool: &str, input: Json, state: Json) -> Json {
        let time = json!({ "start": self.moment + 100, "end": self.moment + 350 });
        let mut all = json!({ "status": "completed", "input": input, "time": time });
        all.as_object_mut().unwrap().extend(state.as_object().unwrap().clone());
        json!({ "type": "tool", "tool": tool, "callID": id, "state": all })
    }
}

fn text(text: &str) -> Json {
    json!({ "type": "text", "text": text })
}

/// A session with a sub-agent and a compaction.
fn keep(home: &Home) -> Kept {
    let (mut kept, shop) = (Kept::within(home), home.work("shop"));
    let ours = json!({ "type": "text", "text": "<throughline-context>", "synthetic": true });
    kept.session("ses_1", None, &shop);
    kept.message("ses_1", "msg_1", "user", &[text("why are totals wrong?"), ours]);
    let file = shop.canonicalize().unwrap().join("totals.py");
    let read = kept.used("c1", "read", json!({ "filePath": file }), json!({ "output": "def total()" }));
    let failed = json!({ "output": "ls: cannot access 'gone'", "metadata": { "exit": 2 } });
    let list = kept.used("c2", "bash", json!({ "command": "ls gone" }), failed);
    let denied = json!({ "status": "error", "error": "The user rejected it" });
    let denied = kept.used("c3", "write", json!({ "filePath": "b.py", "content": "x" }), denied);
    let pending = json!({ "type": "tool", "tool": "bash", "callID": "c4", "state": { "status": "running", "input": {} } });
    let begins = json!({ "type": "step-start" });
    kept.message("ses_1", "msg_2", "assistant", &[begins, text("I look."), read, list, denied, pending]);
    kept.message("ses_1", "msg_3", "assistant", &[text("Sums are rounded"), text("too early.")]);
    kept.session("ses_2", Some("ses_1"), &shop);
    kept.message("ses_2", "msg_4", "user", &[text("Look for other sums")]);
    kept.message("ses_2", "msg_5", "assistant", &[text("There are none.")]);
    kept.message("ses_1", "msg_6", "user", &[json!({ "type": "compaction", "auto": true })]);
    let time = json!({ "created": kept.moment, "completed": kept.moment });
    let summary = json!({ "role": "assistant", "summary": true, "time": time });
    kept.told("ses_1", "msg_7", &summary, &[text("Totals are rounded late now.")]);
    kept
}

fn a_session_becomes_what_hooks_would_have_recorded(home: &Home) {
    keep(home);
    assert_eq!(imports(home, "opencode"), (10, 0));
    assert_eq!(
        recorded(home),
        [
            "user_message | - | why are totals wrong?",
            "model_message | - | I look.",
            "read | totals.py | read totals.py (11 bytes)",
            "tool_call | ls gone | ls gone (failed)",
            "tool_result | ls gone | ls: cannot access 'gone'",
            "write | b.py | wrote b.py (1 lines) (failed)",
            "tool_result | b.py | The user rejected it",
            "model_message | - | Sums are rounded",
            "system_event | compaction | the context was compacted",
            "model_message | - | There are none.",
        ]
    );
    let said = home.events_with(&["--kind", "model_message"]);
    assert_eq!(said[1]["content"], "Sums are rounded\ntoo early.");
    assert_eq!(imports(home, "opencode"), (0, 10));
    let sessions = home.json(&["session", "list"])["sessions"].clone();
    let child = sessions.as_array().unwrap().iter().find(|session| session["client_session"] == "ses_2");
    assert!(child.is_some_and(|child| child["parent"].is_string()), "{sessions:#}");
    home.check();
}

#[test]
fn what_its_hooks_recorded_is_there_once() {
    let home = patient();
    keep(&home);
    let shop = home.work("shop").canonicalize().unwrap();
    let told = |event: &str, input: Json, output: Json| {
        let payload = json!({ "directory": shop, "input": input, "output": output });
        well("opencode", home.call(&["hook", "opencode", event]).input(payload.to_string()));
    };
    let prompt = json!({ "message": { "id": "msg_1" }, "parts": [text("why are totals wrong?")] });
    told("chat.message", json!({ "sessionID": "ses_1" }), prompt);
    let call = json!({ "sessionID": "ses_1", "tool": "read", "callID": "c1", "args": { "filePath": shop.join("totals.py") } });
    told("tool.execute.after", call, json!({ "output": "def total()" }));
    let idle = json!({ "type": "session.idle", "properties": { "sessionID": "ses_1" } });
    told("session.idle", idle, json!({ "messageID": "msg_3", "text": "too early." }));
    assert_eq!(imports(&home, "opencode"), (7, 3));
    assert_eq!(imports(&home, "opencode"), (0, 10));
}

#[test]
fn sessions_of_other_projects_are_left_out_although_the_database_is_named() {
    let home = Home::sqlite();
    let other = home.work("other");
    let mut kept = keep(&home);
    kept.session("ses_3", None, &other);
    kept.message("ses_3", "msg_9", "user", &[text("about the other")]);
    let path = kept.path.to_str().unwrap();
    for named in [&["import", "opencode"][..], &["import", "opencode", path]] {
        let answer = home.json(&[named, &["--dry-run"]].concat());
        assert_eq!(
            (&answer["imported"], &answer["left_out"], &answer["files"]),
            (&json!(10), &json!(1), &json!(2))
        );
    }
    let answer = home.json(&["import", "opencode", path, "--all"]);
    assert_eq!((&answer["imported"], &answer["left_out"]), (&json!(11), &json!(0)));
    let there = home.call(&["log", "tail"]).within(&other).json();
    assert_eq!(there["events"][0]["summary"], "about the other");
}

#[test]
fn what_cannot_be_read_of_a_message_is_told_and_the_rest_is_kept() {
    let home = Home::sqlite();
    let kept = keep(&home);
    kept.db
        .execute_batch(
            "update part set data = 'not json' where id = 'msg_2-0';
             update part set data = '[]' where id = 'msg_2-5';
             update message set data = '{' where id = 'msg_5';
             create table of_now as select * from part;
             drop table part;
             alter table of_now rename to part;
             insert into part values ('msg_3-9', 'msg_3', 'ses_1', null);",
        )
        .unwrap();
    let answer = home.json(&["import", "opencode"]);
    assert_eq!((&answer["imported"], &answer["unreadable"]), (&json!(9), &json!(4)));
    let told: Vec<&str> =
        answer["problems"].as_array().unwrap().iter().map(|one| one["what"].as_str().unwrap()).collect();
    assert_eq!(
        told,
        [
            "session ses_1, message msg_2, part msg_2-0: expected ident (column 2)",
            "session ses_1, message msg_2, part msg_2-5: no JSON object",
            "session ses_1, message msg_3, part msg_3-9: it has no data",
            "session ses_2, message msg_5: EOF while parsing an object (column 1)",
        ]
    );
    assert_eq!(answer["problems"][0]["line"], 2);
}

#[test]
fn an_answer_that_is_under_way_comes_when_it_is_whole() {
    let home = Home::sqlite();
    let mut kept = keep(&home);
    let half = json!({ "role": "assistant", "time": { "created": kept.moment } });
    let done = kept.used("c9", "bash", json!({ "command": "ls" }), json!({ "output": "totals.py" }));
    kept.told("ses_1", "msg_8", &half, &[text("The totals are"), done]);
    let summary = json!({ "role": "assistant", "summary": true, "time": { "created": kept.moment } });
    kept.told("ses_1", "msg_9", &summary, &[text("Totals")]);
    assert_eq!(imports(&home, "opencode"), (11, 0), "what was done is done");
    for (id, said) in [("msg_8", "The totals are rounded late."), ("msg_9", "Totals are rounded late.")] {
        kept.moment += 60_000;
        let sql = "update message set data = json_set(data, '$.time.completed', ?2) where id = ?1";
        kept.db.execute(sql, (id, kept.moment)).unwrap();
        let sql = "update part set data = ?2 where id = ?1 || '-0'";
        kept.db.execute(sql, (id, text(said).to_string())).unwrap();
    }
    assert_eq!(imports(&home, "opencode"), (2, 11));
    let said = home.events_with(&["--kind", "model_message"]);
    assert!(said.iter().any(|event| event["content"] == "The totals are rounded late."), "{said:#?}");
    assert_eq!(imports(&home, "opencode"), (0, 13));
}

#[test]
fn a_prompt_without_a_time_of_its_own_was_made_when_its_row_was() {
    let home = Home::sqlite();
    let mut kept = keep(&home);
    for (place, time) in
        [json!(null), json!({ "created": "2026" }), json!({ "created": -5 })].iter().enumerate()
    {
        kept.moment += 1000;
        let data = json!({ "role": "user", "time": time });
        kept.told("ses_1", &format!("msg_t{place}"), &data, &[text(&format!("prompt {place}"))]);
    }
    assert_eq!(imports(&home, "opencode"), (13, 0));
    let prompts = home.events_with(&["--kind", "user_message"]);
    assert_eq!(prompts.last().unwrap()["at"], at("10:00:11.000000"), "{prompts:#?}");
}

#[test]
fn sessions_that_do_not_say_where_they_were_are_counted() {
    let home = Home::sqlite();
    let other = home.work("other");
    let mut kept = keep(&home);
    kept.session("ses_3", None, &other);
    kept.db.execute("update session set directory = '' where id = 'ses_2'", []).unwrap();
    let told = home.ok(&["import", "opencode", "--dry-run"]);
    assert!(told.contains("1 transcripts are about other projects; --all imports them as well"), "{told}");
    let nowhere = "1 transcripts do not say where their client worked, and are left out";
    assert!(told.contains(nowhere), "{told}");
    let told = home.ok(&["import", "opencode", "--dry-run", "--all"]);
    assert!(told.contains(nowhere) && !told.contains("--all"), "{told}");
    kept.db.execute_batch("alter table session drop column directory").unwrap();
    let answer = home.json(&["import", "opencode", "--all"]);
    assert_eq!(
        (&answer["imported"], &answer["left_out"], &answer["nowhere"]),
        (&json!(0), &json!(3), &json!(3))
    );
}

#[test]
fn sessions_in_a_form_that_is_not_known_are_counted() {
    let home = Home::sqlite();
    let kept = keep(&home);
    let sql = "create table session_v2 (id text primary key, directory text, time_created integer);
        insert into session_v2 values ('ses_1', '/srv/shop', 1), ('ses_8', '/srv/shop', 2);";
    kept.db.execute_batch(sql).unwrap();
    let told = home.call(&["import", "opencode"]).run();
    assert!(told.stderr.contains("1 sessions of"), "{told:?}");
    assert!(told.stdout.starts_with("imported 10 events of 2 sessions"), "{told:?}");
}

#[test]
fn what_is_no_database_of_it_is_refused() {
    let home = Home::sqlite();
    let text = home.write("opencode.db", "no database at all, but long enough to be looked at as one");
    let kept = keep(&home);
    let other = home.path().join("opencode-other.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("create table notes (id integer)").unwrap();
    let without = |table: &str| {
        let path = home.path().join(format!("opencode-{table}.db"));
        fs::copy(&kept.path, &path).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(&format!("drop table {table}")).unwrap();
        path
    };
    for (path, why) in [
        (text, "is no database"),
        (other, "it has no sessions"),
        (without("message"), "it has no table `message`"),
        (without("part"), "it has no table `part`"),
    ] {
        let told = home.fails(&["import", "opencode", path.to_str().unwrap()]);
        assert!(told.contains(why) && told.contains("usually ~/.local/share/opencode"), "{told}");
    }
}
