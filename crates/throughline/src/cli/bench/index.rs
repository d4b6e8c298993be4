//! What reading a project's files costs: all of them, one that changed, none that changed, and a search among them.

use std::fs;
use std::path::Path;

use anyhow::Result;
use throughline_engine::index::code::Bound;
use throughline_engine::recall::{CodeQuery, Files, Kind, Query};

use super::super::output::Output;
use super::amount::Amount;
use super::corpus::{question, source};
use super::cost::Cost;
use super::dice::Dice;
use super::place::Place;
use super::report::Row;
use crate::wire::error::unwritten;

const IN_A_FOLDER: usize = 100;
/// A look at all files without a change is told by a few.
const LOOKS: usize = 5;

pub(super) fn measure(place: &Place, amount: &Amount, output: &Output) -> Result<Vec<Row>> {
    let root = place.folder.join("project");
    let (mut rows, mut there) = (vec![], 0);
    for size in amount.growing() {
        output.say(&format!("index: up to {size} files"));
        (there..size).try_for_each(|number| write(&root, number, number as u64))?;
        let whole = run(place, &root)?.for_each_of(size - there);
        there = size;
        let among = (size, "files");
        rows.push(Row::of("index, each of all", among, &[whole]));
        let looks = (0..LOOKS).map(|_| run(place, &root)).collect::<Result<Vec<_>>>()?;
        rows.push(Row::of("index with nothing changed", among, &looks));
        rows.push(Row::of("index one changed file", among, &changed(place, amount, &root, size)?));
        rows.push(Row::of("code search", among, &search(place, amount, (&root, size))?));
    }
    Ok(rows)
}

fn run(place: &Place, root: &Path) -> Result<Cost> {
    Ok(Cost::of(|| place.engine.index_code(&place.caller, root, Bound::Everything, &mut |_| {}))?.0)
}

fn changed(place: &Place, amount: &Amount, root: &Path, size: usize) -> Result<Vec<Cost>> {
    let mut dice = Dice::new(size as u64);
    amount.repeat(|| {
        let number = dice.below(size);
        write(root, number, dice.below(usize::MAX) as u64)?;
        let paths = [path(number)];
        Ok(Cost::of(|| place.engine.index_files(&place.caller, root, &paths))?.0)
    })
}

fn search(place: &Place, amount: &Amount, (root, size): (&Path, usize)) -> Result<Vec<Cost>> {
    let mut dice = Dice::new(size as u64 + 1);
    amount.repeat(|| {
        let number = dice.below(size);
        let text = source(&mut Dice::new(number as u64), number);
        let query = Query {
            kinds: vec![Kind::Code],
            code: CodeQuery { files: Files::In(root.to_owned()), ..CodeQuery::default() },
            ..Query::of(question(&mut dice, &text), 5)
        };
        Ok(Cost::of(|| place.engine.recall(&place.caller, &query))?.0)
    })
}

fn path(number: usize) -> String {
    format!("src/part_{}/file_{number}.rs", number / IN_A_FOLDER)
}

fn write(root: &Path, number: usize, seed: u64) -> Result<()> {
    let file = root.join(path(number));
    let folder = file.parent().unwrap_or(root);
    fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    let text = source(&mut Dice::new(seed), number);
    fs::write(&file, text).map_err(|error| unwritten(&file, &error))
}
