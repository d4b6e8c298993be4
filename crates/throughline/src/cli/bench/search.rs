//! What remembering and searching cost as memories grow.

use anyhow::Result;
use throughline_engine::recall::{Found, Kind, Query};
use throughline_engine::remember::Statement;
use throughline_engine::store::memory::Filter;

use super::super::output::Output;
use super::amount::Amount;
use super::corpus::{question, statement};
use super::cost::Cost;
use super::dice::Dice;
use super::fill;
use super::place::Place;
use super::report::Row;

/// Some of what was remembered is asked for.
const SAMPLES: i64 = 2000;

pub(super) fn measure(place: &Place, amount: &Amount, output: &Output) -> Result<Vec<Row>> {
    let mut rows = vec![];
    for size in amount.growing() {
        output.say(&format!("search: up to {size} memories"));
        let among = (size, "memories");
        let bulk = fill::memories(place, size)?;
        fill::settle(place)?;
        rows.push(Row::of("remember, each of 1,000 at once", among, &bulk));
        rows.push(Row::of("remember one", among, &remember(place, amount, size)?));
        rows.push(search(place, amount, among)?);
    }
    Ok(rows)
}

/// One at a time each is compared with what is known.
fn remember(place: &Place, amount: &Amount, size: usize) -> Result<Vec<Cost>> {
    let mut dice = Dice::new(size as u64 + 1);
    let mut number = size;
    amount.repeat(|| {
        number += 1;
        let said = vec![Statement::of(statement(&mut dice, number))];
        Ok(Cost::of(|| place.engine.remember(&place.caller, said))?.0)
    })
}

fn search(place: &Place, amount: &Amount, among: (usize, &'static str)) -> Result<Row> {
    let samples = place.engine.memories(&place.caller, &Filter::default(), SAMPLES)?.memories;
    let mut dice = Dice::new(among.0 as u64 + 2);
    let mut found = 0;
    let costs = amount.repeat(|| {
        let sample = &samples[dice.below(samples.len())];
        let query =
            Query { kinds: vec![Kind::Memory], ..Query::of(question(&mut dice, &sample.content), 10) };
        let (cost, recalled) = Cost::of(|| place.engine.recall(&place.caller, &query))?;
        let is_it = |found: &Found| matches!(found, Found::Memory(memory) if memory.id == sample.id);
        found += usize::from(recalled.hits.iter().any(|hit| is_it(&hit.found)));
        Ok(cost)
    })?;
    let share = found * 100 / amount.times;
    Ok(Row::of("search", among, &costs).noted(format!("{share} % in the first 10")))
}
