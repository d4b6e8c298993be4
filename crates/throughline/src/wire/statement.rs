//! A statement that is to be remembered, as agents and programs make it.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::capture::During;
use throughline_engine::remember::{Statement, cited_in};
use throughline_engine::store::memory::{Kind, Scope};
use throughline_engine::store::time::Timestamp;

use super::closed::One;
use super::time::Ahead;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    content: String,
    title: Option<String>,
    #[serde(default = "fact")]
    kind: One<Kind>,
    #[serde(default = "app")]
    scope: One<Scope>,
    #[serde(default)]
    tags: Vec<String>,
    /// 0 to 1
    importance: Option<f64>,
    /// What this is the value of; replaces its last one
    state_key: Option<String>,
    /// Memory id
    supersedes: Option<String>,
    /// 2026-11-15, or 3d
    expires_at: Option<Ahead>,
}

fn fact() -> One<Kind> {
    One(Kind::Fact)
}

fn app() -> One<Scope> {
    One(Scope::App)
}

impl Said {
    /// `root` is where the files lie that it may cite.
    pub(crate) fn statement(self, during: During, root: Option<&Path>, now: Timestamp) -> Statement {
        Statement {
            title: self.title,
            kind: self.kind.0,
            scope: self.scope.0,
            tags: self.tags,
            importance: self.importance,
            state_key: self.state_key,
            supersedes: self.supersedes,
            expires_at: self.expires_at.map(|ahead| ahead.resolve(now)),
            cites: root.map(|root| cited_in(root, &self.content)).unwrap_or_default(),
            session: during.session,
            opening: during.opening,
            ..Statement::of(self.content)
        }
    }
}
