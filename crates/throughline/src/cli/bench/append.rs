//! What recording events costs in a process that is already there, in batches and one at a time.

use anyhow::Result;

use super::super::output::Output;
use super::amount::Amount;
use super::cost::Cost;
use super::dice::Dice;
use super::fill::{self, observation};
use super::place::Place;
use super::report::Row;

pub(super) fn measure(place: &Place, amount: &Amount, output: &Output) -> Result<Vec<Row>> {
    let mut rows = vec![];
    let mut recorded = 0;
    for size in amount.growing() {
        output.say(&format!("append: up to {size} events"));
        let bulk = fill::events(place, size.saturating_sub(amount.times))?;
        let mut dice = Dice::new(size as u64);
        let single = amount.repeat(|| {
            recorded += 1;
            let seen = vec![observation(&mut dice, size + recorded)];
            Ok(Cost::of(|| place.engine.capture(&place.caller, seen))?.0)
        })?;
        let among = (size, "events");
        rows.push(Row::of("append, each of 1,000 at once", among, &bulk));
        rows.push(Row::of("append one", among, &single));
    }
    Ok(rows)
}
