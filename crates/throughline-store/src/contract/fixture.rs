//! Small records for the tests to vary.

use crate::actor::Actor;
use crate::event::{Event, Kind, Role};
use crate::id::{EventId, ItemId, MemoryId, ProjectId, SessionId};
use crate::item::{self, Below, Item, Reference, Validation};
use crate::memory::{self, Memory};
use crate::project::{self, Project};
use crate::session::{self, Session, Step, Which};
use crate::sql::{Connection, Result, Row};
use crate::time::Timestamp;
use crate::{Store, event};

/// Texts longer than this are compressed, in the tests that do not choose.
pub(super) const PACK_OVER: usize = 1000;

pub(super) fn project_id(id: &str) -> ProjectId {
    ProjectId::from(id.to_owned())
}

pub(super) fn session_id(id: &str) -> SessionId {
    SessionId::from(id.to_owned())
}

pub(super) fn event_id(n: i64) -> EventId {
    EventId::from(format!("event-{n}"))
}

pub(super) fn memory_id(n: i64) -> MemoryId {
    MemoryId::from(format!("memory-{n}"))
}

pub(super) fn item_id(n: i64) -> ItemId {
    ItemId::from(format!("TASK-{n:04}"))
}

pub(super) fn actor(text: &str) -> Actor {
    text.parse().unwrap()
}

pub(super) fn project(id: &str) -> Project {
    Project { id: project_id(id), name: format!("{id} by name"), created_at: Timestamp(1), last_position: 0 }
}

/// An open session with nothing that is optional.
pub(super) fn session(id: &str) -> Session {
    Session {
        id: session_id(id),
        client: "claude-code".into(),
        client_session: format!("client-{id}"),
        chatmode: "build".into(),
        user: "ann".into(),
        workflow: None,
        skill: None,
        git_branch: None,
        workspace: None,
        parent: None,
        metadata: None,
        started_at: Timestamp(10),
        last_event_at: Timestamp(20),
        ended: None,
        last_sequence: 0,
        scratchpad: "{}".into(),
        scratchpad_version: 0,
    }
}

/// The n-th event of a log with one session, `s`, and with nothing that is optional.
pub(super) fn event(n: i64) -> Event {
    Event {
        position: n,
        id: event_id(n),
        session_id: session_id("s"),
        sequence: n,
        at: Timestamp(n * 10),
        actor: actor("agent:claude"),
        kind: Kind::ModelMessage,
        role: Role::Assistant,
        target: None,
        summary: format!("summary {n}"),
        content: None,
        parts: None,
        item_id: None,
        triggered_by: None,
        informs: None,
        rationale: None,
        client_key: None,
        tokens: 0,
        redactions: 0,
        purge: None,
    }
}

/// The n-th memory, with nothing that is optional.
pub(super) fn memory(n: i64) -> Memory {
    Memory {
        number: n,
        document: n,
        id: memory_id(n),
        kind: memory::Kind::Fact,
        scope: memory::Scope::App,
        status: memory::Status::Active,
        title: format!("title {n}"),
        content: format!("content {n}"),
        tags: vec![],
        importance: 0.5,
        confidence: 0.9,
        source: memory::Source::Explicit,
        actor: actor("user:ann"),
        state_key: None,
        supersedes: None,
        superseded_by: None,
        created_at: Timestamp(n * 10),
        occurred_at: None,
        expires_at: None,
        ended: None,
        last_used_at: None,
        use_count: 0,
        last_verified_at: None,
        cites: None,
        content_hash: format!("hash-{n}"),
    }
}

/// The n-th memory, with everything that is optional.
pub(super) fn full_memory(n: i64) -> Memory {
    Memory {
        kind: memory::Kind::Decision,
        scope: memory::Scope::User,
        status: memory::Status::Superseded,
        title: "Über die 港".into(),
        tags: vec!["infra".into(), "two words".into()],
        importance: 0.0,
        confidence: 1.0,
        source: memory::Source::ToolOutput,
        actor: actor("agent:claude: the second"),
        state_key: Some("port".into()),
        supersedes: Some(memory_id(n - 1)),
        superseded_by: Some(memory_id(n + 1)),
        occurred_at: Some(Timestamp(-5)),
        expires_at: Some(Timestamp(500)),
        ended: Some(memory::Ended { at: Timestamp(60), reason: "superseded".into() }),
        last_used_at: Some(Timestamp(70)),
        use_count: 3,
        last_verified_at: Some(Timestamp(8)),
        cites: Some(r#"[{"path":"a.rs"}]"#.into()),
        ..memory(n)
    }
}

/// The n-th item, with nothing that is optional.
pub(super) fn item(n: i64) -> Item {
    Item {
        number: n,
        id: item_id(n),
        item_type: item::Type::Task,
        title: format!("title {n}"),
        description: String::new(),
        status: item::Status::Open,
        status_at: Timestamp(n * 10),
        parent: None,
        priority: None,
        due_date: None,
        context: None,
        references: vec![],
        evidence: vec![],
        blocked_reason: vec![],
        summary: None,
        validation: None,
        extra: None,
        source_key: None,
        created_at: Timestamp(n * 10),
        updated_at: Timestamp(n * 10),
        document: n,
        below: Below::default(),
    }
}

/// The n-th item, with everything that is optional.
pub(super) fn full_item(n: i64) -> Item {
    let reference =
        |url: &str, title: Option<&str>| Reference { url: url.into(), title: title.map(Into::into) };
    Item {
        item_type: item::Type::Epic,
        description: "Über die 港".into(),
        status: item::Status::Blocked,
        status_at: Timestamp(-5),
        parent: Some(item_id(n + 100)),
        priority: Some(item::Priority::Critical),
        due_date: Some("2026-11-15".into()),
        context: Some(item::Context::Isolated),
        references: vec![
            reference("https://example.org/?a=1", Some("the first")),
            reference("TASK-0009", None),
        ],
        evidence: vec!["all 12 tests pass".into(), String::new()],
        blocked_reason: vec!["waits for the key".into()],
        summary: Some("what was done".into()),
        validation: Some(Validation { valid: false, report: Some("two failed".into()) }),
        extra: Some(r#"{"labels":["a"]}"#.into()),
        source_key: Some(format!("github:{n}")),
        updated_at: Timestamp(n * 10 + 5),
        below: Below { children: 1, grandchildren: 2, great_grandchildren: 3 },
        ..item(n)
    }
}

/// The n-th event, with everything that is optional.
pub(super) fn full_event(n: i64) -> Event {
    Event {
        target: Some("src/main.rs".into()),
        content: Some(format!("content {n}")),
        parts: Some(r#"[{"type":"text"}]"#.into()),
        item_id: Some("BUG-7".into()),
        triggered_by: Some(event_id(n - 1)),
        informs: Some("memory-3".into()),
        rationale: Some("because".into()),
        client_key: Some(format!("key-{n}")),
        tokens: 42,
        redactions: 2,
        ..event(n)
    }
}

pub(super) fn write<T>(store: &Store, body: impl Fn(&mut dyn Connection) -> Result<T>) -> T {
    store.write(body).unwrap()
}

pub(super) fn read<T>(store: &Store, body: impl Fn(&mut dyn Connection) -> Result<T>) -> T {
    store.read(body).unwrap()
}

pub(super) fn query(store: &Store, sql: &str) -> Vec<Row> {
    read(store, |conn| conn.query(sql, &[]))
}

/// Writes events into project `p` as they are, without counting them.
pub(super) fn insert_events(store: &Store, events: &[Event]) {
    write(store, |tx| events.iter().try_for_each(|e| event::insert(tx, &project_id("p"), e, PACK_OVER)));
}

/// Project `p` whose log has `count` events in each named session, every counter right.
pub(super) fn insert_log(tx: &mut dyn Connection, sessions: &[(&str, i64)]) -> Result<()> {
    let p = project_id("p");
    project::insert(tx, &project("p"))?;
    for (id, count) in sessions {
        session::insert(tx, &p, &session(id))?;
        for _ in 0..*count {
            let position = project::take_positions(tx, &p, 1)?;
            let step = Step {
                count: 1,
                at: Timestamp(position * 10),
                which: Which::Open,
                latest: Timestamp(i64::MAX),
            };
            let sequence = session::take_sequences(tx, &p, &session_id(id), step)?;
            let event = Event { session_id: session_id(id), sequence: sequence.unwrap(), ..event(position) };
            event::insert(tx, &p, &event, PACK_OVER)?;
        }
    }
    Ok(())
}
