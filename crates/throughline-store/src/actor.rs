//! Who did something.

use std::fmt;
use std::str::FromStr;

use crate::id::text_enum;

text_enum! {
    ActorKind {
        User = "user",
        Agent = "agent",
    }
}

/// Written `user:NAME` or `agent:NAME`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub kind: ActorKind,
    pub name: String,
}

impl FromStr for Actor {
    type Err = String;

    fn from_str(text: &str) -> Result<Actor, String> {
        let wrong = || format!("{text:?} is not an actor; write user:NAME or agent:NAME");
        let (kind, name) = text.split_once(':').ok_or_else(wrong)?;
        if name.trim().is_empty() || name.len() > 200 || name.contains(char::is_control) {
            return Err(wrong());
        }
        Ok(Actor { kind: kind.parse().map_err(|_| wrong())?, name: name.to_owned() })
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.name)
    }
}
