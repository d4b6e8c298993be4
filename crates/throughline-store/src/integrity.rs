//! Does the log still obey its laws? Every violation as a sentence.

use crate::Error;
use crate::id::{ProjectId, SessionId};
use crate::params;
use crate::sql::{Connection, Result};

/// What is wrong with the log of a project; empty when it is whole.
pub fn violations(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<String>> {
    let mut found = position_violations(conn, project)?;
    found.extend(sequence_violations(conn, project)?);
    found.extend(orphans(conn, project)?);
    Ok(found)
}

fn position_violations(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<String>> {
    let rows = conn.query(
        "select p.last_position, count(e.position), coalesce(min(e.position), 1), coalesce(max(e.position), 0)
         from project p left join event e on e.project_id = p.project_id
         where p.project_id = ?1 group by p.project_id, p.last_position",
        params![project],
    )?;
    let row = rows.first().ok_or_else(|| Error::Corrupt(format!("project {project} has no row")))?;
    let (last, count, min, max): (i64, i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
    let whole = min == 1 && max == count && last == max;
    Ok(if whole {
        Vec::new()
    } else {
        vec![format!("the log has {count} events at positions {min} to {max}, and its counter says {last}")]
    })
}

fn sequence_violations(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<String>> {
    let rows = conn.query(
        "select s.session_id, s.last_sequence, count(e.sequence), coalesce(min(e.sequence), 1),
             coalesce(max(e.sequence), 0)
         from session s left join event e on e.project_id = s.project_id and e.session_id = s.session_id
         where s.project_id = ?1 group by s.session_id, s.last_sequence
         having count(e.sequence) <> coalesce(max(e.sequence), 0) or coalesce(min(e.sequence), 1) <> 1
             or coalesce(max(e.sequence), 0) <> s.last_sequence
         order by s.session_id",
        params![project],
    )?;
    rows.iter()
        .map(|row| {
            let (id, last): (SessionId, i64) = (row.get(0)?, row.get(1)?);
            let (count, min, max): (i64, i64, i64) = (row.get(2)?, row.get(3)?, row.get(4)?);
            Ok(format!(
                "session {id} has {count} events with sequences {min} to {max}, and its counter says {last}"
            ))
        })
        .collect()
}

fn orphans(conn: &mut dyn Connection, project: &ProjectId) -> Result<Vec<String>> {
    let rows = conn.query(
        "select e.session_id, count(*) from event e
         left join session s on s.project_id = e.project_id and s.session_id = e.session_id
         where e.project_id = ?1 and s.session_id is null group by e.session_id order by e.session_id",
        params![project],
    )?;
    rows.iter()
        .map(|row| {
            Ok(format!(
                "{} events belong to session {}, which does not exist",
                row.get::<i64>(1)?,
                row.get::<SessionId>(0)?
            ))
        })
        .collect()
}
