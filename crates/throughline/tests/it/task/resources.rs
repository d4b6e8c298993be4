//! Documents beside the work.

use serde_json::json;

use crate::fixture::{Home, on_both, shows};

on_both!(a_resource_is_written_changed_and_read, a_way_out_is_refused);

fn a_resource_is_written_changed_and_read(home: &Home) {
    let file = home.write("plan.md", "# The plan\n\nzebra\n");
    let said = [
        home.ok(&["resource", "list"]),
        home.ok(&["resource", "write", "notes/plan.md", "--file", file.to_str().unwrap()]),
        home.ok(&["resource", "write", "mcp://backlog/resources/notes/plan.md", "--append", "okapi"]),
        home.ok(&["resource", "write", "notes/plan.md", "--replace", "zebra", "--with", "quagga"]),
        home.ok(&["resource", "write", "notes/plan.md", "--insert", "tapir", "--after-line", "2"]),
        home.ok(&["resource", "show", "throughline://resource/notes/plan.md"]),
        home.call(&["resource", "write", "b.md", "--content", "-"]).input("from stdin").ok(),
        home.ok(&["resource", "list"]),
        home.ok(&["expand", "throughline://resource/b.md"]),
    ];
    shows!(home, said.join(""), @"
    no resources
    create throughline://resource/notes/plan.md (version 1, 18 bytes)
    append throughline://resource/notes/plan.md (version 2, 23 bytes)
    str_replace throughline://resource/notes/plan.md (version 3, 24 bytes)
    insert throughline://resource/notes/plan.md (version 4, 30 bytes)
    # The plan

    tapir
    quagga
    okapi
    create throughline://resource/b.md (version 1, 10 bytes)
     ADDRESS                               TITLE       BYTES  VERSION  WRITTEN (UTC)
     throughline://resource/b.md           from stdin  10     1        TIME
     throughline://resource/notes/plan.md  The plan    30     4        TIME
    2 of 2 resources
    throughline://resource/b.md
    from stdin
    ");
    assert_eq!(home.json(&["resource", "show", "b.md"])["content"], "from stdin");
    let hits = home.json(&["search", "quagga", "--kind", "resource"]);
    assert_eq!(hits["hits"][0]["id"], "throughline://resource/notes/plan.md");
    assert_eq!(home.json(&["search", "zebra", "--kind", "resource"])["total"], 0);
    assert_eq!(home.json(&["resource", "list", "-n", "1"])["total"], json!(2));
    home.check();
}

fn a_way_out_is_refused(home: &Home) {
    for path in [
        "../x",
        "a/../b",
        "/etc/passwd",
        "%2e%2e/x",
        "..\\x",
        "throughline://resource/..%2fx",
        "file:///etc/passwd",
    ] {
        let said = home.call(&["resource", "write", path, "--content", "x"]).run().refuses();
        assert!(said.contains("notes/plan.md"), "{path}: {said}");
    }
    shows!(home, home.fails(&["resource", "write", "a.md", "--replace", "x", "--with", "y"]), @"error: there is no resource throughline://resource/a.md; create it first (`throughline resource write`, or the operation create)");
    assert_eq!(home.ok(&["resource", "list"]), "no resources\n");
}
