//! Who may come in over the network: tokens are made, shown once, recognised and revoked. Only a hash of each is kept.

#[cfg(test)]
mod tests;

use std::time::Duration;

use sha2::{Digest as _, Sha256};
use throughline_store::actor::Actor;
use throughline_store::id::{ProjectId, TokenId};
use throughline_store::token::{self as record, Role, Token};

use crate::capture::refuse_secret;
use crate::{Engine, Error, Result};

/// What a new token is to allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    pub name: String,
    pub role: Role,
    /// Every project without one.
    pub project: Option<ProjectId>,
    pub actor: Actor,
    /// Until it is revoked without one.
    pub lasts: Option<Duration>,
}

/// Every token begins so, which is how one is recognised where it does not belong.
const PREFIX: &str = "tl_";
const MAX_NAME_CHARS: usize = 100;

impl Engine {
    /// Makes a token; its text is told here and never again.
    pub fn create_token(&self, new: NewToken) -> Result<(Token, String)> {
        let now = self.now();
        let name = new.name.trim().to_owned();
        if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || name.contains(char::is_control) {
            return Err(Error::Invalid(format!(
                "a token's name has 1 to {MAX_NAME_CHARS} characters and no line breaks; say what it is for"
            )));
        }
        refuse_secret("name", &name)?;
        let (id, secret): (TokenId, String) = (self.ids.next(now), self.ids.secret());
        let token = Token {
            name,
            role: new.role,
            project: new.project,
            actor: new.actor,
            secret_hash: hash(&secret),
            created_at: now,
            expires_at: new.lasts.map(|lasts| now.plus(lasts)),
            revoked_at: None,
            id,
        };
        self.store.write(|tx| record::insert(tx, &token))?;
        let text = format!("{PREFIX}{}_{secret}", token.id);
        Ok((token, text))
    }

    /// All tokens there ever were, the oldest first.
    pub fn tokens(&self) -> Result<Vec<Token>> {
        Ok(self.store.read(record::list)?)
    }

    /// Whether anybody could come in with a token.
    pub fn has_valid_token(&self) -> Result<bool> {
        let now = self.now();
        Ok(self.tokens()?.iter().any(|token| token.is_valid_at(now)))
    }

    /// Makes a token, named by its id, a beginning of it, or its name, worth nothing from now on.
    pub fn revoke_token(&self, name: &str) -> Result<Token> {
        let now = self.now();
        self.store.write(|tx| {
            let found = named(record::list(tx)?, name)?;
            record::revoke(tx, &found.id, now)?;
            Ok(Token { revoked_at: found.revoked_at.or(Some(now)), ..found })
        })
    }

    /// The token that a text is, while it is valid; nothing for every other text.
    pub fn admit(&self, text: &str) -> Result<Option<Token>> {
        let Some((id, secret)) = text.strip_prefix(PREFIX).and_then(|rest| rest.split_once('_')) else {
            return Ok(None);
        };
        let found = self.store.read(|conn| record::by_id(conn, &TokenId::from(id.to_owned())))?;
        let now = self.now();
        Ok(found.filter(|token| is_same(&token.secret_hash, &hash(secret)) && token.is_valid_at(now)))
    }
}

fn named(tokens: Vec<Token>, name: &str) -> Result<Token> {
    let is_meant =
        |token: &&Token| !name.is_empty() && (token.id.as_str().starts_with(name) || token.name == name);
    let mut meant: Vec<&Token> = tokens.iter().filter(is_meant).collect();
    if meant.len() > 1 {
        // A name may be given again when the first of it was revoked.
        meant.retain(|token| token.revoked_at.is_none());
    }
    match meant.as_slice() {
        [one] => Ok((*one).clone()),
        [] => {
            Err(Error::NotFound(format!("there is no token {name:?}; `throughline token list` shows them")))
        }
        several => {
            let ids: Vec<&str> = several.iter().map(|token| token.id.as_str()).collect();
            Err(Error::Invalid(format!(
                "{name:?} means more than one token: {}; give the id",
                ids.join(", ")
            )))
        }
    }
}

fn hash(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// In a time that does not tell how much of it is right.
fn is_same(known: &str, given: &str) -> bool {
    known.len() == given.len() && known.bytes().zip(given.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}
