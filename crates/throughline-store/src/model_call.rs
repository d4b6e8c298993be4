//! Calls of a model: what for, what became of them, what they cost. The day's budget is kept by them.

use crate::id::{ModelCallId, ProjectId, text_enum};
use crate::params;
use crate::sql::{Connection, Result, Row};
use crate::time::Timestamp;

text_enum! {
    /// What a model is asked for.
    Purpose {
        /// What of a session is worth remembering.
        Extract = "extract",
        /// What a statement is to a known one.
        Relate = "relate",
        /// What the older part of a session was about.
        Summarize = "summarize",
        /// How to say a pattern that was counted.
        Word = "word",
        /// Whether it answers at all.
        Test = "test",
    }
}

text_enum! {
    /// What became of a call.
    Outcome {
        /// Under way, or its process died.
        Asked = "asked",
        Answered = "answered",
        /// The answer was known.
        Cached = "cached",
        /// It answered, not in the shape that was asked for, and was asked once more.
        Wrong = "wrong",
        /// It did so again.
        Nonsense = "nonsense",
        Failed = "failed",
        /// Not asked: the day's budget does not hold it.
        OverBudget = "over_budget",
        /// Not asked: it failed a moment ago.
        Resting = "resting",
        /// Not asked: it is the client's own, and no client lends it.
        NotLent = "not_lent",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ModelCall {
    pub id: ModelCallId,
    /// Days since 1970, UTC.
    pub day: i64,
    pub asked_at: Timestamp,
    pub purpose: Purpose,
    pub model: String,
    pub outcome: Outcome,
    /// While it is under way, the most that it can be.
    pub tokens_in: i64,
    pub tokens_out: i64,
    /// Where prices are known.
    pub cost: Option<f64>,
    pub duration_micros: i64,
    /// Why it failed.
    pub detail: Option<String>,
}

/// The calls of some days that ended alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    pub purpose: Purpose,
    pub outcome: Outcome,
    pub calls: i64,
    pub tokens_in: i64,
    pub tokens_out: i64,
    pub cost: f64,
}

const COLUMNS: &str = "call_id, day, asked_at, purpose, model, outcome, tokens_in, tokens_out, cost, duration_micros, \
     detail";

pub fn insert(tx: &mut dyn Connection, project: &ProjectId, call: &ModelCall) -> Result<()> {
    tx.execute(
        "insert into model_call (project_id, call_id, day, asked_at, purpose, model, outcome, tokens_in, tokens_out,
             cost, duration_micros, detail)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        params![
            project,
            &call.id,
            call.day,
            call.asked_at,
            call.purpose,
            &call.model,
            call.outcome,
            call.tokens_in,
            call.tokens_out,
            call.cost,
            call.duration_micros,
            call.detail.as_deref(),
        ],
    )?;
    Ok(())
}

/// Says what became of a call that was under way.
pub fn settle(tx: &mut dyn Connection, project: &ProjectId, call: &ModelCall) -> Result<()> {
    tx.execute(
        "update model_call set outcome = ?3, tokens_in = ?4, tokens_out = ?5, cost = ?6, duration_micros = ?7,
             detail = ?8
         where project_id = ?1 and call_id = ?2",
        params![
            project,
            &call.id,
            call.outcome,
            call.tokens_in,
            call.tokens_out,
            call.cost,
            call.duration_micros,
            call.detail.as_deref(),
        ],
    )?;
    Ok(())
}

/// The tokens of a day, with those that are reserved.
pub fn spent(conn: &mut dyn Connection, project: &ProjectId, day: i64) -> Result<i64> {
    let sql =
        "select cast(coalesce(sum(cast(tokens_in as double precision) + tokens_out), 0) as double precision)
         from model_call
         where project_id = ?1 and day = ?2";
    conn.query(sql, params![project, day])?.first().map_or(Ok(0), |row| tokens(row, 0))
}

/// The newest first, from a day on.
pub fn list(
    conn: &mut dyn Connection,
    project: &ProjectId,
    from_day: i64,
    limit: i64,
) -> Result<Vec<ModelCall>> {
    let sql = format!(
        "select {COLUMNS} from model_call where project_id = ?1 and day >= ?2
         order by asked_at desc, call_id desc limit ?3"
    );
    conn.query(&sql, params![project, from_day, limit])?.iter().map(read).collect()
}

/// The newest calls that came to an end, the newest first.
pub fn ended(conn: &mut dyn Connection, project: &ProjectId, limit: i64) -> Result<Vec<ModelCall>> {
    let sql = format!(
        "select {COLUMNS} from model_call
         where project_id = ?1 and outcome in ('answered', 'failed', 'nonsense')
         order by asked_at desc, call_id desc limit ?2"
    );
    conn.query(&sql, params![project, limit])?.iter().map(read).collect()
}

/// The newest calls that came to nothing, from a day on.
pub fn failures(
    conn: &mut dyn Connection,
    project: &ProjectId,
    from_day: i64,
    limit: i64,
) -> Result<Vec<ModelCall>> {
    let sql = format!(
        "select {COLUMNS} from model_call
         where project_id = ?1 and day >= ?2 and outcome in ('failed', 'nonsense', 'over_budget')
         order by asked_at desc, call_id desc limit ?3"
    );
    conn.query(&sql, params![project, from_day, limit])?.iter().map(read).collect()
}

/// What was asked from a day on, by purpose and outcome.
pub fn tally(conn: &mut dyn Connection, project: &ProjectId, from_day: i64) -> Result<Vec<Tally>> {
    let sql = "select purpose, outcome, count(*), sum(cast(tokens_in as double precision)),
             sum(cast(tokens_out as double precision)), cast(coalesce(sum(cost), 0) as double precision)
         from model_call where project_id = ?1 and day >= ?2 group by purpose, outcome";
    let rows = conn.query(sql, params![project, from_day])?;
    let mut tallies: Vec<Tally> = rows.iter().map(read_tally).collect::<Result<_>>()?;
    tallies.sort_by_key(|tally| (tally.purpose, tally.outcome));
    Ok(tallies)
}

/// Deletes what is older than a day; says how many.
pub fn forget_before(tx: &mut dyn Connection, project: &ProjectId, day: i64) -> Result<u64> {
    tx.execute("delete from model_call where project_id = ?1 and day < ?2", params![project, day])
}

/// Erases what servers said about what they refused, which may quote it.
pub fn purge(tx: &mut dyn Connection, project: &ProjectId) -> Result<u64> {
    let sql = "update model_call set detail = null where project_id = ?1 and detail is not null";
    tx.execute(sql, params![project])
}

fn read(row: &Row) -> Result<ModelCall> {
    Ok(ModelCall {
        id: row.get(0)?,
        day: row.get(1)?,
        asked_at: row.get(2)?,
        purpose: row.get(3)?,
        model: row.get(4)?,
        outcome: row.get(5)?,
        tokens_in: row.get(6)?,
        tokens_out: row.get(7)?,
        cost: row.get(8)?,
        duration_micros: row.get(9)?,
        detail: row.get(10)?,
    })
}

fn read_tally(row: &Row) -> Result<Tally> {
    Ok(Tally {
        purpose: row.get(0)?,
        outcome: row.get(1)?,
        calls: row.get(2)?,
        tokens_in: tokens(row, 3)?,
        tokens_out: tokens(row, 4)?,
        cost: row.get(5)?,
    })
}

/// A sum, which databases refuse to make of whole numbers that are too large together.
fn tokens(row: &Row, place: usize) -> Result<i64> {
    Ok(row.get::<f64>(place)? as i64)
}
