//! Where streams hear of changes: one thread waits for the database and reads each change once, for all that follow.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use axum::extract::ws::Utf8Bytes;
use throughline_engine::Engine;
use throughline_engine::follow::Mark;
use throughline_engine::store::id::ProjectId;
use tokio::sync::{broadcast, watch};

use crate::door::Door;
use crate::wire::stream::Change;

/// One change, on its way to all who follow.
#[derive(Debug, Clone)]
pub(super) enum Told {
    Event { position: i64, text: Utf8Bytes },
    WorkingSet { agent: String },
}

pub(crate) struct Hub {
    door: Arc<Door>,
    followed: Mutex<Followed>,
    closing: watch::Sender<bool>,
    /// Held by every stream until its last word is on its way.
    stay: Arc<()>,
}

#[derive(Default)]
struct Followed {
    projects: HashMap<ProjectId, Feed>,
    is_watched: bool,
}

struct Feed {
    sender: broadcast::Sender<Told>,
    /// How far it was told; nothing before anybody said how far they know it.
    mark: Option<Mark>,
}

/// So many changes wait for the slowest reader; then it is told to resume.
const BUFFERED: usize = 1024;
/// Should an announcement be lost, it is looked anyway.
const LOOK_AT_LEAST_EVERY: Duration = Duration::from_millis(500);
const AFTER_TROUBLE: Duration = Duration::from_secs(1);
const PAGE: i64 = 256;
const LOOK_WHETHER_LEFT: Duration = Duration::from_millis(10);

impl Hub {
    pub(crate) fn new(door: Arc<Door>) -> Hub {
        Hub { door, followed: Mutex::default(), closing: watch::Sender::new(false), stay: Arc::default() }
    }

    /// Is ready when every stream is to end.
    pub(super) async fn closed(&self) {
        // The other half is this.
        let _ = self.closing.subscribe().wait_for(|closing| *closing).await.is_ok();
    }

    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
    }

    pub(super) fn stay(&self) -> Arc<()> {
        self.stay.clone()
    }

    /// Is ready when every stream has ended.
    pub(crate) async fn left(&self) {
        while Arc::strong_count(&self.stay) > 1 {
            tokio::time::sleep(LOOK_WHETHER_LEFT).await;
        }
    }

    /// How many streams are open.
    pub(crate) fn open(&self) -> usize {
        self.followed().projects.values().map(|feed| feed.sender.receiver_count()).sum()
    }

    pub(super) fn join(self: &Arc<Hub>, project: &ProjectId) -> broadcast::Receiver<Told> {
        let mut followed = self.followed();
        let feed = followed
            .projects
            .entry(project.clone())
            .or_insert_with(|| Feed { sender: broadcast::Sender::new(BUFFERED), mark: None });
        let receiver = feed.sender.subscribe();
        if !followed.is_watched {
            let hub = self.clone();
            // Not a task: the client of PostgreSQL must not be dropped inside async code.
            let started = thread::Builder::new().name("watch".to_owned()).spawn(move || hub.watch());
            followed.is_watched = started.is_ok();
            if let Err(error) = started {
                tracing::warn!(%error, "cannot start to watch for changes");
            }
        }
        receiver
    }

    /// Whoever has joined says how far they know the log; what comes after it is told.
    pub(super) fn begin(&self, project: &ProjectId, known: Mark) {
        if let Some(feed) = self.followed().projects.get_mut(project) {
            let mark = feed.mark.get_or_insert(known);
            // Two may begin at once. Who hears something twice knows it by its position.
            mark.position = mark.position.min(known.position);
            mark.set_revision = mark.set_revision.min(known.set_revision);
        }
    }

    fn followed(&self) -> MutexGuard<'_, Followed> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Until nobody follows any more.
    fn watch(&self) {
        while self.is_followed() {
            if let Err(error) = self.watch_connected() {
                tracing::warn!(%error, "cannot watch for changes");
                thread::sleep(AFTER_TROUBLE);
            }
        }
    }

    fn watch_connected(&self) -> Result<()> {
        let engine = self.door.engine()?;
        let mut watch = engine.store().watch()?;
        while self.is_followed() {
            let begun = |(id, feed): (&ProjectId, &Feed)| Some((id.clone(), feed.mark?));
            let places: Vec<(ProjectId, Mark)> = self.followed().projects.iter().filter_map(begun).collect();
            for (project, mark) in places {
                self.look(engine, &project, mark)?;
            }
            watch.wait(LOOK_AT_LEAST_EVERY)?;
        }
        Ok(())
    }

    /// Forgets what nobody follows any more; whoever comes when nothing is left starts another thread.
    fn is_followed(&self) -> bool {
        let mut followed = self.followed();
        followed.projects.retain(|_, feed| feed.sender.receiver_count() > 0);
        followed.is_watched = !followed.projects.is_empty() && !*self.closing.borrow();
        followed.is_watched
    }

    /// Passes on what came after the mark.
    fn look(&self, engine: &Engine, project: &ProjectId, mut mark: Mark) -> Result<()> {
        loop {
            let changes = engine.changes(project, mark, PAGE)?;
            let sender = self.followed().projects.get(project).map(|feed| feed.sender.clone());
            let Some(sender) = sender else { return Ok(()) };
            for event in changes.events {
                let position = event.position;
                let text = Utf8Bytes::from(Change::from(event).text());
                // Nobody follows: so be it.
                let _ = sender.send(Told::Event { position, text });
            }
            for agent in changes.sets {
                let _ = sender.send(Told::WorkingSet { agent });
            }
            mark = changes.mark;
            self.note(project, mark);
            if !changes.more {
                return Ok(());
            }
        }
    }

    fn note(&self, project: &ProjectId, mark: Mark) {
        if let Some(feed) = self.followed().projects.get_mut(project) {
            feed.mark = Some(mark);
        }
    }
}
