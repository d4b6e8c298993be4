//! The product's own tools at `/mcp`, in both eras and on both databases.

use serde_json::json;

use super::http::Served;
use super::{mcp_sessions, mcp_stateless};
use crate::fixture::{Home, on_both, texts};

on_both![
    what_is_remembered_over_http_is_found_on_the_command_line,
    two_clients_of_one_name_have_a_session_each,
];

fn what_is_remembered_over_http_is_found_on_the_command_line(home: &Home) {
    let served = Served::start(home, &[]);
    let remember = json!({"name": "remember", "arguments": {"content": "We deploy on Tuesdays"}});
    let answer = mcp_stateless::ask(&served, "tools/call", remember, &["Mcp-Name: remember"]);
    assert_eq!((answer.status, &answer.message()["result"]["isError"]), (200, &json!(false)), "{answer:?}");
    served.signal("TERM");
    assert_eq!(served.ended(), (Some(0), String::new()));
    let hits = home.json(&["search", "deploy"])["hits"].as_array().unwrap().len();
    assert!(hits > 0);
    home.check();
}

fn two_clients_of_one_name_have_a_session_each(home: &Home) {
    let served = Served::start(home, &[]);
    let mut ids = Vec::new();
    for _ in 0..2 {
        let begun = mcp_sessions::initialize(&served, "2025-11-25");
        let id = begun.header("mcp-session-id").unwrap().to_owned();
        for content in ["one", "two"] {
            let call = json!({"name": "remember", "arguments": {"content": format!("{content} of {id}")}});
            let headers = [&format!("Mcp-Session-Id: {id}") as &str, "MCP-Protocol-Version: 2025-11-25"];
            let answer = mcp_sessions::ask(&served, &headers, "tools/call", call);
            assert_eq!(answer.message()["result"]["isError"], json!(false), "{answer:?}");
        }
        ids.insert(0, id);
    }
    let sessions = home.json(&["session", "list"]);
    let listed = sessions["sessions"].as_array().unwrap();
    assert_eq!(texts(listed, "client_session"), ids);
    assert_eq!(texts(listed, "client"), ["test", "test"]);
}
