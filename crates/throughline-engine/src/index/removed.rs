//! Which documents are gone: a bit for each number, so that a search passes over them.

use std::collections::HashMap;

use throughline_store::index_page::{self, Area, Index, Page};
use throughline_store::{Connection, Result};

const NUMBERS_PER_PAGE: i64 = 8192;

/// The documents that are gone.
#[derive(Debug, Default)]
pub(crate) struct Removed(HashMap<i64, Vec<u8>>);

impl Removed {
    pub(crate) fn read(conn: &mut dyn Connection, index: Index<'_>) -> Result<Removed> {
        let pages = index_page::range(conn, index, Area::Removed, 0, i64::MAX)?;
        Ok(Removed(pages.into_iter().map(|page| (page.number, page.data)).collect()))
    }

    pub(crate) fn contains(&self, number: i64) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let (byte, bit) = place(number);
        self.0
            .get(&(number / NUMBERS_PER_PAGE))
            .and_then(|page| page.get(byte))
            .is_some_and(|byte| byte & bit != 0)
    }
}

pub(super) fn add(tx: &mut dyn Connection, index: Index<'_>, number: i64) -> Result<()> {
    add_all(tx, index, &[number])
}

pub(super) fn add_all(tx: &mut dyn Connection, index: Index<'_>, numbers: &[i64]) -> Result<()> {
    for of_page in numbers.chunk_by(|a, b| a / NUMBERS_PER_PAGE == b / NUMBERS_PER_PAGE) {
        let page = of_page[0] / NUMBERS_PER_PAGE;
        let mut data = index_page::get(tx, index, Area::Removed, page, 0)?
            .unwrap_or_else(|| vec![0; NUMBERS_PER_PAGE as usize / 8]);
        for (byte, bit) in of_page.iter().map(|number| place(*number)) {
            if let Some(byte) = data.get_mut(byte) {
                *byte |= bit;
            }
        }
        index_page::put(tx, index, Area::Removed, &Page { number: page, part: 0, data })?;
    }
    Ok(())
}

fn place(number: i64) -> (usize, u8) {
    let within = (number % NUMBERS_PER_PAGE) as usize;
    (within / 8, 1 << (within % 8))
}
