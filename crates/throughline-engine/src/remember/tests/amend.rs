//! A value that is put right without a word of what it is of: the agent's words before it say that.

use throughline_store::event::{Kind, Role};

use super::generate::{contents, end, say, work};
use crate::Caller;
use crate::recall::Query;
use crate::testing::{Fixture, said};

fn answer(fixture: &Fixture, session: &str, text: &str) {
    let caller = Caller { actor: "agent:claude".parse().unwrap(), ..fixture.caller.clone() };
    let told = crate::capture::Observation {
        role: Some(Role::Assistant),
        ..said(Kind::ModelMessage, session, text)
    };
    fixture.engine.capture(&caller, vec![told]).unwrap();
}

/// What is known after somebody told something, and in another session put right what the agent made of it.
fn after(told: &str, agent: &str, correction: &str) -> Vec<String> {
    let fixture = Fixture::new();
    if !told.is_empty() {
        say(&fixture, "a", told);
        end(&fixture, "a");
        work(&fixture);
    }
    answer(&fixture, "b", agent);
    say(&fixture, "b", correction);
    end(&fixture, "b");
    work(&fixture);
    contents(&fixture)
}

#[test]
fn the_value_that_the_agent_named_is_the_one_that_changes() {
    let changes = [
        (
            "The cellar alarm fires at 24 °C for ales",
            "The cellar alarm fires at 24 °C.",
            "22.5",
            "The cellar alarm fires at 22.5 °C for ales",
        ),
        (
            "Probes report every 10 seconds",
            "Probes report every 10 seconds now.",
            "that drains the batteries too fast. set it to 15",
            "Probes report every 15 seconds",
        ),
        (
            "Json keys are kebab-case.",
            "Naming the key in kebab-case.",
            "actually it's camelCase now",
            "Json keys are camelCase",
        ),
        (
            "Payments go through Mollie",
            "Charging it via Mollie.",
            "no, it's Paddle now",
            "Payments go through Paddle",
        ),
        (
            "The CI job limit is 20 min.",
            "The CI job limit is 20 min.",
            "not 20 min anymore, 50 min",
            "The CI job limit is 50 min",
        ),
        (
            "The API listens on port 8080",
            "Opening http://localhost:8080/health on port 8080.",
            "wrong, 9090 now",
            "The API listens on port 9090",
        ),
    ];
    for (told, agent, correction, expected) in changes {
        assert_eq!(after(told, agent, correction), [expected], "{told} | {agent} | {correction}");
    }
}

#[test]
fn what_nothing_is_known_of_is_kept_with_the_words_that_it_puts_right() {
    let kept = after("", "Coverage must be over 70%.", "No, it's 90%");
    assert_eq!(kept, [r#"It's 90%, not as in "Coverage must be over 70%""#]);
}

#[test]
fn what_is_wrong_this_time_changes_nothing() {
    for (agent, correction) in [
        ("The bug is in parser.rs.", "no, it's lexer.rs"),
        ("Done, all tests pass.", "no, it's still broken"),
        ("I renamed it to fooBar.", "actually it's fine now"),
        ("Shall I go on?", "no, it's late now"),
    ] {
        assert_eq!(after("", agent, correction), [""; 0], "{agent} | {correction}");
    }
}

#[test]
fn what_told_the_old_value_is_found_by_those_who_ask_for_events_alone() {
    let fixture = Fixture::new();
    say(&fixture, "a", "The staging database listens on port 5432");
    end(&fixture, "a");
    work(&fixture);
    say(&fixture, "b", "The staging database listens on port 6543 now");
    end(&fixture, "b");
    work(&fixture);
    assert_eq!(contents(&fixture).len(), 1, "{:?}", contents(&fixture));
    let query = Query::of("staging database port", 10);
    let recalled = fixture.engine.recall(&fixture.caller, &query).unwrap();
    let told = |recalled: &crate::recall::Recalled| {
        recalled.hits.iter().filter(|hit| format!("{:?}", hit.found).contains("5432")).count()
    };
    assert_eq!((told(&recalled), recalled.overruled), (0, 1));
    let of_events = Query { kinds: vec![crate::recall::Kind::Event], ..query };
    let recalled = fixture.engine.recall(&fixture.caller, &of_events).unwrap();
    assert_eq!((told(&recalled), recalled.overruled), (1, 0));
}
