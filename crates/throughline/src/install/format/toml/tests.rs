//! Our table goes to the end, and out without a trace.

use insta::assert_snapshot;
use serde_json::json;

use super::*;

fn with(text: &str) -> Result<String> {
    insert(text, "mcp_servers", "ours", &json!({"command": "C:\\a \"b\"", "args": ["mcp"]}))
}

#[test]
fn the_table_goes_to_the_end() {
    assert_snapshot!(with("model = \"x\" # mine\n\n[mcp_servers.other]\ncommand = \"o\"\n").unwrap(), @r#"
    model = "x" # mine

    [mcp_servers.other]
    command = "o"

    [mcp_servers.ours]
    command = 'C:\a "b"'
    args = ["mcp"]
    "#);
    assert_eq!(with("").unwrap(), "[mcp_servers.ours]\ncommand = 'C:\\a \"b\"'\nargs = [\"mcp\"]\n");
}

#[test]
fn in_and_out_leaves_every_byte() {
    let texts = [
        "",
        "# only a comment\n",
        "model = \"x\"\n",
        "model = \"x\"\r\n[a.b]\r\nc = 1\r\n",
        "[mcp_servers]\n[mcp_servers.other]\ncommand = \"o\"\n\n\n",
        "mcp_servers.other.command = \"o\" # dotted\n",
        "[[list]]\na = 1\n[[list]]\na = 2\n# end\n",
        "text = \"\"\"\n[mcp_servers.ours]\n\"\"\"\n",
        "mcp_servers = { other = { command = \"o\" } } # one line\n[x]\ny = 1\n",
    ];
    for text in texts {
        let changed = with(text).unwrap();
        assert_eq!(value(&changed).unwrap()["mcp_servers"]["ours"]["args"], json!(["mcp"]), "{changed}");
        assert_eq!(remove(&changed, "mcp_servers", "ours").unwrap(), text, "{changed}");
    }
}

#[test]
fn what_others_wrote_around_it_stays() {
    let text = "[mcp_servers.ours]\ncommand = \"a\"\nargs = [\n  \"mcp\",\n] # end\n\n[mcp_servers.ours.env]\nA = \"1\"\n\n# about x\n[x]\ny = 1\n";
    assert_eq!(remove(text, "mcp_servers", "ours").unwrap(), "\n# about x\n[x]\ny = 1\n");
    let line =
        "[mcp_servers]\na = { command = \"a\" } # a\nours = { command = \"b\" }\nb = { command = \"c\" }\n";
    let left = "[mcp_servers]\na = { command = \"a\" } # a\nb = { command = \"c\" }\n";
    assert_eq!(remove(line, "mcp_servers", "ours").unwrap(), left);
}

#[test]
fn what_cannot_be_read_is_refused_with_its_place() {
    let refused = |text| with(text).unwrap_err().to_string();
    assert!(refused("a = 1\nb = = 2\n").starts_with("line 2, column 5: "), "{}", refused("a = 1\nb = = 2\n"));
    assert_eq!(
        refused("a = 1\nmcp_servers = 3\n"),
        "line 2, column 15: mcp_servers is not a table; make it one"
    );
}
