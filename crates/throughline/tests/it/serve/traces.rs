//! Traces: what a collector hears of the server's work, and what becomes of them without one.

use std::io::{BufReader, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::api::ok;
use super::http::Served;
use crate::fixture::Home;

const LONG: Duration = Duration::from_secs(30);

/// A collector that takes everything.
struct Collector {
    url: String,
    spans: Receiver<Json>,
}

impl Collector {
    fn start() -> Collector {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", socket.local_addr().unwrap());
        let (told, spans) = channel();
        std::thread::spawn(move || {
            for stream in socket.incoming() {
                let mut stream = BufReader::new(stream.unwrap());
                while let Some((head, body)) = request(&mut stream) {
                    assert!(head.starts_with("POST /v1/traces "), "{head}");
                    let body: Json = serde_json::from_slice(&body).unwrap();
                    let part = &body["resourceSpans"][0];
                    let spans = part["scopeSpans"][0]["spans"].as_array().unwrap();
                    let named = json!({"key": "service.name", "value": {"stringValue": "throughline"}});
                    assert_eq!(part["resource"]["attributes"][0], named);
                    stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").unwrap();
                    // The test may be over.
                    spans.iter().for_each(|span| drop(told.send(span.clone())));
                }
            }
        });
        Collector { url, spans }
    }

    fn span(&self, name: &str) -> Json {
        loop {
            let span = self.spans.recv_timeout(LONG).unwrap_or_else(|_| panic!("no span {name}"));
            if span["name"] == name {
                return span;
            }
        }
    }
}

/// Nothing when the other end has left.
fn request(stream: &mut impl std::io::BufRead) -> Option<(String, Vec<u8>)> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let before = head.len();
        if stream.read_line(&mut head).ok()? == 0 {
            return None;
        }
        let line = head[before..].trim_end().to_ascii_lowercase();
        match line.strip_prefix("content-length: ") {
            Some(number) => length = number.parse().unwrap(),
            None if line.is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some((head, body))
}

fn attribute<'a>(span: &'a Json, name: &str) -> &'a Json {
    let all = span["attributes"].as_array().unwrap();
    let found = all.iter().find(|one| one["key"] == name).unwrap_or_else(|| panic!("no {name} in {span:#}"));
    found["value"].as_object().unwrap().values().next().unwrap()
}

#[test]
fn a_collector_hears_what_was_asked_and_what_that_did_to_memory() {
    let (home, collector) = (Home::sqlite(), Collector::start());
    home.ok(&["config", "set", "traces.endpoint", &collector.url]);
    let served = Served::start(&home, &[]);
    let secret = json!({"content": "The harbour opens at dawn"});
    let made = ok(&served, "POST /api/memories", Some(&secret));
    let memory = collector.span("upsert_memory");
    let request = collector.span("POST /api/memories");
    assert_eq!((&memory["traceId"], &memory["parentSpanId"]), (&request["traceId"], &request["spanId"]));
    assert_eq!((&memory["kind"], &request["kind"]), (&json!(1), &json!(2)));
    assert_eq!(attribute(&memory, "gen_ai.operation.name"), "upsert_memory");
    assert_eq!(attribute(&memory, "gen_ai.memory.record.count"), "1");
    assert!(!attribute(&memory, "gen_ai.memory.store.id").as_str().unwrap().is_empty());
    assert_eq!(attribute(&request, "http.route"), "/api/memories");
    assert_eq!(attribute(&request, "http.response.status_code"), "200");

    let parent = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    served.ask_with("GET /api/search?query=harbour", &[parent], None);
    let search = collector.span("search_memory");
    let request = collector.span("GET /api/search");
    assert_eq!(attribute(&search, "gen_ai.memory.record.count"), "1");
    assert_eq!(
        (&request["traceId"], &request["parentSpanId"]),
        (&json!("4bf92f3577b34da6a3ce929d0e0e4736"), &json!("00f067aa0ba902b7"))
    );
    assert_eq!(search["traceId"], request["traceId"]);
    let times =
        ["startTimeUnixNano", "endTimeUnixNano"].map(|name| search[name].as_str().unwrap().to_owned());
    assert!(times[0] <= times[1] && times[0].len() == 19, "{times:?}");
    let told = format!("{memory}{search}{request}");
    assert!(!told.contains("dawn") && !told.contains("query=") && !told.contains("harbour"), "{told}");

    let id = made["id"].as_str().unwrap();
    ok(&served, &format!("DELETE /api/memories/{id}"), None);
    let forgotten = collector.span("delete_memory");
    assert_eq!(attribute(&forgotten, "gen_ai.memory.record.id"), id);
    assert_eq!(served.ask("DELETE /api/memories/nothing", None).status, 404);
    let failed = collector.span("delete_memory");
    assert_eq!(
        (attribute(&failed, "error.type"), &failed["status"]),
        (&json!("not_found"), &json!({"code": 2}))
    );
    ok(&served, "POST /api/items", Some(&json!({"title": "Sell a book"})));
    ok(&served, "GET /api/context?task_id=TASK-0001", None);
    assert_eq!(attribute(&collector.span("retrieval"), "gen_ai.operation.name"), "retrieval");
    served.looks_until("what was sent is counted", |served| {
        served.metric(r#"throughline_trace_spans_total{result="sent"}"#) > 5.0
    });
    assert_eq!(served.metric(r#"throughline_trace_spans_total{result="dropped"}"#), 0.0);
    let doctor = home.json(&["doctor", "--no-ask"]);
    assert!(doctor.to_string().contains("takes them"), "{doctor:#}");
}

#[test]
fn a_collector_that_takes_nothing_keeps_nobody_waiting() {
    let home = Home::sqlite();
    // It is listened there, and never answered.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    home.ok(&["config", "set", "traces.endpoint", &format!("http://{}", silent.local_addr().unwrap())]);
    let served = Served::start(&home, &[]);
    for _ in 0..3000 {
        served.get("/api/health", &[&served.host()]);
    }
    // Had anybody waited for room, there would be nothing that found none.
    let lost = served.metric(r#"throughline_trace_spans_total{result="dropped"}"#);
    assert!(lost > 100.0, "no more than a queue of them is kept: {lost}");
}

#[test]
fn without_a_collector_nothing_is_counted_or_sent() {
    let home = Home::sqlite();
    // Whoever wrote the repository does not say where its readers' traces go.
    home.write("work/shop/.throughline.toml", "[traces]\nendpoint = \"http://127.0.0.1:1\"\n");
    let served = Served::start(&home, &[]);
    ok(&served, "POST /api/memories", Some(&json!({"content": "The harbour opens at dawn"})));
    assert!(!served.ask("GET /metrics", None).body.contains("throughline_trace"));
}

#[test]
fn the_doctor_says_when_a_collector_is_down() {
    let home = Home::sqlite();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    home.ok(&["config", "set", "traces.endpoint", &format!("http://{address}")]);
    let told = home.json(&["doctor", "--no-ask"]).to_string();
    assert!(told.contains("does not take them"), "{told}");
}
