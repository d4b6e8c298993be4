//! Roles keep private logs: what happened in another role is seen by who names its session or takes its handoff, and is
//! not come upon. Memories are shared, and so is what was done in no role at all.

use std::collections::HashMap;

use throughline_store::Connection;
use throughline_store::id::SessionId;
use throughline_store::session;

use crate::capture::{DEFAULT_CHATMODE, SessionRef};
use crate::{Caller, Result};

/// The role of who asks; nothing where that is nobody's in particular.
pub(crate) fn role(
    conn: &mut dyn Connection,
    caller: &Caller,
    asking: Option<&SessionRef>,
) -> Result<Option<String>> {
    let Some(asking) = asking else { return Ok(None) };
    let run = asking.clone().run(&caller.actor);
    let session = session::present(conn, &caller.project, run.client.as_deref(), &run.name)?;
    Ok(session.map(|session| session.chatmode).filter(|role| role != DEFAULT_CHATMODE))
}

/// Whether who is in `role` may come upon what was done in the other.
pub(crate) fn is_open_to(chatmode: &str, role: Option<&str>) -> bool {
    role.is_none_or(|role| chatmode == role || chatmode == DEFAULT_CHATMODE)
}

/// Which sessions somebody may come upon, each looked up once.
#[derive(Debug)]
pub(crate) struct Sight {
    role: Option<String>,
    seen: HashMap<SessionId, bool>,
}

impl Sight {
    pub(crate) fn of(
        conn: &mut dyn Connection,
        caller: &Caller,
        asking: Option<&SessionRef>,
    ) -> Result<Sight> {
        Ok(Sight { role: role(conn, caller, asking)?, seen: HashMap::new() })
    }

    pub(crate) fn is_limited(&self) -> bool {
        self.role.is_some()
    }

    pub(crate) fn shows(
        &mut self,
        conn: &mut dyn Connection,
        caller: &Caller,
        id: &SessionId,
    ) -> Result<bool> {
        if !self.is_limited() {
            return Ok(true);
        }
        if let Some(known) = self.seen.get(id) {
            return Ok(*known);
        }
        let session = session::by_id(conn, &caller.project, id)?;
        let shown = session.is_none_or(|session| is_open_to(&session.chatmode, self.role.as_deref()));
        self.seen.insert(id.clone(), shown);
        Ok(shown)
    }
}
