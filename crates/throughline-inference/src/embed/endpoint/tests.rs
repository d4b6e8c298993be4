//! Against a server of our own on the loopback interface.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value as Json;

use super::{EndpointModel, EndpointSettings, Error};

const KEY: &str = "sk-very-secret";

thread_local! {
    static PAUSES: RefCell<Vec<u128>> = const { RefCell::new(Vec::new()) };
}

enum Reply {
    Answer(&'static str),
    Refuse(&'static str, &'static str),
    HangUp,
    Hang,
}

/// What the server was asked: the head of each request, and its body.
type Asked = JoinHandle<Vec<(String, Json)>>;

fn serve(replies: Vec<Reply>) -> (EndpointSettings, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = EndpointSettings {
        base_url: format!("http://{}/v1/", listener.local_addr().unwrap()),
        model: "small".into(),
        api_key: Some(KEY.into()),
        dimensions: None,
        query_prefix: "query: ".into(),
        timeout: Duration::from_secs(20),
        batch: 2,
    };
    let asked = std::thread::spawn(move || {
        replies.into_iter().map(|reply| exchange(&listener.accept().unwrap().0, reply)).collect()
    });
    (settings, asked)
}

fn exchange(mut stream: &TcpStream, reply: Reply) -> (String, Json) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0);
    }
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let (status, text) = match reply {
        Reply::Answer(text) => ("200 OK", text),
        Reply::Refuse(status, text) => (status, text),
        Reply::HangUp => ("", ""),
        // Until the client gives up.
        Reply::Hang => {
            let _ = reader.read(&mut [0]);
            ("", "")
        }
    };
    if !status.is_empty() {
        let length = text.len();
        write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}")
            .unwrap();
    }
    (head, serde_json::from_slice(&body).unwrap())
}

fn open(settings: &EndpointSettings) -> EndpointModel {
    PAUSES.take();
    EndpointModel::open_sleeping(settings, |pause| PAUSES.with_borrow_mut(|all| all.push(pause.as_millis())))
        .unwrap()
}

/// The error that one text meets, without the port.
fn error(replies: Vec<Reply>) -> String {
    let (settings, asked) = serve(replies);
    let error = open(&settings).embed_passages(&["a"]).unwrap_err();
    asked.join().unwrap();
    let text = format!("{error:?}");
    assert!(!text.contains(KEY), "{text}");
    let port = settings.base_url.split(['/', ':']).nth(4).unwrap();
    text.replace(port, "PORT")
}

#[test]
fn texts_become_unit_vectors_in_their_order() {
    let (settings, asked) = serve(vec![
        Reply::Answer(r#"{"data":[{"index":1,"embedding":[0,-2]},{"index":0,"embedding":[3,4]}]}"#),
        Reply::Answer(r#"{"data":[{"embedding":[1,0]}]}"#),
        Reply::Answer(r#"{"data":[{"index":0,"embedding":[0.5,0.0]}]}"#),
    ]);
    let model = open(&settings);
    assert_eq!(model.dimensions(), None);
    let vectors = model.embed_passages(&["a", "b", "c"]).unwrap();
    assert_eq!(vectors, [[0.6, 0.8], [0.0, -1.0], [1.0, 0.0]]);
    assert_eq!(model.embed_query("d").unwrap(), [1.0, 0.0]);
    assert_eq!(model.dimensions(), Some(2));
    assert!(model.model().starts_with("endpoint:127.0.0.1:") && model.model().ends_with("/small"));
    assert!(!format!("{model:?} {settings:?}").contains(KEY));
    let asked = asked.join().unwrap();
    assert!(
        asked[0].0.starts_with("post /v1/embeddings ") && asked[0].0.contains("authorization: bearer sk-")
    );
    let bodies: Vec<String> = asked.into_iter().map(|(_, body)| body.to_string()).collect();
    assert_eq!(
        bodies,
        [
            r#"{"model":"small","input":["a","b"]}"#,
            r#"{"model":"small","input":["c"]}"#,
            r#"{"model":"small","input":["query: d"]}"#
        ]
    );
}

#[test]
fn a_server_that_recovers_is_asked_again() {
    let (settings, asked) = serve(vec![
        Reply::Refuse("429 Too Many Requests\r\nretry-after: 3", "slow down"),
        Reply::HangUp,
        Reply::Refuse("503 Service Unavailable\r\nretry-after: 3600", ""),
        Reply::Answer(r#"{"data":[{"index":0,"embedding":[1,0]}]}"#),
    ]);
    assert_eq!(open(&settings).embed_passages(&["a"]).unwrap(), [[1.0, 0.0]]);
    assert_eq!(asked.join().unwrap().len(), 4);
    assert_eq!(PAUSES.take(), [3000, 1000, 20_000]);
}

#[test]
fn a_server_that_does_not_recover_is_given_up() {
    let replies = || (0..4).map(|_| Reply::Refuse("500 Internal Server Error", KEY)).collect();
    let told = error(replies());
    assert_eq!(
        told,
        r#"Unavailable("the embeddings server 127.0.0.1:PORT is not available: it answers with status 500; try again later")"#
    );
    assert_eq!(PAUSES.take(), [500, 1000, 2000]);
    let (mut settings, _) = serve(Vec::new());
    settings.base_url = "http://127.0.0.1:1/v1".into();
    let told = open(&settings).embed_passages(&["a"]).unwrap_err().to_string();
    assert!(told.contains("127.0.0.1:1 is not available") && told.contains("is it running?"), "{told}");
}

#[test]
fn a_server_that_hangs_is_left_after_the_time_out() {
    let (mut settings, asked) = serve(vec![Reply::Hang]);
    settings.timeout = Duration::from_millis(80);
    let told = open(&settings).embed_passages(&["a"]).unwrap_err();
    assert!(matches!(told, Error::Unavailable(_)));
    assert!(told.to_string().contains("did not answer within 80 ms; raise the timeout"), "{told}");
    asked.join().unwrap();
}

#[test]
fn a_refusal_names_the_fix_and_never_the_key() {
    let cases = [
        ("401 Unauthorized", KEY, "status 401: set an api_key that it accepts"),
        ("404 Not Found", "", "status 404: see base_url"),
        ("307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/", "", "set base_url to where it redirects"),
        ("400 Bad Request", "no model\n small for sk-very-secret", "it says: no model small for [api_key]"),
    ];
    for (status, body, fix) in cases {
        let told = error(vec![Reply::Refuse(status, body)]);
        assert!(told.starts_with("Invalid") && told.contains(fix), "{told}");
    }
}

#[test]
fn an_answer_that_makes_no_sense_is_an_error() {
    let cases = [
        ("<html>", "it is not JSON"),
        (r#"{"data":{}}"#, "no list `data`"),
        (r#"{"data":[]}"#, "0 vectors for 1 texts"),
        (r#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]}"#, "2 vectors for 1 texts"),
        (r#"{"data":[{"index":7,"embedding":[1]}]}"#, "index 7"),
        (r#"{"data":[{"index":0,"embedding":"x"}]}"#, "no list `embedding`"),
        (r#"{"data":[{"index":0,"embedding":[null]}]}"#, "no number"),
        (r#"{"data":[{"index":0,"embedding":[NaN]}]}"#, "it is not JSON"),
        (r#"{"data":[{"index":0,"embedding":[1e200,1e200]}]}"#, "not finite"),
        (r#"{"data":[{"index":0,"embedding":[0,0]}]}"#, "zero"),
        (r#"{"data":[{"index":0,"embedding":[]}]}"#, "empty"),
    ];
    for (body, why) in cases {
        let told = error(vec![Reply::Answer(body)]);
        assert!(told.starts_with("Answer") && told.contains(why), "{told}");
    }
    let endless: &'static str = " ".repeat(1 << 20).leak();
    assert!(error(vec![Reply::Answer(endless)]).contains("is longer than"));
}

#[test]
fn dimensions_are_asked_for_and_may_not_change() {
    let (mut settings, asked) = serve(vec![Reply::Answer(r#"{"data":[{"index":0,"embedding":[1,0,0]}]}"#)]);
    settings.dimensions = Some(2);
    let told = open(&settings).embed_query("a").unwrap_err().to_string();
    assert!(told.contains("3 dimensions, not 2: set the dimensions"), "{told}");
    assert_eq!(asked.join().unwrap()[0].1["dimensions"], 2);
}

#[test]
fn wrong_settings_are_told_without_being_repeated() {
    let (settings, _) = serve(Vec::new());
    let cases =
        ["", "localhost:11434", "ftp://host/v1", "http://me:word@host/v1", "https://host/v1?key=word"];
    for base_url in cases {
        let told = EndpointModel::open(&EndpointSettings { base_url: base_url.into(), ..settings.clone() });
        let told = told.unwrap_err().to_string();
        assert!(told.contains("base_url") && !told.contains("word@") && !told.contains("key=word"), "{told}");
    }
    assert!(EndpointModel::open(&EndpointSettings { model: " ".into(), ..settings }).is_err());
}
