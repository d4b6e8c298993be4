//! What texts mean, as vectors of a model: a byte for each dimension, and the signs alone for a first look.
//!
//! The signs lie many documents to a page and are read from one end to the other; the bytes lie few documents to a
//! page and are read for the documents that the first look chose.

use std::collections::BTreeMap;

use throughline_inference::embed::{Table, kernel};
use throughline_store::index_page::{self, Area, Index, Page};
use throughline_store::vectors::{Wanted, in_server};
use throughline_store::{Connection, Result};

use super::bytes::{Reader, damaged, put_text};

/// A unit vector of a model, a byte for each dimension.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Vector {
    pub(crate) model: String,
    /// What a byte's unit is worth; zero when there is no vector.
    scale: f32,
    bytes: Vec<u8>,
}

/// So many documents share a page of signs.
const CODES_PER_PAGE: i64 = 1024;
/// A page of vectors that fits into one page of the database is read in one go.
const VECTOR_PAGE_BYTES: usize = 3900;
const SCALE_BYTES: usize = 4;

impl Vector {
    /// What a text means to the table inside the binary; nothing when it knows no part of it.
    pub(crate) fn by_table(text: &str) -> Option<Vector> {
        let table = Table::built_in();
        table.embed(text).map(|dimensions| Vector::new(table.model(), &dimensions))
    }

    /// The same for words, of which some say more than others.
    pub(crate) fn by_table_weighed(words: &[(String, f32)]) -> Option<Vector> {
        let table = Table::built_in();
        let words = words.iter().map(|(word, weight)| (word.as_str(), *weight));
        table.embed_weighed(words).map(|dimensions| Vector::new(table.model(), &dimensions))
    }

    pub(crate) fn new(model: &str, dimensions: &[f32]) -> Vector {
        let (scale, bytes) = kernel::quantise(dimensions);
        Vector { model: model.to_owned(), scale, bytes }
    }

    /// The cosine to another vector of the same model.
    pub(crate) fn cosine(&self, other: &Vector) -> Option<f32> {
        let comparable = self.model == other.model && self.bytes.len() == other.bytes.len();
        comparable.then(|| kernel::dot(&self.bytes, &other.bytes) as f32 * self.scale * other.scale)
    }

    /// The cosine to an encoded vector, as exact as a byte for each dimension allows. Vectors of different models have
    /// none.
    pub(super) fn cosine_to(&self, reader: &mut Reader<'_>) -> Result<Option<f32>> {
        let model = reader.text()?;
        let dimensions = reader.u32()? as usize;
        if model != self.model || dimensions != self.bytes.len() {
            return Ok(None);
        }
        Ok(row_cosine(reader.take(SCALE_BYTES + dimensions)?, self))
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        put_text(out, &self.model);
        out.extend_from_slice(&(self.bytes.len() as u32).to_le_bytes());
        self.encode_row(out);
    }

    pub(super) fn decode(reader: &mut Reader<'_>) -> Result<Vector> {
        let model = reader.text()?.to_owned();
        let dimensions = reader.u32()? as usize;
        let scale = reader.f32()?;
        Ok(Vector { model, scale, bytes: reader.take(dimensions)?.to_vec() })
    }

    fn encode_row(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.scale.to_le_bytes());
        out.extend_from_slice(&self.bytes);
    }
}

/// How the vectors of a model lie in pages.
#[derive(Debug, Clone, Copy)]
struct Layout {
    dimensions: usize,
}

impl Layout {
    fn row(self) -> usize {
        SCALE_BYTES + self.dimensions
    }

    fn per_page(self) -> i64 {
        (VECTOR_PAGE_BYTES / self.row()).max(1) as i64
    }

    fn code_bytes(self) -> usize {
        self.dimensions.div_ceil(8)
    }
}

/// Writes vectors of one model beside those that are there.
pub(crate) fn write(tx: &mut dyn Connection, index: Index<'_>, vectors: &[(i64, Vector)]) -> Result<()> {
    let Some((_, first)) = vectors.first() else { return Ok(()) };
    let layout = Layout { dimensions: first.bytes.len() };
    let model = first.model.as_str();
    let mut rows = Pages::new(Area::Vectors(model), layout.per_page(), layout.row());
    let mut codes = Pages::new(Area::Codes(model), CODES_PER_PAGE, layout.code_bytes());
    for (number, vector) in vectors {
        let mut row = Vec::with_capacity(layout.row());
        vector.encode_row(&mut row);
        rows.set(tx, index, *number, &row)?;
        codes.set(tx, index, *number, &kernel::signs(&vector.bytes))?;
    }
    rows.write(tx, index)?;
    codes.write(tx, index)
}

/// Pages of equal slots that are being filled.
struct Pages<'a> {
    area: Area<'a>,
    per_page: i64,
    slot: usize,
    changed: BTreeMap<i64, Vec<u8>>,
}

impl<'a> Pages<'a> {
    fn new(area: Area<'a>, per_page: i64, slot: usize) -> Pages<'a> {
        Pages { area, per_page, slot, changed: BTreeMap::new() }
    }

    fn set(&mut self, tx: &mut dyn Connection, index: Index<'_>, number: i64, bytes: &[u8]) -> Result<()> {
        let (page, place) = (number / self.per_page, (number % self.per_page) as usize);
        if !self.changed.contains_key(&page) {
            let present = index_page::get(tx, index, self.area, page, 0)?;
            self.changed.insert(page, present.unwrap_or_default());
        }
        let data = self.changed.entry(page).or_default();
        let end = (place + 1) * self.slot;
        if data.len() < end {
            data.resize(end, 0);
        }
        data[end - self.slot..end].copy_from_slice(bytes);
        Ok(())
    }

    fn write(self, tx: &mut dyn Connection, index: Index<'_>) -> Result<()> {
        let pages: Vec<Page> =
            self.changed.into_iter().map(|(number, data)| Page { number, part: 0, data }).collect();
        index_page::put_all(tx, index, self.area, &pages)
    }
}

/// The vectors of `numbers` (in order), as cosines to the query.
pub(crate) fn cosines(
    conn: &mut dyn Connection,
    index: Index<'_>,
    query: &Vector,
    numbers: &[i64],
) -> Result<Vec<(i64, f32)>> {
    let layout = Layout { dimensions: query.bytes.len() };
    let per_page = layout.per_page();
    let mut wanted: Vec<i64> = numbers.iter().map(|number| number / per_page).collect();
    wanted.dedup();
    let mut cosines = Vec::with_capacity(numbers.len());
    index_page::each_of_numbers(conn, index, Area::Vectors(&query.model), &wanted, &mut |page| {
        let first = numbers.partition_point(|number| number / per_page < page.number);
        let of_page = numbers[first..].iter().take_while(|number| *number / per_page == page.number);
        let cosine = |number: &i64| {
            let row = page.data.get((number % per_page) as usize * layout.row()..)?.get(..layout.row())?;
            row_cosine(row, query).map(|cosine| (*number, cosine))
        };
        cosines.extend(of_page.filter_map(cosine));
        Ok(())
    })?;
    Ok(cosines)
}

/// Every vector, as cosines to the query: exact, for collections that are not large.
pub(crate) fn scan(
    conn: &mut dyn Connection,
    index: Index<'_>,
    query: &Vector,
    mut each: impl FnMut(i64, f32),
) -> Result<()> {
    let layout = Layout { dimensions: query.bytes.len() };
    let per_page = layout.per_page();
    index_page::each(conn, index, Area::Vectors(&query.model), &mut |page| {
        for (number, row) in (page.number * per_page..).zip(page.data.chunks_exact(layout.row())) {
            if let Some(cosine) = row_cosine(row, query) {
                each(number, cosine);
            }
        }
        Ok(())
    })
}

/// The mean cosine of a query to vectors from all over a collection: what is no answer looks like that.
pub(crate) fn typical(conn: &mut dyn Connection, index: Index<'_>, query: &Vector) -> Result<f32> {
    let layout = Layout { dimensions: query.bytes.len() };
    let area = Area::Vectors(&query.model);
    let Some(last) = index_page::last_number(conn, index, area)? else { return Ok(0.0) };
    let (mut sum, mut count) = (0.0, 0_u32);
    for step in 0..=SAMPLED_PAGES.min(last) {
        let page = index_page::get(conn, index, area, last * step / SAMPLED_PAGES.min(last).max(1), 0)?;
        for cosine in page
            .iter()
            .flat_map(|page| page.chunks_exact(layout.row()))
            .filter_map(|row| row_cosine(row, query))
        {
            sum += cosine;
            count += 1;
        }
    }
    Ok(if count == 0 { 0.0 } else { sum / count as f32 })
}

const SAMPLED_PAGES: i64 = 32;

/// The documents whose signs agree most with the query's: candidates, to be looked at exactly.
pub(crate) fn nearest_by_signs(
    conn: &mut dyn Connection,
    index: Index<'_>,
    query: &Vector,
    count: usize,
    mut wanted: impl FnMut(i64) -> bool,
) -> Result<Vec<i64>> {
    let layout = Layout { dimensions: query.bytes.len() };
    let signs = kernel::signs(&query.bytes);
    if let Some(server) = in_server(conn, index, &query.model)? {
        let documents = bits((server.last_page + 1) * CODES_PER_PAGE, wanted);
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let wanted = Wanted { signs: &signs, per_page: CODES_PER_PAGE, documents: &documents, count };
        let mut numbers = server.nearest(conn, &wanted)?;
        numbers.sort_unstable();
        return Ok(numbers);
    }
    let mut nearest = kernel::Nearest::new(count);
    index_page::each(conn, index, Area::Codes(&query.model), &mut |page| {
        if page.data.len() % layout.code_bytes() != 0 {
            return Err(damaged());
        }
        nearest.look(page.number * CODES_PER_PAGE, &page.data, &signs, &mut wanted);
        Ok(())
    })?;
    Ok(nearest.into_numbers())
}

/// A bit for each number below `end`, the lowest of a byte first.
fn bits(end: i64, mut wanted: impl FnMut(i64) -> bool) -> Vec<u8> {
    let byte = |first: i64| (0..8).fold(0, |byte, place| byte | u8::from(wanted(first + place)) << place);
    (0..end).step_by(8).map(byte).collect()
}

fn row_cosine(row: &[u8], query: &Vector) -> Option<f32> {
    let (scale, bytes) = row.split_at_checked(SCALE_BYTES)?;
    let scale = f32::from_le_bytes(scale.try_into().ok()?);
    (scale > 0.0).then(|| kernel::dot(&query.bytes, bytes) as f32 * scale * query.scale)
}
