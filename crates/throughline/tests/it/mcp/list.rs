//! The list of tools: what is in it, how long it is, and that the reference says the same.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::{Client, STATELESS};
use crate::fixture::{Home, shows};

const REFERENCE: &str = include_str!("../../../../../docs/mcp-tools.md");
const ALL_SETS: &str = "core,backlog,sessions,set,code,admin";

/// All tools of the default sets may have this much; two smaller ones are still to come and need their share.
const DEFAULT_LIST_BYTES: usize = 12_000;

fn tools(home: &Home, sets: &[&str]) -> Vec<Json> {
    let args = [&["mcp"], sets].concat();
    Client::started(home.call(&args), STATELESS).tools()
}

fn names(tools: &[Json]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[test]
fn help_of_mcp() {
    let home = Home::sqlite();
    shows!(home, home.ok(&["mcp", "--help"]), @r"
    The tools for agents over MCP, on stdin and stdout

    Usage: throughline mcp [OPTIONS]

    Options:
          --tools <SETS>  The sets of tools to offer, with commas [default: core,backlog,sessions]
                          [possible values: core, backlog, sessions, set, code, admin]
      -h, --help          Print help

    Everywhere:
          --json            Print one JSON document and nothing else
          --database <URL>  The database: sqlite:PATH or postgres://… [default: throughline.db in
                            THROUGHLINE_HOME]
          --project <NAME>  The project by name [default: found from the folder]
          --actor <ACTOR>   Who acts: user:NAME or agent:NAME [default: you]
    ");
}

#[test]
fn the_default_tools_are_listed_as_they_are() {
    let listed = tools(&Home::sqlite(), &[]);
    insta::assert_json_snapshot!("default_tools", listed);
}

#[test]
fn the_default_list_is_short() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    let listed = client.result("tools/list", &json!({}));
    let bytes = listed.to_string().len();
    assert!(bytes <= DEFAULT_LIST_BYTES, "{bytes} bytes, at most {DEFAULT_LIST_BYTES}");
}

#[test]
fn the_list_is_always_the_same() {
    let home = Home::sqlite();
    let first = tools(&home, &[]);
    let mut client = Client::initialized(&home, "2025-06-18");
    assert_eq!(client.tools(), first);
    client.remember("something changes");
    assert_eq!(client.tools(), first);
    assert_eq!(tools(&home, &["--tools", "sessions,backlog,core"]), first, "whatever the order of the sets");
}

#[test]
fn sets_are_switched_on_and_off() {
    let home = Home::sqlite();
    assert_eq!(
        names(&tools(&home, &["--tools", "sessions"])),
        ["reconstruct_session", "session_status", "session_state", "handoff", "checkpoint"]
    );
    let mut client = Client::started(home.call(&["mcp", "--tools", "sessions"]), STATELESS);
    let (code, why) = client.fault("tools/call", &json!({ "name": "search", "arguments": { "query": "x" } }));
    assert_eq!(code, -32602);
    assert!(why.contains("in the set core, which is not switched on"), "{why}");
    let refused = home.call(&["mcp", "--tools", "songs"]).run().refuses();
    assert!(refused.contains("core, backlog, sessions, set, code, admin"), "{refused}");
}

#[test]
fn every_schema_is_one_that_all_clients_can_read() {
    for tool in tools(&Home::sqlite(), &["--tools", ALL_SETS]) {
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!(schema["type"], "object", "{tool:#}");
            let known = ["type", "properties", "required"];
            let keys: Vec<&String> = schema.as_object().unwrap().keys().collect();
            assert!(keys.iter().all(|key| known.contains(&key.as_str())), "{keys:?} in {}", tool["name"]);
            plain(schema, tool["name"].as_str().unwrap());
        }
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{tool:#}");
    }
}

/// One type each, no references, no noise, nothing untyped.
fn plain(schema: &Json, tool: &str) {
    let object = schema.as_object().unwrap_or_else(|| panic!("{tool}: a schema is an object, not {schema}"));
    let branches = object.get("oneOf").or_else(|| object.get("anyOf"));
    assert!(branches.is_some() || object["type"].is_string(), "{tool}: {schema}");
    for key in ["$ref", "$schema", "title", "format", "allOf"] {
        assert!(!object.contains_key(key), "{tool}: {schema}");
    }
    branches.and_then(Json::as_array).into_iter().flatten().for_each(|branch| plain(branch, tool));
    object.get("items").into_iter().for_each(|items| plain(items, tool));
    let properties = object.get("properties").and_then(Json::as_object);
    properties.into_iter().flatten().for_each(|(_, property)| plain(property, tool));
}

#[test]
fn answers_have_what_their_schemas_promise() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    let listed = client.tools();
    let id = client.remember("a promise");
    let calls = [
        ("remember", json!({ "content": "another promise" })),
        ("search", json!({ "query": "promise" })),
        ("memory_search", json!({ "query": "promise" })),
        ("expand", json!({ "ids": [id] })),
        ("feedback", json!({ "ids": [id], "outcome": "helpful" })),
        ("forget", json!({ "ids": [id] })),
        ("record_decision", json!({ "subject": "a", "choice": "b", "rationale": "c" })),
        ("reconstruct_session", json!({})),
        ("session_state", json!({ "patch": { "a": 1 } })),
        ("session_status", json!({})),
        ("handoff", json!({ "action": "take", "as": "builder" })),
        ("checkpoint", json!({ "action": "save" })),
        ("backlog_create", json!({ "title": "keep a promise" })),
        ("backlog_update", json!({ "id": "TASK-0001", "status": "in_progress" })),
        ("backlog_get", json!({ "id": "TASK-0001" })),
        ("backlog_list", json!({})),
        ("backlog_context", json!({ "task_id": "TASK-0001" })),
        (
            "write_resource",
            json!({ "uri": "throughline://resource/a.md", "operation": { "type": "create", "new_str": "a" } }),
        ),
        ("orient", json!({})),
        ("backlog_delete", json!({ "id": "TASK-0001" })),
    ];
    let called: BTreeSet<&str> = calls.iter().map(|(name, _)| *name).collect();
    assert_eq!(called, names(&listed).into_iter().collect(), "each tool is tried");
    for (name, arguments) in calls {
        let answer = client.tool(name, &arguments);
        let tool = listed.iter().find(|tool| tool["name"] == name).unwrap();
        for property in tool["outputSchema"]["required"].as_array().into_iter().flatten() {
            assert!(answer.get(property.as_str().unwrap()).is_some(), "{name} has no {property}: {answer:#}");
        }
    }
}

#[test]
fn only_what_is_needed_at_once_asks_to_be_loaded_at_once() {
    let listed = tools(&Home::sqlite(), &["--tools", ALL_SETS]);
    let pinned: Vec<Json> =
        listed.into_iter().filter(|tool| tool["_meta"]["anthropic/alwaysLoad"] == true).collect();
    assert_eq!(names(&pinned), ["orient", "search"]);
}

#[test]
fn annotations_say_what_calling_does() {
    let listed = tools(&Home::sqlite(), &[]);
    let hints = |name: &str| {
        let tool = listed.iter().find(|tool| tool["name"] == name).unwrap();
        let annotations = &tool["annotations"];
        ["readOnlyHint", "destructiveHint", "idempotentHint"].map(|hint| annotations[hint].as_bool())
    };
    for name in
        ["orient", "search", "expand", "backlog_context", "backlog_list", "backlog_get", "session_status"]
    {
        assert_eq!(hints(name), [Some(true), None, None], "{name}");
    }
    assert_eq!(hints("remember"), [None, Some(false), Some(true)]);
    assert_eq!(hints("forget"), [None, Some(true), Some(true)]);
    assert_eq!(hints("backlog_delete"), [None, Some(true), Some(true)]);
    assert_eq!(hints("backlog_create"), [None, Some(false), None]);
}

#[test]
fn the_reference_names_every_tool_and_argument() {
    let listed = tools(&Home::sqlite(), &["--tools", ALL_SETS]);
    for tool in &listed {
        let name = tool["name"].as_str().unwrap();
        let section = section(&format!("### `{name}`"));
        let described = tool["inputSchema"]["properties"].as_object().unwrap();
        let mut documented: Vec<&str> =
            section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
        let mut arguments: Vec<&str> = described.keys().map(String::as_str).collect();
        documented.sort_unstable();
        arguments.sort_unstable();
        assert_eq!(documented, arguments, "the arguments of {name} in docs/mcp-tools.md");
    }
    let headings = REFERENCE.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
    let documented: BTreeSet<&str> = headings.collect();
    assert_eq!(documented, names(&listed).into_iter().collect());
}

#[test]
fn the_reference_names_every_prompt_and_resource() {
    let home = Home::sqlite();
    let mut client = Client::of(&home);
    let prompts = section("## Prompts");
    for prompt in client.result("prompts/list", &json!({}))["prompts"].as_array().unwrap() {
        assert!(prompts.contains(&format!("`{}`", prompt["name"].as_str().unwrap())), "{prompt:#}");
        for argument in prompt["arguments"].as_array().unwrap() {
            assert!(prompts.contains(&format!("`{}`", argument["name"].as_str().unwrap())), "{prompt:#}");
        }
    }
    let resources = section("## Resources");
    let listed = client.result("resources/templates/list", &json!({}));
    for template in listed["resourceTemplates"].as_array().unwrap() {
        assert!(resources.contains(template["uriTemplate"].as_str().unwrap()), "{template:#}");
    }
}

/// What stands below a heading of the reference.
fn section(heading: &str) -> &'static str {
    let level = heading.split(' ').next().unwrap();
    let (_, below) = REFERENCE
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("docs/mcp-tools.md has no {heading:?}"));
    let ends = [format!("\n{level} "), format!("\n{} ", &level[1..])];
    let end = ends.iter().filter_map(|next| below.find(next.as_str())).min();
    &below[..end.unwrap_or(below.len())]
}
