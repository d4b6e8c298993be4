//! Checks in folders, and those whose outcome nobody knows.

use super::{after, later, ran, wrote};

fn is_settled(failed: &str, passed: &str) -> bool {
    after(vec![ran(failed, false), later(ran(passed, true))]).is_empty()
}

#[test]
fn a_check_in_a_folder_is_settled_there_or_by_a_wider_run() {
    for (failed, passed) in [
        ("cd web && npm test", "cd web && npm run test"),
        ("cd web && npm test", "npm --prefix web test"),
        ("cd web && npm test", "npm test --workspace=web"),
        ("npm --prefix web test", "cd web && npm test"),
        ("make -C web test", "cd web && make test"),
        ("cd web && npm test", "npm test --workspaces"),
        ("cd web && pnpm test", "pnpm -r test"),
        ("cd crates/cart && cargo test", "cargo test --workspace"),
        ("cd crates/cart && cargo test sum", "cargo nextest run --workspace"),
        ("cd api && pytest", "pytest"),
        ("cd api && pytest tests/test_a.py", "pytest api/tests"),
        ("cd api && ruff check .", "ruff check api"),
        ("cd api && go test ./...", "go test ./..."),
        ("cd api && go test ./gateway", "go test ./api/..."),
        ("cd api/users && pytest", "cd api && pytest"),
        ("cd api && mvn test", "mvn verify"),
        ("cd /home/ann/shop && cargo test", "cargo test"),
        ("docker build .", "docker build -t shop:dev ."),
    ] {
        assert!(is_settled(failed, passed), "{failed} | {passed}");
    }
    for (failed, passed) in [
        ("cd web && npm test", "npm test"),
        ("cd web && npm test", "cd api && npm test"),
        ("cd web && npm test", "(cd web && npm ci); npm test"),
        ("cd web && npm test", "npm --prefix api test"),
        ("cd web && npm test", "npm test -w api"),
        ("npm test", "npm test -w api"),
        ("npm test --workspaces", "npm test"),
        ("make -C web test", "make test"),
        ("cd crates/cart && cargo test", "cargo test"),
        ("cd api && pytest", "pytest web/tests"),
        ("cd api && pytest", "pytest tests"),
        ("cd api && go test ./...", "go test"),
        ("cd api && go test ./...", "go test ./api"),
        ("cd api && pytest", "cd api/users && pytest"),
        ("docker build .", "docker build -f web.dockerfile ."),
    ] {
        assert!(!is_settled(failed, passed), "{failed} | {passed}");
    }
}

#[test]
fn a_shell_stays_in_a_folder_until_it_is_told_to_leave() {
    let settles = |failed, lines: &[&str]| {
        let passed = lines.iter().map(|line| ran(line, true));
        after([ran(failed, false)].into_iter().chain(passed).collect()).is_empty()
    };
    assert!(settles("cd web && npm test", &["npm test"]));
    assert!(settles("cd web && npm test", &["git status", "cd web", "npm test"]));
    for (failed, lines) in [
        ("cd web && npm test", &["cd ..", "npm test"][..]),
        ("cd web && npm test", &["cd .. && npm test"]),
        ("(cd web && npm test)", &["npm test"]),
        ("cd web && npm test", &["cd /home/ann/shop", "npm test"]),
        ("npm --prefix web test", &["npm test"]),
    ] {
        assert!(!settles(failed, lines), "{failed} | {lines:?}");
    }
}

#[test]
fn a_run_whose_outcome_was_thrown_away_settles_nothing() {
    for passed in [
        "pytest >/dev/null 2>&1 || true",
        "pytest || true",
        "pytest || :",
        "(pytest -q || true)",
        "pytest && npm test || true",
        "pytest; true",
        "pytest; exit 0",
        "pytest &> /dev/null; echo done",
        "pytest > /dev/null 2>&1 && echo passed || echo failed",
        "pytest >/tmp/out 2>&1 &",
    ] {
        assert!(!is_settled("pytest", passed), "{passed}");
        let untested = after(vec![wrote("cart.py"), ran(passed, true)]);
        assert_eq!(untested, "not tested: cart.py", "{passed}");
    }
    for passed in [
        "pytest",
        "pytest > /dev/null 2>&1",
        "pytest >/dev/null 2>&1 && echo passed",
        "pip install -e . || true; pytest",
        "pip install -e . || true && pytest",
        "pytest | tail -5",
        "pytest 2>/dev/null; echo done",
        "pytest && true",
        "pytest || exit 1",
    ] {
        assert!(is_settled("pytest", passed), "{passed}");
        assert_eq!(after(vec![wrote("cart.py"), ran(passed, true)]), "", "{passed}");
    }
}

#[test]
fn an_image_that_was_not_built_is_unfinished() {
    for line in ["docker build .", "docker compose build web"] {
        assert_eq!(after(vec![ran(line, false)]), format!("failing: {line}"));
    }
    assert_eq!(after(vec![ran("docker ps", false), ran("docker run shop", false)]), "");
}
