//! The search index as the databases see it: pages of bytes, addressed by collection, area and two numbers.

use crate::id::{ProjectId, text_enum};
use crate::params;
use crate::sql::{Connection, Param, Result, Row, by_numbers, each_by_numbers};

text_enum! {
    /// What is searched together: records of one sort, each under its own number.
    Collection {
        Memories = "memory",
        Events = "event",
        Items = "item",
        Resources = "resource",
        /// Files by their paths and what is defined in them.
        Files = "file",
        /// Pieces of files by what they say.
        Chunks = "chunk",
    }
}

/// The index of one collection of a project.
#[derive(Debug, Clone, Copy)]
pub struct Index<'a> {
    pub project: &'a ProjectId,
    pub collection: Collection,
}

/// What a page holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area<'a> {
    /// Which partitions there are, and how far the collection is indexed.
    Catalogue,
    /// Documents that are not in a partition yet, one page each.
    Pending,
    /// Where terms occur, by partition and bucket.
    Postings,
    /// Words as they are written, by partition and first letter.
    Words,
    /// How long documents are, by partition.
    Lengths,
    /// Which documents are gone, as bits.
    Removed,
    /// The signs of vectors of a model, many documents to a page.
    Codes(&'a str),
    /// The vectors of a model, few documents to a page.
    Vectors(&'a str),
    /// How far a model's vectors go.
    Coverage(&'a str),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub number: i64,
    pub part: i64,
    pub data: Vec<u8>,
}

impl Area<'_> {
    pub(crate) fn name(self) -> String {
        match self {
            Area::Catalogue => "catalogue".to_owned(),
            Area::Pending => "pending".to_owned(),
            Area::Postings => "postings".to_owned(),
            Area::Words => "words".to_owned(),
            Area::Lengths => "lengths".to_owned(),
            Area::Removed => "removed".to_owned(),
            Area::Codes(model) => format!("codes:{model}"),
            Area::Vectors(model) => format!("vectors:{model}"),
            Area::Coverage(model) => format!("coverage:{model}"),
        }
    }
}

const OF_AREA: &str = "project_id = ?1 and collection = ?2 and area = ?3";

pub fn get(
    conn: &mut dyn Connection,
    index: Index<'_>,
    area: Area<'_>,
    number: i64,
    part: i64,
) -> Result<Option<Vec<u8>>> {
    let sql =
        format!("select number, part, data from index_page where {OF_AREA} and number = ?4 and part = ?5");
    let mut rows = conn.query(&sql, params![index.project, index.collection, &area.name(), number, part])?;
    rows.pop().map(|row| page(row).map(|page| page.data)).transpose()
}

/// The pages of these numbers, those that are there, one by one.
pub fn each_of_numbers(
    conn: &mut dyn Connection,
    index: Index<'_>,
    area: Area<'_>,
    numbers: &[i64],
    each: &mut dyn FnMut(Page) -> Result<()>,
) -> Result<()> {
    let sql = format!("select number, part, data from index_page where {OF_AREA} and number in {{numbers}}");
    let name = area.name();
    let fixed = params![index.project, index.collection, &name];
    each_by_numbers(conn, &sql, fixed, numbers, &mut |row| each(page(row)?))
}

/// These parts of a number, those that are there.
pub fn parts_of(
    conn: &mut dyn Connection,
    index: Index<'_>,
    area: Area<'_>,
    number: i64,
    parts: &[i64],
) -> Result<Vec<Page>> {
    let sql = format!(
        "select number, part, data from index_page where {OF_AREA} and number = ?4 and part in {{numbers}}"
    );
    by_numbers(conn, &sql, params![index.project, index.collection, &area.name(), number], parts, page)
}

/// The pages `first` to `last` by their first number, in order.
pub fn range(
    conn: &mut dyn Connection,
    index: Index<'_>,
    area: Area<'_>,
    first: i64,
    last: i64,
) -> Result<Vec<Page>> {
    let sql = format!(
        "select number, part, data from index_page where {OF_AREA} and number >= ?4 and number <= ?5
         order by number, part"
    );
    let rows = conn.query(&sql, params![index.project, index.collection, &area.name(), first, last])?;
    rows.into_iter().map(page).collect()
}

/// All pages of an area in order, one by one.
pub fn each(
    conn: &mut dyn Connection,
    index: Index<'_>,
    area: Area<'_>,
    each: &mut dyn FnMut(Page) -> Result<()>,
) -> Result<()> {
    let sql = format!("select number, part, data from index_page where {OF_AREA} order by number, part");
    let name = area.name();
    let fixed = params![index.project, index.collection, &name];
    conn.each(&sql, fixed, &mut |row| each(page(row)?))
}

/// The numbers of an area's pages up to `limit`, without what is in them.
pub fn numbers(conn: &mut dyn Connection, index: Index<'_>, area: Area<'_>, limit: i64) -> Result<Vec<i64>> {
    let sql = format!("select number from index_page where {OF_AREA} order by number, part limit ?4");
    let rows = conn.query(&sql, params![index.project, index.collection, &area.name(), limit])?;
    rows.iter().map(|row| row.get(0)).collect()
}

/// How many parts a number has.
pub fn count(conn: &mut dyn Connection, index: Index<'_>, area: Area<'_>, number: i64) -> Result<i64> {
    let sql = format!("select count(*) from index_page where {OF_AREA} and number = ?4");
    let rows = conn.query(&sql, params![index.project, index.collection, &area.name(), number])?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

/// The numbers that an area has pages of, each once.
pub fn distinct_numbers(conn: &mut dyn Connection, index: Index<'_>, area: Area<'_>) -> Result<Vec<i64>> {
    let sql = format!("select distinct number from index_page where {OF_AREA}");
    let rows = conn.query(&sql, params![index.project, index.collection, &area.name()])?;
    rows.iter().map(|row| row.get(0)).collect()
}

/// The number of an area's last page.
pub fn last_number(conn: &mut dyn Connection, index: Index<'_>, area: Area<'_>) -> Result<Option<i64>> {
    let sql = format!("select max(number) from index_page where {OF_AREA}");
    let rows = conn.query(&sql, params![index.project, index.collection, &area.name()])?;
    rows.first().map_or(Ok(None), |row| row.get(0))
}

/// How many pages the index has, and how many bytes are in them.
pub fn size(conn: &mut dyn Connection, index: Index<'_>) -> Result<(i64, i64)> {
    let rows = conn.query(
        "select count(*), cast(coalesce(sum(length(data)), 0) as bigint) from index_page
         where project_id = ?1 and collection = ?2",
        params![index.project, index.collection],
    )?;
    rows.first().map_or(Ok((0, 0)), |row| Ok((row.get(0)?, row.get(1)?)))
}

pub fn put(tx: &mut dyn Connection, index: Index<'_>, area: Area<'_>, page: &Page) -> Result<()> {
    put_all(tx, index, area, std::slice::from_ref(page))
}

/// Writes the pages, replacing those that are there.
pub fn put_all(tx: &mut dyn Connection, index: Index<'_>, area: Area<'_>, pages: &[Page]) -> Result<()> {
    let name = area.name();
    for page in pages {
        let data = Param::Blob(&page.data);
        tx.execute(
            "insert into index_page (project_id, collection, area, number, part, data)
             values (?1, ?2, ?3, ?4, ?5, ?6)
             on conflict (project_id, collection, area, number, part) do update set data = excluded.data",
            params![index.project, index.collection, &name, page.number, page.part, data],
        )?;
    }
    Ok(())
}

/// Removes the pages `first` to `last` by their first number.
pub fn remove(
    tx: &mut dyn Connection,
    index: Index<'_>,
    area: Area<'_>,
    first: i64,
    last: i64,
) -> Result<u64> {
    let sql = format!("delete from index_page where {OF_AREA} and number >= ?4 and number <= ?5");
    tx.execute(&sql, params![index.project, index.collection, &area.name(), first, last])
}

/// Removes the whole index of a collection.
pub fn clear(tx: &mut dyn Connection, index: Index<'_>) -> Result<u64> {
    tx.execute(
        "delete from index_page where project_id = ?1 and collection = ?2",
        params![index.project, index.collection],
    )
}

fn page(row: Row) -> Result<Page> {
    let (number, part) = (row.get(0)?, row.get(1)?);
    Ok(Page { number, part, data: row.into_blob(2)? })
}
