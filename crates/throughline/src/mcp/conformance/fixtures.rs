//! What the suite expects word for word: lists, and the answers that are always the same.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolResult, GetPromptResult, InputRequests, JsonObject, Prompt, ReadResourceResult, Resource,
    ResourceTemplate, Tool,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[derive(Debug, Deserialize)]
pub(super) struct Fixtures {
    pub(super) tools: Vec<Tool>,
    /// What a tool answers, whoever asks.
    pub(super) answers: BTreeMap<String, CallToolResult>,
    /// What a tool asks the client before it answers, where requests may go that way.
    pub(super) asks: BTreeMap<String, Value>,
    /// What a tool or prompt must be called again with.
    pub(super) inputs: BTreeMap<String, Inputs>,
    pub(super) resources: Vec<Resource>,
    pub(super) templates: Vec<ResourceTemplate>,
    pub(super) prompts: Vec<Prompt>,
    contents: BTreeMap<String, Value>,
    messages: BTreeMap<String, Vec<Value>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Inputs {
    /// One after the other.
    pub(super) requests: Vec<InputRequests>,
    /// Whether what was asked travels with the client.
    #[serde(default)]
    pub(super) stateful: bool,
}

impl Fixtures {
    pub(super) fn get() -> &'static Fixtures {
        static FIXTURES: OnceLock<Fixtures> = OnceLock::new();
        FIXTURES.get_or_init(|| {
            serde_json::from_str(include_str!("fixtures.json")).expect("the fixtures are valid JSON")
        })
    }

    pub(super) fn prompt(&self, name: &str, arguments: &JsonObject) -> Result<GetPromptResult, ErrorData> {
        let unknown = || ErrorData::invalid_params(format!("there is no prompt {name}"), None);
        let messages = self.messages.get(name).ok_or_else(unknown)?;
        let filled =
            messages.iter().map(|content| json!({"role": "user", "content": fill(content, arguments)}));
        Ok(read(&json!({"resultType": "complete", "messages": filled.collect::<Vec<_>>()})))
    }

    pub(super) fn resource(&self, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let by_id = || {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let text = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            Some(json!({"uri": uri, "mimeType": "application/json", "text": text.to_string()}))
        };
        let content = self.contents.get(uri).cloned().or_else(by_id);
        let unknown = || ErrorData::resource_not_found("Resource not found", Some(json!({"uri": uri})));
        Ok(read(&json!({"resultType": "complete", "contents": [content.ok_or_else(unknown)?]})))
    }
}

/// The protocol's own types from their JSON: what is fixed here cannot be wrong.
pub(super) fn read<T: DeserializeOwned>(value: &Value) -> T {
    T::deserialize(value).expect("the fixtures have the protocol's shapes")
}

/// The content with each `{name}` replaced by the argument of that name.
fn fill(content: &Value, arguments: &JsonObject) -> Value {
    match content {
        Value::String(text) => Value::String(arguments.iter().fold(text.clone(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value.as_str().unwrap_or_default())
        })),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), fill(value, arguments))).collect()
        }
        other => other.clone(),
    }
}
