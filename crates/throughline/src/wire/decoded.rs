//! Objects that others wrote, in types of ours; what is wrong is told with the field that it is wrong in.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

pub(crate) fn decoded<A: DeserializeOwned>(object: Map<String, Json>) -> Result<A, String> {
    let mut whole = Json::Object(object);
    let problem = match read::<A>(&whole) {
        Ok(decoded) => return Ok(decoded),
        Err(problem) => problem,
    };
    let is_named = problem.starts_with("missing field") || problem.starts_with("unknown field");
    let field = if is_named { None } else { wrong_field::<A>(&mut whole, &problem) };
    let said = in_words(&problem);
    Err(field.map_or(said.clone(), |field| format!("{field}: {said}")))
}

fn read<A: DeserializeOwned>(whole: &Json) -> Result<A, String> {
    A::deserialize(whole).map_err(|problem| problem.to_string())
}

/// The one without which there is another problem, or none.
fn wrong_field<A: DeserializeOwned>(whole: &mut Json, problem: &str) -> Option<String> {
    let names: Vec<String> = whole.as_object()?.keys().cloned().collect();
    for name in names {
        let value = whole.as_object_mut()?.remove(&name)?;
        if read::<A>(whole).map_or_else(|other| other != problem, |_| true) {
            return Some(name);
        }
        whole.as_object_mut()?.insert(name, value);
    }
    None
}

fn in_words(problem: &str) -> String {
    let Some((given, expected)) = problem.rsplit_once(", expected ") else { return problem.to_owned() };
    let words = match expected {
        "a sequence" => "a list, for instance [\"a\"]",
        "a boolean" => "true or false",
        "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other => type_in_words(other),
    };
    format!("{given}, expected {words}")
}

/// What parsers call a type, as people call it.
pub(crate) fn type_in_words(name: &str) -> &str {
    match name {
        "i64" | "u64" | "u32" | "u16" | "usize" => "a whole number",
        "f64" => "a number",
        "a sequence" => "a list",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only what is wrong with it is looked at")]
    struct Asked {
        query: String,
        limit: Option<i64>,
        tags: Option<Vec<String>>,
    }

    fn wrong(object: Json) -> String {
        let Json::Object(object) = object else { panic!("no object") };
        decoded::<Asked>(object).unwrap_err()
    }

    #[test]
    fn the_field_is_named() {
        assert_eq!(
            wrong(json!({"query": "a", "limit": "ten", "tags": []})),
            "limit: invalid type: string \"ten\", expected a whole number"
        );
        assert_eq!(
            wrong(json!({"query": "a", "tags": "b"})),
            "tags: invalid type: string \"b\", expected a list, for instance [\"a\"]"
        );
        assert_eq!(wrong(json!({"query": 5})), "query: invalid type: integer `5`, expected a string");
        assert_eq!(wrong(json!({"limit": 5})), "missing field `query`");
        assert_eq!(
            wrong(json!({"query": "a", "lmit": 5})),
            "unknown field `lmit`, expected one of `query`, `limit`, `tags`"
        );
    }
}
