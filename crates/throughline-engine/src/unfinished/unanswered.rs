//! How a session ended that was not brought to an end: with a request that nobody took up, or with a question of the agent.

use throughline_store::Connection;
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::id::SessionId;
use throughline_store::session::{self, Session};

use super::{Reason, Unfinished, settled, unfinished};
use crate::words::is_in;
use crate::{Caller, Result};

/// So many of the sessions are looked at that were told something last, and so much of the end of each.
const SESSIONS: usize = 3;
const LAST: i64 = 12;
/// Clients that tell hooks nothing of what the model answers.
const SILENT: &str = "cline copilot-cli goose vscode";
/// What is said about a session, and not in it.
const ASIDE: [Kind; 4] = [Kind::SystemEvent, Kind::MemoryRecall, Kind::Checkpoint, Kind::Handoff];
/// Who says nothing else asks for nothing.
const CLOSING: &str = "good great perfect nice cool ok okay fine well thanks thank you very much so many bye goodbye stop here for today \
    tonight now that's that is all it done exit quit never mind nevermind forget see tomorrow later night enough lgtm awesome \
    excellent wonderful cheers danke tschüss merci gracias a lot yes no works";
/// After the question may come what there is to choose from.
const CHOICES: usize = 8;
/// Questions of politeness.
const POLITE: [&str; 7] = [
    "anything else",
    "any questions",
    "any other",
    "make sense",
    "does that help",
    "what's next",
    "what would you like to do next",
];

/// Of a session's events, which are in their order. `later` is what came after them in the project.
pub(crate) fn of_session(session: &Session, events: &[Event], later: &[Event]) -> Option<Unfinished> {
    let last = events.iter().rev().find(|event| !ASIDE.contains(&event.kind))?;
    let said = last.content.as_deref().unwrap_or(&last.summary);
    let is_heard = !is_in(SILENT, &session.client);
    let left = match last.kind {
        Kind::UserMessage if is_heard && asks(said) && !settled::is_said_again(said, later) => {
            unfinished(Reason::NotAnswered, last, said)
        }
        Kind::ModelMessage => unfinished(Reason::Question, last, question(said)?),
        _ => return None,
    };
    (!settled::Record::of(later).settles(&left.text, 0)).then_some(left)
}

/// Of the sessions that have ended and were told something last. `events` are the project's last ones.
pub(super) fn lately(
    conn: &mut dyn Connection,
    caller: &Caller,
    events: &[Event],
) -> Result<Vec<Unfinished>> {
    let mut left = vec![];
    for id in spoken_in(events) {
        let session = session::by_id(conn, &caller.project, &id)?;
        let Some(session) = session.filter(|session| session.ended.is_some()) else { continue };
        let filter = Filter { sessions: vec![id], ..Filter::default() };
        let mut last = event::list(conn, &caller.project, &filter, Order::NewestFirst, LAST)?;
        last.reverse();
        let end = last.last().map_or(0, |event| event.position);
        let later = events.partition_point(|event| event.position <= end);
        left.extend(of_session(&session, &last, &events[later..]));
    }
    Ok(left)
}

/// The sessions in which somebody said something last.
fn spoken_in(events: &[Event]) -> Vec<SessionId> {
    let mut sessions: Vec<SessionId> = vec![];
    for event in events.iter().rev().filter(|event| event.kind == Kind::UserMessage) {
        if sessions.len() < SESSIONS && !sessions.contains(&event.session_id) {
            sessions.push(event.session_id.clone());
        }
    }
    sessions
}

/// Neither thanks nor a command to the client.
fn asks(said: &str) -> bool {
    let lower = said.trim().to_lowercase().replace('’', "'");
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    !lower.starts_with(['/', '[']) && words.any(|word| !is_in(CLOSING, word))
}

/// What an answer asks at its end.
fn question(said: &str) -> Option<&str> {
    let is_choice = |line: &&str| {
        line.is_empty() || line.starts_with(['-', '*', '•']) || line.starts_with(|c: char| c.is_ascii_digit())
    };
    let lines: Vec<&str> = said.lines().map(str::trim).rev().take(CHOICES).collect();
    let asks = |line: &&str| line.trim_end_matches(['*', '_', ')', '"']).ends_with('?');
    let end = lines.iter().position(|line| asks(line) || !is_choice(line))?;
    let line = lines[end].trim_matches(['*', '_', ' ']);
    let start = line.trim_end_matches('?').rfind(['.', '!', '?', ':']).map_or(0, |at| at + 1);
    let asked = line[start..].trim();
    let lower = asked.to_lowercase().replace('’', "'");
    (asks(&lines[end]) && !POLITE.iter().any(|polite| lower.contains(polite))).then_some(asked)
}
