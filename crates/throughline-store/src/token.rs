//! Access tokens: who may come in over the network, as what, and to which project.

use crate::actor::Actor;
use crate::id::{ProjectId, TokenId, text_enum};
use crate::sql::{Connection, Result, Row};
use crate::time::Timestamp;
use crate::{Error, params};

text_enum! {
    /// What its holder may do; each may do what those before it may.
    Role {
        Read = "read",
        Write = "write",
        Admin = "admin",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub id: TokenId,
    pub name: String,
    pub role: Role,
    /// The one project it is for; all when there is none.
    pub project: Option<ProjectId>,
    /// On whose behalf its holder acts.
    pub actor: Actor,
    pub secret_hash: String,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

impl Token {
    pub fn is_valid_at(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

const COLUMNS: &str =
    "token_id, name, role, project_id, actor, secret_hash, created_at, expires_at, revoked_at";

pub fn insert(tx: &mut dyn Connection, token: &Token) -> Result<()> {
    tx.execute(
        "insert into access_token (token_id, name, role, project_id, actor, secret_hash, created_at, expires_at,
             revoked_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            &token.id,
            &token.name,
            token.role,
            token.project.as_ref(),
            &token.actor.to_string(),
            &token.secret_hash,
            token.created_at,
            token.expires_at,
            token.revoked_at,
        ],
    )?;
    Ok(())
}

pub fn by_id(conn: &mut dyn Connection, id: &TokenId) -> Result<Option<Token>> {
    let sql = format!("select {COLUMNS} from access_token where token_id = ?1");
    conn.query(&sql, params![id])?.first().map(read).transpose()
}

/// All of them, the oldest first.
pub fn list(conn: &mut dyn Connection) -> Result<Vec<Token>> {
    let sql = format!("select {COLUMNS} from access_token order by created_at, token_id");
    conn.query(&sql, &[])?.iter().map(read).collect()
}

/// Says whether it was valid until now.
pub fn revoke(tx: &mut dyn Connection, id: &TokenId, at: Timestamp) -> Result<bool> {
    let sql = "update access_token set revoked_at = ?2 where token_id = ?1 and revoked_at is null";
    Ok(tx.execute(sql, params![id, at])? == 1)
}

fn read(row: &Row) -> Result<Token> {
    let actor: String = row.get(4)?;
    Ok(Token {
        id: row.get(0)?,
        name: row.get(1)?,
        role: row.get(2)?,
        project: row.get(3)?,
        actor: actor
            .parse()
            .map_err(|why| Error::Corrupt(format!("a token names its actor wrongly: {why}")))?,
        secret_hash: row.get(5)?,
        created_at: row.get(6)?,
        expires_at: row.get(7)?,
        revoked_at: row.get(8)?,
    })
}
