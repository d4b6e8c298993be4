//! Puts events, memories and items into a place until it has so many.

use anyhow::Result;
use throughline_engine::backlog::{NewItem, Query, Says, Source};
use throughline_engine::capture::{During, Observation, Opening, SessionRef};
use throughline_engine::remember::Statement;
use throughline_engine::store::event::{Filter as Events, Kind, Order};
use throughline_engine::store::item::{Reference, Status, Type};
use throughline_engine::store::memory::Filter as Memories;

use super::corpus::{message, part, statement};
use super::cost::Cost;
use super::dice::Dice;
use super::place::Place;

pub(super) const AT_ONCE: usize = 1000;
/// Each item has so many below it, until there are enough.
const BREADTH: usize = 12;
/// A session of an agent is so long.
const SESSION: usize = 200;

/// What each piece cost, batch by batch.
pub(super) fn events(place: &Place, wanted: usize) -> Result<Vec<Cost>> {
    let there = place.engine.events(&place.caller, &Events::default(), Order::NewestFirst, 1)?.total;
    in_batches(usize::try_from(there)?, wanted, |dice, some| {
        let seen = some.map(|number| observation(dice, number)).collect();
        place.engine.capture(&place.caller, seen).map(drop)
    })
}

/// Statements that tell when it was are not compared with others, which would take most of the time.
pub(super) fn memories(place: &Place, wanted: usize) -> Result<Vec<Cost>> {
    let there = place.engine.memories(&place.caller, &Memories::default(), 1)?.total;
    let now = place.engine.now();
    in_batches(usize::try_from(there)?, wanted, |dice, some| {
        let made = |number| Statement { occurred_at: Some(now), ..Statement::of(statement(dice, number)) };
        place.engine.remember(&place.caller, some.map(made).collect()).map(drop)
    })
}

pub(super) fn items(place: &Place, wanted: usize) -> Result<Vec<Cost>> {
    let there = place.engine.items(&place.caller, &Query::default(), 0)?.total;
    in_batches(usize::try_from(there)?, wanted, |dice, some| {
        let during = During {
            session: SessionRef::Of { client: "bench".to_owned(), session: format!("items {}", some.start) },
            opening: Opening::default(),
        };
        let sources = some.map(|number| item(dice, number)).collect();
        place.engine.import_items(&place.caller, sources, &during).map(drop)
    })
}

/// Background work that the filling asked for.
pub(super) fn settle(place: &Place) -> Result<()> {
    while place.engine.work_one("bench")?.is_some() {}
    Ok(())
}

fn in_batches(
    there: usize,
    wanted: usize,
    mut add: impl FnMut(&mut Dice, std::ops::Range<usize>) -> throughline_engine::Result<()>,
) -> Result<Vec<Cost>> {
    let mut costs = vec![];
    for start in (there..wanted).step_by(AT_ONCE) {
        let some = start..(start + AT_ONCE).min(wanted);
        let count = some.len();
        let mut dice = Dice::new(start as u64);
        costs.push(Cost::of(|| add(&mut dice, some))?.0.for_each_of(count));
    }
    Ok(costs)
}

pub(super) fn observation(dice: &mut Dice, number: usize) -> Observation {
    const KINDS: [Kind; 6] =
        [Kind::UserMessage, Kind::ModelMessage, Kind::ToolCall, Kind::ToolResult, Kind::Read, Kind::Write];
    let session =
        SessionRef::Of { client: "bench".to_owned(), session: format!("session {}", number / SESSION) };
    Observation {
        content: Some(message(dice, number)),
        target: Some(part(dice)),
        ..Observation::of(KINDS[number % KINDS.len()], session)
    }
}

pub(super) fn id_of(number: usize) -> String {
    format!("TASK-{:04}", number + 1)
}

/// The n-th item: below an earlier one, some after another, some naming others.
fn item(dice: &mut Dice, number: usize) -> Source {
    let parent = number.checked_sub(1).map(|before| id_of(before / BREADTH));
    let earlier = |dice: &mut Dice| id_of(dice.below(number.max(1)));
    let mut text = message(dice, number);
    if number > 0 && dice.below(3) == 0 {
        text.push_str(&format!(" Compare {}", earlier(dice)));
    }
    let depends_on = if number > 0 && dice.below(5) == 0 { vec![earlier(dice)] } else { vec![] };
    let status = match dice.below(10) {
        0..4 => Status::Done,
        4 => Status::InProgress,
        5 => Status::Blocked,
        _ => Status::Open,
    };
    let item = NewItem {
        description: text,
        item_type: Type::Task,
        parent,
        status,
        depends_on,
        references: vec![Reference { url: format!("https://example.com/issues/{number}"), title: None }],
        id: Some(id_of(number)),
        ..NewItem::of(statement(dice, number).chars().take(60).collect::<String>())
    };
    Source { key: id_of(number), place: format!("item {number}"), item, says: Says::Everything }
}
