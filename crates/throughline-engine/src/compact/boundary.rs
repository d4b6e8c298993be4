//! Where a session may be cut: never between a call and its result.

use std::collections::VecDeque;

use throughline_store::Connection;
use throughline_store::event::{self, Event, Kind, Order};
use throughline_store::id::EventId;

use super::pages::Since;
use crate::Result;
use crate::unfinished::flag;

/// Finds the place, told the calls and the results of a session one after the other. A place is that of the first event that
/// is not cut off, by its sequence.
pub(super) struct Boundary {
    wanted: i64,
    /// Calls that no result was seen of, the oldest first.
    waiting: VecDeque<Call>,
    /// Those of them that tell their own outcome, and may never get a result.
    told: VecDeque<Call>,
    /// From a call to the last result that cannot be cut from it, in their order and apart from each other.
    whole: VecDeque<(i64, i64)>,
}

struct Call {
    id: EventId,
    target: Option<String>,
    sequence: i64,
}

/// A call that so many more were made after without a result will not get one any more.
const OPEN: usize = 1000;
/// Where there are more, the oldest are taken together: a cut may then be earlier than it had to be, and parts nothing.
const WHOLE: usize = 10_000;

/// The last place at or before `wanted` where everything called before it is answered before it.
pub(super) fn whole(conn: &mut dyn Connection, since: &Since<'_>, wanted: i64) -> Result<i64> {
    let mut boundary = Boundary::at(wanted);
    let mut pages = since.pages(Order::OldestFirst).of_kinds(&[Kind::ToolCall, Kind::ToolResult]);
    while let Some(page) = pages.next(conn)? {
        for event in &page {
            let named = boundary.named(event, &mut |id| {
                let found = event::by_id(conn, &since.caller.project, id)?;
                Ok(found.filter(|found| since.holds(found)).map(|found| found.sequence))
            })?;
            boundary.take(event, named);
        }
    }
    Ok(boundary.cut())
}

impl Boundary {
    pub(super) fn at(wanted: i64) -> Boundary {
        Boundary { wanted, waiting: VecDeque::new(), told: VecDeque::new(), whole: VecDeque::new() }
    }

    /// The place of what a result says that it answers; looked up only where that is none of the calls without a result.
    pub(super) fn named(
        &self,
        event: &Event,
        look_up: &mut dyn FnMut(&EventId) -> Result<Option<i64>>,
    ) -> Result<Option<i64>> {
        let Some(id) = event.triggered_by.as_ref().filter(|_| event.kind == Kind::ToolResult) else {
            return Ok(None);
        };
        let open = self.waiting.iter().rev().chain(self.told.iter().rev()).find(|call| call.id == *id);
        match open {
            Some(call) => Ok(Some(call.sequence)),
            None => Ok(look_up(id)?.filter(|place| *place < event.sequence)),
        }
    }

    pub(super) fn take(&mut self, event: &Event, named: Option<i64>) {
        if event.kind == Kind::ToolCall {
            let calls = if tells_outcome(event) { &mut self.told } else { &mut self.waiting };
            let (id, target) = (event.id.clone(), event.target.clone());
            calls.push_back(Call { id, target, sequence: event.sequence });
            if calls.len() > OPEN {
                calls.pop_front();
            }
        } else if event.kind == Kind::ToolResult
            && let Some(call) = named.or_else(|| self.answered(event))
        {
            self.waiting.retain(|open| open.sequence != call);
            self.told.retain(|open| open.sequence != call);
            self.keep_whole(call, event.sequence);
        }
    }

    pub(super) fn cut(&self) -> i64 {
        let torn = self.whole.iter().find(|(call, result)| *call < self.wanted && self.wanted <= *result);
        torn.map_or(self.wanted, |(call, _)| *call)
    }

    /// The oldest open call of the same target, or of any for a result that names none. A call that tells its own outcome may
    /// never get a result (hooks record one only for what failed): of such the last one counts.
    fn answered(&self, result: &Event) -> Option<i64> {
        let same = |call: &&Call| result.target.is_none() || call.target == result.target;
        let call = self.waiting.iter().find(same).or_else(|| self.told.iter().rev().find(same));
        call.map(|call| call.sequence)
    }

    /// What overlaps cannot be parted either.
    fn keep_whole(&mut self, call: i64, result: i64) {
        if call >= self.wanted {
            return;
        }
        let mut from = call;
        while let Some((before, _)) = self.whole.pop_back_if(|(_, end)| *end >= from) {
            from = from.min(before);
        }
        self.whole.push_back((from, result));
        if self.whole.len() > WHOLE
            && let Some((oldest, _)) = self.whole.pop_front()
            && let Some(next) = self.whole.front_mut()
        {
            next.0 = oldest;
        }
    }
}

fn tells_outcome(call: &Event) -> bool {
    flag(call, &["ok"]).is_some()
}
