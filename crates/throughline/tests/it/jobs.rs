//! Background jobs from outside: what waits, what ran, what is given up.

use serde_json::json;

use crate::fixture::{Home, at, on_both, shows};

on_both!(
    a_session_waits_to_be_closed,
    due_jobs_of_all_projects_run,
    a_job_that_is_not_yet_needed_waits_on,
    there_may_be_nothing_to_do,
);

fn a_session_waits_to_be_closed(home: &Home) {
    let recorded = home.json(&["log", "append", "--kind", "read", "--session", "s", "--at", &at("10:00:00")]);
    let jobs = home.json(&["jobs", "list"]);
    assert_eq!(jobs["jobs"][0]["key"], recorded["session_id"]);
    assert_eq!(
        home.plain_json(&jobs),
        json!({"jobs": [{
            "kind": "close_idle_session", "key": "ID1", "state": "ready", "attempts": 0,
            "run_at": at("11:00:00.000000"),
        }]})
    );
    shows!(home, home.ok(&["jobs", "list"]), @r"
    KIND                KEY                   STATE  ATTEMPTS  NEXT RUN (UTC)       ERROR
    close_idle_session  ID1  ready  0         2026-01-15 11:00:00
    ");
    home.ok(&["log", "append", "--kind", "read", "--session", "t"]);
    assert_eq!(home.json(&["jobs", "list", "-n", "1"])["jobs"].as_array().unwrap().len(), 1);
}

fn due_jobs_of_all_projects_run(home: &Home) {
    for project in ["one", "two"] {
        home.ok(&["--project", project, "log", "append", "--kind", "read", "--session", "s", "--at", "2h"]);
    }
    shows!(home, home.ok(&["jobs", "run"]), @r"
    close_idle_session ID1: done
    close_idle_session ID2: done
    generate_memories ID1: done
    generate_memories ID2: done
    ");
    assert_eq!(home.json(&["jobs", "run"]), json!({"runs": []}));
    for project in ["one", "two"] {
        assert_eq!(home.json(&["--project", project, "session", "status"])["state"], "ended (idle)");
        assert_eq!(home.json(&["--project", project, "jobs", "list"]), json!({"jobs": []}));
    }
    home.check();
}

fn a_job_that_is_not_yet_needed_waits_on(home: &Home) {
    home.ok(&["log", "append", "--kind", "read", "--session", "s", "--at", "2h"]);
    home.ok(&["log", "append", "--kind", "read", "--session", "s", "--at", "70m"]);
    home.ok(&["log", "append", "--kind", "read", "--session", "s", "--at", "30m"]);
    let runs = home.json(&["jobs", "run"])["runs"].clone();
    assert_eq!(
        home.plain_json(&runs),
        json!([{"kind": "close_idle_session", "key": "ID1", "went_well": true, "outcome": "postponed to TIME"}])
    );
    assert_eq!(home.json(&["session", "status"])["state"], "open");
    assert_eq!(home.json(&["jobs", "list"])["jobs"][0]["attempts"], 0, "waiting is no failed attempt");
}

fn there_may_be_nothing_to_do(home: &Home) {
    assert_eq!(home.ok(&["jobs", "list"]), "no jobs\n");
    assert_eq!(home.ok(&["jobs", "run"]), "nothing is due\n");
    assert_eq!(home.ok(&["jobs", "retry"]), "0 dead jobs will run again\n");
    assert_eq!(home.json(&["jobs", "list"]), json!({"jobs": []}));
    assert_eq!(home.json(&["jobs", "retry"]), json!({"revived": 0}));
}
