//! Told to stop it stops: soon, well, and with nothing left behind.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::json;

use super::http::{ACCEPT, Served};
use super::mcp_stateless::request;
use crate::fixture::Home;

#[test]
fn signals_end_it_and_the_port_is_free_again() {
    for signal in ["TERM", "INT"] {
        let home = Home::sqlite();
        let served = Served::fixtures(&home);
        let address = served.address;
        assert_eq!(served.get("/health", &[&served.host()]).status, 200);
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
    let served = Served::fixtures(&Home::sqlite());
    let listen =
        request("subscriptions/listen", json!({"notifications": {"toolsListChanged": true}}), "2026-07-28");
    let host = served.host();
    let headers = [
        host.as_str(),
        ACCEPT,
        "Content-Type: application/json",
        "MCP-Protocol-Version: 2026-07-28",
        "Mcp-Method: subscriptions/listen",
    ];
    let stream = served.open("POST /mcp", &headers, &listen.to_string());
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("notifications/subscriptions/acknowledged")));
    served.signal("TERM");
    assert_eq!(lines.filter(|line| line.contains("data:")).count(), 0, "and then it ends");
    assert_eq!(served.ended(), (Some(0), String::new()));
}

#[test]
fn a_request_that_never_ends_does_not_keep_it() {
    let served = Served::fixtures(&Home::sqlite());
    let mut stuck = TcpStream::connect(served.address).unwrap();
    write!(stuck, "POST /mcp HTTP/1.1\r\n{}\r\nContent-Length: 9\r\n\r\n{{", served.host()).unwrap();
    assert_eq!(
        served.get("/health", &[&served.host()]).status,
        200,
        "the other one has been taken in before"
    );
    served.signal("TERM");
    assert_eq!(served.ended(), (Some(0), String::new()));
    drop(stuck);
}
