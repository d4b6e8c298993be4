//! What saying where a project stands costs, on the records alone and with a look at the folder.

use anyhow::Result;
use throughline_engine::orient::{Orientation, Request};
use throughline_engine::project::Folder;

use super::super::output::Output;
use super::amount::Amount;
use super::cost::Cost;
use super::fill;
use super::place::Place;
use super::report::Row;
use crate::door::current_folder;
use crate::wire::orient::{Orient, text};

const MAX_TOKENS: u64 = 800;
/// Memories and items among the events.
const ONE_OF: usize = 10;

pub(super) fn measure(place: &Place, amount: &Amount, output: &Output) -> Result<Vec<Row>> {
    let here = current_folder()?;
    let mut rows = vec![];
    for size in amount.growing() {
        output.say(&format!("orient: up to {size} events"));
        fill::events(place, size)?;
        fill::memories(place, size / ONE_OF)?;
        fill::items(place, size / ONE_OF)?;
        fill::settle(place)?;
        let among = (size, "events");
        rows.push(Row::of("orient", among, &amount.repeat(|| orient(place, None))?));
        rows.push(Row::of("orient in this folder", among, &amount.repeat(|| orient(place, Some(&here)))?));
    }
    Ok(rows)
}

fn orient(place: &Place, folder: Option<&Folder>) -> Result<Cost> {
    let request = Request { focus: None, max_tokens: MAX_TOKENS, folder, asking: None };
    let write = |orientation: &Orientation| text(&Orient::from(orientation));
    Ok(Cost::of(|| place.engine.orient(&place.caller, request, &write))?.0)
}
