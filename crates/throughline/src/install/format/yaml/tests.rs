//! Our entry goes into its mapping, and out without a trace.

use insta::assert_snapshot;
use serde_json::json;

use super::*;

fn with(text: &str) -> Result<String> {
    insert(text, "extensions", "ours", &json!({"cmd": "C:\\a b", "args": ["mcp"], "envs": {}}))
}

#[test]
fn the_entry_goes_behind_the_others() {
    assert_snapshot!(with("a: 1\nextensions:\n    other:\n        cmd: x # mine\n\n# end\nb: 2\n").unwrap(), @r#"
    a: 1
    extensions:
        other:
            cmd: x # mine
        ours:
            cmd: "C:\\a b"
            args: ["mcp"]
            envs: {}

    # end
    b: 2
    "#);
}

#[test]
fn in_and_out_leaves_every_byte() {
    let texts = [
        "",
        "# only a comment\n",
        "a: 1\n",
        "a: 1\r\nextensions:\r\n  other:\r\n    cmd: x\r\nb: 2\r\n",
        "extensions:\n  other: {cmd: x}\n  # about nothing\n\nb: |\n  extensions:\n    ours: text\n",
        "---\na: 'it''s'\n",
        "extensions:\n  # first\n  other:\n    cmd: x\n",
        "extensions:\n  other:\n    ours:\n      cmd: not mine\n",
    ];
    for text in texts {
        let changed = with(text).unwrap();
        let emptied = if text.contains("extensions:") { Emptied::Stays } else { Emptied::Goes };
        assert_eq!(value(&changed).unwrap()["extensions"]["ours"]["cmd"], "C:\\a b", "{changed}");
        assert_eq!(remove(&changed, "extensions", "ours", emptied).unwrap(), text, "{changed}");
    }
}

#[test]
fn an_empty_mapping_is_filled() {
    for text in ["extensions: {}\nb: 2\n", "extensions:\nb: 2\n", "extensions: # none\nb: 2\n"] {
        let changed = with(text).unwrap();
        assert_eq!(value(&changed).unwrap()["b"], 2);
        let left = remove(&changed, "extensions", "ours", Emptied::Stays).unwrap();
        assert_eq!(value(&left).unwrap(), json!({"extensions": {}, "b": 2}), "{left}");
    }
}

#[test]
fn what_cannot_be_changed_safely_is_refused() {
    let refused = |text| with(text).unwrap_err().to_string();
    assert!(refused("a: [1\nb: 2\n").starts_with("line "), "{}", refused("a: [1\nb: 2\n"));
    assert_eq!(refused("- a\n"), "line 1, column 1: the document is not a mapping");
    assert_eq!(refused("extensions: 3\n"), "extensions is not a mapping; make it one");
    let flow = refused("a: 1\nextensions: {other: {cmd: x}}\n");
    assert_eq!(flow, "line 2, column 1: extensions is not written as a block; write one entry a line");
    let quoted = refused("\"extensions\":\n  other:\n    cmd: x\n");
    assert_eq!(quoted, "it is written in a way that cannot be changed safely; change it by hand");
    assert_eq!(
        refused("{a: 1}\n"),
        "it is written in a way that cannot be changed safely; change it by hand"
    );
}
