//! What an agent notes in its client's own list of tasks, as much as tells later what was left open.

use serde_json::{Map, Value as Json};

use super::tool::{Outcome, Use};
use super::{field, said};

const MAX_TASKS: usize = 30;
const MAX_TEXT_CHARS: usize = 120;
/// Whole lists of tasks: Claude Code's `TodoWrite`, Codex' `update_plan`, Gemini CLI's `write_todos`.
const LISTS: [&str; 2] = ["todos", "plan"];
const TEXTS: [&str; 5] = ["subject", "content", "step", "description", "title"];
/// Tasks that nobody has to do any more are not told of in whole lists.
const OVER: [&str; 4] = ["completed", "done", "cancelled", "canceled"];

/// The tasks that a use of a tool tells of: those of a whole list that are open, none of which has a name; or the one that
/// was added or changed, by its name.
pub(super) fn told(used: &Use<'_>) -> Option<Json> {
    let Outcome::Done(response) = used.outcome else { return None };
    match used.name {
        "TaskCreate" => {
            let id = response.and_then(|response| field::text(response.get("task")?, &["id"]))?;
            Some(Json::from(vec![task(Some(id), used.input)]))
        }
        "TaskUpdate" => Some(Json::from(vec![task(Some(field::text(used.input, &["taskId"])?), used.input)])),
        _ => {
            let list = LISTS.iter().find_map(|name| used.input.get(*name)?.as_array())?;
            let is_open = |task: &&Json| !OVER.contains(&field::text(task, &["status"]).unwrap_or_default());
            let open = list.iter().filter(is_open).take(MAX_TASKS);
            Some(open.map(|one| task(None, one)).collect())
        }
    }
}

fn task(id: Option<&str>, told: &Json) -> Json {
    let text = field::text(told, &TEXTS).map(|text| said::line(text).chars().take(MAX_TEXT_CHARS).collect());
    let fields = [
        ("id", id.map(said::line)),
        ("text", text),
        ("status", field::text(told, &["status"]).map(said::line)),
    ];
    let fields = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Json::from(value?))));
    Json::Object(fields.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::super::tool::{Outcome, Use};
    use super::{MAX_TASKS, told};

    fn of(name: &str, input: &Json, response: &Json) -> Option<Json> {
        told(&Use { name, input, id: None, outcome: Outcome::Done(Some(response)), duration_ms: None })
    }

    #[test]
    fn a_task_is_told_of_by_its_name() {
        let created = json!({ "task": { "id": "1", "subject": "Do X" } });
        let input = json!({ "subject": "Do X", "description": "at length" });
        assert_eq!(of("TaskCreate", &input, &created), Some(json!([{ "id": "1", "text": "Do X" }])));
        let input = json!({ "taskId": "1", "status": "completed" });
        assert_eq!(of("TaskUpdate", &input, &json!({})), Some(json!([{ "id": "1", "status": "completed" }])));
        assert_eq!(of("Bash", &json!({ "command": "ls" }), &json!({})), None);
    }

    #[test]
    fn of_a_list_what_is_open_is_told_and_not_too_much() {
        let todos = json!([
            { "content": "Wire it", "status": "in_progress", "activeForm": "Wiring" },
            { "content": "Read it", "status": "completed" },
        ]);
        let open = json!([{ "text": "Wire it", "status": "in_progress" }]);
        assert_eq!(of("TodoWrite", &json!({ "todos": todos }), &json!({})), Some(open));
        let plan = json!({ "plan": [{ "step": "Wire it", "status": "completed" }] });
        assert_eq!(of("update_plan", &plan, &json!({})), Some(json!([])));
        let many = vec![json!({ "content": "é".repeat(9_000), "status": "pending" }); 900];
        let told = of("TodoWrite", &json!({ "todos": many }), &json!({})).unwrap();
        assert_eq!(told.as_array().unwrap().len(), MAX_TASKS);
        assert!(told.to_string().len() < MAX_TASKS * 400);
    }
}
