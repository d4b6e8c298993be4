//! What the context of an item costs as a backlog grows.

use anyhow::Result;
use throughline_engine::hydrate::{Depth, Focus, Request};

use super::super::output::Output;
use super::amount::Amount;
use super::cost::Cost;
use super::dice::Dice;
use super::fill::{self, id_of};
use super::place::Place;
use super::report::Row;
use crate::wire::context::Format;

const DEPTH: u64 = 3;

pub(super) fn measure(place: &Place, amount: &Amount, output: &Output) -> Result<Vec<Row>> {
    let mut rows = vec![];
    for size in amount.growing() {
        output.say(&format!("context: up to {size} items"));
        let bulk = fill::items(place, size)?;
        fill::settle(place)?;
        let mut dice = Dice::new(size as u64);
        let mut asked = vec![];
        let first = amount.repeat(|| {
            asked.push(id_of(dice.below(size)));
            hydrate(place, &asked[asked.len() - 1])
        })?;
        let last = &asked[asked.len() - 1];
        let again = amount.repeat(|| hydrate(place, last))?;
        let among = (size, "items");
        rows.push(Row::of("create, each of 1,000 at once", among, &bulk));
        rows.push(Row::of("context", among, &first));
        rows.push(Row::of("context of the root", among, &[hydrate(place, &id_of(0))?]));
        rows.push(Row::of("context asked again", among, &again));
    }
    Ok(rows)
}

fn hydrate(place: &Place, id: &str) -> Result<Cost> {
    let request = Request { depth: Depth::new(DEPTH)?, ..Request::about(Focus::Id(id.to_owned())) };
    Ok(Cost::of(|| place.engine.hydrate(&place.caller, &request, &Format::Json))?.0)
}
