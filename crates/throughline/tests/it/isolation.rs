//! Nothing of one project is ever seen from another, whatever is asked and however it is named.

use serde_json::json;

use crate::fixture::{Home, on_both};

on_both!(
    nothing_of_a_project_is_seen_from_another,
    ids_of_a_project_mean_nothing_in_another,
    names_of_a_project_mean_nothing_in_another,
    the_same_names_in_two_projects_do_not_meet,
);

/// Stands in everything that the other project holds.
const WORD: &str = "xylophone";

struct Planted {
    events: Vec<String>,
    session: String,
}

fn plant(home: &Home) -> Planted {
    home.ok(&["--project", "two", "project", "show"]);
    let name = |what: &str| format!("{what}-{WORD}");
    let line = |kind: &str| {
        json!({
            "kind": kind, "session": name("session"), "client": name("client"), "content": name("content"),
            "summary": name("summary"), "target": name("target"), "rationale": name("why"), "parts": {"p": name("part")},
            "item_id": name("item"), "informs": name("memory"), "chatmode": name("role"), "workflow": name("flow"),
            "skill": name("skill"), "metadata": {"m": name("meta")}, "key": name(kind),
        })
    };
    let lines = crate::fixture::jsonl(&[line("user_message"), line("tool_call"), line("decision")]);
    let call =
        |args: &[&str]| home.call(&[&["--project", "one", "--actor", "agent:a-xylophone"], args].concat());
    let recorded = call(&["log", "append", "--batch", "-"]).input(lines).json();
    call(&["session", "state", "--patch", &json!({name("key"): name("value")}).to_string()]).ok();
    call(&["log", "append", "--kind", "read", "--session", "old", "--content", &name("old"), "--at", "2h"])
        .ok();
    let events = recorded["events"].as_array().unwrap();
    Planted {
        events: events.iter().map(|event| event["id"].as_str().unwrap().to_owned()).collect(),
        session: events[0]["session_id"].as_str().unwrap().to_owned(),
    }
}

/// Runs a command in the second project, well or not, and looks at all it says.
#[track_caller]
fn shows_nothing(home: &Home, args: &[&str]) {
    for json in [&[][..], &["--json"]] {
        let ran = home.call(&[&["--project", "two"], args, json].concat()).run();
        let said = ran.stdout + &ran.stderr;
        // What was asked may be repeated in the answer.
        let asked = args.iter().filter(|arg| arg.contains(WORD));
        let unasked = asked.fold(said.clone(), |said, arg| said.replace(arg, ""));
        assert!(!unasked.contains(WORD), "{args:?} shows: {said}");
    }
}

fn nothing_of_a_project_is_seen_from_another(home: &Home) {
    plant(home);
    home.ok(&["--project", "two", "log", "append", "--kind", "read", "--session", "own"]);
    let commands: [&[&str]; 25] = [
        &["log", "tail", "-n", "1000"],
        &["log", "tail", "--kind", "decision"],
        &["log", "tail", "--since", "2000-01-01"],
        &["log", "tail", "--after", "0", "--before", "1000"],
        &["log", "export"],
        &["log", "export", "--since", "2000-01-01"],
        &["log", "purge", "--kind", "user_message", "--reason", "r", "--dry-run"],
        &["session", "list", "-n", "1000"],
        &["session", "list", "--open"],
        &["session", "show"],
        &["session", "show", ""],
        &["session", "status"],
        &["session", "state"],
        &["session", "end"],
        &["session", "resume"],
        &["project", "show"],
        &["project", "list"],
        &["config", "show"],
        &["jobs", "list"],
        &["jobs", "retry"],
        &["jobs", "run"],
        &["doctor"],
        &["check"],
        &["project", "alias", "one"],
        &["project", "adopt", "nobody"],
    ];
    for command in commands {
        shows_nothing(home, command);
    }
    let exported = home.ok(&["--project", "two", "log", "export"]);
    assert!(!exported.contains(WORD));
    home.check();
}

fn ids_of_a_project_mean_nothing_in_another(home: &Home) {
    let planted = plant(home);
    let before = home.ok(&["--project", "one", "log", "export"]);
    let (event, session) = (planted.events[0].as_str(), planted.session.as_str());
    for session in [session, &session[..10], session.strip_suffix(|_: char| true).unwrap()] {
        for command in ["show", "status", "state", "end", "resume"] {
            shows_nothing(home, &["session", command, session]);
            let ran = home.call(&["--project", "two", "session", command, session]).run();
            assert_eq!(ran.code, 1, "{command} {session}");
        }
        shows_nothing(home, &["log", "tail", "--session", session]);
        shows_nothing(home, &["log", "export", "--session", session]);
        home.call(&["--project", "two", "session", "state", session, "--patch", "{\"a\":1}"]).run().fails();
        home.call(&["--project", "two", "log", "purge", "--session", session, "--reason", "r"]).run().fails();
    }
    let purge = home.fails(&["--project", "two", "log", "purge", event, "--reason", "r"]);
    assert!(purge.contains("there is no event "), "{purge}");
    let recorded = home.json(&[
        "--project",
        "two",
        "log",
        "append",
        "--kind",
        "read",
        "--session",
        session,
        "--triggered-by",
        event,
    ]);
    assert_ne!(recorded["session_id"], session, "a session of its own");
    shows_nothing(home, &["log", "tail"]);
    shows_nothing(home, &["session", "show"]);
    assert_eq!(home.ok(&["--project", "one", "log", "export"]), before);
}

fn names_of_a_project_mean_nothing_in_another(home: &Home) {
    plant(home);
    let name = format!("session-{WORD}");
    for command in ["show", "status", "state", "end", "resume"] {
        shows_nothing(home, &["session", command, &name]);
        shows_nothing(home, &["session", command, "session-"]);
    }
    let tail =
        |args: &[&str]| home.json(&[&["--project", "two", "log", "tail"], args].concat())["total"].clone();
    assert_eq!(tail(&["--item", &format!("item-{WORD}")]), 0);
    assert_eq!(tail(&["--by", "agent:a-xylophone"]), 0);
    assert_eq!(
        home.json(&["--project", "two", "session", "list", "--chatmode", &format!("role-{WORD}")])["total"],
        0
    );
}

fn the_same_names_in_two_projects_do_not_meet(home: &Home) {
    for project in ["one", "two"] {
        let recorded = home.json(&[
            "--project",
            project,
            "log",
            "append",
            "--kind",
            "user_message",
            "--session",
            "s",
            "--client",
            "c",
            "--key",
            "k",
            "--item",
            "T-1",
            "--content",
            project,
        ]);
        assert_eq!(
            (&recorded["outcome"], &recorded["sequence"], &recorded["position"]),
            (&json!("appended"), &json!(1), &json!(1))
        );
        home.ok(&[
            "--project",
            project,
            "session",
            "state",
            "s",
            "--patch",
            &json!({"is": project}).to_string(),
        ]);
    }
    home.ok(&["--project", "one", "session", "end", "s"]);
    home.ok(&["--project", "one", "log", "purge", "--item", "T-1", "--reason", "r"]);
    let two = home.json(&["--project", "two", "session", "show", "s"]);
    assert_eq!(
        (&two["session"]["scratchpad"], &two["events"][0]["content"]),
        (&json!({"is": "two"}), &json!("two"))
    );
    assert_eq!(two["session"].get("ended_at"), None);
    let log = home.ok(&["--project", "one", "log", "export"]);
    home.call(&["--project", "three", "log", "import", "-"]).input(log.clone()).ok();
    assert_eq!(
        home.ok(&["--project", "three", "log", "export"]),
        log,
        "the same ids may stand in two projects"
    );
    home.check();
}
