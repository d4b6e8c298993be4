//! Import and export through files.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::{create, listed, show};
use crate::fixture::{Home, on_both, shows};

on_both!(
    every_format_goes_round,
    a_folder_is_edited_and_read_again,
    a_wrong_file_changes_nothing,
    secrets_do_not_come_in_with_a_file,
);

fn fill(home: &Home) {
    create(home, &["Epic: \"the\" one", "--type", "epic", "-d", "Größe 港\n\n- a\n"]);
    create(
        home,
        &["First", "--parent", "EPIC-0001", "--priority", "0", "--reference", "https://example.org=spec"],
    );
    create(
        home,
        &[
            "Second",
            "--parent",
            "EPIC-0001",
            "--depends-on",
            "TASK-0001",
            "--due",
            "2026-12-24",
            "--no-context",
        ],
    );
    home.ok(&["task", "block", "TASK-0002", "--reason", "no: key"]);
    home.ok(&[
        "task",
        "complete",
        "TASK-0001",
        "--summary",
        "did it",
        "--evidence",
        "log #1",
        "--invalid",
        "--report",
        "no",
    ]);
}

/// Every file of a folder by name, or the file itself.
fn contents(path: &Path) -> Vec<(String, String)> {
    if path.is_file() {
        return vec![(String::new(), fs::read_to_string(path).unwrap())];
    }
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap());
    let mut found: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect();
    found.sort();
    found
}

fn every_format_goes_round(home: &Home) {
    fill(home);
    for (format, name) in [("markdown", "out"), ("issues", "out.json"), ("beads", "out.jsonl")] {
        let out = home.path().join(name);
        let out_name = out.to_str().unwrap();
        let exported = home.json(&["task", "export", "--format", format, "--out", out_name]);
        assert_eq!((&exported["items"], &exported["left"]), (&json!(3), &json!([])));
        let there = home.fresh();
        for created in [3, 0] {
            let imported = there.json(&["task", "import", out_name]);
            assert_eq!(
                (&imported["created"], &imported["updated"]),
                (&json!(created), &json!(0)),
                "{format}"
            );
        }
        let again = there.path().join(name);
        there.ok(&["task", "export", "--format", format, "--out", again.to_str().unwrap()]);
        assert_eq!(contents(&again), contents(&out), "{format}");
        there.check();
    }
    let piped = home.ok(&["task", "export", "--format", "beads"]);
    assert_eq!(piped, contents(&home.path().join("out.jsonl"))[0].1);
    let there = home.fresh();
    assert_eq!(there.call(&["task", "import", "-"]).input(piped).ok(), "3 created, 0 updated, 0 unchanged\n");
    assert_eq!(show(&there, "EPIC-0001")["child_count"], 2);
}

fn a_folder_is_edited_and_read_again(home: &Home) {
    fill(home);
    let out = home.path().join("out");
    let out_name = out.to_str().unwrap();
    home.ok(&["task", "export", "--out", out_name]);
    let file = out.join("TASK-0002.md");
    let text = fs::read_to_string(&file).unwrap();
    shows!(home, text, @r#"
    ---
    id: TASK-0002
    title: Second
    type: task
    status: blocked
    parent_id: EPIC-0001
    due_date: "2026-12-24"
    requires_context: false
    depends_on:
      - TASK-0001
    blocked_reason:
      - "no: key"
    created_at: "TIME"
    updated_at: "TIME"
    status_since: "TIME"
    ---
    "#);
    fs::write(
        &file,
        text.replace("title: Second", "title: Renamed").replace("status: blocked", "status: open"),
    )
    .unwrap();
    fs::write(out.join("idea.md"), "# An idea\n\nsee TASK-0001\n").unwrap();
    assert_eq!(home.ok(&["task", "import", out_name]), "1 created, 1 updated, 2 unchanged\n");
    assert_eq!(show(home, "TASK-0002")["title"], "Renamed");
    assert_eq!(show(home, "TASK-0003")["title"], "An idea");
    home.ok(&["task", "delete", "TASK-0002"]);
    let left = home.json(&["task", "export", "--out", out_name]);
    assert_eq!(left["left"], json!(["TASK-0002.md"]));
}

fn a_wrong_file_changes_nothing(home: &Home) {
    home.write("in/a.md", "# Good\n");
    home.write("in/b.md", "---\ntitle: Bad\nstatus: someday\n---\n");
    home.write("in/.hidden/c.md", "---\n");
    let folder = home.path().join("in");
    let cyclic = home.write(
        "cyclic.jsonl",
        "{\"id\":\"a\",\"title\":\"a\",\"dependencies\":[{\"depends_on_id\":\"b\",\"type\":\"parent-child\"}]}\n\
         {\"id\":\"b\",\"title\":\"b\",\"dependencies\":[{\"depends_on_id\":\"a\",\"type\":\"parent-child\"}]}\n",
    );
    let dangling = home.write("dangling.jsonl", "{\"id\":\"a\",\"title\":\"a\"}\n{\"id\":\"b\",\"title\":\"b\",\"dependencies\":[{\"depends_on_id\":\"zz\"}]}\n");
    let empty = home.work("empty");
    let latin = home.write("latin.json", b"[{\"title\":\"\xe4\"}]");
    let said: Vec<String> = [folder, cyclic, dangling, empty, latin, home.path().join("none.json")]
        .iter()
        .map(|path| home.fails(&["task", "import", path.to_str().unwrap()]))
        .collect();
    shows!(home, said.join(""), @r#"
    error: [TMP]/in/b.md, line 3: status: "someday" is not one of: open, in_progress, blocked, done, cancelled
    error: [TMP]/cyclic.jsonl, line 1: the items are below each other in a cycle, beads:a → beads:b → beads:a; change one parent
    error: [TMP]/dangling.jsonl, line 2: "beads:zz" is neither among what is imported nor in the backlog; import it as well, or leave it out
    error: [TMP]/work/empty has no markdown files; name a folder that has, or the file itself
    error: [TMP]/latin.json is not valid UTF-8 (at byte 12); convert it to UTF-8 first
    error: cannot read [TMP]/none.json: No such file or directory (os error 2); check the path
    "#);
    assert_eq!(listed(home, &[]), [""; 0]);
    assert_eq!(home.events().len(), 0);
}

fn secrets_do_not_come_in_with_a_file(home: &Home) {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let bead =
        json!({ "id": "a", "title": secret, "description": secret, "labels": [secret], "notes": secret });
    home.call(&["task", "import", "-", "--format", "beads"]).input(bead.to_string()).ok();
    assert_eq!(home.files_with(secret), Vec::<std::path::PathBuf>::new());
    assert!(!home.ok(&["task", "export", "--format", "beads"]).contains(secret));
}
