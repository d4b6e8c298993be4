//! Files that others wrote: what becomes of their fields, what comes back, what is wrong and where.

use serde_json::{Value as Json, json};
use throughline_engine::backlog::{Entry, NewItem, Outcome};
use throughline_engine::store::item::{Priority, Status, Type};

use super::{Backlog, File, Format};

fn file(name: &str, text: impl Into<String>) -> File {
    File { name: name.to_owned(), text: text.into() }
}

fn one(name: &str, text: &str) -> NewItem {
    let file = file(name, text);
    let mut read = Format::of(&file).read(&file).unwrap();
    assert_eq!((read.sources.len(), read.lost.len()), (1, 0));
    read.sources.remove(0).item
}

/// What is wrong with a file.
fn wrong(name: &str, text: &str) -> String {
    let file = file(name, text);
    Format::of(&file).read(&file).unwrap_err()
}

fn taken(format: Format, name: &str, text: &str) -> (Backlog, Vec<Entry>) {
    let backlog = Backlog::new();
    backlog.import(format.read(&file(name, text)).unwrap().sources).unwrap();
    let entries = backlog.entries();
    (backlog, entries)
}

const ISSUES: &str = r#"[
  {
    "number": 12, "title": "Round the cents", "body": "Half to even\r\n", "state": "closed", "state_reason": "duplicate",
    "html_url": "https://github.com/o/r/issues/12", "labels": [{ "name": "bug", "color": "f00" }],
    "milestone": { "title": "v1", "due_on": null }, "assignees": [{ "login": "ann" }], "comments": 3,
    "created_at": "2026-01-15T10:00:00Z", "updated_at": "2026-01-16T10:00:00Z", "closed_at": "2026-01-17T10:00:00Z"
  },
  { "number": 13, "title": "Next", "body": null, "state": "open", "html_url": "https://github.com/o/r/issues/13" }
]"#;

#[test]
fn issues_keep_what_items_have_no_field_for() {
    let (backlog, entries) = taken(Format::Issues, "issues.json", ISSUES);
    let first = &entries[0].item;
    assert_eq!((first.title.as_str(), first.description.as_str()), ("Round the cents", "Half to even\r\n"));
    assert_eq!((first.status, entries[1].item.status), (Status::Cancelled, Status::Open));
    assert_eq!(first.references[0].url, "https://github.com/o/r/issues/12");
    let times = [first.created_at, first.updated_at, first.status_at].map(crate::wire::time::readable);
    assert_eq!(times, ["2026-01-15 10:00:00", "2026-01-16 10:00:00", "2026-01-17 10:00:00"]);
    let written: Json = serde_json::from_str(&backlog.export(Format::Issues)[0].text).unwrap();
    let given: Json = serde_json::from_str(ISSUES).unwrap();
    for field in [
        "number",
        "title",
        "body",
        "state",
        "state_reason",
        "html_url",
        "labels",
        "milestone",
        "assignees",
        "comments",
    ] {
        assert_eq!(written[0][field], given[0][field], "{field}");
    }
    assert_eq!(written[0]["closed_at"], "2026-01-17T10:00:00.000000Z");
    assert_eq!(written[1]["number"], 13);
}

#[test]
fn issues_of_the_command_line_tool_are_read() {
    let text = r#"[{"assignees":[],"body":"b","closedAt":"2026-01-17T10:00:00Z","createdAt":"2026-01-15T10:00:00Z",
        "number":7,"state":"CLOSED","stateReason":"COMPLETED","title":"t","updatedAt":"2026-01-17T10:00:00Z",
        "url":"https://github.com/o/r/issues/7"}]"#;
    let item = one("issues.json", text);
    assert_eq!(
        (item.status, item.source_key.as_deref()),
        (Status::Done, Some("https://github.com/o/r/issues/7"))
    );
    assert_eq!(
        item.extra,
        Some(json!({ "issues": { "assignees": [], "url": "https://github.com/o/r/issues/7" } }))
    );
    assert_eq!(item.status_at, item.updated_at);
    let alone = one("-", r#"{"number": 3, "title": "t", "state": "open"}"#);
    assert_eq!(alone.source_key.as_deref(), Some("issue#3"));
}

#[test]
fn a_reason_ends_with_the_status_it_was_for() {
    let (backlog, _) = taken(Format::Issues, "issues.json", ISSUES);
    let open = ISSUES
        .replace("\"closed\", \"state_reason\": \"duplicate\"", "\"open\", \"state_reason\": \"reopened\"");
    backlog.import(Format::Issues.read(&file("issues.json", open)).unwrap().sources).unwrap();
    let written: Json = serde_json::from_str(&backlog.export(Format::Issues)[0].text).unwrap();
    assert_eq!((&written[0]["state"], &written[0]["state_reason"]), (&json!("open"), &json!("reopened")));
}

const BEADS: &str = r#"{"id":"bd-a1","title":"Epic","status":"open","priority":0,"issue_type":"epic","created_at":"2026-01-15T10:00:00Z"}
{"id":"bd-a1.1","title":"Part","description":"d","design":"how","acceptance_criteria":"when","notes":"n","status":"deferred","priority":4,"issue_type":"bug","labels":["x"],"assignee":"ann","dependencies":[{"issue_id":"bd-a1.1","depends_on_id":"bd-a1","type":"parent-child","created_at":"2026-01-15T10:00:00Z","created_by":"ann"},{"issue_id":"bd-a1.1","depends_on_id":"bd-b2","type":"blocks"},{"issue_id":"bd-a1.1","depends_on_id":"bd-c3","type":"discovered-from"}]}

{"id":"bd-b2","title":"First","status":"closed","close_reason":"done it","closed_at":"2026-01-17T10:00:00Z"}
{"id":"bd-c3","title":"Other","status":"hooked"}
"#;

#[test]
fn beads_keep_their_links_and_texts() {
    let (backlog, entries) = taken(Format::Beads, "issues.jsonl", BEADS);
    let by_title = |title: &str| entries.iter().find(|entry| entry.item.title == title).unwrap();
    let (epic, part, first) = (by_title("Epic"), by_title("Part"), by_title("First"));
    assert_eq!((epic.item.item_type, epic.item.priority), (Type::Epic, Some(Priority::Critical)));
    assert_eq!(
        part.item.description,
        "d\n\n## Design\n\nhow\n\n## Acceptance criteria\n\nwhen\n\n## Notes\n\nn"
    );
    assert_eq!(
        (part.item.parent.as_ref(), &part.depends_on),
        (Some(&epic.item.id), &vec![first.item.id.clone()])
    );
    assert_eq!((first.item.status, first.item.summary.as_deref()), (Status::Done, Some("done it")));
    assert_eq!((part.item.status, by_title("Other").item.status), (Status::Open, Status::InProgress));
    let written = backlog.export(Format::Beads);
    let lines: Vec<Json> = written[0].text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = |id: &str| lines.iter().find(|line| line["id"] == id).unwrap();
    for given in BEADS.lines().filter(|line| !line.is_empty()) {
        let given: Json = serde_json::from_str(given).unwrap();
        let written = line(given["id"].as_str().unwrap());
        for (name, value) in given.as_object().unwrap() {
            let exact = |value: &Json| json!(value.to_string().replace("00Z", "00.000000Z"));
            let same = match name.as_str() {
                "created_at" | "closed_at" => exact(value) == json!(written[name].to_string()),
                "dependencies" => {
                    let sorted = |links: &Json| {
                        let mut links: Vec<String> =
                            links.as_array().unwrap().iter().map(Json::to_string).collect();
                        links.sort();
                        links
                    };
                    sorted(value) == sorted(&written[name])
                }
                _ => *value == written[name],
            };
            assert!(same, "{name}: {value} and {}", written[name]);
        }
    }
}

#[test]
fn beads_are_known_again_in_a_later_file() {
    let (backlog, _) = taken(Format::Beads, "issues.jsonl", BEADS);
    let later = r#"{"id":"bd-d4","title":"Late","dependencies":[{"issue_id":"bd-d4","depends_on_id":"bd-c3","type":"blocks"}]}"#;
    let outcomes = backlog.import(Format::Beads.read(&file("later.jsonl", later)).unwrap().sources).unwrap();
    assert_eq!(outcomes, [Outcome::Created]);
    let late = backlog.entries().into_iter().find(|entry| entry.item.title == "Late").unwrap();
    assert_eq!(late.depends_on.len(), 1);
}

#[test]
fn what_cannot_be_kept_is_said() {
    let text = r#"{"id":"bd-1","title":"gone","status":"tombstone"}
{"id":"bd-2","title":"of two","dependencies":[{"depends_on_id":"bd-3","type":"parent-child"},{"depends_on_id":"bd-4","type":"parent-child"}]}"#;
    let read = Format::Beads.read(&file("issues.jsonl", text)).unwrap();
    assert_eq!(read.sources.len(), 1);
    insta::assert_snapshot!(read.lost.join("\n"), @"
    issues.jsonl, line 1: bd-1 was deleted there and is left out
    issues.jsonl, line 2: bd-2 is below bd-4 as well; an item has one parent, so this is kept for beads alone
    ");
}

#[test]
fn markdown_as_people_write_it() {
    let item = one(
        "notes/a task.md",
        "---\r\nid: task-12\ntitle: 42\nstatus: To Do\npriority: 1\nparent: epic-0001\ndependencies: TASK-0002\n\
         due: 2026-12-24\nreferences:\n  - https://example.org\n  - url: TASK-0003\n    title: third\nlabels: [a, b]\n\
         assignee:\nevidence: seen\n---\nFirst line\n\nmore\n",
    );
    assert_eq!((item.title.as_str(), item.description.as_str()), ("42", "First line\n\nmore"));
    assert_eq!(
        (item.status, item.priority, item.due_date.as_deref()),
        (Status::Open, Some(Priority::High), Some("2026-12-24"))
    );
    assert_eq!((item.parent.as_deref(), item.depends_on), (Some("EPIC-0001"), vec!["TASK-0002".to_owned()]));
    assert_eq!((item.references.len(), item.references[1].title.as_deref()), (2, Some("third")));
    assert_eq!((item.id, item.source_key.as_deref()), (None, Some("markdown:task-12")));
    assert_eq!(item.extra, Some(json!({ "markdown": { "labels": ["a", "b"], "assignee": null } })));
    assert_eq!(item.evidence, ["seen"]);
}

#[test]
fn markdown_without_front_matter_is_an_item_as_well() {
    let item = one("notes/plan.md", "# The plan\n\ntext\n");
    assert_eq!((item.title.as_str(), item.description.as_str()), ("The plan", "text"));
    assert_eq!(item.source_key.as_deref(), Some("markdown:notes/plan.md"));
    let item = one("notes/plan.v2.md", "");
    assert_eq!((item.title.as_str(), item.description.as_str()), ("plan.v2", ""));
    let item = one("a.md", "\u{feff}---\n---\ntext --- text\n---\n");
    assert_eq!((item.title.as_str(), item.description.as_str()), ("a", "text --- text\n---"));
}

#[test]
fn formats_are_recognised() {
    for (name, text, format) in [
        ("a.md", "x", Format::Markdown),
        ("-", "---\nid: TASK-0001\n---\n", Format::Markdown),
        ("a.jsonl", "", Format::Beads),
        ("-", "{\"id\":\"bd-1\",\"title\":\"t\"}\n{\"id\":\"bd-2\",\"title\":\"t\"}\n", Format::Beads),
        ("-", " [{\"number\":1}]", Format::Issues),
        ("a.json", "{\"number\":1,\"id\":5}", Format::Issues),
    ] {
        assert_eq!(Format::of(&file(name, text)), format, "{name} {text}");
    }
}

#[test]
fn an_error_names_the_file_and_the_line() {
    let said = [
        wrong("a.md", "---\ntitle: a\n"),
        wrong("a.md", "---\ntitle: a\nstatus: [open\n---\n"),
        wrong("a.md", "---\ntitle: a\nstatus: someday\n---\n"),
        wrong("a.md", "---\ntitle: a\n\npriority: {}\n---\n"),
        wrong("a.md", "---\ntitle: [a]\n---\n"),
        wrong("a.md", "---\n- a\n---\n"),
        wrong("a.md", "---\ntitle: a\nvalidation: yes\n---\n"),
        wrong("a.md", "---\ntitle: a\ncreated_at: someday\n---\n"),
        wrong("i.json", "[\n{\"number\": 1, \"title\": \"a\"},\n\n {\"number\": 2}]"),
        wrong("i.json", "[\n{\"title\": \"a [,\\\" ]\", \"number\": 1, \"x\": [1, {}]},\n5]"),
        wrong("i.json", "[\n{\"title\": \"a\", \"state\": \"ajar\", \"number\": 1}]"),
        wrong("i.json", "[\n{\"title\": \"a\"}]"),
        wrong("i.json", "[\n{\"title\": \"a\","),
        wrong("i.json", "[{\"title\": \"a\", \"number\": 1, \"throughline\": {\"what\": 1}}]"),
        wrong("b.jsonl", "{\"id\":\"a\",\"title\":\"t\"}\n{\"id\":\"a\"}\n"),
        wrong("b.jsonl", "\n\n{\"title\":\"t\"}"),
        wrong("b.jsonl", "{\"id\":\"a\",\"title\":\"t\",\"priority\":9}"),
        wrong("b.jsonl", "{\"id\":\"a\",\"title\":\"t\",\"dependencies\":[{}]}"),
        wrong("b.jsonl", "{\"id\":\"a\",\"title\":\"t\",\"dependencies\":5}"),
        wrong("b.jsonl", "{\"id\":\"a\",\"title\":\"t\",\"created_at\":\"x\"}"),
        wrong("b.jsonl", "[]"),
    ];
    insta::assert_snapshot!(said.join("\n"), @r#"
    a.md, line 1: the front matter has no closing line of ---; add one
    a.md, line 3: unclosed bracket '['; correct the front matter
    a.md, line 3: status: "someday" is not one of: open, in_progress, blocked, done, cancelled
    a.md, line 4: priority: invalid type: map, expected a string
    a.md, line 2: title is ["a"], not a text; write it as one
    a.md, line 2: expected mapping start; correct the front matter
    a.md, line 3: validation: invalid type: boolean `true`, expected struct Validation
    a.md, line 3: created_at: "someday" is not a time; write for instance 2026-11-15T03:31:18Z
    i.json, line 4: the issue has no title; give it one
    i.json, line 3: this is no issue but 5; make it a JSON object
    i.json, line 2: state is "ajar", neither open nor closed; write one of them
    i.json, line 2: the issue has neither number nor address; give it a number
    i.json, line 2: not valid JSON: EOF while parsing a value at line 2 column 14; correct the file
    i.json, line 1: throughline: unknown field `what`, expected one of `id`, `type`, `status`, `parent_id`, `priority`, `due_date`, `requires_context`, `references`, `depends_on`, `blocks`, `blocked_reason`, `evidence`, `summary`, `validation`, `created_at`, `updated_at`, `status_since`, `source_key`, `extra`
    b.jsonl, line 2: the issue has no title; give it one
    b.jsonl, line 3: the issue has no id; give it one
    b.jsonl, line 1: priority: "9" is not one of: critical, high, medium, low, lowest; or a number, 0 to 4
    b.jsonl, line 1: a dependency has no depends_on_id; give it one
    b.jsonl, line 1: dependencies is no list of objects: invalid type: integer `5`, expected a sequence; make it one
    b.jsonl, line 1: created_at: "x" is not a time; write for instance 2026-11-15T03:31:18Z
    b.jsonl, line 1: not a JSON object: invalid type: sequence, expected a map at line 1 column 0; write one issue a line
    "#);
}
