//! Sessions that were not brought to an end: a request that nobody took up, a question that nobody answered.

use throughline_store::event::Kind;
use throughline_store::session::EndReason;

use super::{answered, asked, by_name, happened, ran, reconstructed, used};
use crate::capture::Observation;
use crate::testing::Fixture;
use crate::unfinished;

fn ended(observations: Vec<Observation>) -> Fixture {
    let fixture = Fixture::new();
    happened(&fixture, observations);
    fixture.engine.end_session(&fixture.caller, Some("one"), EndReason::Client).unwrap();
    fixture
}

fn left(fixture: &Fixture) -> Vec<String> {
    let lately = fixture
        .engine
        .store()
        .read(|conn| unfinished::lately(conn, &fixture.caller, fixture.engine.now()))
        .unwrap();
    let told = reconstructed(fixture, &by_name("one")).unfinished;
    let lately: Vec<String> = lately.iter().map(|one| format!("{}: {}", one.reason, one.text)).collect();
    assert_eq!(lately, told);
    told
}

#[test]
fn a_request_that_nobody_took_up_is_open() {
    let asks = "Round the totals half to even";
    assert_eq!(left(&ended(vec![asked("one", asks)])), [format!("not answered: {asks}")]);
    let answered_before = vec![asked("one", "Look at it"), answered("one", "I did."), asked("one", asks)];
    assert_eq!(left(&ended(answered_before)), [format!("not answered: {asks}")]);
    assert_eq!(left(&ended(vec![asked("one", asks), answered("one", "Done.")])), [""; 0]);
    let read = || used(Kind::Read, "one", "src/cart.rs", true);
    assert_eq!(left(&ended(vec![asked("one", asks), read()])), [""; 0], "somebody took it up");
    for closing in ["Thanks, that's all for today!", "/exit", "ok bye"] {
        assert_eq!(left(&ended(vec![asked("one", closing)])), [""; 0], "{closing}");
    }
    let again = ended(vec![asked("one", asks)]);
    happened(&again, vec![asked("two", "please round the totals half to even"), answered("two", "Done.")]);
    assert_eq!(left(&again), [""; 0]);
}

#[test]
fn a_session_that_goes_on_may_still_be_answered() {
    let fixture = Fixture::new();
    happened(&fixture, vec![asked("one", "Round the totals")]);
    assert_eq!(left(&fixture), [""; 0]);
}

#[test]
fn a_question_that_nobody_answered_is_open() {
    let asked_back = |said: &str| left(&ended(vec![asked("one", "go"), answered("one", said)]));
    for said in [
        "I found two ways. Should old invoices be migrated too?",
        "I found two.\n\n**Should old invoices be migrated too?**",
        "Should old invoices be migrated too?\n1. Yes, all\n2. No\n",
    ] {
        assert_eq!(asked_back(said), ["question: Should old invoices be migrated too?"], "{said}");
    }
    for none in ["Done. Anything else?", "Why was it slow? Because of the index.", "Done."] {
        assert_eq!(asked_back(none), [""; 0], "{none}");
    }
    let answer =
        vec![answered("one", "Migrate old invoices too?"), asked("one", "yes"), ran("one", "make", true)];
    assert_eq!(left(&ended(answer)), [""; 0]);
}
