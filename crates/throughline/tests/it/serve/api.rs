//! The interface: what it answers, in which shapes, and how it refuses.

use serde_json::{Value as Json, json};

use super::http::Served;
use crate::fixture::{Home, on_both, texts};

on_both![
    what_is_written_is_read_back_by_every_door,
    lists_go_on_where_they_stopped,
    working_sets_are_as_the_seed_has_them,
    a_context_that_is_known_is_not_sent_again,
    wrong_requests_say_what_is_wrong,
    a_text_with_a_zero_in_it_is_stored_on_both_databases,
    sessions_are_shown_and_changed,
    an_overview_counts_what_there_is,
    what_was_counted_stays_right_when_the_log_goes_on_and_when_it_is_purged,
    jobs_searches_and_the_index_are_measured,
    a_memory_is_put_away_and_comes_back,
    what_a_prompt_would_be_given_is_told_with_why,
];

fn what_is_written_is_read_back_by_every_door(home: &Home) {
    let served = Served::start(home, &[]);
    let made = ok(&served, "POST /api/items", Some(&json!({"title": "Build the shop", "type": "epic"})));
    assert_eq!(made["id"], "EPIC-0001");
    let below = json!({"title": "Sell a book", "parent_id": "EPIC-0001"});
    assert_eq!(ok(&served, "POST /api/items", Some(&below))["id"], "TASK-0001");
    assert_eq!(ok(&served, "GET /api/items/TASK-0001", None)["parent_id"], "EPIC-0001");
    assert!(home.ok(&["task", "show", "TASK-0001"]).contains("EPIC-0001"));
    let tops = ok(&served, "GET /api/items?parent=root", None);
    assert_eq!(
        (texts(tops["items"].as_array().unwrap(), "id"), &tops["total"]),
        (vec!["EPIC-0001"], &json!(1))
    );
    let changed = ok(&served, "PATCH /api/items/TASK-0001", Some(&json!({"depends_on": ["EPIC-0001"]})));
    assert_eq!(changed["depends_on"], json!(["EPIC-0001"]));
    let blocking = ok(&served, "GET /api/items/TASK-0001/blocking", None);
    assert_eq!(
        (&blocking["items"][0]["id"], &blocking["items"][0]["depth"]),
        (&json!("EPIC-0001"), &json!(1))
    );
    let timeline = ok(&served, "GET /api/items/TASK-0001/timeline", None);
    assert_eq!(texts(timeline["items"].as_array().unwrap(), "kind"), ["item_updated", "item_created"]);
    home.ok(&["remember", "We deploy on Tuesdays"]);
    let found = ok(&served, "GET /api/search?query=deploy&explain", None);
    assert!(found["hits"][0]["parts"]["lexical"].is_number(), "{found:#}");
    let id = ok(&served, "GET /api/memories", None)["items"][0]["id"].as_str().unwrap().to_owned();
    let full = ok(&served, "POST /api/expand", Some(&json!({"ids": [id]})));
    assert_eq!(full["entries"][0]["text"], "We deploy on Tuesdays");
    assert_eq!(ok(&served, &format!("GET /api/memories/{id}/history"), None)["versions"][0]["id"], json!(id));
    assert_eq!(ok(&served, &format!("DELETE /api/memories/{id}"), None)["forgotten"][0]["id"], json!(id));
    assert_eq!(ok(&served, "GET /api/memories", None)["total"], 0);
    let written = json!({"uri": "throughline://resource/TASK-0001/plan.md",
        "operation": {"type": "create", "new_str": "# A plan"}});
    ok(&served, "POST /api/resources", Some(&written));
    assert_eq!(ok(&served, "GET /api/resources/TASK-0001/plan.md", None)["content"], "# A plan");
    home.check();
}

fn lists_go_on_where_they_stopped(home: &Home) {
    let served = Served::start(home, &[]);
    for n in 1..=5 {
        ok(&served, "POST /api/items", Some(&json!({"title": format!("task {n}")})));
        ok(
            &served,
            "POST /api/memories",
            Some(&json!({"content": format!("The port of server {n} is {n}00{n}")})),
        );
        ok(&served, "POST /api/checkpoints", Some(&json!({"title": format!("at {n}")})));
        ok(&served, "POST /api/handoffs", Some(&json!({"to": format!("role-{n}")})));
        let document = json!({"uri": format!("throughline://resource/{n}.md"),
            "operation": {"type": "create", "new_str": "x"}});
        ok(&served, "POST /api/resources", Some(&document));
        let event =
            json!({"kind": "user_message", "content": "hi", "client": "test", "session": format!("s{n}")});
        ok(&served, "POST /api/events", Some(&event));
        ok(
            &served,
            &format!("POST /api/agents/agent:{n}/context/save"),
            Some(&json!({"item_type": "CODE", "content": "x"})),
        );
    }
    let lists = [
        "items",
        "memories",
        "checkpoints",
        "handoffs",
        "resources",
        "events",
        "sessions",
        "agents",
        "jobs",
        "projects",
    ];
    for list in lists {
        let (whole, pages) = read_while_it_stands(&served, list);
        let all = whole["items"].as_array().unwrap();
        assert_eq!(whole["total"], json!(all.len()), "{list}");
        assert!(all.len() >= 5 || ["jobs", "projects"].contains(&list), "{list}: {whole:#}");
        for page in &pages {
            assert_eq!(page["total"], whole["total"], "{list}");
        }
        let paged: Vec<Json> =
            pages.iter().flat_map(|page| page["items"].as_array().unwrap().clone()).collect();
        assert_eq!(&paged, all, "{list}");
    }
}

/// A list in one piece and in pages. Jobs come and go by themselves, so it is read again where it changed meanwhile.
fn read_while_it_stands(served: &Served, list: &str) -> (Json, Vec<Json>) {
    let whole = || ok(served, &format!("GET /api/{list}?limit=500"), None);
    for _ in 0..100 {
        let before = whole();
        let pages = pages_of(served, list);
        if list != "jobs" || whole() == before {
            return (before, pages);
        }
    }
    panic!("{list} never stands still");
}

fn pages_of(served: &Served, list: &str) -> Vec<Json> {
    let mut pages: Vec<Json> = vec![];
    let mut next = String::new();
    loop {
        let page = ok(served, &format!("GET /api/{list}?limit=2{next}"), None);
        let cursor = page["next"].as_str().map(str::to_owned);
        pages.push(page);
        let Some(cursor) = cursor else { return pages };
        next = format!("&cursor={}", cursor.replace('%', "%25").replace(' ', "%20").replace('&', "%26"));
    }
}

fn working_sets_are_as_the_seed_has_them(home: &Home) {
    let served = Served::start(home, &[]);
    let new = json!({"item_type": "TASK", "content": "sell a book", "importance_score": 0.95});
    let saved = ok(&served, "POST /api/agents/agent:a/context/save", Some(&new));
    assert_eq!(saved["tier"], "HOT");
    let hot = ok(&served, "GET /api/agents/agent:a/context?tier=HOT", None);
    assert_eq!((&hot["items"][0]["id"], &hot["items"][0]["type"]), (&saved["item_id"], &json!("TASK")));
    let loaded = |given: &str| ok(&served, &format!("GET /api/agents/agent:a/context?tier=HOT{given}"), None);
    let diff =
        || ok(&served, "GET /api/agents/agent:a/context/diff", None)["added"].as_array().unwrap().len();
    loaded("");
    assert_eq!(diff(), 1, "a look is no giving");
    assert_eq!(diff(), 0);
    ok(
        &served,
        "POST /api/agents/agent:a/context/save",
        Some(&json!({"item_type": "CODE", "content": "y", "importance_score": 0.9})),
    );
    loaded("&given=true");
    assert_eq!(diff(), 0, "what is given is known");
    let flashed = ok(&served, "POST /api/agents/agent:a/context/flash-save", Some(&json!({})));
    assert_eq!((&flashed["items_archived"], &flashed["hot_items_retained"]), (&json!(0), &json!(2)));
    let stats = ok(&served, "GET /api/agents/agent:a/context/stats", None);
    assert_eq!((&stats["total_items"], &stats["hot_count"]), (&json!(2), &json!(2)));
    let agents = ok(&served, "GET /api/agents", None);
    assert_eq!(
        (&agents["items"][0]["agent"], &agents["items"][0]["hot_count"]),
        (&json!("agent:a"), &json!(2))
    );
    let tidied = json!({"delete": [saved["item_id"]]});
    assert_eq!(
        ok(&served, "POST /api/agents/agent:a/context/tiers", Some(&tidied))["deleted"],
        json!([saved["item_id"]])
    );
}

fn a_context_that_is_known_is_not_sent_again(home: &Home) {
    let served = Served::start(home, &[]);
    ok(&served, "POST /api/items", Some(&json!({"title": "Sell a book"})));
    let line = "GET /api/context?task_id=TASK-0001&include_session=false&include_activity=false";
    let first = served.ask(line, None);
    let tag = first.header("etag").unwrap().to_owned();
    let known = |tag: &str| served.ask_with(line, &[&format!("If-None-Match: {tag}")], None);
    let again = known(&tag);
    assert_eq!((again.status, again.body.as_str(), again.header("etag")), (304, "", Some(tag.as_str())));
    assert_eq!(known(&format!("\"other\", {tag}")).status, 304);
    assert_eq!(known("\"other\"").status, 200);
    ok(&served, "PATCH /api/items/TASK-0001", Some(&json!({"description": "A thick one"})));
    let changed = known(&tag);
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
    let by_query = ok(&served, "GET /api/context?query=sell%20a%20book", None);
    assert_eq!(by_query["metadata"]["focal_resolved_from"], "query");
}

fn wrong_requests_say_what_is_wrong(home: &Home) {
    let served = Served::start(home, &[]);
    let host = served.host();
    let json = "Content-Type: application/json";
    let cases: [(&str, &[&str], &str, u16, &str); 14] = [
        ("GET /api/nothing", &[], "", 404, "openapi.json"),
        ("PUT /api/items", &[], "", 405, "no such method"),
        ("POST /api/items", &[json], "{", 400, "no JSON"),
        ("POST /api/items", &[json], "{}", 422, "missing field `title`"),
        ("POST /api/items", &[json], "{\"title\": \"x\", \"colour\": 1}", 422, "colour"),
        ("POST /api/items", &["Content-Type: text/plain"], "{\"title\": \"x\"}", 415, "application/json"),
        ("GET /api/items?colour=red", &[], "", 400, "colour"),
        ("GET /api/items?limit=many", &[], "", 400, "whole number"),
        ("GET /api/items?limit=501", &[], "", 422, "between 1 and 500"),
        ("GET /api/items?limit=1&limit=2", &[], "", 400, "twice"),
        ("GET /api/items?status=lost", &[], "", 422, "open, in_progress"),
        ("GET /api/items/TASK-0009", &[], "", 404, "TASK-0009"),
        ("GET /api/items?project=nobody", &[], "", 404, "nobody"),
        ("GET /api/events?cursor=x", &[], "", 422, "no cursor"),
    ];
    for (line, headers, body, status, detail) in cases {
        let refused = served.request(line, &[&[host.as_str()], headers].concat(), body);
        assert_eq!(refused.status, status, "{line}: {refused:?}");
        assert_eq!(refused.header("content-type"), Some("application/problem+json"), "{line}");
        let problem = refused.message();
        assert_eq!(problem["status"], status);
        assert!(problem["detail"].as_str().unwrap().contains(detail), "{line}: {problem}");
        assert!(problem["title"].is_string() && problem["type"].is_string());
    }
}

fn a_text_with_a_zero_in_it_is_stored_on_both_databases(home: &Home) {
    let served = Served::start(home, &[]);
    let event = json!({"kind": "user_message", "content": "a\u{0}b", "metadata": {"k\u{0}": "v\u{0}"},
        "client": "test", "session": "s"});
    ok(&served, "POST /api/events", Some(&event));
    let events = ok(&served, "GET /api/events?session=s&kind=user_message", None);
    assert_eq!(events["items"][0]["content"], "a\u{2400}b");
    ok(&served, "POST /api/events", Some(&json!({"kind": "model_message", "content": ""})));
    assert_eq!(served.ask("GET /api/items?query=%00", None).status, 422);
    assert_eq!(served.ask("GET /api/items/%00", None).status, 422);
    assert_eq!(served.ask("POST /api/items", Some(&json!(["a title"]))).status, 422, "fields have names");
}

fn sessions_are_shown_and_changed(home: &Home) {
    let served = Served::start(home, &[]);
    for n in 0..12 {
        let event =
            json!({"kind": "user_message", "content": format!("do {n}"), "client": "test", "session": "run"});
        ok(&served, "POST /api/events", Some(&event));
    }
    let one = ok(&served, "GET /api/sessions/run", None);
    assert_eq!((&one["client"], &one["state"]), (&json!("test"), &json!("open")));
    assert_eq!(ok(&served, "GET /api/sessions/run/events?limit=3", None)["items"][2]["sequence"], 10);
    let patch = json!({"patch": {"current_task": "TASK-0001"}, "if_version": 0});
    assert_eq!(ok(&served, "PATCH /api/sessions/run/state", Some(&patch))["version"], 1);
    assert_eq!(served.ask("PATCH /api/sessions/run/state", Some(&patch)).status, 409);
    assert_eq!(ok(&served, "GET /api/sessions/run/state", None)["state"]["current_task"], "TASK-0001");
    assert!(ok(&served, "GET /api/sessions/run/reconstruct", None)["narrative"].is_string());
    assert_eq!(ok(&served, "GET /api/sessions/run/injections", None)["total"], 0);
    assert_eq!(ok(&served, "GET /api/sessions/run/status", None)["events_by_kind"]["user_message"], 12);
    assert!(ok(&served, "POST /api/sessions/run/compact", Some(&json!({})))["compacted"].is_boolean());
    assert_eq!(ok(&served, "POST /api/sessions/run/end", None)["end_reason"], "request");
    assert_eq!(ok(&served, "GET /api/sessions?open=true", None)["total"], 0);
}

fn an_overview_counts_what_there_is(home: &Home) {
    let served = Served::start(home, &[]);
    let nothing = ok(&served, "GET /api/overview", None);
    assert_eq!((&nothing["project"], &nothing["counts"]["events"]), (&Json::Null, &json!(0)));
    ok(&served, "POST /api/items", Some(&json!({"title": "Sell a book"})));
    home.ok(&["remember", "We deploy on Tuesdays"]);
    let told = ok(&served, "GET /api/overview", None);
    assert_eq!((&told["project"], &told["counts"]["events"]), (&json!("shop"), &json!(2)));
    assert_eq!(told["counts"]["items_by_status"], json!({"open": 1}));
    assert_eq!(told["counts"]["memories_by_kind"], json!({"fact": 1}));
    let days = told["days"].as_array().unwrap();
    assert_eq!((days.len(), &days[29]["events"]), (30, &json!(2)));
    assert_eq!(told["agents"][0]["actor"], "user:tester");
    assert_eq!(ok(&served, "GET /api/stats", None)["events"], 2);
    assert_eq!(ok(&served, "GET /api/ready", None)["status"], "ready");
    assert!(ok(&served, "GET /api/code/status", None)["collections"].is_array());
    let metrics = served.ask("GET /metrics", None);
    assert!(metrics.body.contains("throughline_events 2\n"), "{}", metrics.body);
    let counted = r#"throughline_http_request_duration_seconds_count{route="/api/overview",method="GET",status="200"} 2"#;
    assert!(metrics.body.contains(counted), "{}", metrics.body);
}

fn what_was_counted_stays_right_when_the_log_goes_on_and_when_it_is_purged(home: &Home) {
    let served = Served::start(home, &[]);
    let today = || {
        let told = ok(&served, "GET /api/overview", None);
        let day = told["days"][29].clone();
        let numbers = ["events", "tokens", "tokens_injected", "tokens_saved"];
        (numbers.map(|name| day[name].as_i64().unwrap()), told["counts"]["events_by_kind"].clone())
    };
    let said = |key: &str| json!({"kind": "user_message", "client": "test", "session": key, "content": "one two three four ".repeat(50)});
    home.batch(&[said("a")]);
    let ([_, tokens, ..], _) = today();
    assert!(tokens > 0);
    let recall = json!({"kind": "memory_recall", "client": "test", "session": "b", "target": "injection", "summary": "gave some",
        "parts": {"tokens": 40}});
    let summary = json!({"kind": "system_event", "client": "test", "session": "b", "target": "compaction_summary", "summary": "short",
        "parts": {"tokens_before": 90, "tokens_after": 20}});
    home.batch(&[said("b"), recall, summary]);
    let ([events, both, injected, saved], kinds) = today();
    assert_eq!((events, injected, saved, &kinds["user_message"]), (4, 40, 70, &json!(2)));
    assert!(both >= 2 * tokens);
    home.ok(&["log", "purge", "--session", "a", "--reason", "private"]);
    let ([events, left, ..], kinds) = today();
    assert!(events > 4 && left < both, "the purge is an event, and what it erased counts nothing: {left}");
    assert_eq!(kinds["user_message"], 2, "tombstones stay");
}

fn jobs_searches_and_the_index_are_measured(home: &Home) {
    let served = Served::start(home, &[]);
    ok(&served, "POST /api/memories", Some(&json!({"content": "We deploy on Tuesdays"})));
    ok(&served, "GET /api/search?query=deploy", None);
    ok(&served, "GET /api/search?query=zebra", None);
    let counts = ["", "_answered", "_fallback"]
        .map(|part| served.metric(&format!("throughline_searches{part}_total")));
    assert_eq!(counts, [2.0, 1.0, 0.0]);
    assert_eq!(served.metric(r#"throughline_index_documents{collection="memory"}"#), 1.0);
    assert_eq!(served.metric("throughline_index_unindexed"), 0.0);
    home.ok(&["index", "run"]);
    ok(&served, "GET /api/code/search?query=deploy", None);
    let health = ok(&served, "GET /api/code/status", None)["code"].clone();
    for share in ["stale_ratio", "hit_rate", "fallback_rate", "stale_results"] {
        assert_eq!(
            served.metric(&format!("throughline_code_{share}")),
            health[share].as_f64().unwrap(),
            "{share}"
        );
    }
    home.batch(&[
        json!({"kind": "user_message", "session": "a", "client": "test", "content": "Sell a book"}),
    ]);
    ok(&served, "POST /api/sessions/a/end", None);
    served.looks_until("a job was run", |served| {
        served.ask("GET /metrics", None).body.contains("throughline_job_duration_seconds_count{kind=")
    });
    served.looks_until("none waits", |served| served.metric("throughline_job_queue_oldest_seconds") == 0.0);
    for made_up in ["BREW", "MADE-UP"] {
        served.ask(&format!("{made_up} /api/items"), None);
    }
    let told = served.ask("GET /metrics", None).body;
    assert!(told.contains(r#"method="other""#) && !told.contains("BREW"), "{told}");
}

fn a_memory_is_put_away_and_comes_back(home: &Home) {
    let served = Served::start(home, &[]);
    let made = ok(&served, "POST /api/memories", Some(&json!({"content": "We deploy on Tuesdays"})));
    let at = |verb: &str| format!("POST /api/memories/{}{verb}", made["id"].as_str().unwrap());
    let found = || ok(&served, "GET /api/search?query=deploy&kind=memory", None)["total"].clone();
    assert_eq!(found(), 1);
    let archived = ok(&served, &at("/archive"), Some(&json!({"reason": "nobody asks"})));
    assert_eq!(archived["archived"][0]["status"], "expired");
    assert_eq!(found(), 0);
    let again = served.ask(&at("/archive"), Some(&json!({})));
    assert_eq!((again.status, &again.message()["type"]), (409, &json!("urn:throughline:problem:conflict")));
    assert_eq!(served.ask("POST /api/memories/nothing/archive", Some(&json!({}))).status, 404);
    ok(&served, &at("/approve"), Some(&json!({})));
    assert_eq!(found(), 1);
}

fn what_a_prompt_would_be_given_is_told_with_why(home: &Home) {
    let served = Served::start(home, &[]);
    home.ok(&["remember", "The shop is deployed on Tuesdays by the release script"]);
    let given = ok(&served, "GET /api/turn?prompt=how%20is%20the%20shop%20deployed", None);
    assert_eq!(given["given"][0]["why"], "relevant", "{given:#}");
    assert!(given["text"].as_str().unwrap().contains("Tuesdays") && given["tokens"].as_u64().unwrap() > 0);
    let nothing = ok(&served, "GET /api/turn?prompt=zebra", None);
    assert_eq!((&nothing["text"], &nothing["tokens"]), (&Json::Null, &json!(0)));
    assert_eq!(home.json(&["session", "list"])["total"], 1, "a look writes nothing");
}

#[test]
fn the_reference_names_every_operation_and_no_other() {
    let served = Served::start(&Home::sqlite(), &[]);
    let document = ok(&served, "GET /api/openapi.json", None);
    let mut described: Vec<String> = vec![];
    for (path, methods) in document["paths"].as_object().unwrap() {
        let methods = methods.as_object().unwrap().keys();
        described.extend(methods.map(|method| format!("{} {path}", method.to_uppercase())));
    }
    let reference = include_str!("../../../../../docs/http-api.md");
    let is_operation = |line: &&str| {
        ["GET /api", "POST /api", "PATCH /api", "DELETE /api"].iter().any(|part| line.starts_with(part))
    };
    let rows = reference.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let mut named: Vec<String> = rows.filter(is_operation).map(str::to_owned).collect();
    described.sort();
    named.sort();
    assert_eq!(named, described);
    assert_eq!(document["openapi"], "3.1.0");
}

pub(super) fn ok(served: &Served, line: &str, body: Option<&Json>) -> Json {
    let answer = served.ask(line, body);
    assert_eq!(answer.status, 200, "{line}: {answer:?}");
    answer.message()
}
