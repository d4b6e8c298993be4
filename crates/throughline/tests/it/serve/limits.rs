//! What is too much or too slow is refused, and nothing outside the project is ever read.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use super::http::{ACCEPT, Served};
use crate::fixture::Home;

#[test]
fn a_huge_body_is_refused_before_it_is_sent() {
    let home = Home::sqlite();
    let served = Served::start(&home, &[]);
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let length = 10_u64 << 30;
    let head = format!(
        "POST /api/items HTTP/1.1\r\n{}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{{",
        served.host()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
}

#[test]
fn a_body_without_a_length_is_read_no_further_than_the_limit() {
    let home = Home::sqlite();
    home.ok(&["config", "set", "server.max_request_bytes", "1000"]);
    let served = Served::start(&home, &[]);
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let head = format!(
        "POST /api/items HTTP/1.1\r\n{}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
        served.host()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(format!("400\r\n{}\r\n", "x".repeat(1024)).as_bytes()).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
}

#[test]
fn a_client_that_does_not_say_what_it_wants_is_let_go() {
    let served = Served::start(&Home::sqlite(), &[]);
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream.write_all(b"GET /api/health HT").unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut rest = vec![];
    // Closed by the other end, with or without an answer, and not by the time-out of this one.
    let ended = stream.read_to_end(&mut rest);
    assert!(!matches!(ended, Err(error) if error.kind() == std::io::ErrorKind::WouldBlock));
    assert_eq!(served.get("/api/health", &[&served.host()]).status, 200, "others are served meanwhile");
}

#[test]
fn a_client_that_does_not_take_its_answers_is_let_go() {
    let home = Home::sqlite();
    home.ok(&["config", "set", "server.slowest_client", "1s"]);
    let served = Served::start(&home, &[]);
    let document = served.get("/api/openapi.json", &[&served.host()]).body.len();
    let mut greedy = TcpStream::connect(served.address).unwrap();
    let asked = format!("GET /api/openapi.json HTTP/1.1\r\n{}\r\n\r\n", served.host());
    // Far more than the system keeps for who does not read.
    let answers = 60_000_000 / document;
    greedy.write_all(asked.repeat(answers).as_bytes()).unwrap();
    served.looks_until("two are there", |served| served.metric("throughline_connections_open") == 2.0);
    served
        .looks_until("only who looks is left", |served| served.metric("throughline_connections_open") == 1.0);
    let mut taken = vec![];
    // What was on its way comes, then the end, in whichever way.
    let _ = greedy.read_to_end(&mut taken);
    assert!(taken.len() < document * answers, "{} bytes", taken.len());
}

#[test]
fn a_client_that_reads_slowly_and_reads_on_gets_all_of_it() {
    let home = Home::sqlite();
    home.ok(&["config", "set", "server.slowest_client", "1s"]);
    let served = Served::start(&home, &[]);
    let whole = served.get("/api/openapi.json", &[&served.host()]).body.len();
    let mut stream = served.open("GET /api/openapi.json", &[&served.host()], "");
    let (mut all, mut piece) = (0, [0; 4096]);
    while let Ok(count @ 1..) = stream.read(&mut piece) {
        all += count;
        std::thread::yield_now();
    }
    assert!(all > whole, "{all} of {whole}");
}

#[test]
fn a_body_that_does_not_come_is_not_waited_for() {
    let home = Home::sqlite();
    home.ok(&["config", "set", "server.slowest_client", "1s"]);
    let served = Served::start(&home, &[]);
    for path in ["/api/items", "/mcp"] {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\n{}\r\n{ACCEPT}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
            served.host()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        let said = String::from_utf8_lossy(&answer).into_owned();
        assert_eq!(said, "HTTP/1.1 408", "{path}");
    }
}

#[test]
fn who_asks_too_often_is_told_when_to_go_on() {
    let home = Home::sqlite();
    home.ok(&["config", "set", "server.requests_per_second", "3"]);
    let served = Served::start(&home, &[]);
    let answers: Vec<_> = (0..12).map(|_| served.get("/api/health", &[&served.host()])).collect();
    let refused = answers.iter().find(|answer| answer.status == 429).expect("twelve at once are too many");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(refused.message()["type"], "urn:throughline:problem:too_many");
    assert_eq!(answers[0].status, 200);
}

#[test]
fn no_path_leads_out_of_the_project() {
    let home = Home::sqlite();
    home.write("work/secret.txt", "the secret");
    let served = Served::start(&home, &[]);
    served.ask("POST /api/items", Some(&json!({"title": "x"})));
    let out = [
        "../secret.txt",
        "..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "....//secret.txt",
    ];
    let below = [
        "/",
        "/api/",
        "/api/resources/",
        "/api/items/",
        "/api/sessions/",
        "/api/memories/",
        "/api/checkpoints/",
        "/api/agents/",
        "/api/beliefs/",
    ];
    let deeper =
        ["/api/agents/..%2fa/context", "/api/agents/a%2f%2e%2e/context/stats", "/api/agents/..%5ca/context"];
    for path in deeper {
        assert_eq!(served.ask(&format!("GET {path}"), None).status, 400, "{path}");
    }
    for path in below {
        for name in out {
            let answer = served.ask(&format!("GET {path}{name}"), None);
            assert!([400, 404, 422].contains(&answer.status), "{path}{name}: {answer:?}");
            assert!(!answer.body.contains("the secret") && !answer.body.contains("root:"), "{path}{name}");
        }
    }
    let uri = json!({"uri": "throughline://resource/../../secret.txt", "operation": {"type": "append", "new_str": "x"}});
    assert_eq!(served.ask("POST /api/resources", Some(&uri)).status, 422);
    let cites = json!({"content": "See ../secret.txt:1 and /etc/passwd:1"});
    let memory = served.ask("POST /api/memories", Some(&cites)).message();
    let shown = served.ask(&format!("GET /api/memories/{}", memory["id"].as_str().unwrap()), None);
    assert_eq!(shown.message()["cites"], serde_json::Value::Null, "{shown:?}");
}

#[test]
fn answers_are_compressed_and_carry_what_protects_a_page() {
    let served = Served::start(&Home::sqlite(), &[]);
    for coding in ["gzip", "br"] {
        let host = served.host();
        let wanted = format!("Accept-Encoding: {coding}");
        let mut stream = served.open("GET /api/openapi.json", &[&host, &wanted], "");
        let mut answer = vec![];
        stream.read_to_end(&mut answer).unwrap();
        let head = String::from_utf8_lossy(&answer[..1200]).to_lowercase();
        assert!(head.contains(&format!("content-encoding: {coding}")), "{head}");
        assert!(answer.len() < 40_000, "{} bytes", answer.len());
    }
    let answer = served.ask_with("GET /api/health", &["X-Request-Id: from-me.1"], None);
    assert_eq!(answer.header("x-request-id"), Some("from-me.1"));
    assert!(answer.header("content-security-policy").unwrap().contains("default-src 'self'"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let made = served.ask_with("GET /api/health", &["X-Request-Id: not {one}"], None);
    assert_eq!(made.header("x-request-id").unwrap().len(), 20);
}
