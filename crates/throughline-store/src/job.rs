//! Background work: a durable queue with leases, merging of equal requests, back-off and a dead-letter state.

use crate::id::{ProjectId, text_enum};
use crate::params;
use crate::sql::{Connection, Param, Result, Row};
use crate::time::Timestamp;

text_enum! {
    State {
        Ready = "ready",
        Running = "running",
        /// Failed for good; stays visible until it is asked for again.
        Dead = "dead",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub project: ProjectId,
    pub kind: String,
    /// Equal requests, by project, kind and key, are one job.
    pub key: String,
    pub payload: String,
    pub state: State,
    pub requests: i64,
    /// How often it was started since it was last asked for.
    pub attempts: i64,
    pub run_at: Timestamp,
    /// After this moment it is not worth starting.
    pub deadline: Option<Timestamp>,
    pub lease_owner: Option<String>,
    pub leased_until: Option<Timestamp>,
    pub error: Option<String>,
    pub created_at: Timestamp,
}

/// A wish for work to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request<'a> {
    pub kind: &'a str,
    pub key: &'a str,
    pub payload: &'a str,
    pub run_at: Timestamp,
    pub deadline: Option<Timestamp>,
}

/// For whom and until when a job is leased.
#[derive(Debug, Clone, Copy)]
pub struct Lease<'a> {
    pub owner: &'a str,
    pub now: Timestamp,
    pub until: Timestamp,
    /// The kind of which a project has one at a time.
    pub in_turn: &'a str,
}

const COLUMNS: &str = "project_id, kind, key, payload, state, requests, attempts, run_at, deadline, lease_owner, \
     leased_until, error, created_at";

/// Asks for work. While an equal request waits, the newer payload and time win; while it runs, it will run
/// once more; when it is dead, it lives again.
pub fn enqueue(
    tx: &mut dyn Connection,
    project: &ProjectId,
    request: &Request<'_>,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        "insert into job (project_id, kind, key, payload, state, requests, attempts, run_at, deadline, created_at)
         values (?1, ?2, ?3, ?4, 'ready', 1, 0, ?5, ?6, ?7)
         on conflict (project_id, kind, key) do update set
             payload = excluded.payload, run_at = excluded.run_at, deadline = excluded.deadline,
             requests = job.requests + 1,
             attempts = case when job.state = 'running' then job.attempts else 0 end,
             state = case when job.state = 'running' then 'running' else 'ready' end,
             error = case when job.state = 'running' then job.error else null end",
        params![project, request.kind, request.key, request.payload, request.run_at, request.deadline, now],
    )?;
    Ok(())
}

/// Leases the job that has waited longest, also one whose worker's lease ran out. Of a kind that is done in turn a project has
/// one at a time, in the order in which they are due: whose worker died keeps its turn until its lease ends.
pub fn claim(tx: &mut dyn Connection, lease: &Lease<'_>) -> Result<Option<Job>> {
    let sql = format!(
        "update job set state = 'running', lease_owner = ?1, leased_until = ?3, attempts = attempts + 1
         where (project_id, kind, key) = (
             select project_id, kind, key from job due
             where ((state = 'ready' and run_at <= ?2) or (state = 'running' and leased_until <= ?2))
                 and (kind <> ?4 or not exists (
                     select 1 from job before
                     where before.project_id = due.project_id and before.kind = ?4 and before.key <> due.key
                         and ((before.state = 'running' and before.leased_until > ?2)
                             or (before.state <> 'dead' and (before.run_at < due.run_at
                                 or (before.run_at = due.run_at and before.key < due.key))))))
             order by run_at, project_id, kind, key limit 1 {})
         returning {COLUMNS}",
        tx.dialect().skip_locked()
    );
    let lease = params![lease.owner, lease.now, lease.until, lease.in_turn];
    tx.query(&sql, lease)?.first().map(read).transpose()
}

/// Makes ready what only a clock that was ahead can have set: leases that end after `lease_end`, and waits until after
/// `due_end`. Says how many.
pub fn free(
    tx: &mut dyn Connection,
    lease_end: Timestamp,
    due_end: Timestamp,
    now: Timestamp,
) -> Result<u64> {
    tx.execute(
        "update job set state = 'ready', run_at = ?3, lease_owner = null, leased_until = null
         where (state = 'running' and leased_until > ?1) or (state = 'ready' and run_at > ?2)",
        params![lease_end, due_end, now],
    )
}

/// Ends a run that succeeded. Like the other ends of a run it says whether the lease was still ours: when not,
/// another worker has taken over and this run must not count.
pub fn complete(tx: &mut dyn Connection, job: &Job) -> Result<bool> {
    let removed = tx.execute(&format!("delete from job where {OURS} and requests = ?6"), &ours(job))?;
    let unused = End { state: State::Ready, error: None, run_at: job.run_at, attempts: 0 };
    if removed == 1 { Ok(true) } else { end(tx, job, &unused) }
}

/// Puts a run that came too early back in the queue for `run_at`, with a clean record.
pub fn postpone(tx: &mut dyn Connection, job: &Job, run_at: Timestamp) -> Result<bool> {
    end(tx, job, &End { state: State::Ready, error: None, run_at, attempts: 0 })
}

/// Puts a run that failed back in the queue for `run_at`.
pub fn retry(tx: &mut dyn Connection, job: &Job, error: &str, run_at: Timestamp) -> Result<bool> {
    end(tx, job, &End { state: State::Ready, error: Some(error), run_at, attempts: job.attempts })
}

/// Puts a run that nothing is wrong with back in the queue, as it was before: its worker ends.
pub fn give_back(tx: &mut dyn Connection, job: &Job) -> Result<bool> {
    let before = job.attempts - 1;
    end(
        tx,
        job,
        &End { state: State::Ready, error: job.error.as_deref(), run_at: job.run_at, attempts: before },
    )
}

/// Gives up on a job, visibly.
pub fn bury(tx: &mut dyn Connection, job: &Job, error: &str) -> Result<bool> {
    end(tx, job, &End { state: State::Dead, error: Some(error), run_at: job.run_at, attempts: job.attempts })
}

struct End<'a> {
    state: State,
    error: Option<&'a str>,
    run_at: Timestamp,
    attempts: i64,
}

/// Gives the lease back. A request that came during the run counts more than how the run ended.
fn end(tx: &mut dyn Connection, job: &Job, end: &End<'_>) -> Result<bool> {
    let sql = format!(
        "update job set
             state = case when requests = ?6 then ?7 else 'ready' end,
             error = case when requests = ?6 then ?8 else null end,
             run_at = case when requests = ?6 then ?9 else run_at end,
             attempts = case when requests = ?6 then ?10 else 0 end,
             lease_owner = null, leased_until = null
         where {OURS}"
    );
    let outcome = params![end.state, end.error, end.run_at, end.attempts];
    Ok(tx.execute(&sql, &[&ours(job)[..], outcome].concat())? == 1)
}

/// Makes dead jobs ready again; says how many.
pub fn revive(tx: &mut dyn Connection, project: &ProjectId, now: Timestamp) -> Result<u64> {
    tx.execute(
        "update job set state = 'ready', attempts = 0, error = null, deadline = null, run_at = ?2
         where project_id = ?1 and state = 'dead'",
        params![project, now],
    )
}

/// The jobs of a project, the next one first.
pub fn list(conn: &mut dyn Connection, project: &ProjectId, limit: i64) -> Result<Vec<Job>> {
    conn.query(
        &format!("select {COLUMNS} from job where project_id = ?1 order by run_at, kind, key limit ?2"),
        params![project, limit],
    )?
    .iter()
    .map(read)
    .collect()
}

/// How many jobs are in each state, over all projects.
pub fn tally(conn: &mut dyn Connection) -> Result<Vec<(State, i64)>> {
    conn.query("select state, count(*) from job group by state order by state", &[])?
        .iter()
        .map(|row| Ok((row.get(0)?, row.get(1)?)))
        .collect()
}

/// Jobs of one kind that could run now, over all projects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    pub kind: String,
    pub count: i64,
    /// When the one that has waited longest could have run.
    pub since: Timestamp,
}

pub fn due(conn: &mut dyn Connection, now: Timestamp) -> Result<Vec<Due>> {
    let rows = conn.query(
        "select kind, count(*), min(run_at) from job where state = 'ready' and run_at <= ?1 group by kind",
        params![now],
    )?;
    let read = |row: &Row| Ok(Due { kind: row.get(0)?, count: row.get(1)?, since: row.get(2)? });
    let mut due: Vec<Due> = rows.iter().map(read).collect::<Result<_>>()?;
    due.sort_by(|a, b| a.kind.cmp(&b.kind));
    Ok(due)
}

/// Jobs that nobody will ever run as they are, over all projects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stuck {
    /// Of projects that do not exist.
    pub orphans: i64,
    /// Leased for longer than any worker leases: a clock was wrong.
    pub leases: i64,
    /// Due after that moment, because a clock was wrong; not where events themselves are told of the future.
    pub far: i64,
}

/// `lease_end` is after the end of every lease, `due_end` after every moment that a job waits for.
pub fn stuck(conn: &mut dyn Connection, lease_end: Timestamp, due_end: Timestamp) -> Result<Stuck> {
    let rows = conn.query(
        "select count(case when p.project_id is null then 1 end),
             count(case when p.project_id is not null and j.state = 'running' and j.leased_until > ?1 then 1 end),
             count(case when p.project_id is not null and j.state = 'ready' and j.run_at > ?2 and not exists
                 (select 1 from session s where s.project_id = j.project_id and s.last_event_at > ?2) then 1 end)
         from job j left join project p on p.project_id = j.project_id",
        params![lease_end, due_end],
    )?;
    let of = |row: &Row| Ok(Stuck { orphans: row.get(0)?, leases: row.get(1)?, far: row.get(2)? });
    rows.first().map_or(Ok(Stuck::default()), of)
}

/// Removes orphans, takes back leases and makes ready what is due too late.
pub fn unstick(
    tx: &mut dyn Connection,
    lease_end: Timestamp,
    due_end: Timestamp,
    now: Timestamp,
) -> Result<Stuck> {
    let found = stuck(tx, lease_end, due_end)?;
    tx.execute("delete from job where project_id not in (select project_id from project)", &[])?;
    tx.execute(
        "update job set state = 'ready', run_at = ?3, lease_owner = null, leased_until = null
         where (state = 'running' and leased_until > ?1)
            or (state = 'ready' and run_at > ?2 and not exists
                (select 1 from session s where s.project_id = job.project_id and s.last_event_at > ?2))",
        params![lease_end, due_end, now],
    )?;
    Ok(found)
}

/// Makes the dead jobs of all projects ready again; says how many.
pub fn revive_all(tx: &mut dyn Connection, now: Timestamp) -> Result<u64> {
    tx.execute(
        "update job set state = 'ready', attempts = 0, error = null, deadline = null, run_at = ?1
         where state = 'dead'",
        params![now],
    )
}

/// The lease that the run holds, this one and no later one of the same owner.
const OURS: &str = "project_id = ?1 and kind = ?2 and key = ?3 and state = 'running' and lease_owner = ?4 \
     and leased_until = ?5";

fn ours(job: &Job) -> [Param<'_>; 6] {
    [
        (&job.project).into(),
        (&job.kind).into(),
        (&job.key).into(),
        job.lease_owner.as_deref().into(),
        job.leased_until.into(),
        job.requests.into(),
    ]
}

fn read(row: &Row) -> Result<Job> {
    Ok(Job {
        project: row.get(0)?,
        kind: row.get(1)?,
        key: row.get(2)?,
        payload: row.get(3)?,
        state: row.get(4)?,
        requests: row.get(5)?,
        attempts: row.get(6)?,
        run_at: row.get(7)?,
        deadline: row.get(8)?,
        lease_owner: row.get(9)?,
        leased_until: row.get(10)?,
        error: row.get(11)?,
        created_at: row.get(12)?,
    })
}
