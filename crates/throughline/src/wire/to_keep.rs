//! Something that is to be kept in a working set, as agents and programs say it.

use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::hold::Draft;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToKeep {
    /// TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION or another name in capitals
    item_type: String,
    content: String,
    /// 0 to 1; default: the type's
    importance_score: Option<f64>,
    /// The backlog item it is about
    task_id: Option<String>,
    /// The entry whose content it replaces
    replaces: Option<String>,
}

impl From<ToKeep> for Draft {
    fn from(entry: ToKeep) -> Draft {
        Draft {
            entry_type: entry.item_type,
            content: entry.content,
            importance: entry.importance_score,
            item: entry.task_id,
            replaces: entry.replaces,
        }
    }
}
