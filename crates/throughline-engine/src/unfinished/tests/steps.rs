//! Next steps: how they are said, and how long they stay.

use super::{after, answered, asked, later, ran, wrote};
use crate::unfinished::tests::used;
use throughline_store::event::Kind;

fn left(said: &str) -> String {
    after(vec![asked("go"), answered(said)])
}

fn remaining() -> Vec<super::Observation> {
    let told =
        "The total is right now.\n\n## Remaining\n- Add rate limiting to the gateway\n- Write the guide";
    vec![asked("fix the total"), answered(told)]
}

const BOTH: &str = "next step: Add rate limiting to the gateway\nnext step: Write the guide";

#[test]
fn steps_stay_whatever_is_said_after_them() {
    let since = |more: Vec<_>| after([remaining(), more].concat());
    let committed = || {
        vec![
            asked("great, commit it"),
            ran("git commit -am 'Fix it'", true),
            answered("Committed as abc123."),
        ]
    };
    assert_eq!(since(committed()), BOTH);
    assert_eq!(since([committed(), vec![asked("thanks"), answered("You are welcome.")]].concat()), BOTH);
    assert_eq!(since(vec![asked("yes, commit it"), ran("git commit -am x", true), answered("Done.")]), BOTH);
    assert_eq!(since(vec![asked("What does the gateway do?"), answered("It routes.")]), BOTH);
    assert_eq!(
        since(vec![later(asked("rename Cart")), later(wrote("cart.md")), later(answered("Renamed."))]),
        BOTH
    );
    let list = "Done. Next steps:\n- Rename the cart";
    assert_eq!(since(vec![asked("commit it"), answered(list)]), "next step: Rename the cart");
    let list = "Committed.\n- [x] Add rate limiting to the gateway\n- [ ] Write the guide";
    assert_eq!(since(vec![asked("commit it"), answered(list)]), "next step: Write the guide");
    assert_eq!(since(vec![asked("commit it"), answered("Committed. Nothing is left to do.")]), "");
    let beside = since(vec![asked("commit it"), answered("Committed. I was not able to push it.")]);
    assert_eq!(beside, format!("next step: I was not able to push it.\n{BOTH}"));
}

#[test]
fn who_is_told_to_go_on_works_on_what_he_named() {
    let since = |said: &str, work: bool| {
        let work = work.then(|| wrote("gateway.md"));
        after([remaining(), vec![asked(said)], work.into_iter().collect(), vec![answered("Done.")]].concat())
    };
    for said in
        ["go ahead", "yes please", "Great, do both!", "ok, continue", "do them all", "Sure.", "do 1 and 2"]
    {
        assert_eq!(since(said, true), "", "{said}");
        assert_eq!(since(said, false), BOTH, "{said}");
    }
    for said in ["great", "ok", "yes, commit it", "go ahead and commit", "continue with the parser", "do it?"]
    {
        assert_eq!(since(said, true), BOTH, "{said}");
    }
    for said in ["do the first one please", "just 1", "now the rate limiting", "please do the rate limiting"]
    {
        assert_eq!(since(said, true), "next step: Write the guide", "{said}");
    }
    let asked_later = vec![
        asked("commit it"),
        answered("Committed. Shall I add the rate limiting now?"),
        asked("yes"),
        wrote("gateway.md"),
    ];
    assert_eq!(after([remaining(), asked_later].concat()), "next step: Write the guide");
}

#[test]
fn what_is_left_is_said_in_many_ways() {
    for (said, step) in [
        ("Still open: the invoices migration.", "the invoices migration."),
        ("All is well. The next step is to migrate the invoices table.", "migrate the invoices table."),
        ("- [x] fix total\n- [ ] migrate the invoices table", "migrate the invoices table"),
        ("1. [x] fix total\n2. [ ] migrate the table", "migrate the table"),
        ("☑ fix total\n☐ migrate the table", "migrate the table"),
        ("Next, I'll migrate the invoices table.", "migrate the invoices table."),
        ("I was not able to run the e2e tests.", "I was not able to run the e2e tests."),
        (
            "Unfortunately, I couldn't verify it on Windows.",
            "Unfortunately, I couldn't verify it on Windows.",
        ),
        ("Not done: migrating the invoices table.", "migrating the invoices table."),
        ("**Not done yet:**\n- the invoices", "the invoices"),
        ("I still need to migrate the invoices table.", "migrate the invoices table."),
        ("The e2e tests were not run.", "The e2e tests were not run."),
        ("I didn't run the benchmarks.", "I didn't run the benchmarks."),
        ("### Left open\n* the invoices", "the invoices"),
    ] {
        assert_eq!(left(said), format!("next step: {step}"), "{said}");
    }
    for none in [
        "I couldn't find a bug.",
        "I was not able to run it at first, but now it passes.",
        "Still open: nothing.",
        "```\n- [ ] a box of a file\nNext steps: none of ours\n```",
        "- [x] all\n- [x] of it",
        "I did not change the tests.",
        "Should I migrate it? Next, I'll wait?",
    ] {
        assert_eq!(left(none), "", "{none}");
    }
    assert_eq!(
        after(vec![asked("leave the changelog for later")]),
        "next step: leave the changelog for later"
    );
}

#[test]
fn what_one_does_next_is_taken_up_by_who_works_on() {
    let told = || vec![asked("go"), answered("I read it. Next, I'll migrate the table.")];
    assert_eq!(after([told(), vec![wrote("table.sql.md")]].concat()), "");
    let stopped = [told(), vec![asked("wait"), wrote("table.md")]].concat();
    assert_eq!(after(stopped), "next step: migrate the table.");
}

#[test]
fn what_was_not_run_is_settled_by_running_it() {
    let since = |line, ok| {
        after(vec![answered("I was not able to run the e2e tests."), used(Kind::ToolCall, line, Some(ok))])
    };
    assert_eq!(since("npm run test:e2e", true), "");
    for (line, ok) in [("npm test", true), ("npm run test:e2e || true", true), ("ls e2e tests", true)] {
        assert_eq!(since(line, ok), "next step: I was not able to run the e2e tests.", "{line}");
    }
}
