//! Windsurf (Devin Desktop): actions of Cascade around a trajectory; it shows its model nothing of ours.

use serde_json::{Value as Json, json};
use throughline_engine::store::event::Kind;

use super::claude_code;
use super::event::{Head, Said, Seen};
use super::tool::{self, Outcome, Use};
use super::{Heard, Moment, field, said};

pub(super) fn hear(said: &Said<'_>) -> Result<Option<Heard>, String> {
    let payload = said.payload;
    let told = payload.get("tool_info").unwrap_or(&Json::Null);
    let stamp = [field::text(payload, &["execution_id"]), field::text(payload, &["timestamp"])];
    let head = Head {
        event: field::text(payload, &["agent_action_name"]).or(said.event).unwrap_or_default(),
        session: field::text(payload, &["trajectory_id"]).unwrap_or_default().to_owned(),
        folder: field::text(told, &["cwd", "root_workspace_path"]).map(Into::into),
        stamp: stamp.iter().any(Option::is_some).then(|| stamp.map(Option::unwrap_or_default).join(" ")),
        ..Head::default()
    };
    let (moment, seen) = what(head.event, told);
    said.heard(head, moment, seen)
}

fn what(event: &str, told: &Json) -> (Moment, Vec<Seen>) {
    match event {
        "pre_user_prompt" => claude_code::prompt(field::text(told, &["user_prompt"]).unwrap_or_default()),
        "post_cascade_response" => {
            let text = field::text(told, &["response"]).unwrap_or_default();
            let text = said::message(text.trim_start_matches("### Planner Response"));
            (Moment::Stop, text.map(|text| Seen::message(Kind::ModelMessage, text)).into_iter().collect())
        }
        "post_setup_worktree" => {
            let place = field::text(told, &["worktree_path"]).map(said::line).unwrap_or_default();
            (Moment::Other, vec![Seen::note("worktree", format!("works in the worktree {place}"))])
        }
        _ => match event.split_once('_') {
            Some(("pre", action)) => (Moment::BeforeTool(used(action, told).0), vec![]),
            Some(("post", action)) if tool_name(action).is_some() => {
                (Moment::AfterTool, used(action, told).1)
            }
            _ => (Moment::Other, vec![]),
        },
    }
}

fn tool_name(action: &str) -> Option<&'static str> {
    match action {
        "read_code" => Some("read"),
        "write_code" => Some("edit"),
        "run_command" => Some("run_command"),
        "mcp_tool_use" => Some("mcp"),
        _ => None,
    }
}

fn used(action: &str, told: &Json) -> (Option<String>, Vec<Seen>) {
    let called = |server: &str, tool: &str| format!("mcp__{server}__{tool}");
    let name = match (tool_name(action), field::text(told, &["mcp_tool_name"])) {
        (Some("mcp"), Some(tool)) => called(field::text(told, &["mcp_server_name"]).unwrap_or("mcp"), tool),
        (Some(name), _) => name.to_owned(),
        (None, _) => return (None, vec![]),
    };
    let edits = told.get("edits").and_then(|edits| edits.get(0)).cloned().unwrap_or_else(|| json!({}));
    let mut input = if action == "mcp_tool_use" {
        told.get("mcp_tool_arguments").cloned().unwrap_or(Json::Null)
    } else {
        told.clone()
    };
    if let (Some(fields), Some(edit)) = (input.as_object_mut(), edits.as_object()) {
        fields.extend(edit.clone());
    }
    let outcome = Outcome::of_response(&name, told.get("mcp_result"));
    let used = Use { name: &name, input: &input, id: None, outcome, duration_ms: None };
    (tool::target(&name, &input), tool::seen(&used))
}
