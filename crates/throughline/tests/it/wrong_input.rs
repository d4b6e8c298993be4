//! Wrong input and a hostile machine: a clear error, a non-zero exit, nothing half-written.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::fixture::{Call, Home, command, jsonl, on_both, shows, texts};

on_both!(
    broken_json_in_line_7_writes_nothing,
    invalid_utf8_writes_nothing,
    too_much_content_writes_nothing,
    a_newer_schema_is_refused,
    too_long_fields_are_refused,
    names_with_line_breaks_are_refused,
);

fn broken_json_in_line_7_writes_nothing(home: &Home) {
    home.ok(&["log", "append", "--kind", "read", "--content", "before"]);
    let other = home.fresh();
    let lines: Vec<_> = (0..9).map(|n| json!({"kind": "read", "content": n.to_string()})).collect();
    other.batch(&lines);
    let mut batch: Vec<String> = jsonl(&lines).lines().map(str::to_owned).collect();
    let mut export: Vec<String> = other.ok(&["log", "export"]).lines().map(str::to_owned).collect();
    for lines in [&mut batch, &mut export] {
        lines[6].truncate(20);
    }
    let file = home.write("batch.jsonl", batch.join("\n"));
    let errors = [
        home.fails(&["log", "append", "--batch", file.to_str().unwrap()]),
        home.call(&["log", "import", "-"]).input(export.join("\n")).run().fails(),
    ];
    shows!(home, errors.concat(), @r#"
    error: [TMP]/batch.jsonl, line 7: EOF while parsing a string (column 20); write one JSON object a line, for instance {"kind": "read", "target": "src/main.rs"}
    error: standard input, line 7: EOF while parsing a string (column 20); write one JSON object a line, as `throughline log export` does; what `throughline export` wrote is read by `throughline import project`
    "#);
    assert_eq!(texts(&home.events(), "content"), ["before"]);
    assert_eq!(home.json(&["session", "list"])["total"], 1);
    home.check();
}

fn invalid_utf8_writes_nothing(home: &Home) {
    let bytes = b"caf\xe9 au lait";
    let file = home.write("latin1.txt", bytes);
    let line = b"\n{\"kind\":\"read\",\"content\":\"caf\xe9\"}\n".to_vec();
    let errors = [
        home.call(&["log", "append", "--kind", "read", "--content", "-"]).input(*bytes).run().fails(),
        home.call(&["log", "append", "--kind", "read", "--content-file", file.to_str().unwrap()])
            .run()
            .fails(),
        home.call(&["log", "append", "--batch", "-"]).input(line.clone()).run().fails(),
        home.call(&["log", "import", "-"]).input(line).run().fails(),
        home.call(&["session", "state", "--patch", "-"]).input(*bytes).run().fails(),
    ];
    shows!(home, errors.concat(), @r"
    error: standard input is not valid UTF-8 (at byte 4); convert it to UTF-8 first
    error: [TMP]/latin1.txt is not valid UTF-8 (at byte 4); convert it to UTF-8 first
    error: standard input, line 2 is not valid UTF-8 (at byte 30); convert the input to UTF-8
    error: standard input, line 2 is not valid UTF-8 (at byte 30); convert the input to UTF-8
    error: standard input is not valid UTF-8 (at byte 4); convert it to UTF-8 first
    ");
    assert_eq!(home.json(&["log", "tail"])["total"], 0);
}

/// With so little memory that the content could not be held whole.
fn frugal(call: Call) -> Call {
    call.wrapped(&["sh", "-c", "ulimit -v 250000 && exec \"$@\"", "sh"])
}

fn too_much_content_writes_nothing(home: &Home) {
    let hundred_megabytes = 100 * 1024 * 1024;
    let file = home.path().join("huge");
    fs::File::create(&file).unwrap().set_len(hundred_megabytes).unwrap();
    let path = file.to_str().unwrap();
    let append = ["log", "append", "--kind", "read"];
    let piped =
        home.call(&[&append[..], &["--content", "-"]].concat()).input(vec![b'x'; hundred_megabytes as usize]);
    let errors = [
        frugal(piped).run().fails(),
        frugal(home.call(&[&append[..], &["--content-file", path]].concat())).run().fails(),
        frugal(home.call(&["log", "append", "--batch", path])).run().fails(),
        frugal(home.call(&["log", "append", "--stream", path])).run().fails(),
        frugal(home.call(&["log", "import", path])).run().fails(),
    ];
    shows!(home, errors.concat(), @r"
    error: standard input has more than 8388608 bytes; record a shorter text with a reference to the file, or raise log.max_content_bytes
    error: [TMP]/huge has more than 8388608 bytes; record a shorter text with a reference to the file, or raise log.max_content_bytes
    error: [TMP]/huge, line 1 is longer than 50397184 bytes; split it, or raise log.max_content_bytes
    error: [TMP]/huge, line 1 is longer than 50397184 bytes; split it, or raise log.max_content_bytes
    error: [TMP]/huge, line 1 is longer than 50397184 bytes; split it, or raise log.max_content_bytes
    ");
    let line = jsonl(&[
        json!({"kind": "read"}),
        json!({"kind": "read", "content": "x".repeat(8 * 1024 * 1024 + 1)}),
    ]);
    let error = home.call(&["log", "append", "--batch", "-"]).input(line).run().fails();
    shows!(home, error, @"error: standard input, line 2: the event's content has 8388609 bytes and the limit is 8388608; record a shorter text with a reference to the file, or raise log.max_content_bytes");
    assert_eq!(home.json(&["log", "tail"])["total"], 0);
    let just_enough = "x".repeat(8 * 1024 * 1024);
    home.call(&[&append[..], &["--content", "-"]].concat()).input(just_enough).ok();
    assert_eq!(home.json(&["log", "tail"])["total"], 1);
    home.check();
}

fn a_newer_schema_is_refused(home: &Home) {
    home.ok(&["log", "append", "--kind", "read"]);
    home.pretend_newer_schema();
    let before = files(&home.data());
    shows!(home, home.fails(&["log", "append", "--kind", "read"]), @"error: this database has schema 99 but this throughline knows schemas up to 16; install the newer throughline, or point --database at another database");
    for command in [&["log", "tail"][..], &["log", "export"], &["session", "list"], &["check"]] {
        home.fails(command);
    }
    assert!(files(&home.data()) == before, "not a byte was changed");
}

fn too_long_fields_are_refused(home: &Home) {
    let fields = [
        ("target", 4097),
        ("summary", 4097),
        ("rationale", 65537),
        ("item_id", 201),
        ("informs", 201),
        ("key", 501),
        ("session", 201),
        ("chatmode", 201),
    ];
    let mut errors = String::new();
    for (field, length) in fields {
        let line = jsonl(&[json!({"kind": "read", field: "x".repeat(length)})]);
        errors += &home
            .call(&["log", "append", "--batch", "-"])
            .input(line)
            .run()
            .fails()
            .replace(&"x".repeat(length), "xxx");
    }
    shows!(home, errors, @r#"
    error: standard input, line 1: the event's target is longer than 4096 bytes; put long text into the content
    error: standard input, line 1: the event's summary is longer than 4096 bytes; put long text into the content
    error: standard input, line 1: the event's rationale is longer than 65536 bytes; put long text into the content
    error: standard input, line 1: the event's item is longer than 200 bytes; put long text into the content
    error: standard input, line 1: the event's informs is longer than 200 bytes; put long text into the content
    error: standard input, line 1: the event's key is longer than 500 bytes; put long text into the content
    error: standard input, line 1: a session needs a name of 1 to 200 characters without line breaks, not "xxx"
    error: standard input, line 1: a chatmode needs a name of 1 to 200 characters without line breaks, not "xxx"
    "#);
    assert_eq!(home.json(&["log", "tail"])["total"], 0);
    for (field, length) in fields {
        home.batch(&[json!({"kind": "read", field: "x".repeat(length - 1)})]);
    }
    home.check();
}

fn names_with_line_breaks_are_refused(home: &Home) {
    let append = ["log", "append", "--kind", "read"];
    let errors = [
        home.fails(&[&append[..], &["--session", "a\nb"]].concat()),
        home.fails(&[&append[..], &["--session", ""]].concat()),
        home.fails(&[&append[..], &["--session", "s", "--client", "\u{7}"]].concat()),
        home.fails(&[&append[..], &["--chatmode", "a\tb"]].concat()),
    ];
    shows!(home, errors.concat(), @r#"
    error: a session needs a name of 1 to 200 characters without line breaks, not "a\nb"
    error: a session needs a name of 1 to 200 characters without line breaks, not ""
    error: a client needs a name of 1 to 200 characters without line breaks, not "\u{7}"
    error: a chatmode needs a name of 1 to 200 characters without line breaks, not "a\tb"
    "#);
    assert_eq!(home.json(&["session", "list"])["total"], 0);
}

#[test]
fn an_unknown_kind_is_answered_with_those_there_are() {
    let home = Home::sqlite();
    shows!(home, home.call(&["log", "append", "--kind", "reed"]).run().refuses(), @r"
    error: invalid value 'reed' for '--kind <KIND>'
      [possible values: user_message, model_message, tool_call, tool_result, read, write, search, decision, validation_gate, memory_recall, item_created, item_updated, item_deleted, resource_written, task_completed, handoff, checkpoint, system_event]

      tip: a similar value exists: 'read'

    For more information, try '--help'.
    ");
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0);
}

#[test]
fn parts_must_be_json() {
    let home = Home::sqlite();
    shows!(home, home.call(&["log", "append", "--kind", "read", "--parts", "{a:1}"]).run().refuses(), @r#"
    error: invalid value '{a:1}' for '--parts <JSON>': not valid JSON: key must be a string at line 1 column 2; write for instance '{"path": "src"}'

    For more information, try '--help'.
    "#);
}

#[test]
fn a_missing_file_is_named() {
    let home = Home::sqlite();
    let errors = [
        home.fails(&["log", "append", "--kind", "read", "--content-file", "missing.txt"]),
        home.fails(&["log", "append", "--batch", "missing.jsonl"]),
        home.fails(&["log", "import", "missing.jsonl"]),
        home.fails(&["log", "import", "."]),
    ];
    shows!(home, errors.concat(), @r"
    error: cannot read missing.txt: No such file or directory (os error 2); check the path
    error: cannot read missing.jsonl: No such file or directory (os error 2); check the path
    error: cannot read missing.jsonl: No such file or directory (os error 2); check the path
    error: cannot read .: Is a directory (os error 21); name a file in it
    ");
    assert_eq!(home.json(&["log", "tail"])["total"], 0);
}

#[test]
fn a_wrong_actor_or_database_is_named() {
    let home = Home::sqlite();
    let append = ["log", "append", "--kind", "read"];
    let errors = [
        home.call(&append).env("THROUGHLINE_ACTOR", "claude").run().refuses(),
        home.call(&append).env("THROUGHLINE_ACTOR", "robot:r2d2").run().refuses(),
        home.call(&append).env("THROUGHLINE_ACTOR", "agent:").run().refuses(),
        home.call(&[&["--actor", "x"], &append[..]].concat()).run().refuses(),
        home.call(&[&["--database", "mysql://localhost/x"], &append[..]].concat()).run().refuses(),
        home.call(&[&["--database", "sqlite:"], &append[..]].concat()).run().refuses(),
        home.fails(&[&["--database", "postgres://localhost:port/x"], &append[..]].concat()),
        home.fails(&[&["--database", "sqlite:/dev/null/x.db"], &append[..]].concat()),
    ];
    shows!(home, errors.concat(), @r#"
    error: "claude" is not an actor; write user:NAME or agent:NAME
    error: "robot:r2d2" is not an actor; write user:NAME or agent:NAME
    error: "agent:" is not an actor; write user:NAME or agent:NAME
    error: "x" is not an actor; write user:NAME or agent:NAME
    error: "mysql://localhost/x" is not a database; write sqlite:PATH or postgres://…
    error: "sqlite:" is not a database; write sqlite:PATH or postgres://…
    error: the PostgreSQL address is not valid: invalid connection string: invalid value for option `port`; write postgres://user:password@host:port/database
    warning: there is no database /dev/null/x.db yet; it is made now
    error: cannot create /dev/null/x.db: File exists (os error 17); make the folder writable for you, or choose another with THROUGHLINE_HOME or --database
    "#);
    let error = home.call(&["log", "tail", "--by", "claude"]).run().refuses();
    shows!(home, error, @r#"
    error: invalid value 'claude' for '--by <ACTOR>': "claude" is not an actor; write user:NAME or agent:NAME

    For more information, try '--help'.
    "#);
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0);
}

#[test]
fn an_unreachable_server_is_named_without_its_password() {
    let home = Home::sqlite();
    let url = format!("postgres://maria:{}@127.0.0.1:1/shop", "hunter2");
    let error = home.fails(&["--database", &url, "log", "append", "--kind", "read"]);
    assert!(
        error.contains("127.0.0.1:1") && !error.contains("Tcp("),
        "the address as people write it: {error}"
    );
    assert!(error.contains("Connection refused") && error.contains("check that the server is up"), "{error}");
    assert!(!error.contains("hunter2"), "{error}");
    let ran = home.call(&["--database", &url, "log", "tail", "--json"]).run();
    let problem: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &problem["error"]["kind"]), (1, &json!("unavailable")));
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0);
}

#[test]
fn every_message_names_the_fix() {
    let home = Home::sqlite();
    home.ok(&["task", "create", "a"]);
    let [prose, empty] = [home.write("prose.txt", "hello"), home.write("empty.txt", "")];
    let [prose, empty] = [prose.to_str().unwrap(), empty.to_str().unwrap()];
    let folder = format!("sqlite:{}", home.path().display());
    let missing = format!("sqlite:{}/not/yet.db", home.path().display());
    for (args, fix) in [
        (&["session", "state", "--patch", "{bad"][..], "write for instance"),
        (&["handoff", "give", "reviewer", "--context", "[1]"], "for instance '{\"notes\""),
        (&["import", "git"], "change to a folder of one"),
        (&["man", "/proc/none"], "name a folder that you may write to"),
        (&["log", "export", "-o", "none/x"], "make its folder first"),
        (&["task", "export", "--format", "beads", "-o", "none/x"], "make its folder first"),
        (&["task", "export", "-o", "/dev/null/x"], "check the path"),
        (&["task", "show", "TASK-1"], "near it: TASK-0001"),
        (&["expand", "zzz"], "`throughline search` shows ids"),
        (&["session", "show", "zzz"], "`throughline session list` shows"),
        (&["token", "revoke", "zzz"], "`throughline token list` shows"),
        (&["config", "set", "zzz", "1"], "`throughline config show` lists"),
        (&["install", "zzz"], "there are: claude-code"),
        (&["project", "adopt", "zzz"], "known are: shop"),
        (&["--database", "zzz", "search", "a"], "write sqlite:PATH or postgres://"),
        (&["--actor", "zzz", "search", "a"], "write user:NAME or agent:NAME"),
        (&["log", "tail", "--since", "zzz"], "how long ago: 30m, 2h, 3d"),
        (&["search", "a", "--since", "5"], "how long ago: 30m, 2h, 3d"),
        (&["search", "a", "--since=-9223372036854775808d"], "how long ago: 30m, 2h, 3d"),
        (&["eval", "commits", "zzz"], "there is no folder zzz; name a git repository"),
        (
            &["checkpoint", "show", "zzz"],
            "there is no checkpoint \"zzz\"; `throughline checkpoint list` shows",
        ),
        (&["search", "a", "-n", "0"], "write a whole number, 1 or more"),
        (&["search", "a", "-n", "-3"], "no value of -n is below zero; write it without the -"),
        (&["orient", "--max-tokens", "-3"], "no value of --max-tokens is below zero; write it without the -"),
        (&["search", "a", "-n", "99999999999999999999"], "write a smaller number, for instance 10"),
        (&["config", "set", "session.idle_after", "5"], "write for instance \"30s\", \"5m\" or \"1h\""),
        (&["config", "set", "server.allowed_hosts", "a"], "write for instance '["),
        (&["config", "set", "recall.floor", "abc"], "write for instance 0.5"),
        (&["log", "purge", "zzz", "--reason", "x", "--dry-run"], "`throughline log tail --json` shows ids"),
        (&["session", "reconstruct", "--max-operations", "501"], "write a whole number from 1 to 500"),
        (&["config", "get", "session.idle_aftr"], "did you mean session.idle_after?"),
        (&["context"], "name an item, for instance TASK-0042, or describe it: --query TEXT"),
        (&["import", "codex", prose], "name transcripts of codex, or no file to import those that it keeps"),
        (&["import", "project", empty], "this is not what `throughline export` wrote"),
        (&["task", "import", prose], "taken for issues; --format names another"),
        (&["task", "update", "TASK-0001", "--priority", "9"], "or a number, 0 to 4"),
        (&["export", "-o", prose], "exists and is no export; choose another name, or move it away"),
        (&["log", "export", "-o", prose], "exists and is no export; choose another name, or move it away"),
        (
            &["task", "export", "--format", "beads", "-o", prose],
            "exists and is no export; choose another name",
        ),
        (&["remember", "a", "--expires", "99999999999d"], "or in how long: 30m, 2h, 3d"),
        (&["log", "purge", "--session", "a", "--reason", ""], "a value is required for '--reason <TEXT>'"),
        (&["restore", prose], "is no backup of Throughline; name a file that `throughline backup` wrote"),
        (&["backup", "/proc/x"], "name another file for the backup"),
        (&["--database", &folder, "search", "a"], "is a folder; name a file in it"),
        (&["note", "a"], "`throughline remember TEXT` keeps a statement"),
        (&["status"], "`throughline orient` says where the project stands"),
        (&["project", "create", "a"], "a project is made by the first thing that is recorded in it"),
        (&["config", "unset", "a"], "take its line out of the file that `throughline config show` names"),
        (
            &["config", "set", "session", "5"],
            "session is a table of settings; `throughline config show session`",
        ),
        (&["remember", "a", "--occurred-at", "2999-01-01"], "in the future; write when it happened"),
        (&["log", "tail", "--after", "10", "--before", "5"], "--after is not before --before"),
        (&["log", "tail", "--since", "2026-02-01", "--until", "2026-01-01"], "--since is not before --until"),
        (&["index", "search", "a", "--language", "klingon"], "possible values: C, C#, C++, Go"),
        (&["resource", "write", "a.md", "--content", "x", "--with", "y"], "cannot be used with"),
        (
            &["decide", "db", "sqlite", "--because", "x", "--instead-of", "sqlite"],
            "leave out that --instead-of",
        ),
        (&["search", "a", "--tag", ""], "a value is required for '--tag <TAG>'"),
        (&["session", "show", "--turns", "0"], "write a whole number, 1 or more"),
        (&["graph", "--json", "--format", "dot"], "leave it out for --format dot"),
        (&["bench", "redact", "zzz"], "there is no text below zzz; name a folder that has some"),
        (
            &["eval", "extraction", prose],
            "is no extraction example; the source repository has sets in evals/",
        ),
        (&["eval", "history"], "the source repository has sets in evals/"),
        (
            &["import", "basic-memory", empty],
            "`throughline import basic-memory --help` says which file to name",
        ),
        (&["import", "agents-md", empty], "name files of instructions or notes, in Markdown"),
        (&["import", "beads", empty], "is empty; name a file that has items"),
        (&["import", "beads", "."], "is a folder; name its file, usually .beads/issues.jsonl"),
        (&["import", "claude-mem", "."], "is a folder; name its database"),
        (&["import", "codex", empty], "has no session of codex; name transcripts of codex"),
    ] {
        let ran = home.call(args).run();
        assert!(ran.code != 0 && format!("{}{}", ran.stdout, ran.stderr).contains(fix), "{args:?}: {ran:?}");
    }
    for (args, fix) in [
        (&["graph", "--around", "zzz"][..], "give a whole id"),
        (&["search", ""], "the query is empty; write what to find"),
        (&["import", "claude-code"], "has no transcripts; name them where they are elsewhere"),
        (
            &["--project", "shpo", "remember", "a"],
            "there is no project \"shpo\" yet, so it is made now; there is \"shop\"",
        ),
        (&["--database", &missing, "memory", "list"], "it is made now"),
        (
            &["log", "append", "--kind", "read", "--item", "zzz"],
            "there is no item zzz; `throughline task list`",
        ),
        (
            &["log", "append", "--kind", "read", "--informs", "zzz"],
            "there is no memory zzz; `throughline memory",
        ),
        (
            &["log", "append", "--kind", "read", "--triggered-by", "zzz"],
            "there is no event zzz; `throughline log",
        ),
    ] {
        let ran = home.call(args).run();
        assert!(ran.code == 0 && ran.stderr.contains(fix), "{args:?}: {ran:?}");
    }
    let unknown = home.ok(&["index", "file", "missing.rs"]);
    assert!(unknown.contains("paths are told from the project's top"), "{unknown}");
}

/// Names the file or stdin, the line, and what should stand there.
#[test]
fn what_is_no_json_is_answered_with_what_is_expected() {
    let home = Home::sqlite();
    let notes = home.write("notes.txt", "\nTo do: tidy up\n");
    let path = notes.to_str().unwrap();
    let batch = home.write("batch.jsonl", jsonl(&[json!({"kind": "read", "content": "a"})]));
    let errors = [
        home.fails(&["log", "import", path]),
        home.fails(&["log", "append", "--batch", path]),
        home.call(&["log", "append", "--stream", "-"]).input("[1]").run().fails(),
        home.fails(&["import", "project", path]),
        home.fails(&["log", "import", batch.to_str().unwrap()]),
    ];
    shows!(home, errors.concat(), @r#"
    error: [TMP]/notes.txt, line 2: this is no JSON object; write one JSON object a line, as `throughline log export` does; what `throughline export` wrote is read by `throughline import project`
    error: [TMP]/notes.txt, line 2: this is no JSON object; write one JSON object a line, for instance {"kind": "read", "target": "src/main.rs"}
    error: standard input, line 1: this is no JSON object; write one JSON object a line, for instance {"kind": "read", "target": "src/main.rs"}; the lines before it are recorded, none after it was read
    error: [TMP]/notes.txt, line 2: this is no JSON object; write one JSON object a line, as `throughline export` does
    error: [TMP]/batch.jsonl, line 1: missing field `position` (column 29); write one JSON object a line, as `throughline log export` does; what `throughline export` wrote is read by `throughline import project`
    "#);
    assert_eq!(home.json(&["log", "tail"])["total"], 0);
}

#[test]
fn a_message_that_is_written_by_hand_says_something() {
    let home = Home::sqlite();
    let append = ["log", "append", "--kind", "user_message"];
    let errors = [
        home.call(&append).run().refuses(),
        home.call(&[&append[..], &["--content", ""]].concat()).run().refuses(),
    ];
    shows!(home, errors.concat(), @r#"
    error: the user_message says nothing; give it a content (--content)
    error: the user_message says nothing; give it a content (--content)
    "#);
    assert_eq!(home.json(&["log", "tail"])["total"], 0);
    for said in [["--content", "hello"], ["--summary", "hello"], ["--parts", "[1]"]] {
        home.ok(&[&append[..], &said].concat());
    }
    // A turn that only uses tools is empty.
    for lines in ["--batch", "--stream"] {
        let turn = jsonl(&[json!({"kind": "model_message", "content": ""}), json!({"kind": "tool_call"})]);
        home.call(&["log", "append", lines, "-"]).input(turn).ok();
    }
    assert_eq!(home.json(&["log", "tail"])["total"], 7);
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let home = Home::sqlite();
    let line = json!({"kind": "read", "target": "a.rs"});
    home.call(&["log", "append", "--batch", "-"]).input(format!("\u{feff}{line}\n{line}\n")).ok();
    let error =
        home.call(&["log", "append", "--batch", "-"]).input(format!("{line}\n\u{feff}{line}")).run().fails();
    assert!(error.contains("line 2: this is no JSON object"), "{error}");
    assert_eq!(home.json(&["log", "tail"])["total"], 2);
}

#[test]
fn none_is_no_limit() {
    let home = Home::sqlite();
    home.ok(&["log", "append", "--kind", "read"]);
    for args in [&["session", "list"][..], &["log", "tail"], &["jobs", "list"], &["import", "git"]] {
        let said = home.call(&[args, &["--limit", "0"]].concat()).run().refuses();
        assert!(said.contains("--limit") && said.contains('1'), "{args:?}: {said}");
    }
}

/// What can be told from the arguments alone is wrong usage; what has to be looked up is a failed operation.
#[test]
fn wrong_arguments_exit_with_2() {
    let home = Home::sqlite();
    home.ok(&["task", "create", "a"]);
    for args in [
        &["log", "tail", "--since", "nonsense"][..],
        &["search", "a", "--since", "nonsense"],
        &["import", "git", "--since", "nonsense"],
        &["remember", "a", "--expires", "nonsense"],
        &["task", "create", "b", "--due", "nonsense"],
        &["task", "update", "TASK-0001", "--due", "nonsense"],
        &["context", "TASK-0001", "--depth", "9"],
        &["context", "TASK-0001", "--max-tokens", "1"],
        &["context", "TASK-0001", "--limit", "nonsense=3"],
        &["orient", "--max-tokens", "1"],
        &["remember", "a", "--importance", "3"],
        &["decide", "a", "b", "--because", "c", "--confidence", "3"],
        &["belief", "adjust", "x", "--to", "3"],
        &["set", "save", "TASK", "x", "--importance", "3"],
        &["session", "state", "--patch", "[]"],
        &["task", "create", " "],
        &["task", "block", "TASK-0001", "--reason", " "],
        &["handoff", "give", ""],
        &["handoff", "take", ""],
        &["handoff", "give", "reviewer", "--context", "[]"],
        &["resource", "show", "nonsense://x"],
        &["resource", "show", "throughline://item/x"],
        &["resource", "write", "../x", "--content", "y"],
        &["config", "set", "session.idle_after", "nonsense"],
        &["config", "set", "nonsense", "1"],
    ] {
        home.call(args).run().refuses();
    }
    for args in [
        &["task", "show", "nonsense"][..],
        &["context", "nonsense"],
        &["session", "show", "nonsense"],
        &["memory", "show", "nonsense"],
        &["resource", "show", "nonsense"],
        &["log", "import", "nonsense"],
        &["restore", "nonsense"],
    ] {
        home.fails(args);
    }
}

#[test]
fn another_programs_file_is_left_alone() {
    let home = Home::sqlite();
    let file = home.data().join("throughline.db");
    for text in ["short", &"a text file that is longer than the header of a database\n".repeat(100)] {
        fs::write(&file, text).unwrap();
        let error = home.fails(&["log", "append", "--kind", "read"]);
        assert_eq!(
            home.plain(&error),
            "error: [TMP]/data/throughline.db is not a Throughline database, or damaged from its beginning; \
             `throughline restore FILE --force` puts a backup in its place and keeps it, or point --database at another \
             path\n"
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    shows!(home, home.fails(&["log", "append", "--kind", "read"]), @"error: [TMP]/data/throughline.db is a folder; name a file in it, or choose another with THROUGHLINE_HOME or --database");
}

#[test]
fn a_folder_that_is_gone_is_explained() {
    let home = Home::sqlite();
    let folder = home.work("gone");
    let call = home
        .call(&["log", "tail"])
        .wrapped(&["sh", "-c", "rmdir ../gone && exec \"$@\"", "sh"])
        .within(&folder);
    shows!(home, call.run().fails(), @"error: the current folder does not exist any more; change to another: No such file or directory (os error 2)");
}

/// Runs as somebody who may not write where root put the data.
pub(crate) fn unprivileged(home: &Home, args: &[&str]) -> Call {
    let program = home.path().join("throughline");
    if !program.exists() {
        fs::copy(env!("CARGO_BIN_EXE_throughline"), &program).unwrap();
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let call = home.call(args).program(&program);
    let is_root = command("id").arg("-u").output().unwrap().stdout.trim_ascii() == b"0";
    if is_root {
        return call.wrapped(&["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]);
    }
    for entry in fs::read_dir(home.data()).unwrap() {
        fs::set_permissions(entry.unwrap().path(), fs::Permissions::from_mode(0o444)).unwrap();
    }
    fs::set_permissions(home.data(), fs::Permissions::from_mode(0o555)).unwrap();
    call
}

#[test]
fn a_read_only_home_is_explained() {
    let home = Home::sqlite();
    let error = unprivileged(&home, &["log", "append", "--kind", "read"]).run().fails();
    shows!(home, error, @r"error: cannot create [TMP]/data/throughline.db: Permission denied (os error 13); make the folder writable for you, or choose another with THROUGHLINE_HOME or --database");
    let error = unprivileged(&home, &["config", "set", "session.idle_after", "2h"]).run().fails();
    let start = "error: cannot write [TMP]/data/config.toml: Permission denied";
    let fix = "; make it and its folder writable for you\n";
    assert!(home.plain(&error).starts_with(start) && error.ends_with(fix), "{error}");
    let doctor = unprivileged(&home, &["doctor"]).run();
    assert_eq!(doctor.code, 1);
    shows!(home, doctor.stdout, @r"
            CHECK        DETAIL
    FAILED  data folder  [TMP]/data cannot be written: Permission denied (os error 13); make it writable or choose another with THROUGHLINE_HOME
    ok      settings     98 values, all known
    ok      hooks        no failures in the last day
    ok      log file     [TMP]/data/logs/throughline.log, from info on, nothing yet of 20 MB at most
    FAILED  database     cannot create [TMP]/data/throughline.db: Permission denied (os error 13); make the folder writable for you, or choose another with THROUGHLINE_HOME or --database
    ");
    assert_eq!(fs::read_dir(home.data()).unwrap().count(), 0);
}

#[test]
fn a_read_only_database_is_explained() {
    let home = Home::sqlite();
    home.ok(&["log", "append", "--kind", "read", "--content", "before"]);
    let before = files(&home.data());
    let error = unprivileged(&home, &["log", "append", "--kind", "read", "--content", "after"]).run().fails();
    shows!(home, error, @r"error: cannot write the database: unable to open database file: [TMP]/data/throughline.db; make the folder writable for you, or choose another with THROUGHLINE_HOME or --database ([TMP]/data/throughline.db)");
    let tail = unprivileged(&home, &["log", "tail"]).run();
    assert!(tail.code == 1 || tail.stdout.contains("before"), "{tail:?}");
    fs::set_permissions(home.data(), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(files(&home.data()) == before, "not a byte was changed");
}

/// A small file system of its own, gone with the test.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    pub(crate) fn mount(at: &Path) -> Result<SmallDisk, String> {
        let output = command("mount").args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"]).arg(at).output();
        let output = output.map_err(|e| e.to_string())?;
        if output.status.success() {
            Ok(SmallDisk(at.to_owned()))
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    pub(crate) fn grow(&self) {
        let grown = command("mount").args(["-o", "remount,size=16m"]).arg(&self.0).status().unwrap();
        assert!(grown.success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and the next command of the test says it loudly enough.
        let _ = command("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_loses_nothing_acknowledged() {
    let home = Home::sqlite();
    let disk = match SmallDisk::mount(&home.data()) {
        Ok(disk) => disk,
        Err(reason) => return println!("skipped: cannot mount a small disk: {reason}"),
    };
    let text = "t".repeat(15 * 1024);
    let mut acknowledged = 0;
    let error = loop {
        let ran = home.call(&["log", "append", "--kind", "read", "--content", "-"]).input(text.clone()).run();
        if ran.code != 0 {
            break ran.fails();
        }
        acknowledged += 1;
        assert!(acknowledged < 1000, "the disk never filled");
    };
    assert!(acknowledged > 20, "{acknowledged}");
    shows!(home, error, @"error: the disk is full and nothing was written; free some space, or move the data with THROUGHLINE_HOME");
    let batch: Vec<_> = (0..20).map(|_| json!({"kind": "read", "content": text})).collect();
    home.call(&["log", "append", "--batch", "-"]).input(jsonl(&batch)).run().fails();
    assert_eq!(home.json(&["log", "tail", "-n", "1"])["total"], acknowledged);
    disk.grow();
    assert_eq!(home.json(&["log", "tail", "-n", "1"])["total"], acknowledged);
    home.check();
    home.batch(&batch);
    assert_eq!(home.json(&["log", "tail", "-n", "1"])["total"], acknowledged + 20);
    home.check();
}

/// Every file with what it holds; an empty write-ahead log, and the index of one, may come and go.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && !path.to_string_lossy().ends_with("-shm"))
        .map(|path| (path.clone(), fs::read(&path).unwrap()))
        .filter(|(_, bytes)| !bytes.is_empty())
        .collect();
    files.sort();
    files
}
