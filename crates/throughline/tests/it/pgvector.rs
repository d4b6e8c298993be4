//! A server with pgvector: who compares vectors is said, and what is found is the same.
//!
//! Needs one in `TEST_PGVECTOR`; `./test` starts it.

use std::fmt::Write as _;

use serde_json::Value as Json;

use crate::fixture::Home;

#[test]
#[ignore = "needs a server with pgvector in TEST_PGVECTOR; ./test starts one"]
fn doctor_and_index_status_say_who_compares() {
    let home = Home::pgvector();
    assert!(
        search(&home.json(&["doctor"])).contains("pgvector is not asked"),
        "the server is on this machine"
    );
    home.write("data/config.toml", "[storage]\npgvector = \"always\"\n");
    home.ok(&["remember", "the boat is green"]);
    assert!(search(&home.json(&["doctor"])).contains("by pgvector 0."));
    let status = home.json(&["index", "status"]);
    assert!(status["vectors"].as_str().unwrap().starts_with("pgvector 0."), "{status}");
    assert!(home.ok(&["index", "status"]).contains("\nvectors are compared by pgvector 0."));
    home.write("data/config.toml", "[storage]\npgvector = \"never\"\n");
    assert!(search(&home.json(&["doctor"])).contains("pgvector is not asked"));
}

#[test]
#[ignore = "needs a server with pgvector in TEST_PGVECTOR; ./test starts one"]
fn a_user_who_may_not_create_it_is_told_and_served() {
    let home = Home::pgvector();
    home.write("data/config.toml", "[storage]\npgvector = \"always\"\n");
    let user = format!("clerk_{}", std::process::id());
    home.administer(&format!(
        "drop role if exists {user}; create role {user} login; grant create on schema public to {user}"
    ));
    let server = home.server_as(&user);
    let as_user = |args: &[&str]| home.call(args).env("THROUGHLINE_DATABASE_URL", server.clone());
    as_user(&["remember", "the boat is green"]).ok();
    let said = search(&as_user(&["doctor"]).json());
    assert!(said.contains("`create extension vector`"), "{said}");
    assert_eq!(as_user(&["search", "boat"]).json()["hits"].as_array().unwrap().len(), 1);
    home.administer("create extension vector");
    let said = search(&as_user(&["doctor"]).json());
    assert!(said.contains("by pgvector 0."), "{said}");
}

#[test]
#[ignore = "needs a server with pgvector in TEST_PGVECTOR; ./test starts one"]
fn a_search_among_many_is_the_same_with_and_without() {
    let home = Home::pgvector();
    home.write("data/config.toml", "[storage]\npgvector = \"never\"\n");
    let things = ["boat", "bread", "engine", "window", "letter", "river", "garden", "clock"];
    let mut log = String::new();
    for n in 0..2200 {
        let (thing, other) = (things[n % 8], things[n / 8 % 8]);
        let content = format!("note {n}: the {thing} stands beside the {other}");
        writeln!(log, "{}", serde_json::json!({"kind": "user_message", "content": content})).unwrap();
    }
    home.call(&["log", "append", "--batch", "-"]).input(log).json();
    home.ok(&["index", "run"]);
    // How old each is changes while this runs.
    let find = |text: &str| {
        let mut hits = home.json(&["search", text, "--limit", "20"])["hits"].clone();
        hits.as_array_mut().unwrap().iter_mut().for_each(|hit| hit["age"] = Json::Null);
        hits
    };
    let questions = ["a ship on the water", "what is near the watch", "baking"];
    let without: Vec<Json> = questions.iter().map(|text| find(text)).collect();
    home.write("data/config.toml", "[storage]\npgvector = \"always\"\n");
    assert!(search(&home.json(&["doctor"])).contains("by pgvector 0."), "it came later and is complete");
    for (text, before) in questions.iter().zip(&without) {
        assert_eq!(find(text), *before, "{text}");
    }
    assert!(without.iter().any(|hits| !hits.as_array().unwrap().is_empty()));
}

/// What `doctor` says of the search.
fn search(answer: &Json) -> String {
    let findings = answer["findings"].as_array().unwrap();
    let search = findings.iter().find(|finding| finding["check"] == "search").unwrap();
    assert_eq!(search["verdict"], "ok", "{search}");
    search["detail"].as_str().unwrap().to_owned()
}
