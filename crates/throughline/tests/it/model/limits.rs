//! What a model may cost, and what it is not asked twice.

use std::io::Read as _;

use serde_json::{Value as Json, json};

use super::loopback::{Loopback, Reply, Wire};
use super::{INVOICES, QUIET, RULE, call, choose, generate, known, say, set, status, thoughtful};
use crate::fixture::{Home, on_both, shows};

on_both![
    a_spent_budget_is_not_overdrawn,
    what_was_answered_is_not_asked_again,
    a_purge_takes_kept_answers_with_it,
    what_is_purged_while_a_model_thinks_is_not_remembered,
    costs_are_counted,
    a_server_that_claims_to_have_used_everything_ends_the_day_and_nothing_else,
];

fn a_spent_budget_is_not_overdrawn(home: &Home) {
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought], thoughtful);
    choose(home, &server);
    set(home, &[("daily_tokens", "3500"), ("answer_tokens", "1000")]);
    say(home, "a", &[QUIET]);
    assert_eq!(generate(home)["model"]["named"], 1);
    assert_eq!(status(home)["budget"], json!({ "daily": 3500, "spent": 1100, "left": 2400 }));
    set(home, &[("answer_tokens", "2400")]);
    say(home, "b", &["the courier label goes on the short side of the parcel"]);
    let ledger = generate(home);
    let without = ledger["model"]["without"].as_str().unwrap();
    assert!(without.contains("today's budget has 2400 left"), "{ledger:#}");
    assert_eq!(server.asked().len(), 1);
    let status = status(home);
    assert_eq!((&status["fallbacks"], &status["failures"][0]["outcome"]), (&json!(1), &json!("over_budget")));
    let refused = call(home, &["model", "test"]).run();
    assert_eq!(refused.code, 0, "a tiny question still fits: {refused:?}");
}

fn what_was_answered_is_not_asked_again(home: &Home) {
    let server = Loopback::serve(Wire::Anthropic, &[Reply::Thought], thoughtful);
    choose(home, &server);
    for session in ["a", "b"] {
        say(home, session, &[QUIET]);
        assert_eq!(generate(home)["model"], json!({ "answered": 1, "named": 1, "related": 0 }));
    }
    assert_eq!(server.asked().len(), 1);
    assert_eq!(known(home), [INVOICES]);
    let status = status(home);
    assert_eq!((&status["budget"]["spent"], &status["answers_kept"]), (&json!(1100), &json!(1)));
    let outcomes: Vec<&str> =
        status["today"].as_array().unwrap().iter().map(|one| one["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["answered", "cached"]);
    set(home, &[("name", "other")]);
    say(home, "c", &[QUIET]);
    generate(home);
    assert_eq!(server.asked().len(), 2, "another model may think otherwise");
}

fn a_purge_takes_kept_answers_with_it(home: &Home) {
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought], thoughtful);
    choose(home, &server);
    say(home, "a", &[QUIET]);
    generate(home);
    assert_eq!(status(home)["answers_kept"], 1);
    home.ok(&["log", "purge", "--session", "a", "--reason", "private"]);
    assert_eq!(status(home)["answers_kept"], 0);
    assert_eq!(home.files_with("ledger team"), [""; 0].map(std::path::PathBuf::from));
}

fn what_is_purged_while_a_model_thinks_is_not_remembered(home: &Home) {
    let (go_on, told) = std::sync::mpsc::channel::<()>();
    let told = std::sync::Mutex::new(told);
    let thinking = move |prompt: &str| {
        told.lock().unwrap().recv().unwrap();
        thoughtful(prompt)
    };
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought], thinking);
    choose(home, &server);
    say(home, "a", &[RULE, QUIET]);
    let mut generating = call(home, &["memory", "generate", "--json"]).spawn();
    while server.asked().is_empty() {
        std::thread::yield_now();
    }
    home.ok(&["log", "purge", "--session", "a", "--reason", "private"]);
    go_on.send(()).unwrap();
    assert!(generating.wait().unwrap().success());
    let mut said = String::new();
    generating.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    let ledger: Json = serde_json::from_str(&said).unwrap();
    assert_eq!((&ledger["discarded"]["purged"], &ledger["created"]), (&json!(2), &json!(0)), "{ledger:#}");
    assert_eq!((known(home), &status(home)["answers_kept"]), (vec![], &json!(0)));
    assert_eq!(home.files_with("ledger team"), [""; 0].map(std::path::PathBuf::from));
    home.check();
}

fn a_server_that_claims_to_have_used_everything_ends_the_day_and_nothing_else(home: &Home) {
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Dear(i64::MAX as u64)], thoughtful);
    choose(home, &server);
    say(home, "a", &[QUIET]);
    assert_eq!(generate(home)["model"]["named"], 1);
    say(home, "b", &[RULE]);
    let without = generate(home)["model"]["without"].clone();
    assert!(without.as_str().unwrap().contains("today's budget has 0 left"), "{without}");
    assert_eq!(known(home), [INVOICES, "Never call the Stripe API from a test"]);
    let status = status(home);
    assert_eq!((&status["budget"]["left"], &status["fallbacks"]), (&json!(0), &json!(1)));
    assert_eq!(status["today"][0]["tokens_in"], u32::MAX);
    assert!(call(home, &["doctor"]).ok().contains("0 of 200000 tokens left today"));
}

fn costs_are_counted(home: &Home) {
    let server = Loopback::serve(Wire::Anthropic, &[Reply::Thought, Reply::Page], thoughtful);
    choose(home, &server);
    set(home, &[("input_price", "2.0"), ("output_price", "10.0")]);
    let tested = call(home, &["model", "test"]).json();
    assert_eq!(tested["cost"], 0.003, "{tested:#}");
    let refused = call(home, &["model", "test"]).run().fails();
    assert!(refused.contains("instead of JSON"), "{refused}");
    let text =
        call(home, &["model", "status"]).ok().replace(server.url.trim_start_matches("http://"), "[SERVER]");
    shows!(home, text, @r#"
    model      anthropic (anthropic:[SERVER]/tiny)
    budget     198900 of 200000 tokens left today
    fallbacks  1 today
    answers    0 kept
    rests      until TIME

     FOR   OUTCOME   CALLS  TOKENS IN  OUT  COST
     test  answered  1      1000       100  0.0030
     test  failed    1      0          0    0.0000

     FAILED (UTC)         FOR   OUTCOME  WHY
     TIME  test  failed   [SERVER] answers with "text/html" instead of JSON: is model.url that of a model?
    "#);
}
