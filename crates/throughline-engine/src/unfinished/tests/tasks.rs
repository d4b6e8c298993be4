//! What is open of the lists of tasks that clients keep for agents.

use serde_json::{Value as Json, json};
use throughline_store::event::Kind;

use super::{Observation, after, asked, later, ran, used, wrote};

fn listed(tool: &str, tasks: Json) -> Observation {
    let parts = json!({ "tool": tool, "ok": true, "tasks": tasks });
    Observation { parts: Some(parts), ..used(Kind::ToolCall, tool, None) }
}

fn created(id: &str, text: &str) -> Observation {
    listed("TaskCreate", json!([{ "id": id, "text": text }]))
}

fn updated(id: &str, status: &str) -> Observation {
    listed("TaskUpdate", json!([{ "id": id, "status": status }]))
}

fn todos(open: &[&str]) -> Observation {
    listed("TodoWrite", open.iter().map(|text| json!({ "text": text, "status": "pending" })).collect())
}

#[test]
fn a_task_is_open_until_it_is_completed() {
    let both =
        || vec![created("1", "Write parser"), created("2", "Write printer"), updated("2", "in_progress")];
    let since = |more: Vec<Observation>| after([both(), more].concat());
    assert_eq!(since(vec![]), "task: Write printer (begun)\ntask: Write parser");
    assert_eq!(since(vec![updated("2", "completed")]), "task: Write parser");
    assert_eq!(since(vec![updated("2", "completed"), updated("1", "deleted")]), "");
    assert_eq!(since(vec![updated("1", "completed"), updated("2", "pending")]), "task: Write printer");
    assert_eq!(since(vec![wrote("parser.md")]), "task: Write printer (begun)\ntask: Write parser");
    assert_eq!(after(vec![updated("7", "in_progress")]), "", "nobody knows what it is");
}

#[test]
fn a_list_takes_the_place_of_the_one_before() {
    assert_eq!(after(vec![todos(&["Wire it", "Test it"]), todos(&["Test it"])]), "task: Test it");
    assert_eq!(after(vec![todos(&["Wire it"]), todos(&[])]), "");
    assert_eq!(after(vec![todos(&["Wire it"]), later(todos(&["Test it"]))]), "task: Test it\ntask: Wire it");
}

#[test]
fn what_one_session_left_another_does() {
    let since = |more: Vec<Observation>| after([vec![created("1", "Write the parser")], more].concat());
    assert_eq!(since(vec![later(created("1", "Write the parser"))]), "task: Write the parser");
    let done = vec![later(created("4", "Write the parser")), later(updated("4", "completed"))];
    assert_eq!(since(done), "");
    assert_eq!(
        since(vec![later(updated("1", "completed"))]),
        "task: Write the parser",
        "another one's first"
    );
    assert_eq!(since(vec![later(asked("now write the parser")), later(ran("cargo test", true))]), "");
}
