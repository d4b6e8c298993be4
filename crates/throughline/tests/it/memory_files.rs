//! `memory sync` as a person sees it: the files, what is said about them, and what comes back.

use std::fs;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, on_both, shows};
use crate::memory::{ids, remember};

on_both!(
    memories_become_files_and_edits_become_memories,
    a_conflict_is_reported_and_resolved_by_deleting_a_line,
    nothing_is_written_where_nothing_was_asked_for,
    files_of_a_person_are_taken_in_and_kept,
    bullets_that_contradict_each_other_stay_and_are_named,
    an_unresolved_merge_is_refused_and_the_rest_is_done,
    what_cannot_be_written_is_said,
    claude_codes_own_notes_are_adopted,
    agents_md_gets_a_part_and_loses_it,
    the_schedule_is_off_until_it_is_set,
    wrong_usage_exits_with_2,
);

const FOLDER: &str = "work/shop/.claude/memory";

fn text(home: &Home, name: &str) -> String {
    fs::read_to_string(home.path().join(format!("{FOLDER}/{name}.memory.md"))).unwrap()
}

fn edit(home: &Home, name: &str, from: &str, to: &str) {
    let before = text(home, name);
    assert!(before.contains(from), "{before}");
    home.write(&format!("{FOLDER}/{name}.memory.md"), before.replacen(from, to, 1));
}

fn active(home: &Home) -> Vec<String> {
    let listed = home.json(&["memory", "list", "-n", "100"]);
    let mut texts: Vec<String> = listed["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|memory| memory["content"].as_str().unwrap().to_owned())
        .collect();
    texts.sort();
    texts
}

fn memories_become_files_and_edits_become_memories(home: &Home) {
    remember(home, &["The gateway listens on port 8443"]);
    remember(home, &["Never log card numbers", "--kind", "rule", "--tag", "anti-pattern"]);
    remember(home, &["A basket is a cart before checkout", "--tag", "glossary"]);
    remember(home, &["I like short answers", "--kind", "preference", "--scope", "user"]);
    home.ok(&["decide", "Database", "SQLite", "--because", "nothing to start"]);
    shows!(home, home.ok(&["memory", "sync"]), @r"
    added        .claude/memory/project.memory.md: The gateway listens on port 8443
    added        .claude/memory/domain-glossary.memory.md: A basket is a cart before checkout
    added        .claude/memory/anti-patterns.memory.md: Never log card numbers
    added        .claude/memory/architecture-decisions.memory.md: Database: SQLite Because: nothing to start
    wrote .claude/memory/anti-patterns.memory.md (1 memory)
    wrote .claude/memory/architecture-decisions.memory.md (1 memory)
    wrote .claude/memory/domain-glossary.memory.md (1 memory)
    wrote .claude/memory/project.memory.md (1 memory)
    in step
    ");
    let names = ["anti-patterns", "architecture-decisions", "domain-glossary", "project"];
    let texts: Vec<String> = names.iter().map(|name| text(home, name)).collect();
    assert!(
        texts[1].contains("- Database: SQLite <!-- memory:")
            && texts[1].contains("\n  Because: nothing to start\n"),
        "{}",
        texts[1]
    );
    assert!(!texts.concat().contains("short answers"), "what concerns a person stays with the person");
    assert_eq!(home.ok(&["memory", "sync"]), "in step\n");
    assert_eq!(home.ok(&["memory", "sync", "--check"]), "in step\n");
    edit(home, "project", "8443", "9443");
    edit(home, "anti-patterns", "## Rules\n", "## Rules\n\n- Never retry a payment by hand\n");
    assert_eq!(home.call(&["memory", "sync", "--check"]).run().code, 1);
    let synced = home.json(&["memory", "sync"]);
    let whats: Vec<&str> =
        synced["changes"].as_array().unwrap().iter().map(|change| change["what"].as_str().unwrap()).collect();
    assert_eq!(whats, ["created", "superseded"], "{synced:#}");
    let found = home.json(&["search", "gateway port"]);
    assert!(found["hits"][0]["snippet"].as_str().unwrap().contains("9443"), "{found:#}");
    let paid = ids(home, &["search", "retry a payment"]).remove(0);
    let shown = home.json(&["memory", "show", &paid]);
    assert_eq!(
        (&shown["kind"], &shown["source"], &shown["actor"]),
        (&json!("rule"), &json!("explicit"), &json!("user:tester"))
    );
    assert_eq!(shown["tags"], json!(["anti-pattern"]));
    let kept: Vec<&str> = texts[0].lines().filter(|line| line.contains("card numbers")).collect();
    assert!(text(home, "anti-patterns").contains(kept[0]), "lines that nobody touched are the same");
    let deleted: Vec<String> = text(home, "anti-patterns")
        .lines()
        .filter(|line| !line.contains("card"))
        .map(str::to_owned)
        .collect();
    home.write(&format!("{FOLDER}/anti-patterns.memory.md"), deleted.join("\n"));
    assert_eq!(home.json(&["memory", "sync"])["changes"][0]["what"], "forgotten");
    assert!(!active(home).iter().any(|text| text.contains("card numbers")));
    assert_eq!(home.ok(&["memory", "sync"]), "in step\n");
    home.check();
}

fn a_conflict_is_reported_and_resolved_by_deleting_a_line(home: &Home) {
    let port = remember(home, &["The port is 1"]);
    home.ok(&["memory", "sync"]);
    edit(home, "project", "The port is 1", "The port is 2");
    remember(home, &["The port is 3", "--supersedes", &port]);
    let ran = home.call(&["memory", "sync"]).run();
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    shows!(home, ran.stdout, @r"
    conflict     .claude/memory/project.memory.md:7: The port is 2
    wrote .claude/memory/project.memory.md (1 memory)
    both texts of a conflict stand in the file: delete the one that is wrong, or run this again with --prefer file or --prefer memory
    not in step
    ");
    assert_eq!(active(home), ["The port is 3"], "nothing is decided");
    assert_eq!(home.call(&["memory", "sync", "--check"]).run().code, 1);
    let lines: Vec<String> =
        text(home, "project").lines().filter(|line| !line.contains("stored:")).map(str::to_owned).collect();
    home.write(&format!("{FOLDER}/project.memory.md"), lines.join("\n"));
    home.ok(&["memory", "sync"]);
    assert_eq!(active(home), ["The port is 2"]);
    edit(home, "project", "The port is 2", "The port is 4");
    let known = ids(home, &["memory", "list"]).remove(0);
    remember(home, &["The port is 5", "--supersedes", &known]);
    home.ok(&["memory", "sync", "--prefer", "memory"]);
    assert_eq!(active(home), ["The port is 5"]);
    assert_eq!(home.ok(&["memory", "sync"]), "in step\n");
    home.check();
}

fn nothing_is_written_where_nothing_was_asked_for(home: &Home) {
    remember(home, &["Tests need Docker"]);
    let folder = home.path().join("work/shop");
    let told = home.json(&["memory", "sync", "--dry-run"]);
    assert_eq!((&told["changes"][0]["what"], &told["files"][0]["written"]), (&json!("added"), &json!(false)));
    for args in [&["search", "docker"][..], &["orient"], &["memory", "list"], &["memory", "generate"]] {
        home.ok(args);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "reading leaves no trace");
    home.ok(&["memory", "sync", "--dir", "notes/memory"]);
    assert!(folder.join("notes/memory/project.memory.md").is_file() && !folder.join(".claude").exists());
    let left: Vec<_> =
        fs::read_dir(folder.join("notes/memory")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["project.memory.md"]);
}

fn files_of_a_person_are_taken_in_and_kept(home: &Home) {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let written = format!(
        "---\r\nowner: ann\r\n---\r\n# Our shop\r\n\r\nRead this first.\r\n\r\n* Tests need Docker\r\n* The token is {secret}\r\n\r\n\
         ```\r\n- no bullet\r\n```\r\n\r\nThe end"
    );
    home.write(&format!("{FOLDER}/project.memory.md"), &written);
    home.ok(&["memory", "sync"]);
    let text = text(home, "project");
    assert!(
        text.starts_with("---\r\nowner: ann\r\n---\r\n# Our shop\r\n")
            && text.ends_with("```\r\n\r\nThe end"),
        "{text}"
    );
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
    assert!(!text.contains(secret) && home.files_with(secret).is_empty(), "{text}");
    assert_eq!(active(home).len(), 2);
    assert_eq!(home.ok(&["memory", "sync"]), "in step\n");
    let imported = home.json(&["import", "claude-memory"]);
    assert_eq!(imported["imported"], 0, "files in step have nothing to bring: {imported:#}");
}

fn bullets_that_contradict_each_other_stay_and_are_named(home: &Home) {
    let written = "# Project\n\n- Backups run at 02:00 in Berlin\n- Backups run at 05:00 in Oslo\n";
    home.write(&format!("{FOLDER}/project.memory.md"), written);
    home.ok(&["memory", "sync"]);
    remember(home, &["The staging server listens on port 8000"]);
    home.ok(&["memory", "sync"]);
    edit(home, "project", "## Facts\n\n", "## Facts\n\n- The staging server listens on port 9000\n");
    let told = home.ok(&["memory", "sync", "--dry-run"]);
    let synced = home.ok(&["memory", "sync"]);
    shows!(home, synced, @r"
    created      .claude/memory/project.memory.md:10: The staging server listens on port 9000
    contradicts  .claude/memory/project.memory.md:10: The staging server listens on port 8000
    wrote .claude/memory/project.memory.md (4 memories)
    what contradicts another bullet stands beside it: delete the one that is wrong
    in step
    ");
    let changes =
        |text: &str| text.lines().filter(|line| line.contains(".md:")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(changes(&told), changes(&synced));
    assert_eq!(active(home).len(), 4);
    assert_eq!(home.ok(&["memory", "sync"]), "in step\n");
    home.check();
}

fn an_unresolved_merge_is_refused_and_the_rest_is_done(home: &Home) {
    let versions = "# Project\n\n<<<<<<< HEAD\n- The port is 1\n=======\n- The port is 2\n>>>>>>> theirs\n";
    home.write(&format!("{FOLDER}/project.memory.md"), versions);
    home.write(&format!("{FOLDER}/service-catalog.memory.md"), "- The ledger owns invoices\n");
    for flags in [&["--dry-run"][..], &["--check"], &[]] {
        let ran = home.call(&[&["memory", "sync"], flags].concat()).run();
        assert_eq!(ran.code, 1, "{flags:?}: {}", ran.stdout);
        assert!(ran.stdout.contains("project.memory.md: unresolved merge, line 3; "), "{}", ran.stdout);
    }
    assert_eq!(text(home, "project"), versions);
    assert_eq!(active(home), ["The ledger owns invoices"]);
    home.check();
}

fn what_cannot_be_written_is_said(home: &Home) {
    remember(home, &["Tests need Docker"]);
    home.write(&format!("{FOLDER}/project.memory.md"), [0xff, 0xfe]);
    let ran = home.call(&["memory", "sync"]).run();
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("project.memory.md is not UTF-8 text"), "{}", ran.stdout);
    let refused = home.fails(&["memory", "sync", "--dir", "../elsewhere"]);
    assert!(refused.contains("not below the project's folder"), "{refused}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(home.path().join("user"), home.path().join("work/shop/link")).unwrap();
        let ran = home.call(&["memory", "sync", "--dir", "link"]).run();
        assert_eq!(ran.code, 1);
        assert!(ran.stdout.contains("is a link"), "{}", ran.stdout);
        assert_eq!(fs::read_dir(home.path().join("user")).unwrap().count(), 0);
    }
}

fn claude_codes_own_notes_are_adopted(home: &Home) {
    let shop = fs::canonicalize(home.path().join("work/shop")).unwrap();
    let name: String =
        shop.display().to_string().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    home.write(
        &format!("user/.claude/projects/{name}/memory/feedback_tests.md"),
        "---\nname: tests\ndescription: How tests run\ntype: feedback\n---\n\nRun the tests with make check\n",
    );
    let synced = home.json(&["memory", "sync", "--adopt-claude"]);
    assert_eq!(synced["adopted"]["imported"], 1, "{synced:#}");
    assert!(text(home, "project").contains("- Run the tests with make check <!-- memory:"));
    let again = home.json(&["memory", "sync", "--adopt-claude"]);
    assert_eq!((&again["adopted"]["imported"], &again["changes"]), (&json!(0), &json!([])));
}

fn agents_md_gets_a_part_and_loses_it(home: &Home) {
    remember(home, &["Tests need Docker"]);
    let written = "# Rules for agents\n\nBe brief";
    let path = home.write("work/shop/AGENTS.md", written);
    home.ok(&["memory", "sync"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), written, "only on request");
    home.ok(&["memory", "sync", "--agents-md"]);
    let with = fs::read_to_string(&path).unwrap();
    assert!(with.starts_with(written) && with.contains("- Tests need Docker (fact)"), "{with}");
    assert_eq!(home.ok(&["memory", "sync", "--agents-md"]), "in step\n");
    assert_eq!(fs::read_to_string(&path).unwrap(), with);
    assert_eq!(
        home.json(&["import", "agents-md", "--dry-run"])["imported"],
        0,
        "our own words come back to nobody"
    );
    home.ok(&["memory", "sync", "--agents-md", "--remove"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), written);
    fs::remove_file(&path).unwrap();
    home.ok(&["memory", "sync", "--agents-md"]);
    home.ok(&["memory", "sync", "--agents-md", "--remove"]);
    assert!(!path.exists());
}

fn the_schedule_is_off_until_it_is_set(home: &Home) {
    remember(home, &["Tests need Docker"]);
    let said = json!({ "session": "s", "client": "claude-code", "kind": "user_message", "content": "hello" });
    let begun = |home: &Home, session: &str| {
        let mut said: Json = said.clone();
        said["session"] = session.into();
        home.batch(&[said]);
        home.ok(&["session", "end", session]);
        home.ok(&["jobs", "run"]);
    };
    begun(home, "one");
    assert!(!home.path().join(FOLDER).exists());
    home.ok(&["config", "set", "memory.files.every", "1h"]);
    begun(home, "two");
    assert!(text(home, "project").contains("Tests need Docker"));
    let jobs = home.json(&["jobs", "list"]);
    assert!(jobs.to_string().contains("sync_memory_files"), "it comes again: {jobs:#}");
}

fn wrong_usage_exits_with_2(home: &Home) {
    for args in [
        &["memory", "sync", "--remove"][..],
        &["memory", "sync", "--prefer", "both"],
        &["memory", "sync", "x"],
    ] {
        home.call(args).run().refuses();
    }
}
