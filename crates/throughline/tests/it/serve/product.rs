//! The product's own tools at `/mcp`, in both eras and on both databases.

use serde_json::json;

use super::http::Served;
use super::mcp_stateless::ask;
use crate::fixture::{Home, on_both};

on_both![what_is_remembered_over_http_is_found_on_the_command_line];

fn what_is_remembered_over_http_is_found_on_the_command_line(home: &Home) {
    let served = Served::start(home, &[]);
    let remember = json!({"name": "remember", "arguments": {"content": "We deploy on Tuesdays"}});
    let answer = ask(&served, "tools/call", remember, &["Mcp-Name: remember"]);
    assert_eq!((answer.status, &answer.message()["result"]["isError"]), (200, &json!(false)), "{answer:?}");
    served.signal("TERM");
    assert_eq!(served.ended(), (Some(0), String::new()));
    let hits = home.json(&["search", "deploy"])["hits"].as_array().unwrap().len();
    assert!(hits > 0);
    home.check();
}
