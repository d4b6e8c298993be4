//! What models are told: relevant, once, again when it is lost, never more than allowed, and not at all where somebody
//! said so.

use serde_json::{Value as Json, json};

use super::{claude, patient, well};
use crate::fixture::Home;

const RETRIES: &str = "The payment service retries failed charges three times with exponential backoff";
const QUESTION: &str = "why was the failed charge not retried by the payment service?";

/// A home that knows something.
fn knowing() -> Home {
    let home = patient();
    home.ok(&["remember", RETRIES]);
    home.ok(&["remember", "--kind", "rule", "Never call the Stripe API from a test"]);
    home.ok(&["task", "create", "Write the docs of the webhooks"]);
    home.ok(&["task", "complete", "TASK-0001", "--summary", "written"]);
    home
}

fn told(answer: &Json) -> String {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

#[track_caller]
fn hears(home: &Home, event: &str, more: &Json) -> String {
    told(&well("claude-code", claude(home, event, more)))
}

#[track_caller]
fn prompt(home: &Home, session: &str, text: &str) -> String {
    let id = format!("{session} {} {text}", home.events().len());
    hears(home, "UserPromptSubmit", &json!({ "session_id": session, "prompt": text, "prompt_id": id }))
}

#[track_caller]
fn start(home: &Home, session: &str, source: &str) -> String {
    hears(home, "SessionStart", &json!({ "session_id": session, "source": source }))
}

fn status(home: &Home, session: &str) -> Json {
    home.json(&["session", "status", session])
}

#[test]
fn a_prompt_brings_what_it_is_about_and_the_working_memory() {
    let home = knowing();
    let context = prompt(&home, "s1", QUESTION);
    assert!(context.starts_with("<throughline-context source=\"throughline\">"), "{context}");
    assert!(context.contains(RETRIES), "{context}");
    assert!(context.contains("[fact, explicit by user:"), "{context}");
    assert!(context.contains("TASK-0001 Write the docs of the webhooks"), "{context}");
    assert!(context.contains("Never call the Stripe API"), "a rule holds whatever is asked: {context}");
}

#[test]
fn what_was_told_is_not_told_again_until_it_is_lost() {
    let home = knowing();
    assert!(start(&home, "s1", "startup").contains("Never call the Stripe API"));
    assert_eq!(prompt(&home, "s1", "hello, how are you?"), "");
    let context = prompt(&home, "s1", QUESTION);
    assert!(context.contains(RETRIES) && !context.contains("Stripe"), "{context}");
    assert_eq!(prompt(&home, "s1", QUESTION), "");
    assert!(prompt(&home, "s2", QUESTION).contains(RETRIES), "another session knows nothing");

    assert_eq!(hears(&home, "PreCompact", &json!({ "trigger": "auto" })), "");
    let context = start(&home, "s1", "compact");
    assert!(context.contains("This session so far") && context.contains(QUESTION), "{context}");
    assert!(context.contains("Stripe"), "{context}");
    hears(&home, "PostCompact", &json!({ "trigger": "auto", "compact_summary": "we spoke of charges" }));
    assert!(prompt(&home, "s1", QUESTION).contains(RETRIES));
    assert_eq!(prompt(&home, "s1", QUESTION), "");
}

#[test]
fn a_client_that_says_nothing_after_compaction_gets_the_thread_with_the_next_prompt() {
    let home = knowing();
    prompt(&home, "s1", QUESTION);
    hears(&home, "PreCompact", &json!({ "trigger": "manual" }));
    let context = prompt(&home, "s1", "go on");
    assert!(context.contains("This session so far") && context.contains(QUESTION), "{context}");
    assert_eq!(prompt(&home, "s1", "go on"), "");
}

#[test]
fn before_compaction_a_checkpoint_is_recorded() {
    let home = knowing();
    prompt(&home, "s1", QUESTION);
    let write = json!({ "tool_name": "Write", "tool_use_id": "t", "tool_input":
        { "file_path": home.work("shop").join("src/retry.rs"), "content": "" }, "tool_response": {} });
    hears(&home, "PostToolUse", &write);
    home.ok(&["session", "state", "s1", "--patch", r#"{"current_task":"TASK-0009"}"#]);
    hears(&home, "PreCompact", &json!({ "trigger": "auto" }));
    let events = home.events();
    let checkpoint = events.iter().find(|event| event["kind"] == "checkpoint").unwrap();
    let parts = &checkpoint["parts"];
    assert_eq!(parts["files_modified"], json!(["src/retry.rs"]));
    assert_eq!(parts["current_task"], "TASK-0009");
    assert!(checkpoint["content"].as_str().unwrap().contains(QUESTION), "{checkpoint}");
}

#[test]
fn what_changed_is_told_again() {
    let home = knowing();
    home.ok(&["task", "create", "Deploy the new gateway to staging"]);
    let about = "when do we deploy the new gateway to staging?";
    assert!(prompt(&home, "s1", about).contains("TASK-0002 [open"));
    assert_eq!(prompt(&home, "s1", about), "");
    home.ok(&["task", "block", "TASK-0002", "--reason", "no certificate"]);
    let context = prompt(&home, "s1", "thanks");
    assert!(context.contains("Blocked") && context.contains("no certificate"), "{context}");
    assert!(prompt(&home, "s1", about).contains("TASK-0002 [blocked"));
}

#[test]
fn a_task_that_is_named_is_told() {
    let home = knowing();
    home.ok(&["task", "create", "Rotate the keys", "--description", "every ninety days"]);
    let context = prompt(&home, "s1", "do task-0002 now");
    assert!(context.contains("TASK-0002 [open") && context.contains("every ninety days"), "{context}");
}

#[test]
fn each_beginning_has_its_own_need() {
    let home = knowing();
    let full = start(&home, "s1", "startup");
    assert!(full.contains("Never call the Stripe API") && full.contains("TASK-0001"), "{full}");
    assert_eq!(start(&home, "s1", "resume"), "", "it still has everything");
    home.ok(&["remember", "--kind", "rule", "Write every date in UTC"]);
    start(&home, "s1b", "startup");
    home.ok(&["remember", "--kind", "rule", "Write every time in ISO 8601"]);
    let news = start(&home, "s1b", "resume");
    assert!(news.contains("ISO") && !news.contains("UTC") && !news.contains("Stripe"), "{news}");
    assert!(start(&home, "s2", "clear").contains("Never call the Stripe API"));
    assert!(start(&home, "s3", "fork").contains("TASK-0001"));
    let agent = json!({ "agent_id": "a1", "agent_type": "Explore" });
    let digest = hears(&home, "SubagentStart", &agent);
    assert!(digest.contains("Never call the Stripe API"), "{digest}");
    assert_eq!(hears(&home, "Stop", &json!({ "last_assistant_message": "done" })), "");
}

#[test]
fn every_injection_is_in_the_log_with_its_reasons_and_its_cost() {
    let home = knowing();
    start(&home, "s1", "startup");
    let context = prompt(&home, "s1", QUESTION);
    let status = status(&home, "s1");
    let injections = &status["injections"];
    assert_eq!(injections["count"], 2);
    let newest = &injections["newest"][0];
    assert_eq!(newest["moment"], "prompt");
    assert_eq!(newest["given"][0]["why"], "relevant");
    assert!(newest["given"][0]["score"].as_f64().unwrap() > 0.2, "{newest}");
    assert_eq!(newest["given"].as_array().unwrap().last().unwrap()["what"], "working memory");
    let tokens = newest["tokens"].as_u64().unwrap();
    assert!(tokens > 40 && tokens < context.len() as u64, "{tokens}");
    let before = injections["newest"][1]["tokens"].as_u64().unwrap();
    assert_eq!(injections["tokens"].as_u64().unwrap(), tokens + before);
    let text = home.ok(&["session", "status", "s1"]);
    assert!(text.contains("injected    2 times,") && text.contains("at prompt: "), "{text}");
}

#[test]
fn it_is_silent_where_somebody_said_so() {
    let home = knowing();
    assert_eq!(prompt(&home, "s1", &format!("{QUESTION} [No context]")), "");
    prompt(&home, "s2", "hello");
    home.ok(&["session", "state", "s2", "--patch", r#"{"injection":"off"}"#]);
    assert_eq!(prompt(&home, "s2", QUESTION), "");
    home.ok(&["session", "state", "s2", "--patch", r#"{"injection":null}"#]);
    assert!(prompt(&home, "s2", QUESTION).contains(RETRIES));
    let prompted = json!({ "session_id": "s3", "prompt": QUESTION, "prompt_id": "p" });
    let off = claude(&home, "UserPromptSubmit", &prompted).env("THROUGHLINE_INJECT", "off");
    assert_eq!(told(&well("claude-code", off)), "");
    home.write("work/shop/.throughline.toml", "[hooks]\ninject = false\n");
    assert_eq!(
        (prompt(&home, "s4", QUESTION), start(&home, "s5", "startup")),
        (String::new(), String::new())
    );
    home.write("work/shop/.throughline.toml", "[hooks]\nprompt_tokens = 0\n");
    assert_eq!(prompt(&home, "s4", QUESTION), "");
    assert_ne!(start(&home, "s6", "startup"), "");
}

#[test]
fn isolated_work_gets_no_history() {
    let home = knowing();
    home.ok(&["task", "create", "Sort a list", "--no-context"]);
    home.ok(&["task", "update", "TASK-0002", "--status", "in_progress"]);
    assert_eq!(prompt(&home, "s1", QUESTION), "", "the only task that anybody works on");
    assert_eq!(start(&home, "s2", "startup"), "");
    home.ok(&["task", "create", "Look into the charges"]);
    home.ok(&["task", "update", "TASK-0003", "--status", "in_progress"]);
    assert!(prompt(&home, "s1", QUESTION).contains(RETRIES), "nobody knows which of the two");
    home.ok(&["session", "state", "s1", "--patch", r#"{"current_task":"TASK-0002"}"#]);
    assert_eq!(prompt(&home, "s1", "the failed charge and its payment retries"), "");
    home.ok(&["session", "state", "s1", "--patch", r#"{"current_task":"TASK-0003"}"#]);
    home.write("work/shop/.throughline.toml", "[context]\nisolated_types = [\"task\"]\n");
    assert_eq!(prompt(&home, "s3", "TASK-0003: the failed charge"), "");
    home.write("work/shop/.throughline.toml", "[context]\nrequires_context = false\n");
    assert_eq!(prompt(&home, "s4", "TASK-0003: the failed charge"), "");
}

#[test]
fn a_prompt_brings_no_more_than_its_budget() {
    let home = patient();
    for n in 0..30 {
        let place = ["Oslo", "Rome", "Bern", "Graz", "Lyon", "Kiel"][n % 6];
        home.ok(&[
            "remember",
            &format!("In {place} the payment gateway {place}-{n} retries a failed charge"),
        ]);
    }
    home.write("work/shop/.throughline.toml", "[hooks]\nprompt_tokens = 150\n");
    let context =
        prompt(&home, "s1", "how often does the payment gateway in Oslo or Rome retry a failed charge?");
    assert!(context.contains("the payment gateway"), "{context}");
    let newest = &status(&home, "s1")["injections"]["newest"][0];
    assert!(newest["tokens"].as_u64().unwrap() <= 150, "{newest}");
    assert!(newest["left_out"]["no_room"].as_u64().unwrap() > 0, "{newest}");
}

#[test]
fn what_the_agent_held_before_is_told_once_and_again_when_it_is_lost() {
    let home = patient();
    let agent = ["--agent", "agent:claude-code"];
    home.ok(&[&["set", "save", "TASK", "Sort the invoices by number"], &agent[..]].concat());
    home.ok(&[&["set", "save", "NOTE", "it rains", "--importance", "0.1"], &agent[..]].concat());
    home.ok(&["set", "save", "TASK", "of somebody else", "--agent", "agent:codex"]);
    let context = start(&home, "s1", "startup");
    assert!(context.contains("[TASK] Sort the invoices by number"), "{context}");
    assert!(!context.contains("rains") && !context.contains("somebody else"), "{context}");
    home.ok(&[&["set", "save", "TASK", "saved while at work"], &agent[..]].concat());
    assert_eq!(prompt(&home, "s1", "go on"), "", "it has one, and saved the other itself");
    hears(&home, "PreCompact", &json!({ "trigger": "auto" }));
    let context = start(&home, "s1", "compact");
    assert!(context.contains("Sort the invoices") && context.contains("saved while at work"), "{context}");
    assert_eq!(prompt(&home, "s1", "go on"), "");
    assert!(prompt(&home, "s2", "go on").contains("Sort the invoices"), "another session has nothing");
}
