//! Sessions as hooks record them, each with what a person who watched it would say was decided and left open.

mod ending;
mod labelled;

use insta::assert_snapshot;
use serde_json::json;
use throughline_store::event::Kind;

use super::{Include, Reconstruction, Request, Which};
use crate::backlog::NewItem;
use crate::capture::{During, Observation, Opening};
use crate::remember::Statement;
use crate::testing::{Fixture, minutes, of, refused, said, saw};

pub(super) fn used(kind: Kind, session: &str, target: &str, ok: bool) -> Observation {
    let verb = match kind {
        Kind::Read => "read ",
        Kind::Write => "wrote ",
        Kind::Search => "searched ",
        _ => "",
    };
    Observation {
        target: Some(target.into()),
        summary: Some(format!("{verb}{target}{}", if ok { "" } else { " (failed)" })),
        parts: Some(json!({ "tool": "a tool", "ok": ok })),
        ..saw(kind, session)
    }
}

pub(super) fn ran(session: &str, command: &str, ok: bool) -> Observation {
    used(Kind::ToolCall, session, command, ok)
}

pub(super) fn asked(session: &str, text: &str) -> Observation {
    said(Kind::UserMessage, session, text)
}

pub(super) fn answered(session: &str, text: &str) -> Observation {
    said(Kind::ModelMessage, session, text)
}

pub(super) fn decided(session: &str, subject: &str, choice: &str) -> Observation {
    Observation {
        target: Some(subject.into()),
        rationale: Some("it is simpler".into()),
        ..said(Kind::Decision, session, choice)
    }
}

pub(super) fn happened(fixture: &Fixture, observations: Vec<Observation>) {
    for observation in observations {
        fixture.time.advance(minutes(1));
        fixture.record(observation);
    }
}

/// As a model would get it.
pub(super) fn written(told: &Reconstruction) -> String {
    let operations: Vec<_> = told
        .operations
        .iter()
        .map(|one| json!({ "sequence": one.sequence, "type": one.kind.as_str(), "target": one.target, "summary": one.summary }))
        .collect();
    let decisions: Vec<_> = told
        .decisions
        .iter()
        .map(|one| json!({ "subject": one.subject, "choice": one.choice, "rationale": one.rationale }))
        .collect();
    json!({ "narrative": told.narrative, "operations": operations, "decisions": decisions, "unfinished": told.unfinished })
        .to_string()
}

pub(super) fn reconstructed(fixture: &Fixture, request: &Request) -> Reconstruction {
    fixture.engine.reconstruct(&fixture.caller, request, &written).unwrap()
}

fn by_name(name: &str) -> Request {
    Request { which: Which::Session(Some(name.into())), ..Request::default() }
}

fn about(description: &str) -> Request {
    Request { which: Which::About(description.into()), ..Request::default() }
}

fn operations(told: &Reconstruction) -> String {
    let line = |one: &super::Operation| {
        let target = one.target.as_deref().unwrap_or_default();
        let failed = if one.failures > 0 { format!(", failed {}", one.failures) } else { String::new() };
        let summary = one.summary.as_deref().map(|text| format!(" | {text}")).unwrap_or_default();
        format!("{} {} {target} x{}{failed}{summary}", one.sequence, one.kind, one.times)
    };
    told.operations.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Somebody repairs the rounding of a cart, and leaves a failing test of orders behind.
fn cart(fixture: &Fixture) {
    happened(
        fixture,
        vec![
            asked("cart", "The cart's total is off by a cent, please repair it."),
            used(Kind::Read, "cart", "src/cart.rs", true),
            used(Kind::Search, "cart", "round", true),
            used(Kind::Read, "cart", "tests/cart.rs", true),
            ran("cart", "cargo test cart", false),
            used(Kind::Write, "cart", "src/cart.rs", true),
            ran("cart", "cargo test cart", true),
            used(Kind::Read, "cart", "src/cart.rs", true),
            decided("cart", "money", "amounts are integer cents"),
            ran("cart", "cargo test", false),
            asked("cart", "Good. Stop here for today."),
            answered("cart", "The cart is right.\n\nNext steps:\n- repair the orders\n"),
        ],
    );
}

#[test]
fn a_session_is_told_in_sentences_a_person_would_use() {
    let fixture = Fixture::new();
    cart(&fixture);
    let told = reconstructed(&fixture, &by_name("cart"));
    assert_snapshot!(told.narrative.replace(". ", ".\n"), @r"
    A session of claude-code in the role default took 11 minutes and goes on.
    It was asked: “The cart's total is off by a cent, please repair it”, then: “Good.
    Stop here for today”.
    It read 2 files (src/cart.rs and tests/cart.rs), searched once and changed src/cart.rs.
    It ran 3 commands, 2 of which failed; “cargo test cart” failed and passed later.
    It decided: money: amounts are integer cents.
    Its last answer began: “The cart is right”.
    Left open are 2 things, first of all, failing: cargo test.
    ");
    assert_snapshot!(operations(&told), @r"
    1 user_message  x1 | The cart's total is off by a cent, please repair it.
    2 read src/cart.rs x2
    3 search round x1
    4 read tests/cart.rs x1
    5 tool_call cargo test cart x2, failed 1
    9 decision money x1 | amounts are integer cents
    10 tool_call cargo test x1, failed 1
    11 user_message  x1 | Good. Stop here for today.
    ");
    assert_snapshot!(told.unfinished.join("\n"), @r"
    failing: cargo test
    next step: repair the orders
    ");
}

#[test]
fn what_is_listed_can_be_chosen_and_limited() {
    let fixture = Fixture::new();
    cart(&fixture);
    let only = |decisions, reads, writes| Request {
        include: Include { decisions, reads, writes },
        ..by_name("cart")
    };
    let kinds = |request: &Request| {
        let mut kinds: Vec<Kind> =
            reconstructed(&fixture, request).operations.iter().map(|one| one.kind).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    };
    assert_eq!(kinds(&only(false, false, false)), [Kind::UserMessage, Kind::ToolCall]);
    assert_eq!(kinds(&only(false, false, true)), [Kind::UserMessage, Kind::ToolCall, Kind::Write]);
    assert_eq!(kinds(&only(true, false, false)), [Kind::UserMessage, Kind::ToolCall, Kind::Decision]);
    assert_eq!(reconstructed(&fixture, &only(false, true, true)).decisions, []);
    let few = reconstructed(&fixture, &Request { max_operations: 3, ..by_name("cart") });
    assert_eq!((few.operations.len(), few.operations_omitted), (3, 5));
    assert!(few.operations.iter().any(|one| one.kind == Kind::Decision), "what matters most stays");
}

#[test]
fn a_description_finds_the_session_that_tells_most_about_it_and_names_others() {
    let fixture = Fixture::new();
    cart(&fixture);
    happened(
        &fixture,
        vec![
            asked("login", "Users are logged out when the token is refreshed"),
            used(Kind::Write, "login", "src/token.rs", true),
            answered("login", "The token is refreshed without logging out; the cart was not touched."),
        ],
    );
    let told = reconstructed(&fixture, &about("rounding of the cart's total"));
    assert_eq!(told.session.client_session, "cart");
    let told = reconstructed(&fixture, &about("cart"));
    let others: Vec<&str> = told.others.iter().map(|other| other.found.as_str()).collect();
    assert_eq!((told.session.client_session.as_str(), others.len()), ("cart", 1), "{others:?}");
    assert_eq!(
        reconstructed(&fixture, &about("token refresh logs users out")).session.client_session,
        "login"
    );
    let asking = Request { asking: Some(of("login")), ..about("token refresh logs users out") };
    let own = fixture.engine.reconstruct(&fixture.caller, &asking, &written);
    assert!(own.is_err_and(|error| error.to_string().contains("no past session")), "who asks is no answer");
    let nothing = fixture.engine.reconstruct(&fixture.caller, &about("zebra xylophone"), &written);
    assert_snapshot!(refused(nothing), @r#"not found: no past session tells anything about "zebra xylophone"; `throughline session list` shows those there are"#);
    let empty = fixture.engine.reconstruct(&fixture.caller, &about(" "), &written);
    assert_snapshot!(refused(empty), @"invalid: the description is empty; say in some words what the session was about, or leave it out for the last session");
}

#[test]
fn without_a_name_it_is_the_newest_session_of_an_agent_that_does_not_ask() {
    let fixture = Fixture::new();
    cart(&fixture);
    happened(&fixture, vec![asked("asks", "What was done yesterday?")]);
    let person = fixture.by("user:ann");
    fixture.engine.remember(&person, vec![Statement::of("I was here last")]).unwrap();
    assert_eq!(reconstructed(&fixture, &Request::default()).session.client_session, "asks");
    let asking = Request { asking: Some(of("asks")), ..Request::default() };
    assert_eq!(reconstructed(&fixture, &asking).session.client_session, "cart");
}

#[test]
fn what_a_later_session_settled_is_not_unfinished_any_more() {
    let fixture = Fixture::new();
    cart(&fixture);
    happened(&fixture, vec![ran("later", "cargo test", true)]);
    assert_eq!(reconstructed(&fixture, &by_name("cart")).unfinished, ["next step: repair the orders"]);
}

#[test]
fn a_step_that_a_later_session_took_is_not_next_any_more() {
    let fixture = Fixture::new();
    let steps = "Parser done.\n\nNext steps:\n- update the README\n- wire the lexer";
    happened(&fixture, vec![asked("parser", "Write the parser"), answered("parser", steps)]);
    happened(
        &fixture,
        vec![used(Kind::Write, "later", "README.md", true), answered("later", "It is up to date.")],
    );
    assert_eq!(reconstructed(&fixture, &by_name("parser")).unfinished, ["next step: wire the lexer"]);
    happened(&fixture, vec![asked("last", "wire the lexer"), ran("last", "cargo test", true)]);
    assert_eq!(reconstructed(&fixture, &by_name("parser")).unfinished, [""; 0]);
}

#[test]
fn what_is_left_open_beyond_the_list_is_counted() {
    let fixture = Fixture::new();
    let steps: Vec<String> = (0..14).map(|n| format!("- paint buoy {n}")).collect();
    happened(&fixture, vec![answered("buoys", &format!("Next steps:\n{}", steps.join("\n")))]);
    let told = reconstructed(&fixture, &by_name("buoys"));
    assert_eq!((told.unfinished.len(), told.unfinished_omitted), (10, 4));
    assert!(told.narrative.contains("Left open are 14 things"), "{}", told.narrative);
}

#[test]
fn what_was_removed_since_does_not_hide_what_is_not_tested() {
    let fixture = Fixture::new();
    let write = |file| used(Kind::Write, "parts", file, true);
    happened(&fixture, vec![write("src/a.rs"), write("src/b.rs"), ran("later", "rm src/a.rs", true)]);
    assert_eq!(reconstructed(&fixture, &by_name("parts")).unfinished, ["not tested: src/b.rs"]);
    happened(&fixture, vec![ran("later", "cargo test", true), used(Kind::Write, "later", "src/c.rs", true)]);
    assert_eq!(reconstructed(&fixture, &by_name("parts")).unfinished, [""; 0]);
}

#[test]
fn tests_of_something_else_settle_nothing_of_a_session() {
    let fixture = Fixture::new();
    happened(&fixture, vec![used(Kind::Write, "dates", "src/importer/dates.py", true)]);
    let left = || reconstructed(&fixture, &by_name("dates")).unfinished;
    for line in ["go test ./...", "pytest tests/test_hook.py"] {
        happened(&fixture, vec![ran("later", line, true)]);
        assert_eq!(left(), ["not tested: src/importer/dates.py"], "{line}");
    }
    happened(&fixture, vec![used(Kind::Write, "dates", "src/importer/money.py", true)]);
    happened(&fixture, vec![ran("last", "pytest tests/test_dates.py", true)]);
    assert_eq!(left(), ["not tested: src/importer/money.py"]);
    happened(
        &fixture,
        vec![ran("last", "pytest", true), used(Kind::Write, "last", "src/importer/money.py", true)],
    );
    assert_eq!(left(), [""; 0]);
}

#[test]
fn a_task_that_is_blocked_says_what_it_waits_for() {
    let fixture = Fixture::new();
    let during = During { session: of("saml"), opening: Opening::default() };
    let task = fixture.engine.create_item(&fixture.caller, NewItem::of("SAML login"), &during).unwrap();
    let id = task.item.id.to_string();
    fixture.engine.block_item(&fixture.caller, &id, "waits for the IdP metadata file", &during).unwrap();
    assert_eq!(
        reconstructed(&fixture, &by_name("saml")).unfinished,
        [format!("blocked: {id} SAML login: waits for the IdP metadata file")]
    );
}

#[test]
fn a_decision_that_was_remembered_counts_and_one_that_was_replaced_says_so() {
    let fixture = Fixture::new();
    happened(&fixture, vec![asked("db", "Which database?")]);
    let decision = |content: &str| Statement {
        kind: throughline_store::memory::Kind::Decision,
        state_key: Some("database".into()),
        session: of("db"),
        ..Statement::of(content)
    };
    fixture.engine.remember(&fixture.caller, vec![decision("MySQL"), decision("PostgreSQL")]).unwrap();
    let told = reconstructed(&fixture, &by_name("db"));
    let told: Vec<(&str, &str, bool)> =
        told.decisions.iter().map(|one| (one.subject.as_str(), one.choice.as_str(), one.is_past)).collect();
    assert_eq!(told, [("database", "MySQL", true), ("database", "PostgreSQL", false)]);
}

#[test]
fn a_session_of_nothing_and_one_that_is_not_there() {
    let fixture = Fixture::new();
    let none = fixture.engine.reconstruct(&fixture.caller, &Request::default(), &written);
    assert_snapshot!(refused(none), @"not found: this project has no sessions yet; record one with `throughline log append`");
    let unknown = fixture.engine.reconstruct(&fixture.caller, &by_name("nobody"), &written);
    assert_snapshot!(refused(unknown), @r#"not found: there is no session "nobody" in this project; `throughline session list` shows those there are"#);
}
