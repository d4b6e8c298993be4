//! Logs as hooks write them, and what is left to do after them.

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;
use throughline_store::event::Kind;

use super::lately;
use crate::capture::{Observation, SessionRef};
use crate::testing::Fixture;

fn used(kind: Kind, target: &str, ok: Option<bool>) -> Observation {
    let session = SessionRef::Of { client: "claude-code".to_owned(), session: "one".to_owned() };
    let parts = ok.map(|ok| json!({ "tool": "Bash", "ok": ok }));
    Observation { target: Some(target.to_owned()), parts, ..Observation::of(kind, session) }
}

fn ran(command: &str, ok: bool) -> Observation {
    used(Kind::ToolCall, command, Some(ok))
}

fn wrote(file: &str) -> Observation {
    used(Kind::Write, file, Some(true))
}

fn gate(target: &str, summary: &str) -> Observation {
    Observation { summary: Some(summary.to_owned()), ..used(Kind::ValidationGate, target, None) }
}

fn answered(text: &str) -> Observation {
    Observation { content: Some(text.to_owned()), target: None, ..used(Kind::ModelMessage, "", None) }
}

fn after(observations: Vec<Observation>) -> String {
    let fixture = Fixture::new();
    for observation in observations {
        fixture.time.advance(Duration::from_secs(60));
        fixture.record(observation);
    }
    let found = fixture.engine.store().read(|conn| lately(conn, &fixture.caller, fixture.engine.now()));
    let lines: Vec<String> =
        found.unwrap().iter().map(|one| format!("{}: {}", one.reason, one.text)).collect();
    lines.join("\n")
}

#[test]
fn a_check_that_failed_is_unfinished_until_it_or_a_wider_one_passes() {
    let failed = "cd shop && RUST_LOG=debug cargo test cart 2>&1 | tail -5";
    assert_snapshot!(after(vec![ran(failed, false)]), @"failing: cargo test cart");
    assert_snapshot!(after(vec![ran(failed, false), ran("cargo test order", true)]), @"failing: cargo test cart");
    assert_snapshot!(after(vec![ran(failed, false), ran("cargo test", true)]), @"");
    assert_snapshot!(after(vec![ran("cargo test", true), ran("cargo test", false)]), @"failing: cargo test");
    assert_snapshot!(after(vec![ran("./run-tests.sh", false), ran("npm run lint", false)]), @r"
    failing: npm run lint
    failing: ./run-tests.sh
    ");
}

#[test]
fn a_script_that_failed_is_unfinished_until_it_passes_or_is_removed() {
    let failed = || ran("cd shop && python3 scripts/reproduce.py", false);
    assert_snapshot!(after(vec![failed()]), @"failing: python3 scripts/reproduce.py");
    assert_snapshot!(after(vec![failed(), ran("python3 scripts/reproduce.py", true)]), @"");
    assert_snapshot!(after(vec![failed(), ran("git add . && rm -f scripts/reproduce.py", true)]), @"");
    assert_snapshot!(after(vec![ran("/usr/bin/python3 -m unittest shop", false), ran("bin/check cart", false)]), @r"
    failing: bin/check cart
    failing: /usr/bin/python3 -m unittest shop
    ");
}

#[test]
fn what_checks_nothing_may_fail() {
    assert_snapshot!(after(vec![ran("python3 -c 'import shop'", false), ran("bash -lc ls", false)]), @"");
    assert_snapshot!(after(vec![ran("/usr/bin/grep -r cart src", false), ran("python3", false)]), @"");
    assert_snapshot!(after(vec![ran("grep -r cart src", false), ran("ls nowhere", false)]), @"");
    assert_snapshot!(after(vec![used(Kind::Read, "src/test.rs", Some(false))]), @"");
}

#[test]
fn who_looks_for_tests_runs_none() {
    assert_snapshot!(after(vec![ran("rg 'fn test' src", false), ran("git commit -m 'a test'", false)]), @"");
    assert_snapshot!(after(vec![ran("docker compose run test", false)]), @"failing: docker compose run test");
}

#[test]
fn what_is_quoted_is_no_command() {
    let script = "cat > run.sh <<EOF\ncargo test\nEOF";
    assert_snapshot!(after(vec![ran("cargo test", false), ran(script, true)]), @"failing: cargo test");
    assert_snapshot!(after(vec![ran("git commit -m 'mend it; cargo test fails'", false)]), @"");
    let settings =
        r#"NODE_OPTIONS="--max-old-space-size=4096 --no-warnings" npm test -- -t 'a|b' 2>&1 | tail"#;
    assert_snapshot!(after(vec![ran(settings, false)]), @"failing: npm test -- -t 'a|b'");
}

#[test]
fn a_gate_is_unfinished_until_it_passes() {
    assert_snapshot!(after(vec![gate("review", "2 of 40 failed")]), @"gate not passed: review: 2 of 40 failed");
    assert_snapshot!(after(vec![gate("review", "failed"), gate("security", "passed")]), @"gate not passed: review: failed");
    assert_snapshot!(after(vec![gate("review", "failed"), gate("review", "212 passed, 0 failed")]), @"");
    let told = Observation { parts: Some(json!({ "passed": false })), ..gate("review", "done") };
    assert_snapshot!(after(vec![told]), @"gate not passed: review: done");
}

#[test]
fn code_that_changed_after_the_last_test_is_not_tested() {
    let files = ["a.rs", "b.rs", "a.rs", "notes.md", "c.py", "d.go", "e.ts"].map(wrote);
    let before = [vec![wrote("old.rs"), ran("cargo nextest run", true)], files.to_vec()].concat();
    assert_snapshot!(after(before.clone()), @"not tested: a.rs, b.rs, c.py, d.go and 1 more");
    assert_snapshot!(after([before, vec![ran("cargo build && cargo test", true)]].concat()), @"");
    assert_snapshot!(after(vec![wrote("a.rs")]), @"");
}

#[test]
fn the_last_answer_says_what_is_next() {
    let earlier = answered("Next steps:\n- paint it\n");
    let last = answered(
        "Done.\n\n## Next steps\n\n1. Wire the cart\n2. [x] told\n- [ ] Sell apples\n\nBye.\n- no step\n",
    );
    assert_snapshot!(after(vec![earlier.clone(), last]), @r"
    next step: Wire the cart
    next step: Sell apples
    ");
    assert_snapshot!(after(vec![earlier, answered("All done.")]), @"");
    assert_snapshot!(after(vec![answered("**Next:** ship it")]), @"next step: ship it");
    assert_snapshot!(after(vec![answered("Next we walk. The next: one")]), @"");
}

#[test]
fn what_is_old_is_not_taken_up_again() {
    let fixture = Fixture::new();
    fixture.record(ran("cargo test", false));
    fixture.time.advance(Duration::from_secs(31 * 24 * 3600));
    let now = fixture.engine.now();
    assert_eq!(fixture.engine.store().read(|conn| lately(conn, &fixture.caller, now)).unwrap(), []);
}
