//! Links: typed edges between records, found from both ends.

use crate::id::{EventId, ItemId, MemoryId, ProjectId, SessionId, text_enum};
use crate::params;
use crate::sql::{Connection, Result, Row, by_texts};

text_enum! {
    Kind {
        /// A text names the other.
        References = "references",
        /// The other comes first.
        DependsOn = "depends_on",
        /// The other waits for this.
        Blocks = "blocks",
        /// Says something about the other.
        Informs = "informs",
        /// Makes the other surer.
        Supports = "supports",
        /// Makes the other less sure.
        Contradicts = "contradicts",
        /// A decision's choice.
        Chose = "chose",
        /// What a decision did not choose.
        Rejected = "rejected",
        /// Was made of the other.
        DerivedFrom = "derived_from",
        /// Takes the other's place.
        Supersedes = "supersedes",
        /// Was caused by the other.
        TriggeredBy = "triggered_by",
        /// Comes after the other.
        Follows = "follows",
        /// Belongs to the other.
        PartOf = "part_of",
    }
}

text_enum! {
    /// What sort of record an end is.
    End {
        Item = "item",
        Resource = "resource",
        Memory = "memory",
        Event = "event",
        Session = "session",
        /// Something that was to be chosen or not, by what it is called.
        Option = "option",
    }
}

/// A record that a link begins or ends at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    pub end: End,
    /// A record's id, a resource's path, an option's text.
    pub id: String,
}

impl Node {
    pub fn item(id: &ItemId) -> Node {
        Node { end: End::Item, id: id.to_string() }
    }

    pub fn resource(path: &str) -> Node {
        Node { end: End::Resource, id: path.to_owned() }
    }

    pub fn memory(id: &MemoryId) -> Node {
        Node { end: End::Memory, id: id.to_string() }
    }

    pub fn event(id: &EventId) -> Node {
        Node { end: End::Event, id: id.to_string() }
    }

    pub fn session(id: &SessionId) -> Node {
        Node { end: End::Session, id: id.to_string() }
    }

    pub fn option(text: &str) -> Node {
        Node { end: End::Option, id: text.to_owned() }
    }
}

/// A record that links begin at, and the number that puts them in order.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    pub node: &'a Node,
    pub number: i64,
}

/// Makes the links of one kind from a record to be these, in this order.
pub fn set(
    tx: &mut dyn Connection,
    project: &ProjectId,
    from: Origin<'_>,
    kind: Kind,
    to: &[Node],
) -> Result<()> {
    tx.execute(
        "delete from link where project_id = ?1 and from_kind = ?2 and from_id = ?3 and kind = ?4",
        params![project, from.node.end, &from.node.id, kind],
    )?;
    to.iter().zip(1..).try_for_each(|(to, ordinal)| put(tx, project, from, (kind, ordinal), to))
}

/// Adds a link after those that are there; one that is there stays.
pub fn add(
    tx: &mut dyn Connection,
    project: &ProjectId,
    from: Origin<'_>,
    kind: Kind,
    to: &Node,
) -> Result<()> {
    let rows = tx.query(
        "select max(ordinal) from link where project_id = ?1 and from_kind = ?2 and from_id = ?3 and kind = ?4",
        params![project, from.node.end, &from.node.id, kind],
    )?;
    let last: i64 = rows.first().map_or(Ok(None), |row| row.get(0))?.unwrap_or(0);
    put(tx, project, from, (kind, last + 1), to)
}

pub fn remove(
    tx: &mut dyn Connection,
    project: &ProjectId,
    from: &Node,
    kind: Kind,
    to: &Node,
) -> Result<()> {
    tx.execute(
        "delete from link where project_id = ?1 and from_kind = ?2 and from_id = ?3 and kind = ?4 and to_kind = ?5
             and to_id = ?6",
        params![project, from.end, &from.id, kind, to.end, &to.id],
    )?;
    Ok(())
}

/// Removes all links that begin at a record.
pub fn remove_from(tx: &mut dyn Connection, project: &ProjectId, from: &Node) -> Result<()> {
    tx.execute(
        "delete from link where project_id = ?1 and from_kind = ?2 and from_id = ?3",
        params![project, from.end, &from.id],
    )?;
    Ok(())
}

/// Where the links of one kind from a record lead, in their order.
pub fn from(conn: &mut dyn Connection, project: &ProjectId, node: &Node, kind: Kind) -> Result<Vec<Node>> {
    let rows = conn.query(
        "select to_kind, to_id from link where project_id = ?1 and from_kind = ?2 and from_id = ?3 and kind = ?4
         order by ordinal",
        params![project, node.end, &node.id, kind],
    )?;
    rows.iter().map(|row| read(row, 0)).collect()
}

/// Where links of one kind to a record come from, the newest record first; at most `limit` of one sort.
pub fn to(
    conn: &mut dyn Connection,
    project: &ProjectId,
    (node, kind): (&Node, Kind),
    (sort, limit): (End, i64),
) -> Result<Vec<Node>> {
    let rows = conn.query(
        "select from_kind, from_id from link where project_id = ?1 and to_kind = ?2 and to_id = ?3 and kind = ?4
             and from_kind = ?5 order by from_number desc limit ?6",
        params![project, node.end, &node.id, kind, sort, limit],
    )?;
    rows.iter().map(|row| read(row, 0)).collect()
}

/// How many records of a sort link to one.
pub fn count_to(
    conn: &mut dyn Connection,
    project: &ProjectId,
    (node, kind): (&Node, Kind),
    sort: End,
) -> Result<i64> {
    let rows = conn.query(
        "select count(*) from link where project_id = ?1 and to_kind = ?2 and to_id = ?3 and kind = ?4
             and from_kind = ?5",
        params![project, node.end, &node.id, kind, sort],
    )?;
    rows.first().map_or(Ok(0), |row| row.get(0))
}

/// The links of one kind from any of these items to items, as pairs, in the order of each item's links.
pub fn among<'a>(
    conn: &mut dyn Connection,
    project: &'a ProjectId,
    items: impl Iterator<Item = &'a ItemId>,
    kind: Kind,
) -> Result<Vec<(ItemId, ItemId)>> {
    let sql = "select from_id, to_id from link where project_id = ?1 and from_kind = 'item' and kind = ?2
             and to_kind = 'item' and from_id in {texts} order by from_number, ordinal";
    by_texts(conn, sql, params![project, kind], items.map(ItemId::as_str), |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// A link with both its ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub from: Node,
    pub kind: Kind,
    pub to: Node,
}

/// Every link that begins or ends at a record, those that begin there first.
pub fn around(conn: &mut dyn Connection, project: &ProjectId, node: &Node, limit: i64) -> Result<Vec<Link>> {
    let begin = conn.query(
        "select from_kind, from_id, kind, to_kind, to_id from link
         where project_id = ?1 and from_kind = ?2 and from_id = ?3 order by kind, ordinal limit ?4",
        params![project, node.end, &node.id, limit],
    )?;
    let end = conn.query(
        "select from_kind, from_id, kind, to_kind, to_id from link
         where project_id = ?1 and to_kind = ?2 and to_id = ?3 order by kind, from_kind, from_number limit ?4",
        params![project, node.end, &node.id, limit],
    )?;
    begin.iter().chain(&end).map(read_link).collect()
}

/// All links of a project, in the order of the records they begin at.
pub fn list(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<Link>> {
    let rows = conn.query(
        "select from_kind, from_id, kind, to_kind, to_id from link where project_id = ?1
         order by from_kind, from_number, kind, ordinal",
        params![project],
    )?;
    rows.iter().map(read_link).collect()
}

fn read_link(row: &Row) -> Result<Link> {
    Ok(Link { from: read(row, 0)?, kind: row.get(2)?, to: read(row, 3)? })
}

fn put(
    tx: &mut dyn Connection,
    project: &ProjectId,
    from: Origin<'_>,
    (kind, ordinal): (Kind, i64),
    to: &Node,
) -> Result<()> {
    tx.execute(
        "insert into link (project_id, from_kind, from_id, kind, to_kind, to_id, ordinal, from_number)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         on conflict (project_id, from_kind, from_id, kind, to_kind, to_id) do nothing",
        params![project, from.node.end, &from.node.id, kind, to.end, &to.id, ordinal, from.number],
    )?;
    Ok(())
}

fn read(row: &Row, column: usize) -> Result<Node> {
    Ok(Node { end: row.get(column)?, id: row.get(column + 1)? })
}
