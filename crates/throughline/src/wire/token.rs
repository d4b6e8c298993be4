//! Access tokens in JSON, without what makes them worth something.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::store::time::Timestamp;
use throughline_engine::store::token::Token as Record;

use super::time::Second;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Token {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) role: &'static str,
    /// The one project it is for; null for all.
    pub(crate) project: Option<String>,
    pub(crate) actor: String,
    /// `valid`, `expired` or `revoked`.
    pub(crate) state: &'static str,
    pub(crate) created_at: Second,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expires_at: Option<Second>,
}

impl Token {
    /// With the name of its project.
    pub(crate) fn at(token: Record, project: Option<String>, now: Timestamp) -> Token {
        let state = match (token.is_valid_at(now), token.revoked_at) {
            (true, _) => "valid",
            (false, Some(_)) => "revoked",
            (false, None) => "expired",
        };
        Token {
            id: token.id.to_string(),
            name: token.name,
            role: token.role.as_str(),
            project: project.or(token.project.map(|id| id.to_string())),
            actor: token.actor.to_string(),
            state,
            created_at: Second(token.created_at),
            expires_at: token.expires_at.map(Second),
        }
    }
}
