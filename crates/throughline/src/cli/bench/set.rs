//! What a working set costs as it grows: saving, loading, comparing, and a flash save with its restore.

use anyhow::Result;
use throughline_engine::capture::{During, Opening, SessionRef};
use throughline_engine::hold::{Draft, Known, Wanted};
use throughline_engine::store::context_entry::Tier;

use super::super::output::Output;
use super::amount::Amount;
use super::corpus::message;
use super::cost::Cost;
use super::dice::Dice;
use super::place::Place;
use super::report::Row;

const TYPES: [&str; 5] = ["TASK", "CODE", "ERROR", "TEST_RESULT", "PRD_SECTION"];
/// A flash save puts everything aside, so it is not done often.
const FLASHES: usize = 10;

pub(super) fn measure(place: &Place, amount: &Amount, output: &Output) -> Result<Vec<Row>> {
    let mut rows = vec![];
    for size in amount.growing() {
        output.say(&format!("set: {size} entries"));
        rows.extend(among(place, amount, size)?);
    }
    Ok(rows)
}

fn among(place: &Place, amount: &Amount, size: usize) -> Result<Vec<Row>> {
    let (engine, caller) = (&place.engine, &place.caller);
    let agent = format!("agent:{size}");
    let mut saves = fill(place, &agent, size)?;
    let newest = saves.split_off(saves.len().saturating_sub(amount.times));
    let row = |what, costs: &[Cost]| Row::of(what, (size, "entries"), costs);
    let hot = Wanted::Tier(Tier::Hot);
    let loads = amount.repeat(|| Ok(Cost::of(|| engine.load_entries(caller, &agent, &hot))?.0))?;
    let tiers = amount.repeat(|| Ok(Cost::of(|| engine.update_tiers(caller, &agent))?.0))?;
    let diffs =
        amount.repeat(|| Ok(Cost::of(|| engine.diff_entries(caller, &agent, &Known::GivenLast))?.0))?;
    let stats = amount.repeat(|| Ok(Cost::of(|| engine.set_stats(caller, &agent))?.0))?;
    let during = During { session: SessionRef::Own, opening: Opening::default() };
    let (mut flashes, mut restores) = (vec![], vec![]);
    for _ in 0..amount.times.min(FLASHES) {
        let (cost, flashed) = Cost::of(|| engine.flash_save(caller, &agent, &during))?;
        flashes.push(cost);
        let id = flashed.checkpoint.to_string();
        restores.push(Cost::of(|| engine.restore_checkpoint(caller, Some(&id), &during))?.0);
    }
    Ok(vec![
        row("save", &newest),
        row("load", &loads),
        row("tiers", &tiers),
        row("diff", &diffs),
        row("stats", &stats),
        row("flash save", &flashes),
        row("restore", &restores),
    ])
}

fn fill(place: &Place, agent: &str, size: usize) -> Result<Vec<Cost>> {
    let mut dice = Dice::new(3);
    let save = |number: usize| {
        let draft = Draft {
            entry_type: TYPES[number % TYPES.len()].to_owned(),
            content: message(&mut dice, number),
            // A third matters little, so that a flash save has something to put aside.
            importance: number.is_multiple_of(3).then_some(0.2),
            ..Draft::default()
        };
        Ok(Cost::of(|| place.engine.save_entry(&place.caller, agent, &draft))?.0)
    };
    (0..size).map(save).collect()
}
