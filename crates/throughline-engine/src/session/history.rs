//! The newest part of a session that fits: by turns, by tokens, and never a tool's result without its call.

use std::collections::{HashMap, HashSet};

use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::id::{EventId, SessionId};
use throughline_store::{Connection, session};

use super::find;
use crate::settings::Window;
use crate::{Caller, Engine, Result};

/// A session's newest events, oldest of them first.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    pub session: session::Session,
    pub events: Vec<Event>,
    pub tokens: u64,
    /// How many events of the session are not shown.
    pub omitted: i64,
}

/// Read in pages, so that a long session costs no more than what is shown of it.
const PAGE: i64 = 256;

impl Engine {
    pub fn history(&self, caller: &Caller, name: Option<&str>, window: Window) -> Result<History> {
        self.store.read(|conn| {
            let session = find(conn, caller, name)?;
            let newest_first = newest(conn, caller, &session.id, window)?;
            let before = session.last_sequence - newest_first.len() as i64;
            let events = without_orphans(newest_first.into_iter().rev().collect(), before);
            Ok(History {
                tokens: events.iter().map(cost).sum(),
                omitted: session.last_sequence - events.len() as i64,
                events,
                session,
            })
        })
    }
}

/// The newest events that fit, newest first; the one before them would not.
fn newest(
    conn: &mut dyn Connection,
    caller: &Caller,
    session: &SessionId,
    window: Window,
) -> Result<Vec<Event>> {
    let mut taken: Vec<Event> = Vec::new();
    let (mut turns, mut tokens) = (0, 0);
    loop {
        let filter = Filter {
            sessions: vec![session.clone()],
            before_position: taken.last().map(|event| event.position),
            ..Filter::default()
        };
        let page = event::list(conn, &caller.project, &filter, Order::NewestFirst, PAGE)?;
        let is_last = (page.len() as i64) < PAGE;
        for event in page {
            tokens += cost(&event);
            if turns == window.turns || tokens > window.max_tokens {
                return Ok(taken);
            }
            turns += usize::from(event.kind == Kind::UserMessage);
            taken.push(event);
        }
        if is_last {
            return Ok(taken);
        }
    }
}

/// A result whose call fell outside the window would be an answer without its question.
fn without_orphans(events: Vec<Event>, omitted: i64) -> Vec<Event> {
    if omitted == 0 {
        return events;
    }
    let mut pairs = Pairs::of(&events);
    events.into_iter().filter(|event| pairs.keep(event)).collect()
}

/// Which results of a window belong to calls that are in it.
///
/// A result names its call, or else answers a call of the same target. The calls that a cut took away are the oldest,
/// so when a window has more results than calls, it is the oldest results that go.
struct Pairs {
    shown: HashSet<EventId>,
    calls: HashSet<EventId>,
    /// The calls that some result names.
    answered: HashSet<EventId>,
    targets: HashMap<Option<String>, Counts>,
}

/// Calls and results of one target that do not name each other.
#[derive(Default)]
struct Counts {
    calls_ahead: usize,
    open_calls: usize,
    results_ahead: usize,
}

impl Pairs {
    fn of(events: &[Event]) -> Pairs {
        let ids = |events: &mut dyn Iterator<Item = &Event>| events.map(|event| event.id.clone()).collect();
        let mut pairs = Pairs {
            shown: ids(&mut events.iter()),
            calls: ids(&mut events.iter().filter(|event| event.kind == Kind::ToolCall)),
            answered: HashSet::new(),
            targets: HashMap::new(),
        };
        pairs.answered = events.iter().filter_map(|event| pairs.named_call(event).cloned()).collect();
        for event in events {
            let unnamed_result = event.kind == Kind::ToolResult && pairs.named_call(event).is_none();
            let unnamed_call = event.kind == Kind::ToolCall && !pairs.answered.contains(&event.id);
            let counts = pairs.targets.entry(event.target.clone()).or_default();
            counts.results_ahead += usize::from(unnamed_result);
            counts.calls_ahead += usize::from(unnamed_call);
        }
        pairs
    }

    /// What a result names as its call: anything but an event of the window that is no call.
    fn named_call<'a>(&self, event: &'a Event) -> Option<&'a EventId> {
        let named = event.triggered_by.as_ref().filter(|_| event.kind == Kind::ToolResult)?;
        (self.calls.contains(named) || !self.shown.contains(named)).then_some(named)
    }

    /// A result that names no target answers any call that is open.
    fn target_of(&self, event: &Event) -> Option<String> {
        if event.kind == Kind::ToolResult && event.target.is_none() {
            let open =
                self.targets.iter().filter(|(_, counts)| counts.open_calls > 0).map(|(target, _)| target);
            return open.min().cloned().flatten();
        }
        event.target.clone()
    }

    /// Asked once for each event, in order.
    fn keep(&mut self, event: &Event) -> bool {
        if let Some(call) = self.named_call(event) {
            return self.calls.contains(call);
        }
        let target = self.target_of(event);
        let counts = self.targets.entry(target).or_default();
        match event.kind {
            Kind::ToolCall if !self.answered.contains(&event.id) => {
                counts.calls_ahead -= 1;
                counts.open_calls += 1;
                true
            }
            Kind::ToolResult => {
                let is_surplus = counts.results_ahead > counts.open_calls + counts.calls_ahead;
                let answers = counts.open_calls > 0 && !is_surplus;
                counts.results_ahead = counts.results_ahead.saturating_sub(1);
                counts.open_calls -= usize::from(answers);
                answers
            }
            Kind::ToolCall
            | Kind::UserMessage
            | Kind::ModelMessage
            | Kind::Read
            | Kind::Write
            | Kind::Search
            | Kind::Decision
            | Kind::ValidationGate
            | Kind::MemoryRecall
            | Kind::ItemCreated
            | Kind::ItemUpdated
            | Kind::ItemDeleted
            | Kind::ResourceWritten
            | Kind::TaskCompleted
            | Kind::Handoff
            | Kind::Checkpoint
            | Kind::SystemEvent => true,
        }
    }
}

fn cost(event: &Event) -> u64 {
    u64::try_from(event.tokens).unwrap_or(0)
}
