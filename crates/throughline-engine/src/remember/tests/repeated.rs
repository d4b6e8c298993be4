//! What is said once and may last is left; who says it again in another session means it. And what is gone takes along what went
//! by it.

use super::generate::{contents, end, say, work};
use crate::testing::Fixture;

const MAYBE: &str = "please no f-strings in logging calls";
const AGAIN: &str = "once more: no f-strings in log calls";

fn heard(fixture: &Fixture, session: &str, texts: &[&str]) -> Vec<String> {
    for text in texts {
        say(fixture, session, text);
    }
    end(fixture, session);
    work(fixture);
    contents(fixture)
}

#[test]
fn what_is_in_doubt_is_believed_when_it_is_said_again_in_another_session() {
    let fixture = Fixture::new();
    assert_eq!(heard(&fixture, "a", &[MAYBE]), [""; 0], "once is no rule");
    assert_eq!(heard(&fixture, "b", &[AGAIN]), ["No f-strings in log calls"]);
    let memory = fixture.engine.memories(&fixture.caller, &Default::default(), 9).unwrap().memories.remove(0);
    let shown = fixture.engine.memory(&fixture.caller, memory.id.as_str()).unwrap();
    assert_eq!(shown.origins.len(), 2, "it came from both");
    assert_eq!(fixture.violations(), [""; 0]);
}

#[test]
fn a_message_that_is_sent_twice_in_a_session_is_said_once() {
    let fixture = Fixture::new();
    assert_eq!(heard(&fixture, "a", &[MAYBE, MAYBE]), [""; 0]);
}

#[test]
fn what_is_ordered_twice_is_no_statement() {
    let fixture = Fixture::new();
    for session in ["a", "b"] {
        let order = "rename fetchKids to loadChildren in the whole web folder";
        assert_eq!(heard(&fixture, session, &[order]), [""; 0]);
    }
}

#[test]
fn what_goes_by_a_thing_that_is_gone_ends_with_it() {
    let fixture = Fixture::new();
    heard(&fixture, "a", &["Background jobs go over NATS.", "The mailer is written in Go."]);
    let known = heard(&fixture, "b", &["fyi, we've retired NATS; messages go over SQS"]);
    assert_eq!(known, ["The mailer is written in Go", "We've retired NATS; messages go over SQS"]);
    assert_eq!(fixture.violations(), [""; 0]);
}
