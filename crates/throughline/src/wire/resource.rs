//! A resource in JSON, and what can be done to one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_engine::backlog::{Edit, Uri, Written as EngineWritten};
use throughline_engine::store::resource::Resource as Record;

use super::time::Second;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Resource {
    pub(crate) uri: String,
    pub(crate) title: String,
    pub(crate) content: String,
    pub(crate) version: i64,
    pub(crate) created_at: Second,
    pub(crate) updated_at: Second,
}

impl From<Record> for Resource {
    fn from(resource: Record) -> Resource {
        Resource {
            uri: Uri::of_resource(&resource.path),
            title: resource.title,
            content: resource.content,
            version: resource.version,
            created_at: Second(resource.created_at),
            updated_at: Second(resource.updated_at),
        }
    }
}

/// The cheap form of a resource.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Stub {
    pub(crate) uri: String,
    pub(crate) title: String,
    pub(crate) bytes: usize,
    pub(crate) version: i64,
    pub(crate) updated_at: Second,
}

impl From<Record> for Stub {
    fn from(resource: Record) -> Stub {
        Stub {
            uri: Uri::of_resource(&resource.path),
            title: resource.title,
            bytes: resource.content.len(),
            version: resource.version,
            updated_at: Second(resource.updated_at),
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    pub(crate) resources: Vec<Stub>,
    pub(crate) shown: usize,
    pub(crate) total: i64,
}

impl From<(Vec<Record>, i64)> for Listed {
    fn from((resources, total): (Vec<Record>, i64)) -> Listed {
        Listed { shown: resources.len(), resources: resources.into_iter().map(Stub::from).collect(), total }
    }
}

/// What became of an edit.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Written {
    pub(crate) uri: String,
    pub(crate) operation: &'static str,
    pub(crate) title: String,
    pub(crate) version: i64,
    pub(crate) bytes: usize,
}

impl From<EngineWritten> for Written {
    fn from(written: EngineWritten) -> Written {
        Written {
            uri: Uri::of_resource(&written.resource.path),
            operation: written.operation,
            title: written.resource.title,
            version: written.resource.version,
            bytes: written.resource.content.len(),
        }
    }
}

/// One edit. The text has the names that models know from their editors.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Operation {
    #[serde(rename = "type")]
    kind: Kind,
    /// The text to write, or in place of old_str
    #[serde(alias = "content", alias = "file_text", alias = "text", alias = "insert_text")]
    new_str: Option<String>,
    /// str_replace: occurs exactly once
    #[serde(alias = "old")]
    old_str: Option<String>,
    /// insert: after this line, 0 for the beginning
    #[serde(alias = "after_line", alias = "line")]
    insert_line: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Create,
    StrReplace,
    Insert,
    Append,
}

impl Operation {
    pub(crate) fn checked(self) -> Result<Edit, String> {
        let text = self.new_str.ok_or("the operation has no new_str, the text to write")?;
        match self.kind {
            Kind::Create => Ok(Edit::Create { content: text }),
            Kind::Append => Ok(Edit::Append { text }),
            Kind::StrReplace => {
                let old = self.old_str.ok_or("str_replace needs old_str, the text to replace")?;
                Ok(Edit::StrReplace { old, new: text })
            }
            Kind::Insert => {
                let after_line = self.insert_line.ok_or("insert needs insert_line; 0 is the beginning")?;
                Ok(Edit::Insert { after_line, text })
            }
        }
    }
}
