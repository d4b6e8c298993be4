//! Logs as hooks write them, and what is left to do after them.

mod folders;
mod steps;
mod tasks;

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

/// The same in a session after it.
fn later(observation: Observation) -> Observation {
    let session = SessionRef::Of { client: "claude-code".to_owned(), session: "two".to_owned() };
    Observation { session, ..observation }
}

fn asked(text: &str) -> Observation {
    Observation { content: Some(text.to_owned()), target: None, ..used(Kind::UserMessage, "", None) }
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
    assert_snapshot!(after(vec![ran(failed, false)]), @"failing: cd shop && cargo test cart");
    assert_snapshot!(after(vec![ran(failed, false), ran("cargo test order", true)]), @"failing: cd shop && cargo test cart");
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
    assert_snapshot!(after(vec![failed()]), @"failing: cd shop && python3 scripts/reproduce.py");
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
    let files = ["a.rs", "b.rs", "a.rs", "notes.md", "c.rs", "d.rs", "e.rs"].map(wrote);
    let before = [vec![wrote("old.rs"), ran("cargo nextest run", true)], files.to_vec()].concat();
    assert_snapshot!(after(before.clone()), @"not tested: a.rs, b.rs, c.rs, d.rs and 1 more");
    assert_snapshot!(after([before, vec![ran("cargo build && cargo test", true)]].concat()), @"");
}

#[test]
fn code_that_changed_where_no_test_was_ever_run_is_not_tested() {
    assert_snapshot!(after(vec![wrote("a.rs")]), @"not tested: a.rs");
    assert_snapshot!(after(vec![wrote("a.rs"), ran("ls", true)]), @"not tested: a.rs");
    assert_snapshot!(after(vec![wrote("a.rs"), ran("cargo build", true)]), @"not tested: a.rs");
    assert_snapshot!(after(["README.md", "Cargo.toml", "conf.yaml", "a.json"].map(wrote).to_vec()), @"");
    assert_eq!(after(vec![used(Kind::Write, "a.rs", Some(false))]), "", "the edit failed");
    assert_snapshot!(after(vec![wrote("a.rs"), wrote("b.rs"), ran("rm -f a.rs", true)]), @"not tested: b.rs");
}

/// Of lines, those after which all code that was changed before still counts as not tested.
fn without_tests<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let files = || ["a.rs", "b.py", "c.go", "d.ts", "e.rb", "f.php", "g.java", "h.c"].map(wrote).to_vec();
    let untested = after(files());
    let is_open = |line: &&str| after([files(), vec![ran(line, true)]].concat()) == untested;
    lines.iter().copied().filter(is_open).collect()
}

#[test]
fn tests_are_known_however_they_are_started() {
    let tests = [
        "pytest",
        "jest",
        "vitest",
        "mocha",
        "rspec",
        "ctest",
        "tox",
        "nox",
        "phpunit",
        "./test",
        "./run_tests.sh",
        "python -m unittest",
        ".venv/bin/python -m pytest",
        "cargo t",
        "npm t",
        "make check",
        "mvn verify",
        "./gradlew check",
        "gradle build",
        "R CMD check .",
        "docker compose run app pytest",
        "zig build test",
        "cd api && PYTHONPATH=. pytest -q | tail -3",
        "npm run test:unit",
        "vendor/bin/phpunit",
    ];
    assert_eq!(without_tests(&tests), [""; 0]);
    let none = [
        "rg 'fn test' src",
        "git commit -m 'a test'",
        "cat tests/cart.rs",
        "pip install pytest",
        "mkdir tests",
        "docker build -t test .",
        "cargo build --tests",
        "cargo test --no-run",
        "gradle build -x test",
        "mvn package -DskipTests",
        "ruff check tests",
        "test -f a.rs",
        "cargo check",
        "make",
    ];
    assert_eq!(without_tests(&none), none);
}

#[test]
fn a_check_is_the_same_however_it_is_spelled() {
    let left = |failed, passed| after(vec![ran(failed, false), ran(passed, true)]);
    for passed in
        ["pytest", "pytest -q", "python -m pytest", ".venv/bin/pytest -v", "uv run pytest --tb=short"]
    {
        assert_eq!(left("pytest -k foo -x", passed), "", "{passed}");
    }
    assert_snapshot!(left("npm test", "npm run test"), @"");
    assert_snapshot!(left("npm t", "npm test -- --ci"), @"");
    assert_snapshot!(left("./gradlew test", "./gradlew test --info"), @"");
    assert_snapshot!(left("cargo test cart", "cargo fmt && cargo t --workspace"), @"");
    assert_snapshot!(left("pytest -k foo", "pytest -k bar"), @"failing: pytest -k foo");
    assert_snapshot!(left("pytest", "pytest tests/test_cart.py"), @"failing: pytest");
    assert_snapshot!(left("npm run lint", "npm test"), @"failing: npm run lint");
    assert_snapshot!(left("make lint", "make"), @"failing: make lint");
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
    assert_snapshot!(after(vec![earlier.clone(), answered("All done.")]), @"next step: paint it");
    assert_snapshot!(after(vec![earlier, answered("Next steps: none, nothing is left.")]), @"");
    assert_snapshot!(after(vec![answered("**Next:** ship it")]), @"next step: ship it");
    assert_snapshot!(after(vec![answered("Next we walk. The next: one")]), @"");
}

#[test]
fn next_steps_are_found_after_a_sentence_and_all_of_them() {
    let inline = "I changed it. Next steps: fix the February case, then update the docs.";
    assert_snapshot!(after(vec![answered(inline)]), @r"
    next step: fix the February case
    next step: update the docs.
    ");
    let many = answered("Next steps:\n- a one\n- b two\n- c three\n- d four\n- e five");
    assert_eq!(after(vec![many]).lines().count(), 5);
    for none in ["none.", "None", "nothing left to do", "N/A", "no further steps.", "Nothing — all done"] {
        assert_eq!(after(vec![answered(&format!("Done.\n\nNext steps: {none}"))]), "", "{none}");
        assert_eq!(after(vec![answered(&format!("## Next steps\n\n- {none}\n"))]), "", "{none}");
    }
    assert_snapshot!(after(vec![answered("Next: none of the tests run on Windows, mend them")]), @"next step: none of the tests run on Windows, mend them");
}

#[test]
fn a_step_is_settled_by_who_asked_for_it_and_by_the_files_it_names() {
    let steps = || answered("Next steps:\n- update the README\n- wire the lexer\n");
    let since = |more: Vec<Observation>| after([vec![steps()], more].concat());
    assert_snapshot!(since(vec![wrote("README.md")]), @"next step: wire the lexer");
    let wire = "Please wire the lexer now.";
    assert_snapshot!(since(vec![wrote("README.md"), asked(wire), ran("cargo test", true)]), @"");
    let idle = since(vec![wrote("README.md"), asked(wire)]);
    assert_eq!(idle, "next step: wire the lexer", "nothing was done");
    for other in ["Did you wire the lexer?", "Don't wire the lexer yet", "wire the parser"] {
        let left = since(vec![wrote("README.md"), asked(other), ran("cargo test", true)]);
        assert_eq!(left, "next step: wire the lexer", "{other}");
    }
    let completed = Observation {
        summary: Some("completed T-4: Wire the lexer".to_owned()),
        target: None,
        ..used(Kind::TaskCompleted, "", None)
    };
    assert_snapshot!(since(vec![completed]), @"next step: update the README");
    let both = answered("Next: use src/cart.rs:10 in `main.rs`");
    assert_snapshot!(after(vec![both.clone(), wrote("src/cart.md")]), @"next step: use src/cart.rs:10 in `main.rs`");
    let written = vec![both, wrote("src/cart.rs"), wrote("src/main.rs"), ran("cargo test", true)];
    assert_snapshot!(after(written), @"");
}

#[test]
fn what_is_old_is_not_taken_up_again() {
    let fixture = Fixture::new();
    fixture.record(ran("cargo test", false));
    fixture.time.advance(Duration::from_secs(31 * 24 * 3600));
    let now = fixture.engine.now();
    assert_eq!(fixture.engine.store().read(|conn| lately(conn, &fixture.caller, now)).unwrap(), []);
}

#[test]
fn a_check_is_another_one_in_another_folder() {
    let left = |failed, passed| after(vec![ran(failed, false), ran(passed, true)]);
    assert_snapshot!(left("cd api && npm test", "cd web && npm test"), @"failing: cd api && npm test");
    assert_snapshot!(left("npm test", "cd web && npm test"), @"failing: npm test");
    assert_snapshot!(left("cd api && npm test", "(cd ./api/ && npm test)"), @"");
    assert_snapshot!(left("cd api && npm test", "npm test"), @"");
    assert_snapshot!(left("cargo test", "cd /home/ann/shop && cargo test"), @"");
}

#[test]
fn a_wider_run_settles_a_narrower_one() {
    let is_settled =
        |failed: &str, passed: &str| after(vec![ran(failed, false), ran(passed, true)]).is_empty();
    for (failed, passed) in [
        ("pytest tests/test_a.py -q", "python -m pytest tests/ -q"),
        ("pytest tests/test_a.py::test_x", "pytest tests"),
        ("timeout 60 pytest", "pytest"),
        ("go test ./gateway -run X", "go test ./gateway/..."),
        ("bundle exec rspec spec/a_spec.rb:41", "rspec spec"),
        ("./gradlew :api:test", "./gradlew test"),
        ("./gradlew test", "./gradlew build"),
        ("mvn test", "mvn clean verify"),
        ("mypy src/a.py", "mypy src"),
        ("bazel test //ledger:all", "bazel test //..."),
        ("sbt 'testOnly FooSpec'", "sbt test"),
        ("ctest --test-dir build -R frame", "ctest --test-dir build --output-on-failure"),
        ("make test", "make -j8 lint test"),
        ("zig build test", "zig build test --summary all"),
        ("docker compose run web pytest", "docker compose run --rm web pytest"),
        ("cargo test", "cargo nextest run"),
        ("cargo nextest run", "cargo test"),
    ] {
        assert!(is_settled(failed, passed), "{failed} | {passed}");
    }
    for (failed, passed) in [
        ("pytest", "pytest tests/test_a.py"),
        ("pytest a.py b.py", "pytest a.py"),
        ("pytest", "pytest --deselect tests/test_a.py::x"),
        ("cargo test", "cargo test -- --skip x"),
        ("go test ./...", "go test ./gateway/..."),
        ("go test ./gateway/...", "go test ./gateway"),
        ("./gradlew build", "./gradlew build -x test"),
        ("./gradlew :api:test", "./gradlew :web:test"),
        ("mvn test", "mvn verify -DskipTests"),
        ("make test", "make check"),
        ("cargo test --features x", "cargo test"),
    ] {
        assert!(!is_settled(failed, passed), "{failed} | {passed}");
    }
}

#[test]
fn who_tests_one_place_has_not_tested_another() {
    let since = |line| after(vec![wrote("src/search/a.py"), ran(line, true)]);
    assert_snapshot!(since("pytest tests/emails"), @"not tested: src/search/a.py");
    for line in ["pytest", "pytest tests/search", "pytest tests/test_all.py", "pytest tests", "make test"] {
        assert_eq!(since(line), "", "{line}");
    }
}

#[test]
fn a_test_of_another_language_tests_nothing_of_a_file() {
    let since = |file: &str, line: &str| after(vec![wrote(file), ran(line, true)]);
    for (file, line) in [
        ("src/dates.py", "go test ./..."),
        ("src/dates.py", "cargo nextest run"),
        ("src/dates.py", "npx jest"),
        ("src/dates.go", "pytest -q"),
        ("src/dates.rs", "uv run pytest"),
        ("src/dates.ts", "docker compose run web pytest"),
        ("src/dates.rb", "mvn test"),
    ] {
        assert_eq!(since(file, line), format!("not tested: {file}"), "{line}");
    }
    for (file, line) in [
        ("src/dates.py", "make test"),
        ("src/dates.py", "npm test"),
        ("src/dates.py", "just test"),
        ("src/dates.py", "./test"),
        ("src/dates.tsx", "npx vitest run"),
        ("src/dates.py", "cargo test && python -m pytest"),
        ("src/dates.sql", "go test ./..."),
        ("src/dates.c", "pytest"),
    ] {
        assert_eq!(since(file, line), "", "{file} | {line}");
    }
}

#[test]
fn a_later_session_settles_only_what_its_tests_cover() {
    let since = |line: &str| after(vec![wrote("src/importer/dates.py"), later(ran(line, true))]);
    for line in [
        "go test ./...",
        "pytest tests/test_hook.py",
        "pytest tests/test_checkout.py::test_total -q",
        "pytest -k hooks",
        "cargo test dates",
        "npm test -- file3",
        "cd web && npm test",
        "cd dates && pytest tests/test_hook.py",
        "git commit -am x",
    ] {
        assert_eq!(since(line), "not tested: src/importer/dates.py", "{line}");
    }
    for line in [
        "pytest",
        "pytest -q tests",
        "python -m pytest tests/test_dates.py",
        "pytest tests/importer/",
        "pytest -k dates",
        "pytest src/importer/test_all.py",
        "pytest tests/test_hook.py tests/test_dates.py",
        "pytest --ignore tests/slow",
        "cd src/importer && pytest",
        "cd /home/ann/shop && pytest",
        "make check",
        "npm test",
        "just test",
        "./test",
    ] {
        assert_eq!(since(line), "", "{line}");
    }
    let java = || wrote("app/src/main/java/shop/DateParser.java");
    assert_eq!(after(vec![java(), later(ran("mvn test -Dtest=DateParserTest", true))]), "");
    assert_snapshot!(after(vec![java(), later(ran("mvn test -Dtest=CartTest", true))]), @"not tested: app/src/main/java/shop/DateParser.java");
    assert_eq!(after(vec![wrote("pay/dates.go"), later(ran("go test ./pay -run TestMoney", true))]), "");
    assert_eq!(after(vec![wrote("src/main.rs"), later(ran("cargo test", true))]), "");
}

#[test]
fn what_a_pipe_hides_the_output_tells() {
    use super::hides_failure;
    for (line, printed) in [
        ("pytest 2>&1 | tail -5", "FAILED tests/test_a.py::x\n1 failed, 3 passed in 0.1s"),
        ("cargo test || true", "test result: FAILED. 1 passed; 2 failed"),
        ("bundle exec rspec | tail -3", "310 examples, 2 failures"),
        ("npx eslint . | tail", "✖ 12 problems (3 errors, 9 warnings)"),
        ("cargo test; echo done", "test result: FAILED. 1 passed; 2 failed"),
    ] {
        assert!(hides_failure(line, printed), "{line}");
    }
    for (line, printed) in [
        ("pytest", "1 failed, 3 passed"),
        ("pytest | tail -5", "4 passed in 0.1s"),
        ("cargo test | tail -5", "test result: ok. 3 passed; 0 failed"),
        ("cargo test | grep handles", "test handles_404 errors ... ok"),
        ("cat log.txt | tail", "1 failed, 3 passed in 0.1s"),
        ("set -o pipefail; pytest | tail", "4 passed"),
    ] {
        assert!(!hides_failure(line, printed), "{line}");
    }
}

#[test]
fn what_people_put_off_is_next() {
    for said in [
        "Afterwards the Helm chart still needs the new limits, but not today.",
        "Next we have to bump the version to 2.0",
        "Later we still need to update the changelog.",
    ] {
        assert_eq!(after(vec![asked(said), answered("ok")]), format!("next step: {said}"));
    }
    assert_snapshot!(after(vec![asked("Tomorrow: migrate the orders table.")]), @"next step: migrate the orders table.");
    let bump = || asked("Next we have to bump the version to 2.0");
    assert_snapshot!(after(vec![bump(), ran("cargo publish", true)]), @"");
    let committed = ran("git commit -m 'migrate the orders table'", true);
    assert_snapshot!(after(vec![asked("TODO: migrate the orders table"), committed]), @"");
    for none in ["Later we found the bug", "Do we still need to update it later?", "After that it failed"] {
        assert_eq!(after(vec![asked(none)]), "", "{none}");
    }
    assert_snapshot!(after(vec![answered("The parser works. I have not yet handled nested quotes.")]), @"next step: I have not yet handled nested quotes.");
}

#[test]
fn a_gate_is_passed_as_its_parts_say() {
    let told = |parts| after(vec![Observation { parts: Some(parts), ..gate("review", "done") }]);
    for parts in [json!({ "status": "failed" }), json!({ "result": "fail" }), json!({ "outcome": "Failed" })]
    {
        assert_eq!(told(parts), "gate not passed: review: done");
    }
    assert_eq!(told(json!({ "status": "passed" })), "");
}
