//! Commits of a repository as events, by their authors: what a hook records of a commit that an agent makes.

use throughline_engine::capture::{Observation, Opening, SessionRef};
use throughline_engine::code::git::Commit;
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::time::Timestamp;

use crate::hooks::commit::Commit as Made;
use crate::hooks::said;

/// All commits of a project are one session, whichever clone they are read from.
const CLIENT: &str = "git";
const SESSION: &str = "history";
const MAX_NAME_BYTES: usize = 100;

pub(crate) fn session() -> SessionRef {
    SessionRef::Of { client: CLIENT.to_owned(), session: SESSION.to_owned() }
}

/// What the commit is in the log, and who did it.
pub(crate) fn observed(commit: &Commit, workspace: &str) -> (Actor, Observation) {
    let sha = commit.id.to_string();
    let made = Made { sha: Some(sha.clone()), branch: None, message: Some(said::line(&commit.subject)) };
    let seen = made.seen();
    let observation = Observation {
        opening: Opening { workspace: Some(workspace.to_owned()), ..Opening::default() },
        at: Some(Timestamp(commit.at.saturating_mul(1_000_000))),
        target: seen.target,
        summary: seen.summary.as_deref().map(said::line),
        content: said::message(&commit.body),
        parts: seen.parts,
        client_key: Some(format!("commit {sha}")),
        ..Observation::of(seen.kind, session())
    };
    (author(commit), observation)
}

/// By name; whoever gave none, by the first part of the address.
fn author(commit: &Commit) -> Actor {
    let address = commit.author.email.split('@').next().unwrap_or_default();
    let named =
        [commit.author.name.as_str(), address].into_iter().map(said::line).find(|name| !name.is_empty());
    let mut name = named.unwrap_or_else(|| "unknown".to_owned());
    while name.len() > MAX_NAME_BYTES {
        name.pop();
    }
    Actor { kind: ActorKind::User, name }
}
