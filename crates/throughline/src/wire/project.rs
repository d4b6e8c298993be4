//! Projects in JSON.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::project::Described;

use super::time::Moment;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Project {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) created_at: Moment,
    pub(crate) events: i64,
    /// What the project is recognised by.
    pub(crate) keys: Vec<String>,
}

impl From<Described> for Project {
    fn from(described: Described) -> Project {
        Project {
            id: described.project.id.to_string(),
            name: described.project.name,
            created_at: Moment(described.project.created_at),
            events: described.project.last_position,
            keys: described.keys,
        }
    }
}
