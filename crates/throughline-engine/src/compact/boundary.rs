//! Where a session may be cut: never between a call and its result.

use std::collections::HashMap;

use throughline_store::event::{Event, Kind};

use crate::unfinished::flag;

/// The last place at or before `wanted` where everything called before it is answered before it.
pub(super) fn whole(events: &[Event], wanted: usize) -> usize {
    let calls = calls_of(events);
    let mut cut = wanted.min(events.len());
    loop {
        let torn = calls.iter().skip(cut).copied().flatten().filter(|call| *call < cut).min();
        match torn {
            Some(call) => cut = call,
            None => return cut,
        }
    }
}

/// For each event the place of the call that it answers.
fn calls_of(events: &[Event]) -> Vec<Option<usize>> {
    let places: HashMap<&str, usize> =
        events.iter().enumerate().map(|(place, event)| (event.id.as_str(), place)).collect();
    let mut open: Vec<usize> = vec![];
    let mut calls = vec![None; events.len()];
    for (place, event) in events.iter().enumerate() {
        if event.kind == Kind::ToolCall {
            open.push(place);
        } else if event.kind == Kind::ToolResult {
            let named = event.triggered_by.as_ref().and_then(|id| places.get(id.as_str())).copied();
            let call = named.filter(|call| *call < place).or_else(|| answered(events, &open, event));
            open.retain(|other| Some(*other) != call);
            calls[place] = call;
        }
    }
    calls
}

/// The oldest open call of the same target, or of any for a result that names none. A call that tells its own outcome may
/// never get a result (hooks record one only for what failed): of such the last one counts.
fn answered(events: &[Event], open: &[usize], result: &Event) -> Option<usize> {
    let same = |place: &&usize| result.target.is_none() || events[**place].target == result.target;
    let (told, waiting): (Vec<usize>, Vec<usize>) =
        open.iter().filter(same).partition(|place| tells_outcome(&events[**place]));
    waiting.first().or(told.last()).copied()
}

fn tells_outcome(call: &Event) -> bool {
    flag(call, &["ok"]).is_some()
}
