//! What a model is told, over generated projects: within its budget, never twice, and the same for the same state.

use std::time::Duration;

use proptest::prelude::*;
use throughline_inference::tokens;
use throughline_store::event::Kind;
use throughline_store::memory::{self, Source};

use super::{Beside, Need, Told, Turn, TurnContext};
use crate::capture::{During, Opening, SessionRef};
use crate::remember::{Archiving, Statement};
use crate::testing::{CLIENT, Fixture, said};

fn session(name: &str) -> SessionRef {
    SessionRef::Of { client: CLIENT.to_owned(), session: name.to_owned() }
}

fn write(context: &TurnContext) -> String {
    let rules = context.rules.iter().map(|memory| memory.content.clone());
    let relevant = context.relevant.iter().map(|hit| format!("{:?}", hit.found));
    let thread = context.thread.iter().flat_map(|thread| thread.lines.clone());
    rules.chain(relevant).chain(thread).collect::<Vec<_>>().join("\n")
}

fn ask(fixture: &Fixture, name: &str, message: &str, max_tokens: u64) -> Option<Told> {
    let session = session(name);
    let turn = Turn {
        files: crate::recall::Files::Nowhere,
        session: &session,
        need: Need::Prompt(message),
        orientation: None,
        max_tokens,
        max_chars: 10_000,
    };
    fixture.engine.turn(&fixture.caller, &turn, &write).unwrap()
}

/// The prompt is recorded, with what was told because of it.
fn prompt(fixture: &Fixture, name: &str, message: &str, max_tokens: u64) -> Option<Told> {
    let told = ask(fixture, name, message, max_tokens);
    let beside = told.as_ref().map_or(Beside::Nothing, Beside::Told);
    fixture
        .engine
        .capture_turn(&fixture.caller, vec![said(Kind::UserMessage, name, message)], beside)
        .unwrap();
    told
}

fn remember(fixture: &Fixture, contents: &[String]) {
    let statements = contents.iter().map(|content| Statement::of(content.clone())).collect();
    fixture.engine.remember(&fixture.caller, statements).unwrap();
}

#[test]
fn a_question_is_told_what_a_request_is_not_interrupted_for() {
    let fixture = Fixture::new();
    let known =
        ["Our ids are ULID and not UUID", "Deploys happen on Mondays", "Use pnpm in this repo, not npm"];
    remember(&fixture, &known.map(str::to_owned));
    let told = |n: usize, message: &str| {
        let told = ask(&fixture, &format!("run {n}"), message, 1000).map_or(String::new(), |told| told.text);
        known.map(|content| told.contains(content))
    };
    // Rules go with every prompt, what answers it comes by itself.
    assert!(told(0, "what type of ids do the tables use?")[0]);
    assert!(!told(1, "rename the ids of the buttons, please")[0]);
    assert!(told(2, "which package manager do we use?")[2]);
    assert!(!told(3, "which ids did you change?")[0], "the agent itself is asked");
}

const SUBJECTS: [&str; 6] =
    ["payment gateway", "search index", "invoice numbers", "mobile catalogue", "job queue", "feature flags"];
const VERBS: [&str; 4] =
    ["retry after a timeout", "are rebuilt nightly", "must be gapless", "live in a table"];

prop_compose! {
    fn statements()(picks in prop::collection::vec((0..6usize, 0..4usize, 0..50u32), 0..40)) -> Vec<String> {
        picks.iter().map(|(s, v, n)| format!("The {} {} in region {n}", SUBJECTS[*s], VERBS[*v])).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn it_keeps_to_its_budget_and_never_says_the_same_twice(
        statements in statements(),
        prompts in prop::collection::vec((0..6usize, 0..4usize), 1..8),
        max_tokens in 30..600u64,
    ) {
        let fixture = Fixture::new();
        remember(&fixture, &statements);
        let mut known: Vec<String> = vec![];
        for (subject, verb) in prompts {
            let message = format!("why does the {} {}?", SUBJECTS[subject], VERBS[verb]);
            let Some(told) = prompt(&fixture, "a", &message, max_tokens) else { continue };
            prop_assert!(tokens::count(&told.text) <= max_tokens || told.pieces.iter().all(|p| p.score.is_none()));
            for piece in told.pieces.iter().filter(|piece| piece.score.is_some()) {
                prop_assert!(!known.contains(&piece.key), "{} again", piece.key);
                known.push(piece.key.clone());
            }
        }
        prop_assert!(fixture.violations().is_empty());
    }

    #[test]
    fn asking_changes_nothing(statements in statements(), subject in 0..6usize, verb in 0..4usize) {
        let fixture = Fixture::new();
        remember(&fixture, &statements);
        let message = format!("why does the {} {}?", SUBJECTS[subject], VERBS[verb]);
        let before = fixture.log();
        let told = ask(&fixture, "a", &message, 500);
        prop_assert_eq!(&told, &ask(&fixture, "a", &message, 500));
        prop_assert_eq!(before, fixture.log());
    }
}

#[test]
fn a_moment_that_was_heard_before_notes_nothing() {
    let fixture = Fixture::new();
    remember(&fixture, &["The payment gateway retries failed charges".to_owned()]);
    let message = "does the payment gateway retry a failed charge?";
    let told = ask(&fixture, "a", message, 500).unwrap();
    let mut observation = said(Kind::UserMessage, "a", message);
    observation.client_key = Some("once".to_owned());
    for _ in 0..2 {
        fixture.engine.capture_turn(&fixture.caller, vec![observation.clone()], Beside::Told(&told)).unwrap();
    }
    let notes = fixture.log().iter().filter(|event| event.kind == Kind::MemoryRecall).count();
    assert_eq!(notes, 1);
}

#[test]
fn what_was_told_counts_as_used_once() {
    let fixture = Fixture::new();
    let unsure = |content: &str| Statement {
        kind: memory::Kind::Context,
        source: Source::Implicit,
        ..Statement::of(content)
    };
    let statements = vec![unsure("The CI runners have only 4 GB of RAM"), unsure("The lift is being mended")];
    let made = fixture.engine.remember(&fixture.caller, statements).unwrap();
    for name in ["a", "b", "c"] {
        let told = prompt(&fixture, name, "how much RAM do the CI runners have?", 500).unwrap();
        assert!(told.text.contains("4 GB"));
    }
    let at = fixture.time.now();
    fixture.time.advance(Duration::from_secs(90 * 24 * 60 * 60));
    let during = During { session: session("d"), opening: Opening::default() };
    let archive = |archiving| {
        let archived = fixture.engine.archive_memories(&fixture.caller, archiving, &during).unwrap();
        archived.into_iter().map(|memory| memory.content).collect::<Vec<_>>()
    };
    assert_eq!(archive(Archiving::Tell), ["The lift is being mended"]);
    assert_eq!(archive(Archiving::Do), ["The lift is being mended"]);
    fixture.engine.count_told(&fixture.caller).unwrap();
    let told = fixture.engine.memory(&fixture.caller, made[0].memory.id.as_str()).unwrap().memory;
    assert_eq!((told.use_count, told.last_used_at, told.last_verified_at), (3, Some(at), None));
}

#[test]
fn what_is_merely_near_is_not_told() {
    let fixture = Fixture::new();
    remember(
        &fixture,
        &[
            "The importer crashes on CSV files with a BOM".to_owned(),
            "API versions are in the URL path; a breaking change needs a new version".to_owned(),
        ],
    );
    for chat in
        ["sort the imports", "hello", "go on", "thanks, that works", "bump the version", "stop", "", "…"]
    {
        assert_eq!(ask(&fixture, "a", chat, 500), None, "{chat}");
    }
    assert!(ask(&fixture, "a", "the csv import crashes on this file", 500).is_some());
}

#[test]
fn what_cannot_be_read_of_the_past_does_no_harm() {
    let fixture = Fixture::new();
    remember(&fixture, &["The payment gateway retries failed charges".to_owned()]);
    let message = "does the payment gateway retry a failed charge?";
    prompt(&fixture, "a", message, 500).unwrap();
    let id = fixture.session("a").id;
    fixture.write(|tx| throughline_store::session::set_given(tx, &fixture.caller.project, &id, "{not json"));
    assert!(prompt(&fixture, "a", message, 500).is_some());
}
