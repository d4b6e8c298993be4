//! Objects that others wrote, in types of ours; what is wrong is told with the field that it is wrong in.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

/// What the parser calls types, and how people call them.
const IN_WORDS: [(&str, &str); 8] = [
    ("i64", "a whole number"),
    ("u64", "a whole number"),
    ("u32", "a whole number"),
    ("usize", "a whole number"),
    ("f64", "a number"),
    ("a sequence", "a list, for instance [\"a\"]"),
    ("a boolean", "true or false"),
    ("a map", "an object"),
];

pub(crate) fn decoded<A: DeserializeOwned>(object: Map<String, Json>) -> Result<A, String> {
    let problem = match read::<A>(object.clone()) {
        Ok(decoded) => return Ok(decoded),
        Err(problem) => problem,
    };
    let is_named = problem.starts_with("missing field") || problem.starts_with("unknown field");
    let field = if is_named { None } else { wrong_field::<A>(&object, &problem) };
    let said = in_words(&problem);
    Err(field.map_or(said.clone(), |field| format!("{field}: {said}")))
}

fn read<A: DeserializeOwned>(object: Map<String, Json>) -> Result<A, String> {
    serde_json::from_value(Json::Object(object)).map_err(|problem| problem.to_string())
}

/// The one without which there is another problem, or none.
fn wrong_field<A: DeserializeOwned>(object: &Map<String, Json>, problem: &str) -> Option<String> {
    let is_wrong = |name: &&String| {
        let mut others = object.clone();
        others.remove(*name);
        read::<A>(others).map_or_else(|other| other != problem, |_| true)
    };
    object.keys().find(is_wrong).cloned()
}

fn in_words(problem: &str) -> String {
    let Some((given, expected)) = problem.rsplit_once(", expected ") else { return problem.to_owned() };
    let known = IN_WORDS.iter().find(|(name, _)| expected == *name).map(|(_, words)| *words);
    let words = known.unwrap_or(if expected.starts_with("struct ") { "an object" } else { expected });
    format!("{given}, expected {words}")
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
