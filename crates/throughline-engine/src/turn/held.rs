//! What the agent of a session holds HOT and does not have before it: what was saved before the session began, and
//! everything once its context is lost.

use throughline_store::Connection;
use throughline_store::context_entry::{self, ContextEntry, Holder, Tier};
use throughline_store::session::Session;
use throughline_store::time::Timestamp;

use super::given::Given;
use super::told::of_entry;
use super::{Need, Turn};
use crate::capture::SessionRef;
use crate::hold::Policy;
use crate::hold::checkpoint::agent_of;
use crate::{Caller, Result};

/// The most important of them.
const MOST: usize = 8;

pub(super) fn of(
    conn: &mut dyn Connection,
    caller: &Caller,
    (session, turn): (Option<&Session>, &Turn<'_>),
    given: &Given,
    (policy, now): (&Policy, Timestamp),
) -> Result<Vec<ContextEntry>> {
    let agent = match (session, turn.session) {
        (Some(session), _) => agent_of(session),
        (None, SessionRef::Of { client, .. }) => format!("agent:{client}"),
        (None, SessionRef::Named(_) | SessionRef::Own) => caller.actor.to_string(),
    };
    if turn.need == Need::Subagent {
        return Ok(vec![]);
    }
    let has_lost = turn.need.follows_compaction() || given.is_compacted();
    let began = session.filter(|_| !has_lost).map(|session| session.started_at);
    let mut hot = context_entry::hot(conn, Holder { project: &caller.project, agent: &agent })?;
    hot.retain(|entry| {
        policy.tier(entry, now) == Tier::Hot
            && began.is_none_or(|began| entry.created_at < began)
            && given.is_news(&of_entry(entry))
    });
    hot.sort_by(|a, b| policy.importance(b, now).total_cmp(&policy.importance(a, now)));
    hot.truncate(MOST);
    Ok(hot)
}
