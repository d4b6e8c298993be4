//! The live stream: every change, from every process, soon, and nothing twice.

use std::io::{BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::http::Served;
use crate::fixture::{Home, on_both};

on_both![
    changes_of_other_processes_are_told_within_a_second,
    a_stream_goes_on_where_another_stopped,
    several_servers_tell_all_changes,
    a_project_that_begins_later_is_told_from_its_beginning,
];

/// Far less than this is usual; a second is what is promised.
const SOON: Duration = Duration::from_secs(1);

fn changes_of_other_processes_are_told_within_a_second(home: &Home) {
    home.ok(&["remember", "first"]);
    let served = Served::start(home, &[]);
    let mut stream = Socket::open(&served, "/api/events/stream", &[]);
    let hello = stream.next(SOON * 5);
    assert_eq!((&hello["kind"], &hello["position"]), (&json!("hello"), &json!(1)));
    home.ok(&["task", "create", "Sell a book"]);
    let told = stream.next(SOON);
    assert_eq!((&told["kind"], &told["position"]), (&json!("item_created"), &json!(2)));
    assert_eq!((&told["item_id"], &told["actor"]), (&json!("TASK-0001"), &json!("user:tester")));
    home.ok(&["set", "save", "CODE", "fn main", "--agent", "agent:a"]);
    let told = stream.next(SOON);
    assert_eq!((&told["kind"], &told["agent"]), (&json!("working_set"), &json!("agent:a")));
    let saved = json!({"item_type": "CODE", "content": "y"});
    served.ask("POST /api/agents/agent:b/context/save", Some(&saved));
    assert_eq!(stream.next(SOON)["agent"], "agent:b", "and changes of its own");
}

fn a_stream_goes_on_where_another_stopped(home: &Home) {
    let many: Vec<Json> =
        (1..=600).map(|n| json!({"kind": "user_message", "content": format!("{n}")})).collect();
    home.batch(&many);
    let served = Served::start(home, &[]);
    let mut stream = Socket::open(&served, "/api/events/stream?from=3", &[]);
    assert_eq!(stream.next(SOON * 5)["position"], 600);
    let told: Vec<i64> = (4..=600).map(|_| stream.next(SOON * 5)["position"].as_i64().unwrap()).collect();
    assert_eq!(told, (4..=600).collect::<Vec<_>>());
    home.ok(&["remember", "next"]);
    assert_eq!(stream.next(SOON)["position"], 601);
}

fn several_servers_tell_all_changes(home: &Home) {
    home.ok(&["remember", "first"]);
    let servers = [Served::start(home, &[]), Served::start(home, &[])];
    let mut streams = servers.each_ref().map(|served| Socket::open(served, "/api/events/stream", &[]));
    for stream in &mut streams {
        assert_eq!(stream.next(SOON * 5)["kind"], "hello");
    }
    for (n, served) in servers.iter().enumerate() {
        served.ask("POST /api/items", Some(&json!({"title": format!("task {n}")})));
    }
    for stream in &mut streams {
        assert_eq!([2, 3].map(|_| stream.next(SOON)["position"].as_i64().unwrap()), [2, 3]);
    }
}

fn a_project_that_begins_later_is_told_from_its_beginning(home: &Home) {
    let served = Served::start(home, &[]);
    let mut stream = Socket::open(&served, "/api/events/stream?from=0", &[]);
    home.ok(&["remember", "first"]);
    assert_eq!(stream.next(SOON * 5)["kind"], "hello");
    assert_eq!(stream.next(SOON)["position"], 1);
}

#[test]
fn a_reader_that_takes_nothing_is_let_go_and_goes_on_later() {
    let home = Home::sqlite();
    home.ok(&["remember", "first"]);
    let served = Served::start(&home, &[]);
    let mut stream = Socket::open(&served, "/api/events/stream", &[]);
    assert_eq!(stream.next(SOON * 5)["kind"], "hello");
    // More than a socket and the buffer of the stream take together.
    let long = "x ".repeat(2000);
    for round in 0..3 {
        let line = |n: i64| json!({"kind": "user_message", "summary": format!("{round} {n} {long}"), "target": long});
        home.batch(&(0..1500).map(line).collect::<Vec<_>>());
    }
    let mut last = 1;
    while let Some(told) = stream.next_or_end(SOON * 20) {
        if told["kind"] == "lagged" {
            assert_eq!(told["position"], last, "from here nothing is missed");
            break;
        }
        assert_eq!(told["position"], last + 1, "nothing is left out before");
        last += 1;
    }
    assert!(last < 4501, "what waits for a reader is bounded: one that is this slow is let go");
    let mut again = Socket::open(&served, &format!("/api/events/stream?from={last}"), &[]);
    assert!(again.next(SOON * 5)["position"].as_i64().unwrap() >= 4501);
    assert_eq!(again.next(SOON * 5)["position"], last + 1);
}

#[test]
fn it_is_guarded_like_everything_else() {
    let home = Home::sqlite();
    let token =
        home.json(&["token", "create", "page", "--role", "read"])["token"].as_str().unwrap().to_owned();
    home.ok(&["config", "set", "server.require_token", "true"]);
    let served = Served::start(&home, &[]);
    let upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", KEY];
    let status = |headers: &[&str]| {
        let host = served.host();
        let all = [&[host.as_str()], &upgrade[..], headers].concat();
        Socket::head(&served, "/api/events/stream", &all).0
    };
    assert!(status(&[]).contains("401"));
    assert!(status(&["Origin: http://evil.example"]).contains("403"));
    let offered = format!("Sec-WebSocket-Protocol: throughline, bearer.{token}");
    assert!(status(&[&offered]).contains("101"), "as a page gives it");
    let bearer = format!("Authorization: Bearer {token}");
    assert!(status(&[&bearer]).contains("101"));
    assert_eq!(served.ask_with("GET /api/events/stream", &[&bearer], None).status, 426);
    assert_eq!(served.ask_with("GET /api/events/stream?from=-1", &[&bearer], None).status, 422);
}

#[test]
fn an_open_stream_is_closed_when_the_server_ends() {
    let home = Home::sqlite();
    home.ok(&["remember", "first"]);
    let served = Served::start(&home, &[]);
    let mut stream = Socket::open(&served, "/api/events/stream", &[]);
    stream.next(SOON * 5);
    served.signal("TERM");
    let end = std::iter::from_fn(|| Some(stream.frame(SOON * 5))).find(|(code, _)| *code != 9).unwrap();
    assert_eq!(end, (8, [&1001_u16.to_be_bytes()[..], b"the server ends; resume with from=1"].concat()));
    assert_eq!(served.ended(), (Some(0), String::new()));
}

const KEY: &str = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

/// Just enough of a WebSocket to read one.
struct Socket(BufReader<TcpStream>);

impl Socket {
    fn open(served: &Served, path: &str, headers: &[&str]) -> Socket {
        let host = served.host();
        let usual =
            [host.as_str(), "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", KEY];
        let (status, socket) = Socket::head(served, path, &[&usual, headers].concat());
        assert!(status.contains("101"), "{status}");
        socket
    }

    fn head(served: &Served, path: &str, headers: &[&str]) -> (String, Socket) {
        let mut stream = TcpStream::connect(served.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\n{}\r\n\r\n", headers.join("\r\n")).unwrap();
        let mut reader = BufReader::new(stream);
        let (mut status, mut line) = (String::new(), String::new());
        std::io::BufRead::read_line(&mut reader, &mut status).unwrap();
        while std::io::BufRead::read_line(&mut reader, &mut line).unwrap() > 2 {
            line.clear();
        }
        (status, Socket(reader))
    }

    /// The next message that says something.
    fn next(&mut self, within: Duration) -> Json {
        self.next_or_end(within).expect("the stream goes on")
    }

    /// Nothing when the other end has closed it.
    fn next_or_end(&mut self, within: Duration) -> Option<Json> {
        loop {
            match self.frame_or_end(within)? {
                (1, text) => return Some(serde_json::from_slice(&text).unwrap()),
                (9, _) => {}
                (8, _) => return None,
                (code, text) => panic!("a frame {code}: {}", String::from_utf8_lossy(&text)),
            }
        }
    }

    fn frame(&mut self, within: Duration) -> (u8, Vec<u8>) {
        self.frame_or_end(within).expect("the stream goes on")
    }

    /// Nothing when it ends, also in the middle of a frame: a reader that takes nothing is let go there.
    fn frame_or_end(&mut self, within: Duration) -> Option<(u8, Vec<u8>)> {
        self.0.get_ref().set_read_timeout(Some(within)).unwrap();
        let [first, second] = self.bytes()?;
        let length = match second {
            126 => u64::from(u16::from_be_bytes(self.bytes()?)),
            127 => u64::from_be_bytes(self.bytes()?),
            short => short.into(),
        };
        let mut text = vec![0; usize::try_from(length).unwrap()];
        self.fill(&mut text)?;
        Some((first & 15, text))
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Some(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Option<()> {
        match self.0.read_exact(bytes) {
            Ok(()) => Some(()),
            Err(error) if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset) => {
                None
            }
            Err(error) => panic!("no message came in time: {error}"),
        }
    }
}
