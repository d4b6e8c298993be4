//! A model that hangs, fails or talks nonsense: the rules go on, nothing is lost, and it is said.

use serde_json::json;

use super::loopback::{Loopback, Reply, Wire};
use super::{INVOICES, KEY, QUIET, RULE, call, choose, generate, known, say, set, status, thoughtful};
use crate::damage::vandalise;
use crate::fixture::{Home, on_both};

on_both![
    whatever_a_model_does_the_rules_go_on,
    a_busy_server_is_asked_again,
    an_answer_of_the_wrong_shape_is_asked_for_once_more,
    a_model_that_failed_is_left_alone_for_a_while,
    a_process_that_dies_while_it_waits_changes_nothing,
    a_ledger_that_cannot_be_kept_does_not_stop_the_rules,
];

fn whatever_a_model_does_the_rules_go_on(home: &Home) {
    let wires = [Wire::Anthropic, Wire::OpenAi];
    for (place, (reply, why)) in [
        (Reply::Hang, "did not answer in time"),
        (Reply::Drip, "did not answer in time"),
        (Reply::Cut, "cut off"),
        (Reply::Huge, "longer than"),
        (Reply::Page, "instead of JSON"),
        (Reply::Text("I am a teapot, short and stout."), "no JSON document"),
        (Reply::Text("{\"memories\": \"none\"}"), "must be a list"),
        (Reply::Status("401 Unauthorized"), "model.api_key_env"),
        (Reply::Status("500 Broken\r\nretry-after: 0"), "status 500"),
    ]
    .into_iter()
    .enumerate()
    {
        let home = home.fresh();
        let server = Loopback::serve(wires[place % 2], &[reply], thoughtful);
        choose(&home, &server);
        if matches!(reply, Reply::Hang | Reply::Drip) {
            set(&home, &[("timeout", "400ms")]);
        }
        say(&home, "a", &[RULE, QUIET]);
        let before = home.events().len();
        let ledger = generate(&home);
        let without = ledger["model"]["without"].as_str().unwrap_or_default();
        assert!(without.contains(why), "{reply:?}: {ledger:#}");
        assert_eq!(known(&home), ["Never call the Stripe API from a test"], "{reply:?}");
        assert_eq!(status(&home)["fallbacks"], 1, "{reply:?}");
        let doctor = call(&home, &["doctor"]).json();
        let finding =
            doctor["findings"].as_array().unwrap().iter().find(|one| one["check"] == "model").unwrap();
        assert_eq!((&finding["verdict"], &doctor["healthy"]), (&json!("warning"), &json!(true)));
        assert!(finding["detail"].as_str().unwrap().contains(why), "{finding:#}");
        assert!(finding["detail"].as_str().unwrap().contains("took over 1 times"), "{finding:#}");
        let notes = home.events_with(&["--kind", "system_event"]);
        let note = notes.iter().find(|note| note["target"] == "memory_generation").unwrap();
        assert!(note["summary"].as_str().unwrap().contains("without the model"), "{note:#}");
        assert_eq!(home.events().len(), before + 2, "what was kept, and the note");
        assert_eq!(generate(&home)["events"], 0, "the stretch was looked at once");
        for output in [doctor.to_string(), status(&home).to_string(), note.to_string()] {
            assert!(!output.contains(KEY), "{output}");
        }
        assert_eq!(home.files_with(KEY), [""; 0].map(std::path::PathBuf::from));
        home.check();
    }
}

fn a_busy_server_is_asked_again(home: &Home) {
    let busy = Reply::Status("429 Too Many Requests\r\nretry-after: 1");
    let broken = Reply::Status("503 Unavailable\r\nretry-after: 0");
    let server = Loopback::serve(Wire::Anthropic, &[busy, broken, Reply::Thought], thoughtful);
    choose(home, &server);
    say(home, "a", &[QUIET]);
    let ledger = generate(home);
    assert_eq!(ledger["model"], json!({ "answered": 1, "named": 1, "related": 0 }), "{ledger:#}");
    assert_eq!((server.asked().len(), &status(home)["fallbacks"]), (3, &json!(0)));
}

fn an_answer_of_the_wrong_shape_is_asked_for_once_more(home: &Home) {
    let wrong = Reply::Text("{\"memories\":[{\"statement\":\"x\"}]}");
    let server = Loopback::serve(Wire::OpenAi, &[wrong, Reply::Thought], thoughtful);
    choose(home, &server);
    say(home, "a", &[QUIET]);
    assert_eq!(generate(home)["model"]["named"], 1);
    let asked = server.asked();
    let [first, again] = &asked[..] else { panic!("{asked:?}") };
    assert!(!first.prompt.contains("must have"), "{first:?}");
    assert!(again.prompt.contains("the answer.memories[0] must have `topic`"), "{again:?}");
    let status = status(home);
    let outcomes: Vec<&str> =
        status["today"].as_array().unwrap().iter().map(|one| one["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["answered", "wrong"]);
    assert_eq!((&status["fallbacks"], &status["budget"]["spent"]), (&json!(0), &json!(2200)));
}

fn a_model_that_failed_is_left_alone_for_a_while(home: &Home) {
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Page, Reply::Thought], thoughtful);
    choose(home, &server);
    for session in ["a", "b", "c"] {
        say(home, session, &[RULE]);
    }
    let ledger = generate(home);
    assert!(ledger["model"]["without"].as_str().unwrap().contains("failed a moment ago"), "{ledger:#}");
    assert_eq!((server.asked().len(), &ledger["sessions"]), (1, &json!(3)));
    let resting = status(home);
    assert!(resting["rests_until"].is_string() && resting["fallbacks"] == 3, "{resting:#}");
    let tested = call(home, &["model", "test"]).json();
    assert_eq!((&tested["tokens_in"], &tested["tokens_out"]), (&json!(1000), &json!(100)), "{tested:#}");
    assert_eq!(status(home).get("rests_until"), None, "it answers again");
    say(home, "d", &[QUIET]);
    assert_eq!(generate(home)["model"]["named"], 1);
}

fn a_process_that_dies_while_it_waits_changes_nothing(home: &Home) {
    let server = Loopback::serve(Wire::Anthropic, &[Reply::Hang, Reply::Thought], thoughtful);
    choose(home, &server);
    say(home, "a", &[RULE, QUIET]);
    let events = home.events();
    let mut dying = call(home, &["memory", "generate"]).spawn();
    while server.asked().is_empty() {
        std::thread::yield_now();
    }
    // Nobody waits for the model's answer to write.
    home.ok(&["log", "append", "--kind", "read", "--session", "b"]);
    dying.kill().unwrap();
    dying.wait().unwrap();
    assert_eq!(home.events().len(), events.len() + 1);
    assert_eq!(known(home), [""; 0]);
    let left = status(home);
    assert_eq!((&left["today"][0]["outcome"], &left["today"][0]["calls"]), (&json!("asked"), &json!(1)));
    assert!(left["budget"]["spent"].as_i64().unwrap() > 2000, "what nobody settled stays reserved: {left:#}");
    assert_eq!(generate(home)["model"]["named"], 1);
    assert_eq!(known(home), [INVOICES, "Never call the Stripe API from a test"]);
    assert_eq!(generate(home)["events"], 0);
    home.check();
}

fn a_ledger_that_cannot_be_kept_does_not_stop_the_rules(home: &Home) {
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought], thoughtful);
    choose(home, &server);
    say(home, "a", &[RULE, QUIET]);
    vandalise(home, "alter table model_call rename to gone");
    let ledger = generate(home);
    assert!(ledger["model"]["without"].as_str().unwrap().contains("model_call"), "{ledger:#}");
    assert_eq!(known(home), ["Never call the Stripe API from a test"]);
    assert_eq!(server.asked().len(), 0, "nobody is asked for what nobody can count");
}
