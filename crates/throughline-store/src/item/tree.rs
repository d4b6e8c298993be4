//! The tree of items: who is above, who is below, and how many.

use super::{COLUMNS, Item, Status, read};
use crate::id::{ItemId, ProjectId};
use crate::params;
use crate::sql::{Connection, Result, by_texts};

/// How many items are one, two and three steps below another. Kept with it, so that a count costs nothing however many
/// there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Below {
    pub children: i64,
    pub grandchildren: i64,
    pub great_grandchildren: i64,
}

/// Changes the counts of an item.
pub fn add_below(tx: &mut dyn Connection, project: &ProjectId, id: &ItemId, more: Below) -> Result<()> {
    tx.execute(
        "update item set children = children + ?3, grandchildren = grandchildren + ?4,
             great_grandchildren = great_grandchildren + ?5
         where project_id = ?1 and item_id = ?2",
        params![project, id, more.children, more.grandchildren, more.great_grandchildren],
    )?;
    Ok(())
}

/// The chain above an item, the nearest first, at most `steps` long. Ends where it would come to an item again.
pub fn above(
    conn: &mut dyn Connection,
    project: &ProjectId,
    item: (&ItemId, Option<&ItemId>),
    steps: usize,
) -> Result<Vec<Item>> {
    let mut chain: Vec<Item> = vec![];
    let mut next = item.1.cloned();
    while let Some(id) = next.filter(|_| chain.len() < steps) {
        if id == *item.0 || chain.iter().any(|above| above.id == id) {
            break;
        }
        let Some(parent) = super::by_id(conn, project, &id)? else { break };
        next = parent.parent.clone();
        chain.push(parent);
    }
    Ok(chain)
}

/// At most `limit` children of an item: what is being worked on first, then what waits, then what is finished; each in
/// the order of creation.
pub fn children(
    conn: &mut dyn Connection,
    project: &ProjectId,
    parent: &ItemId,
    limit: i64,
) -> Result<Vec<Item>> {
    let of_status = |status: Status| {
        format!(
            "select * from (select {COLUMNS} from item
                 where project_id = ?1 and parent_id = ?2 and status = '{status}' order by number limit ?3) s_{status}"
        )
    };
    let sql: Vec<String> = IN_ORDER.iter().map(|status| of_status(*status)).collect();
    let rows = conn.query(&sql.join(" union all "), params![project, parent, limit])?;
    let mut found: Vec<Item> = rows.iter().map(read).collect::<Result<_>>()?;
    in_order(&mut found);
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(found)
}

/// All children of several items, in the order of `children`, grouped by nothing.
pub fn children_of<'a>(
    conn: &mut dyn Connection,
    project: &'a ProjectId,
    parents: impl Iterator<Item = &'a ItemId>,
) -> Result<Vec<Item>> {
    let sql = format!("select {COLUMNS} from item where project_id = ?1 and parent_id in {{texts}}");
    let mut found = by_texts(conn, &sql, params![project], parents.map(ItemId::as_str), read)?;
    in_order(&mut found);
    Ok(found)
}

/// The children of an item that were changed last.
pub fn recently_changed(
    conn: &mut dyn Connection,
    project: &ProjectId,
    parent: &ItemId,
    limit: i64,
) -> Result<Vec<ItemId>> {
    let rows = conn.query(
        "select item_id from item where project_id = ?1 and parent_id = ?2
         order by updated_at desc, number desc limit ?3",
        params![project, parent, limit],
    )?;
    rows.iter().map(|row| row.get(0)).collect()
}

/// Whether anything below an item, one step down, is still to be done.
pub fn has_unfinished_child(conn: &mut dyn Connection, project: &ProjectId, parent: &ItemId) -> Result<bool> {
    let rows = conn.query(
        "select 1 from item where project_id = ?1 and parent_id = ?2
             and status in ('open', 'in_progress', 'blocked') limit 1",
        params![project, parent],
    )?;
    Ok(!rows.is_empty())
}

const IN_ORDER: [Status; 5] =
    [Status::InProgress, Status::Blocked, Status::Open, Status::Done, Status::Cancelled];

fn in_order(items: &mut [Item]) {
    let place = |status: Status| IN_ORDER.iter().position(|other| *other == status);
    items.sort_by_key(|item| (place(item.status), item.number));
}
