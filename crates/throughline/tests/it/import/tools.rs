//! What other memory tools keep, in their own formats.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, jsonl, on_both};

on_both!(
    the_graph_of_the_memory_server,
    a_graph_in_one_document,
    notes_of_basic_memory,
    the_database_of_claude_mem,
    the_list_of_mem0,
    issues_of_beads,
    what_was_imported_is_not_imported_again,
    what_was_forgotten_does_not_come_back,
    secrets_are_taken_out,
    a_dry_run_only_counts,
    what_cannot_be_read_is_said,
);

/// What was remembered: kind, content and tags.
fn memories(home: &Home) -> Vec<(String, String, Vec<String>)> {
    let list = home.json(&["memory", "list", "--limit", "100"]);
    let one = |memory: &Json| {
        let shown = home.json(&["memory", "show", memory["id"].as_str().unwrap()]);
        assert_eq!(shown["source"], "bootstrap", "{shown:#}");
        let tags = shown["tags"].as_array().unwrap().iter().map(|tag| tag.as_str().unwrap().to_owned());
        let text = |name: &str| shown[name].as_str().unwrap().to_owned();
        (text("kind"), text("content"), tags.collect())
    };
    let mut found: Vec<_> = list["memories"].as_array().unwrap().iter().map(one).collect();
    found.sort();
    found
}

fn contents(home: &Home) -> Vec<String> {
    memories(home).into_iter().map(|(_, content, _)| content).collect()
}

fn import(home: &Home, tool: &str, path: &std::path::Path) -> Json {
    home.json(&["import", tool, path.to_str().unwrap()])
}

fn graph(home: &Home) -> PathBuf {
    home.write(
        "memory.jsonl",
        jsonl(&[
            json!({"type": "entity", "name": "orders-api", "entityType": "service", "observations": ["listens on port 7443", "orders-api is written in Rust", "ok"]}),
            json!({"type": "entity", "name": "Ana", "entityType": "preference", "observations": ["wants short answers first"]}),
            json!({"type": "relation", "from": "orders-api", "to": "billing", "relationType": "depends_on"}),
            json!({"type": "shape", "name": "x"}),
            json!({"type": "entity", "name": "empty", "entityType": "service", "observations": []}),
        ]) + "no JSON\n",
    )
}

fn the_graph_of_the_memory_server(home: &Home) {
    let answer = import(home, "server-memory", &graph(home));
    assert_eq!((&answer["imported"], &answer["left_out"]), (&json!(4), &json!(4)), "{answer:#}");
    let tags = |all: &[&str]| all.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
    let found = memories(home);
    let of = |kind: &str, content: &str, all: &[&str]| (kind.to_owned(), content.to_owned(), tags(all));
    assert_eq!(
        found,
        [
            of("fact", "orders-api depends on billing", &["billing", "orders-api", "server-memory"]),
            of("fact", "orders-api is written in Rust", &["orders-api", "server-memory", "service"]),
            of("fact", "orders-api: listens on port 7443", &["orders-api", "server-memory", "service"]),
            of("preference", "Ana: wants short answers first", &["Ana", "preference", "server-memory"]),
        ]
    );
    let said: Vec<Json> = home.events();
    let places: Vec<&str> = said.iter().filter_map(|event| event["rationale"].as_str()).collect();
    assert!(places.contains(&"stated in memory.jsonl:3"), "{places:?}");
    let problems = answer["problems"].to_string();
    assert!(problems.contains("memory.jsonl:4") && problems.contains("memory.jsonl:6"), "{problems}");
}

fn a_graph_in_one_document(home: &Home) {
    let whole = json!({
        "entities": [{"name": "till", "entityType": "part", "observations": ["takes cards and coins"]}],
        "relations": [{"from": "till", "to": "printer", "relationType": "drives"}],
    });
    let path = home.write("graph.json", serde_json::to_string_pretty(&whole).unwrap());
    assert_eq!(import(home, "server-memory", &path)["imported"], 2);
    assert_eq!(contents(home), ["till drives printer", "till: takes cards and coins"]);
}

const NOTE: &str = "---\ntitle: Coffee Brewing\ntype: note\npermalink: coffee-brewing\ntags:\n- coffee\n- brewing\n---\n\n\
    # Coffee Brewing\n\n## Observations\n- [method] Pour over gives more clarity than a press #taste (tried twice)\n\
    - [decision] We grind right before brewing #habit\n- [ ] buy a new kettle some day\n\n## Relations\n\
    - relates_to [[Kettle Types]]\n- requires [[Grinder]]\n\n## Notes\nAlways rinse the filter before the first pour.\n";

fn notes_of_basic_memory(home: &Home) {
    home.write("notes/drinks/Coffee Brewing.md", NOTE);
    home.write("notes/.obsidian/settings.md", "- [rule] never read what is hidden in here\n");
    let answer = import(home, "basic-memory", &home.path().join("notes"));
    let found = memories(home);
    let has = |kind: &str, content: &str, tag: &str| {
        found.iter().any(|(k, c, tags)| k == kind && c == content && tags.iter().any(|one| one == tag))
    };
    assert!(
        has("fact", "Coffee Brewing: Pour over gives more clarity than a press (tried twice)", "taste"),
        "{found:#?}"
    );
    assert!(has("decision", "Coffee Brewing: We grind right before brewing", "habit"), "{found:#?}");
    assert!(has("fact", "Coffee Brewing relates to Kettle Types", "Kettle Types"), "{found:#?}");
    assert!(has("fact", "Coffee Brewing requires Grinder", "coffee"), "{found:#?}");
    assert!(
        has("rule", "Coffee Brewing: Always rinse the filter before the first pour.", "brewing"),
        "{found:#?}"
    );
    assert!(!format!("{found:?}").contains("hidden"), "{found:#?}");
    assert_eq!(answer["imported"], found.len(), "{answer:#}");
}

/// As claude-mem creates it.
fn claude_mem(home: &Home) -> PathBuf {
    let path = home.path().join("claude-mem.db");
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch(
        "create table observations (id integer primary key autoincrement, memory_session_id text not null,
             project text not null, text text, type text not null, title text, subtitle text, facts text, narrative text,
             concepts text, files_read text, files_modified text, prompt_number integer, discovery_tokens integer default 0,
             created_at text not null, created_at_epoch integer not null, content_hash text, merged_into_project text);
         create table session_summaries (id integer primary key autoincrement, memory_session_id text not null,
             project text not null, request text, investigated text, learned text, completed text, next_steps text,
             files_read text, files_edited text, notes text, prompt_number integer, created_at text not null,
             created_at_epoch integer not null);
         insert into observations (memory_session_id, project, type, title, narrative, facts, concepts, created_at, created_at_epoch)
             values ('s', 'shop', 'decision', 'Totals are rounded once', 'Rounding moved behind the discount.',
                 '[\"Three items of 0.335 add up\"]', '[\"how-it-works\"]', '2026-01-15T10:00:00.000Z', 1768471200000),
                 ('s', 'shop', 'bugfix', null, '{\"error\":\"overloaded\"}', null, null, '2026-01-15T10:00:00.000Z', 1768471200000),
                 ('s', 'elsewhere', 'change', 'Of another project', 'Nothing to do with us here.', null, null, '2026-01-15T10:00:00.000Z', 1768471200000);
         insert into session_summaries (memory_session_id, project, request, learned, next_steps, created_at, created_at_epoch)
             values ('s', 'shop', 'Fix the totals', 'Discounts come first', 'Add a test for coins', '2026-01-15T10:00:00.000Z', 1768471200000);",
    )
    .unwrap();
    path
}

fn the_database_of_claude_mem(home: &Home) {
    let path = claude_mem(home);
    let answer = import(home, "claude-mem", &path);
    let counts = (&answer["imported"], &answer["of_other_projects"], &answer["left_out"]);
    assert_eq!(counts, (&json!(2), &json!(1), &json!(1)), "{answer:#}");
    let found = memories(home);
    assert_eq!(
        found.iter().map(|(kind, content, _)| (kind.as_str(), content.as_str())).collect::<Vec<_>>(),
        [
            ("context", "Learned: Discounts come first\nNext steps: Add a test for coins"),
            ("decision", "Rounding moved behind the discount.\n- Three items of 0.335 add up"),
        ]
    );
    let all = home.json(&["import", "claude-mem", path.to_str().unwrap(), "--all"]);
    assert_eq!((&all["imported"], &all["already_there"]), (&json!(1), &json!(2)), "{all:#}");
}

fn mem0(home: &Home) -> PathBuf {
    let memory = |id: &str, text: &str| {
        json!({"id": id, "memory": text, "hash": "0", "user_id": "ana", "metadata": {"category": "preference"},
            "categories": ["preference"], "created_at": "2026-01-15T10:00:00.000000-07:00", "updated_at": null})
    };
    let list = json!({"results": [memory("1", "Prefers tea over coffee"), memory("2", "Lives near the harbour"), {"id": "3"}]});
    home.write("mem0.json", list.to_string())
}

fn the_list_of_mem0(home: &Home) {
    let answer = import(home, "mem0", &mem0(home));
    assert_eq!((&answer["imported"], &answer["left_out"]), (&json!(2), &json!(1)), "{answer:#}");
    assert_eq!(contents(home), ["Lives near the harbour", "Prefers tea over coffee"]);
    let lines = jsonl(&[json!({"memory": "Sells the red boat"}), json!({"text": "Buys the green boat"})]);
    let answer = import(home, "mem0", &home.write("mem0.jsonl", lines));
    assert_eq!(answer["imported"], 2, "{answer:#}");
}

fn issues_of_beads(home: &Home) {
    let lines = jsonl(&[
        json!({"id": "bd-1", "title": "Ship the boxes", "description": "", "status": "open", "priority": 1, "issue_type": "task", "created_at": "2026-01-15T10:00:00Z", "updated_at": "2026-01-15T10:00:00Z"}),
        json!({"id": "bd-2", "title": "Order tape", "status": "closed", "priority": 2, "issue_type": "task", "created_at": "2026-01-15T10:00:00Z", "updated_at": "2026-01-15T11:00:00Z", "dependencies": [{"issue_id": "bd-2", "depends_on_id": "bd-1", "type": "blocks"}]}),
    ]);
    let path = home.write("issues.jsonl", lines);
    assert_eq!(import(home, "beads", &path)["created"], 2);
    assert_eq!(import(home, "beads", &path)["unchanged"], 2);
    assert_eq!(home.json(&["task", "list"])["total"], 2);
}

fn what_was_imported_is_not_imported_again(home: &Home) {
    for (tool, path) in
        [("server-memory", graph(home)), ("claude-mem", claude_mem(home)), ("mem0", mem0(home))]
    {
        let first = import(home, tool, &path);
        let events = home.events().len();
        let again = import(home, tool, &path);
        assert_eq!((&again["imported"], &again["already_there"]), (&json!(0), &first["imported"]), "{tool}");
        assert_eq!(home.events().len(), events, "{tool}");
    }
    home.check();
}

fn what_was_forgotten_does_not_come_back(home: &Home) {
    let path = mem0(home);
    import(home, "mem0", &path);
    let listed = home.json(&["memory", "list"]);
    let id = listed["memories"][0]["id"].as_str().unwrap();
    home.ok(&["forget", id]);
    assert_eq!(import(home, "mem0", &path)["imported"], 0);
}

fn secrets_are_taken_out(home: &Home) {
    let secret = concat!("ghp_", "16C7e42F292c6912E7710c838347Ae178B4a");
    let path =
        home.write("mem0.json", json!([{"memory": format!("CI pushes with {secret} to main")}]).to_string());
    let answer = import(home, "mem0", &path);
    assert_eq!((&answer["imported"], &answer["redactions"]), (&json!(1), &json!(1)), "{answer:#}");
    assert_eq!(home.files_with(secret), Vec::<PathBuf>::new());
    assert_eq!(import(home, "mem0", &path)["already_there"], 1);
}

fn a_dry_run_only_counts(home: &Home) {
    let path = graph(home);
    let answer = home.json(&["import", "server-memory", path.to_str().unwrap(), "--dry-run"]);
    assert_eq!(answer["imported"], 4);
    assert_eq!(home.json(&["project", "list"])["projects"], json!([]));
}

fn what_cannot_be_read_is_said(home: &Home) {
    let text = home.write("text.txt", "this is no database");
    let error = home.fails(&["import", "claude-mem", text.to_str().unwrap()]);
    assert!(error.contains("text.txt") && error.contains("name its database, usually"), "{error}");
    let files = ["agents-md", "claude-memory", "claude-code", "codex", "gemini", "beads", "project"];
    for tool in ["basic-memory", "claude-mem", "mem0", "server-memory"].into_iter().chain(files) {
        let error = home.fails(&["import", tool, "nowhere"]);
        let told = "error: cannot read nowhere: No such file or directory (os error 2); check the path\n";
        assert_eq!(error, told, "{tool}");
    }
    let error = home.fails(&["import", "agents-md", "."]);
    assert_eq!(error, "error: cannot read .: Is a directory (os error 21); name a file in it\n");
    let empty = home.path().join("empty.db");
    rusqlite::Connection::open(&empty).unwrap().execute_batch("create table a (b text)").unwrap();
    let error = home.fails(&["import", "claude-mem", empty.to_str().unwrap()]);
    assert!(error.contains("no database of claude-mem"), "{error}");
    let error = home.fails(&["import", "claude-mem", "."]);
    assert!(error.contains(". is a folder; name its database, usually"), "{error}");
}
