//! A chosen model beside the built-in table: a server on loopback that speaks OpenAI's embeddings interface.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, on_both};
use crate::memory::{ids, remember};

on_both![
    a_chosen_model_finds_what_the_table_cannot,
    what_the_model_has_not_got_to_is_still_found,
    a_model_that_fails_takes_nothing_but_itself,
    a_project_cannot_choose_a_model,
];

fn a_chosen_model_finds_what_the_table_cannot(home: &Home) {
    let id = remember(home, &["zorblax quux"]);
    remember(home, &["the weather station reports hourly"]);
    assert_eq!(ids(home, &["search", "flimflam"]), [""; 0]);
    choose(home, &serve());
    let status = home.json(&["index", "run"]);
    assert_eq!(status["collections"][0]["embedded"], json!([2, 2]), "{status:#}");
    assert_eq!(ids(home, &["search", "flimflam", "--kind", "memory"]), [id]);
    let answer = home.json(&["search", "flimflam", "--kind", "memory", "--explain"]);
    let models = answer["explanation"][0]["models"].as_array().unwrap();
    assert!(models[0].as_str().unwrap().starts_with("endpoint:127.0.0.1"), "{answer:#}");
}

fn what_the_model_has_not_got_to_is_still_found(home: &Home) {
    remember(home, &["zorblax quux"]);
    choose(home, &serve());
    home.json(&["index", "run"]);
    let newer = remember(home, &["the lighthouse keeper sleeps by day"]);
    assert_eq!(home.json(&["index", "status"])["collections"][0]["embedded"], json!([1, 2]));
    assert_eq!(ids(home, &["search", "lighthouse keeper"]), [newer]);
    home.json(&["jobs", "run"]);
    assert_eq!(home.json(&["index", "status"])["collections"][0]["embedded"], json!([2, 2]));
}

fn a_model_that_fails_takes_nothing_but_itself(home: &Home) {
    let id = remember(home, &["the lighthouse keeper sleeps by day"]);
    choose(home, "http://127.0.0.1:1/v1");
    let ran = home.call(&["search", "lighthouse", "--json"]).run();
    let answer: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &answer["hits"][0]["id"]), (0, &json!(id)));
    assert!(ran.stderr.contains("built-in table") && ran.stderr.contains("127.0.0.1:1"), "{ran:?}");
    remember(home, &["another one is kept as well"]);
}

fn a_project_cannot_choose_a_model(home: &Home) {
    let file = home.work("shop").join(".throughline.toml");
    std::fs::write(file, "[embedding]\nmodel = \"endpoint\"\nurl = \"http://127.0.0.1:1/v1\"\n").unwrap();
    let ran = home.call(&["config", "show", "--json"]).run();
    assert!(ran.stderr.contains("embedding is ignored here"), "{ran:?}");
    let shown: Json = serde_json::from_str(&ran.stdout).unwrap();
    assert!(
        shown.to_string().contains("built-in") && !shown.to_string().contains("127.0.0.1:1"),
        "{shown:#}"
    );
}

fn choose(home: &Home, url: &str) {
    for (key, value) in [("model", "endpoint"), ("url", url), ("name", "loopback")] {
        home.ok(&["config", "set", &format!("embedding.{key}"), value]);
    }
}

/// A server for as long as the test runs; says where it is.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || answer(stream.unwrap()));
        }
    });
    url
}

fn answer(stream: TcpStream) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let request: Json = serde_json::from_slice(&body).unwrap();
        let texts = request["input"].as_array().unwrap();
        let data: Vec<Json> = (0..texts.len())
            .map(|at| json!({ "index": at, "embedding": vector(texts[at].as_str().unwrap()) }))
            .collect();
        let body = json!({ "data": data }).to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}", body.len());
        reader.get_mut().write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
    }
}

/// To this model, `zorblax` and `flimflam` mean the same, and everything else nothing in particular.
fn vector(text: &str) -> [f64; 4] {
    match text {
        text if text.contains("zorblax") || text.contains("flimflam") => [1.0, 0.05, 0.0, 0.0],
        text => [0.0, 0.1, 1.0, text.len() as f64 % 7.0 / 7.0],
    }
}
