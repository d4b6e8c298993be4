//! Told to stop it stops: soon, well, and with nothing left behind.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value as Json, json};

use super::http::{ACCEPT, Served};
use super::mcp_stateless::request;
use crate::fixture::Home;

#[test]
fn signals_end_it_and_the_port_is_free_again() {
    for signal in ["TERM", "INT"] {
        let home = Home::sqlite();
        let served = Served::fixtures(&home);
        let address = served.address;
        assert_eq!(served.get("/api/health", &[&served.host()]).status, 200);
        served.signal(signal);
        assert_eq!(served.ended(), (Some(0), String::new()));
        assert!(TcpStream::connect(address).is_err());
        TcpListener::bind(address).unwrap();
    }
}

#[test]
fn the_fixtures_leave_no_database() {
    let home = Home::sqlite();
    let served = Served::fixtures(&home);
    served.signal("TERM");
    served.ended();
    assert_eq!(std::fs::read_dir(home.data()).unwrap().count(), 0);
}

#[test]
fn open_streams_do_not_keep_it() {
    let served = Served::logging(&Home::sqlite());
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let listen = request("subscriptions/listen", wanted, "2026-07-28");
    let mut lines = stream(&served, &["Mcp-Method: subscriptions/listen"], &listen);
    assert!(lines.any(|line| line.contains("notifications/subscriptions/acknowledged")));
    served.signal("TERM");
    assert_eq!(lines.filter(|line| line.contains("data:")).count(), 0, "and then it ends");
    let (status, said) = served.ended();
    assert!(status == Some(0) && !said.contains("still in progress"), "{said}");
}

#[test]
fn what_is_in_progress_is_still_answered() {
    let served = Served::fixtures(&Home::sqlite());
    let params = json!({"name": "test_tool_with_progress", "_meta": {"progressToken": "p"}});
    let call = request("tools/call", params, "2026-07-28");
    let named = ["Mcp-Method: tools/call", "Mcp-Name: test_tool_with_progress"];
    let mut lines = stream(&served, &named, &call);
    assert!(lines.any(|line| line.contains("notifications/progress")));
    served.signal("TERM");
    assert!(lines.any(|line| line.contains("test_tool_with_progress is done")));
    assert_eq!(served.ended(), (Some(0), String::new()));
}

#[test]
fn a_request_that_never_ends_does_not_keep_it() {
    let served = Served::logging(&Home::sqlite());
    let mut stuck = TcpStream::connect(served.address).unwrap();
    let host = served.host();
    let head = ["POST /mcp HTTP/1.1", &host, ACCEPT, "Content-Type: application/json", "Content-Length: 9"];
    write!(stuck, "{}\r\n\r\n{{", head.join("\r\n")).unwrap();
    assert_eq!(served.get("/api/health", &[&host]).status, 200, "the other one was taken in before");
    served.signal("TERM");
    let (status, said) = served.ended();
    assert!(status == Some(0) && said.contains("stopped with requests still in progress"), "{said}");
    drop(stuck);
}

/// The lines of an answer as they come.
fn stream(served: &Served, headers: &[&str], message: &Json) -> impl Iterator<Item = String> + use<> {
    let host = served.host();
    let usual = [&host as &str, ACCEPT, "Content-Type: application/json", "MCP-Protocol-Version: 2026-07-28"];
    let stream = served.open("POST /mcp", &[&usual, headers].concat(), &message.to_string());
    BufReader::new(stream).lines().map(Result::unwrap)
}
