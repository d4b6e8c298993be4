//! Addresses: what they stand for, and every spelling of a way out that is refused.

use crate::backlog::Uri;
use crate::testing::refused;

#[test]
fn an_address_stands_for_one_thing() {
    let resource = |path: &str| Uri::Resource(path.into());
    for (text, uri) in [
        ("throughline://item/TASK-0001", Uri::Item("TASK-0001".into())),
        ("mcp://backlog/items/TASK-0001", Uri::Item("TASK-0001".into())),
        ("throughline://resource/notes/plan.md", resource("notes/plan.md")),
        ("mcp://backlog/resources/TASK-0001/adr.md", resource("TASK-0001/adr.md")),
        ("mcp://backlog/memory/x.md", resource("memory/x.md")),
        ("throughline://a.b/..c/d..md", resource("a.b/..c/d..md")),
        ("throughline://resource/Größe/漢字 a.md", resource("Größe/漢字 a.md")),
        ("throughline://resource/100%/a%20b.md", resource("100%/a%20b.md")),
        ("throughline://session/0abc", Uri::Other("session".into(), "0abc".into())),
    ] {
        assert_eq!(Uri::parse(text).unwrap(), uri, "{text}");
    }
    assert_eq!(Uri::parse(&Uri::of_item("TASK-0001")).unwrap(), Uri::Item("TASK-0001".into()));
    assert_eq!(Uri::parse(&Uri::of_resource("a/b.md")).unwrap(), resource("a/b.md"));
}

#[test]
fn a_way_out_is_refused_in_every_spelling() {
    let paths = [
        "..",
        "../x",
        "a/../b",
        "a/..",
        "./a",
        "a/./b",
        "/etc/passwd",
        "a//b",
        "a/",
        "",
        ".",
        "...",
        ". ./a",
        ".. /a",
        "%2e%2e/a",
        "%2E%2e/a",
        ".%2e/a",
        "a%2f..%2fb",
        "..%2Fa",
        "%252e%252e/a",
        "%25252e%25252e%25252fa",
        "..\\a",
        "a\\..\\b",
        "..%5ca",
        "a%5C..",
        "%255c..",
        "C:/a",
        "c%3a/a",
        "file:a",
        "a?b",
        "a#b",
        "a%00b",
        "a\nb",
        "a\0b",
        "．．/a",
        "‥/a",
        "․․/a",
        "..／a",
        "a／..／b",
        "..∕a",
        "a/%20/b",
        "%2e",
        "%c0%ae%c0%ae/a",
    ];
    for path in paths {
        for scheme in ["throughline://resource/", "mcp://backlog/resources/"] {
            let uri = format!("{scheme}{path}");
            assert!(Uri::parse(&uri).is_err(), "{uri:?} is {:?}", Uri::parse(&uri));
        }
    }
    for uri in
        ["mcp://backlog/../x", "throughline://../x", "throughline://", "mcp://backlog/", "http://x/y", ""]
    {
        assert!(Uri::parse(uri).is_err(), "{uri:?}");
    }
    let long = format!("throughline://resource/{}", "x".repeat(1025));
    let said = [
        refused(Uri::parse("throughline://resource/../x")),
        refused(Uri::parse("throughline://resource/")),
        refused(Uri::parse("notes/plan.md")),
        refused(Uri::parse("throughline://resource/a?b")),
        refused(Uri::parse(&long)).replace(&"x".repeat(1025), "xxx…"),
    ];
    insta::assert_snapshot!(said.join("\n"), @r#"
    invalid: the path "../x" leads out of its place; write one like notes/plan.md
    invalid: the path "" names no document; write one like notes/plan.md
    invalid: "notes/plan.md" is no address of ours; write throughline://resource/PATH, for example throughline://resource/notes/plan.md
    invalid: the path "a?b" has a character that paths cannot have; write one like notes/plan.md
    invalid: the path "xxx…" is longer than 1,024 bytes; write one like notes/plan.md
    "#);
}
