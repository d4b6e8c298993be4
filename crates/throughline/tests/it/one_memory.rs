//! The same fact said ten times in other words is one memory; its opposite leaves one answer and a history.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::fixture::{Home, on_both};
use crate::mcp::Client;
use crate::memory::{id, remember};

on_both!(
    ten_phrasings_of_a_fact_are_one_memory_and_its_opposite_takes_its_place,
    facts_that_only_sound_alike_stay_apart,
    who_knows_that_two_are_one_says_so,
    who_contradicts_what_was_before_ends_what_came_of_it,
);

#[derive(Deserialize)]
struct Phrasings {
    id: String,
    same: Vec<String>,
    opposite: Vec<String>,
    other: Vec<String>,
}

fn phrasings(names: &[&str]) -> Vec<Phrasings> {
    let all = include_str!("../../../../evals/consolidation/phrasings.jsonl");
    let all: Vec<Phrasings> = all.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let chosen: Vec<Phrasings> = all.into_iter().filter(|one| names.contains(&one.id.as_str())).collect();
    assert_eq!(chosen.len(), names.len());
    chosen
}

fn listed(home: &Home, args: &[&str]) -> Vec<Json> {
    let args = [&["memory", "list", "-n", "1000"][..], args].concat();
    home.json(&args)["memories"].as_array().unwrap().clone()
}

fn ten_phrasings_of_a_fact_are_one_memory_and_its_opposite_takes_its_place(home: &Home) {
    let mut agent = Client::of(home);
    let facts = phrasings(&[
        "deploy", "test-cmd", "port", "owner", "migrate", "env", "build", "redis", "lead", "seed",
    ]);
    for (at, fact) in facts.iter().enumerate() {
        for (turn, phrasing) in fact.same.iter().take(10).enumerate() {
            if (at + turn) % 2 == 0 {
                remember(home, &[phrasing]);
            } else {
                agent.tool("remember", &json!({ "content": phrasing }));
            }
        }
        let active = listed(home, &[]);
        let contents: Vec<&str> = active.iter().map(|memory| memory["content"].as_str().unwrap()).collect();
        assert_eq!(contents.len(), at + 1, "{} is told more than once: {contents:#?}", fact.id);
        let known = active[0].clone();
        assert!(known["confidence"].as_f64().unwrap() > 0.95, "it is surer each time: {known:#}");
        let opposite = agent.tool("remember", &json!({ "content": fact.opposite[0] }));
        assert_eq!(opposite["action"], "superseded", "{}: {opposite:#}", fact.id);
        let active = listed(home, &[]);
        assert_eq!(active.len(), at + 1, "{}: one answer", fact.id);
        assert_eq!(active[0]["content"], fact.opposite[0].as_str());
        let before = home.json(&["memory", "show", &id(&known)]);
        assert_eq!(
            (&before["status"], &before["superseded_by"]),
            (&json!("superseded"), &opposite["id"]),
            "{before:#}"
        );
        let found = agent.tool("search", &json!({ "query": fact.same[0], "kinds": ["memory"] }));
        let hits: Vec<&str> =
            found["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap()).collect();
        assert!(hits.contains(&opposite["id"].as_str().unwrap()), "{found:#}");
        assert!(!hits.contains(&id(&known).as_str()), "what is past is not found: {found:#}");
    }
    home.check();
}

fn facts_that_only_sound_alike_stay_apart(home: &Home) {
    let facts = phrasings(&["deploy", "port", "owner", "node", "python", "redis"]);
    let mut said = 0;
    for fact in &facts {
        for text in fact.same.iter().take(1).chain(&fact.other) {
            let answer = home.json(&["remember", text]);
            said += 1;
            assert_eq!(answer["action"], "created", "{text:?}: {answer:#}");
        }
    }
    assert_eq!(listed(home, &[]).len(), said);
}

fn who_knows_that_two_are_one_says_so(home: &Home) {
    let mut agent = Client::of(home);
    let known = agent.tool(
        "remember",
        &json!({ "content": "Feature branches live at most two days. Rebase before you merge." }),
    );
    let said = "Rebase before you merge. Short-lived branches are the rule here.";
    let answer = agent.tool("remember", &json!({ "content": said }));
    assert_eq!(
        (&answer["action"], &answer["perhaps"][0]["id"]),
        (&json!("created"), &known["id"]),
        "{answer:#}"
    );
    let instead = agent.tool("remember", &json!({ "content": said, "supersedes": known["id"] }));
    assert_eq!((&instead["action"], &instead["id"]), (&json!("superseded"), &answer["id"]), "{instead:#}");
    assert_eq!(instead["superseded"], json!([known["id"]]));
    let active = listed(home, &[]);
    assert_eq!(active.len(), 1, "{active:#?}");
    assert_eq!(active[0]["id"], answer["id"]);
    home.check();
}

fn who_contradicts_what_was_before_ends_what_came_of_it(home: &Home) {
    let first = remember(home, &["Ludmila triages the support inbox"]);
    let told = "Ludmila is on parental leave until autumn, Torvald has the support inbox";
    let then = remember(home, &[told, "--supersedes", &first]);
    let now = home.json(&["remember", "Priya looks after the support inbox."]);
    assert_eq!(now["superseded"], json!([then]), "{now:#}");
    let active = listed(home, &[]);
    assert_eq!(active.len(), 1, "{active:#?}");
    home.check();
}
