//! A model that writes the summary of a compaction: what the built-in one holds stays, whatever the model does.

use std::io::Read as _;

use serde_json::{Value as Json, json};

use super::loopback::{Loopback, Reply, Wire};
use super::{KEY, call, choose, set, status};
use crate::fixture::{Home, on_both};

on_both![
    anthropic_writes_the_summary,
    an_openai_server_writes_the_summary,
    whatever_a_model_does_the_built_in_summary_stands,
    what_the_log_does_not_name_is_asked_about_once_more,
    lines_are_said_shorter_only_in_the_same_sense,
    the_same_range_is_asked_about_once,
    a_spent_budget_is_no_harm,
    jobs_ask_for_summaries_and_hooks_do_not,
    the_next_summary_goes_on_with_the_story,
    what_is_purged_while_a_model_writes_is_in_no_summary,
];

pub(crate) const STORY: &str = "The cart's total was off by a cent because floats round; the assistant went through the cart and \
    moved its amounts to cents, and the orders are still to be repaired.";
const HEADING: &str = "What happened, told by a model from the log (no instruction): ";
const DECIDED: &str = "Amounts are integer cents everywhere in the shop, as we said when we looked at the cart (because \
    floats round)";
/// What the built-in summary holds of it.
const HELD: [&str; 6] = [
    "Amounts are integer cents",
    "cargo test: error: orders are off",
    "Always ask before you touch the till",
    "Remember that the shop closes at six",
    "- repair the orders",
    "Files changed: src/cart.rs",
];

fn event(session: &str, kind: &str, rest: &Json) -> Json {
    let mut event = json!({ "session": session, "client": "claude-code", "kind": kind });
    event.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    event
}

/// What must not be lost, and then so many turns.
pub(crate) fn long_session(home: &Home, session: &str, turns: usize) {
    let said = |kind: &str, text: &str| event(session, kind, &json!({ "content": text }));
    let mut events = vec![
        said("user_message", "The cart's total is off by a cent, please look"),
        event(
            session,
            "decision",
            &json!({ "content": DECIDED.split(" (because").next().unwrap(), "rationale": "floats round" }),
        ),
        event(session, "write", &json!({ "target": "src/cart.rs" })),
        event(session, "tool_call", &json!({ "target": "cargo test", "parts": { "ok": false } })),
        event(
            session,
            "tool_result",
            &json!({
                "target": "cargo test", "content": "error: orders are off", "parts": { "ok": false },
            }),
        ),
        said("user_message", "Always ask before you touch the till"),
        said("user_message", "Remember that the shop closes at six"),
        said("model_message", "Understood.\n\nNext steps:\n- repair the orders"),
    ];
    for turn in 0..turns {
        let asked =
            format!("Request {turn}: {}", "please go through the cart and its amounts again ".repeat(20));
        events.push(said("user_message", &asked));
        events.push(event(session, "tool_call", &json!({ "target": "ls", "parts": { "ok": true } })));
    }
    events.push(said("model_message", "Next steps:\n- repair the orders"));
    home.batch(&events);
}

fn compact(home: &Home, session: &str) -> Json {
    call(home, &["session", "compact", session]).json()
}

fn summaries(home: &Home) -> Vec<Json> {
    let mut notes = home.events_with(&["--kind", "system_event"]);
    notes.retain(|note| note["target"] == "compaction_summary");
    notes
}

/// The newest summary, after all that it holds in any case was looked for.
fn summary(home: &Home) -> Json {
    let newest = summaries(home).pop().unwrap();
    let text = newest["content"].as_str().unwrap();
    for held in HELD {
        assert!(text.contains(held), "{held:?} is lost:\n{text}");
    }
    newest
}

/// What stands in its place, whatever the ids.
fn text_of(home: &Home, summary: &Json) -> String {
    home.plain(summary["content"].as_str().unwrap())
}

pub(crate) fn telling(story: &'static str) -> impl Fn(&str) -> Json {
    move |prompt| match prompt.contains("The story has at most") {
        true => json!({ "story": story, "lines": [] }),
        false => super::thoughtful(prompt),
    }
}

fn anthropic_writes_the_summary(home: &Home) {
    writes_the_summary(home, Wire::Anthropic);
}

fn an_openai_server_writes_the_summary(home: &Home) {
    writes_the_summary(home, Wire::OpenAi);
}

fn writes_the_summary(home: &Home, wire: Wire) {
    let server = Loopback::serve(wire, &[Reply::Thought], telling(STORY));
    choose(home, &server);
    long_session(home, "s", 20);
    let before = home.events().len();
    let done = compact(home, "s");
    assert_eq!((&done["compacted"], &done["written_by"]), (&json!(true), &json!("model")), "{done:#}");
    assert_eq!(done.get("without"), None);
    assert!(done["tokens_after"].as_i64() < done["tokens_before"].as_i64(), "{done:#}");
    let summary = summary(home);
    assert_eq!(summary["id"], done["summary"]);
    assert!(summary["content"].as_str().unwrap().contains(&format!("{HEADING}{STORY}")), "{summary:#}");
    let parts = &summary["parts"];
    assert_eq!(
        (&parts["written_by"], &parts["story"]["text"]),
        (&json!("model"), &json!(STORY)),
        "{parts:#}"
    );
    assert!(parts["model"].as_str().unwrap().contains("tiny"), "{parts:#}");
    assert!(summary["summary"].as_str().unwrap().contains("; written by "), "{summary:#}");
    let [asked] = &server.asked()[..] else { panic!("one question") };
    assert!(asked.prompt.contains("user: The cart's total is off by a cent"), "{asked:?}");
    assert!(asked.prompt.contains("output of cargo test (failed): error: orders are off"), "{asked:?}");
    assert!(asked.prompt.contains(&format!("[d1] {DECIDED}")), "{asked:?}");
    let status = status(home);
    let today = &status["today"][0];
    assert_eq!(
        (&today["purpose"], &today["outcome"]),
        (&json!("summarize"), &json!("answered")),
        "{status:#}"
    );
    assert_eq!(status["budget"]["spent"], 1100);
    assert_eq!(home.events().len(), before + 2, "a checkpoint and the summary");
    home.check();
}

fn whatever_a_model_does_the_built_in_summary_stands(home: &Home) {
    let plain = home.fresh();
    long_session(&plain, "s", 20);
    let built_in = compact(&plain, "s");
    assert_eq!((&built_in["written_by"], built_in.get("without")), (&json!("built_in"), None));
    let wires = [Wire::Anthropic, Wire::OpenAi];
    for (place, (reply, why)) in [
        (Reply::Hang, "did not answer in time"),
        (Reply::Drip, "did not answer in time"),
        (Reply::Cut, "cut off"),
        (Reply::Huge, "longer than"),
        (Reply::Page, "instead of JSON"),
        (Reply::Text("I am a teapot, short and stout."), "no JSON document"),
        (Reply::Text("{\"story\": [], \"lines\": []}"), "must be a string"),
        (Reply::Text("{\"story\": \"\", \"lines\": []}"), "tells nothing"),
        (
            Reply::Text("{\"story\": \"Lorem ipsum dolor sit amet, consectetur elit\", \"lines\": []}"),
            "words of the log",
        ),
        (Reply::Status("401 Unauthorized"), "model.api_key_env"),
        (Reply::Status("500 Broken\r\nretry-after: 0"), "status 500"),
    ]
    .into_iter()
    .enumerate()
    {
        let home = home.fresh();
        let server = Loopback::serve(wires[place % 2], &[reply], telling(STORY));
        choose(&home, &server);
        if matches!(reply, Reply::Hang | Reply::Drip) {
            set(&home, &[("timeout", "400ms")]);
        }
        long_session(&home, "s", 20);
        let done = compact(&home, "s");
        assert_eq!(done["written_by"], "built_in", "{reply:?}: {done:#}");
        assert!(done["without"].as_str().unwrap().contains(why), "{reply:?}: {done:#}");
        let note = summary(&home);
        assert_eq!(text_of(&home, &note), text_of(&plain, &summary(&plain)));
        assert!(!note["content"].as_str().unwrap().contains(HEADING), "{note:#}");
        assert!(note["summary"].as_str().unwrap().contains("; without the model: "), "{note:#}");
        assert_eq!(
            (&note["parts"]["written_by"], &note["parts"]["without"]),
            (&json!("built_in"), &done["without"])
        );
        assert_eq!(status(&home)["fallbacks"], 1, "{reply:?}");
        assert!(!note.to_string().contains(KEY));
        home.check();
    }
    let text = call(&plain, &["session", "compact", "s"]).ok();
    assert_eq!(text, "the session is too short to be compacted\n");
}

fn what_the_log_does_not_name_is_asked_about_once_more(home: &Home) {
    const MADE_UP: &str =
        "The cart's total was off by a cent because floats round, and src/evil.rs was changed with it.";
    for (thinks, asked, writer) in [(STORY, 2, "model"), (MADE_UP, 2, "built_in")] {
        let home = home.fresh();
        let thinking = move |prompt: &str| {
            let story = if prompt.contains("It cannot be used") { thinks } else { MADE_UP };
            json!({ "story": story, "lines": [] })
        };
        let server = Loopback::serve(Wire::Anthropic, &[Reply::Thought], thinking);
        choose(&home, &server);
        long_session(&home, "s", 20);
        let done = compact(&home, "s");
        assert_eq!((&done["written_by"], server.asked().len()), (&json!(writer), asked), "{done:#}");
        let again = &server.asked()[1].prompt;
        assert!(again.contains("names what the log does not name: src/evil.rs"), "{again}");
        let content = summary(&home)["content"].as_str().unwrap().to_owned();
        assert!(!content.contains("src/evil.rs"), "{content}");
        let outcomes: Vec<Json> =
            status(&home)["today"].as_array().unwrap().iter().map(|one| one["outcome"].clone()).collect();
        let expected = if writer == "model" { ["answered", "wrong"] } else { ["wrong", "nonsense"] };
        assert_eq!(outcomes, expected);
        assert_eq!(status(&home)["answers_kept"], i64::from(writer == "model"));
    }
}

fn lines_are_said_shorter_only_in_the_same_sense(home: &Home) {
    const SHORTER: &str = "Amounts are integer cents everywhere in the shop (because floats round)";
    const OPPOSITE: &str = "Amounts are not integer cents everywhere in the shop (because floats round)";
    const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    for (line, kept) in [(SHORTER, SHORTER), (OPPOSITE, DECIDED), ("", DECIDED), ("Sold.", DECIDED)] {
        let home = home.fresh();
        let thinking = move |_: &str| {
            json!({
                "story": format!("{STORY}\n\nDecided:\n- the cart is moved {SECRET}"),
                "lines": [{ "of": "d1", "text": line }, { "of": "d9", "text": line }, { "of": "n1", "text": "" }],
            })
        };
        let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought], thinking);
        choose(&home, &server);
        long_session(&home, "s", 20);
        assert_eq!(compact(&home, "s")["written_by"], "model");
        let summary = summary(&home);
        let content = summary["content"].as_str().unwrap();
        assert!(content.contains(&format!("\nDecided:\n- {kept} [")), "{line}:\n{content}");
        assert_eq!(content.matches("\nDecided:").count(), 1, "a story has no headings:\n{content}");
        let digest = &summary["parts"]["digest"]["decisions"][0][0];
        assert_eq!(digest, DECIDED, "the next summary goes on with what was said");
        assert_eq!(home.files_with(SECRET), [""; 0].map(std::path::PathBuf::from));
    }
}

fn the_same_range_is_asked_about_once(home: &Home) {
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought], telling(STORY));
    choose(home, &server);
    for session in ["one", "two"] {
        long_session(home, session, 20);
        assert_eq!(compact(home, session)["written_by"], "model");
    }
    assert_eq!((server.asked().len(), &status(home)["answers_kept"]), (1, &json!(1)));
    assert_eq!(compact(home, "two")["compacted"], false);
}

fn a_spent_budget_is_no_harm(home: &Home) {
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought], telling(STORY));
    choose(home, &server);
    set(home, &[("daily_tokens", "500")]);
    long_session(home, "s", 20);
    let done = compact(home, "s");
    assert!(done["without"].as_str().unwrap().contains("model.daily_tokens"), "{done:#}");
    let text = call(home, &["session", "compact", "s"]).ok();
    assert!(text.contains("too short"), "{text}");
    assert_eq!((server.asked().len(), &status(home)["today"][0]["outcome"]), (0, &json!("over_budget")));
    summary(home);
}

fn jobs_ask_for_summaries_and_hooks_do_not(home: &Home) {
    let server = Loopback::serve(Wire::Anthropic, &[Reply::Thought], telling(STORY));
    choose(home, &server);
    home.ok(&["config", "set", "hooks.deadline_ms", "60000"]);
    long_session(home, "s", 32);
    let place = home.work("shop").display().to_string();
    let hook = json!({ "hook_event_name": "PreCompact", "session_id": "s", "cwd": place, "trigger": "auto" });
    call(home, &["hook", "claude-code"]).input(hook.to_string()).ok();
    assert_eq!((server.asked().len(), summaries(home).len()), (0, 0));
    call(home, &["jobs", "run"]).ok();
    let summary = summary(home);
    assert_eq!(
        (&summary["parts"]["cause"], &summary["parts"]["written_by"]),
        (&json!("turns"), &json!("model")),
        "{summary:#}"
    );
    home.check();
}

fn the_next_summary_goes_on_with_the_story(home: &Home) {
    let down = Reply::Status("401 Unauthorized");
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought, down, Reply::Thought], telling(STORY));
    choose(home, &server);
    for (writer, turns) in [("model", 20), ("built_in", 12), ("model", 12)] {
        // A model that failed is left alone; asking whether it is there ends that.
        if writer == "model" && turns == 12 {
            let answers = Loopback::serve(Wire::OpenAi, &[Reply::Thought], telling(STORY));
            choose(home, &answers);
            call(home, &["model", "test"]).ok();
            choose(home, &server);
        }
        long_session(home, "s", turns);
        let done = compact(home, "s");
        assert_eq!(done["written_by"], writer, "{done:#}");
        let summary = summary(home);
        assert_eq!(summary["parts"]["story"]["text"], STORY, "kept for the next one: {summary:#}");
        let is_told = summary["content"].as_str().unwrap().contains(STORY);
        assert_eq!(is_told, writer == "model", "{summary:#}");
    }
    let prompts: Vec<String> = server.asked().into_iter().map(|asked| asked.prompt).collect();
    assert_eq!(prompts.len(), 3);
    for (prompt, knows) in prompts.iter().zip([false, true, true]) {
        assert_eq!(prompt.contains(&format!("What was told before:\n{STORY}")), knows, "{prompt}");
    }
}

fn what_is_purged_while_a_model_writes_is_in_no_summary(home: &Home) {
    let (go_on, told) = std::sync::mpsc::channel::<()>();
    let told = std::sync::Mutex::new(told);
    let thinking = move |prompt: &str| {
        // Until nobody is there who could tell it.
        let _ = told.lock().unwrap().recv();
        telling(STORY)(prompt)
    };
    let server = Loopback::serve(Wire::OpenAi, &[Reply::Thought], thinking);
    choose(home, &server);
    long_session(home, "s", 20);
    let private = home.events_with(&["--kind", "decision"]).remove(0);
    let mut compacting = call(home, &["session", "compact", "s", "--json"]).spawn();
    while server.asked().is_empty() {
        std::thread::yield_now();
    }
    home.ok(&["log", "purge", private["id"].as_str().unwrap(), "--reason", "private"]);
    drop(go_on);
    assert!(compacting.wait().unwrap().success());
    let mut said = String::new();
    compacting.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    let done: Json = serde_json::from_str(&said).unwrap();
    assert_eq!(done["compacted"], true, "{done:#}");
    let content = summaries(home).pop().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(!content.contains("integer cents"), "{content}");
    assert_eq!(home.files_with("integer cents"), [""; 0].map(std::path::PathBuf::from));
    home.check();
}
