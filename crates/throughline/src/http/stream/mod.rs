//! `/api/events/stream`: a WebSocket that tells what changes in a project as it changes, whichever process made the change.
//!
//! A reader that is too slow for the buffer is told from where to resume, and let go: what it missed is in the log.

mod hub;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{FromRequestParts as _, Query, Request};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use schemars::JsonSchema;
use serde::Deserialize;
use throughline_engine::follow::Mark;
use throughline_engine::store::id::ProjectId;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{interval, sleep, timeout};

pub(super) use hub::Hub;
use hub::Told;

use super::admit::Admitted;
use super::api::Api;
use super::call::{Asked as AskedFor, Call};
use super::problem::{Refused, failed};
use super::within::Within;
use super::{query, schema};
use crate::door::Known;
use crate::wire::error::Usage;
use crate::wire::stream::Change;

pub(super) const PATH: &str = "/api/events/stream";
/// A client says nothing here.
const LONGEST_MESSAGE: usize = 4096;
/// A reader that takes nothing for so long is gone.
const SLOWEST: Duration = Duration::from_secs(10);
/// Something is said at least so often, so that both ends know of each other.
const PING_EVERY: Duration = Duration::from_secs(20);
/// How often is looked whether anybody has begun with a project.
const LOOK_EVERY: Duration = Duration::from_millis(300);
const PAGE: i64 = 256;
const FURTHEST: u64 = i64::MAX as u64;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// Begin after this position of the log; without it, with what comes next
    from: Option<Within<0, FURTHEST, 0>>,
}

pub(super) fn route(api: &Arc<Api>, hub: &Arc<Hub>) -> Router {
    let (api, hub) = (api.clone(), hub.clone());
    let open = async move |request: Request| open(api, hub, request).await.unwrap_or_else(failed);
    Router::new().route(PATH, get(open))
}

async fn open(api: Arc<Api>, hub: Arc<Hub>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    let Some(admitted) = parts.extensions.get::<Admitted>().cloned() else { bail!("nobody asks") };
    let Query(mut given) = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
        .map_err(|problem| Refused::unreadable(problem.body_text()))?;
    let named: Vec<String> =
        given.extract_if(.., |(name, _)| name == "project").map(|(_, name)| name).collect();
    let read = query::read(&schema::input::<Asked>(), given)?;
    let asked: Asked = serde_json::from_value(read.into())
        .map_err(|problem| Usage(format!("wrong parameters: {problem}")))?;
    let asked_for =
        AskedFor { project: named.into_iter().next(), path: vec![], admitted, session: api.session.clone() };
    // Refused before the upgrade: a browser shows no reason after it.
    let asked_for = Arc::new(asked_for);
    project(&api, &asked_for).await?;
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &()).await.map_err(|problem| {
        let why = format!("this address is a WebSocket; open it as one: {}", problem.body_text());
        Refused::new(StatusCode::UPGRADE_REQUIRED, "no_websocket", why)
    })?;
    let from = asked.from.map(Within::number);
    let upgrade = upgrade.protocols(["throughline"]).max_message_size(LONGEST_MESSAGE);
    Ok(upgrade.on_upgrade(async move |socket| {
        let follower = Follower { _stay: hub.stay(), socket, hub, told_to: from.unwrap_or(0) };
        follower.follow(&api, &asked_for, from).await;
    }))
}

/// Nothing where nobody has begun with the project yet.
async fn project(api: &Api, asked: &Arc<AskedFor>) -> Result<Option<ProjectId>> {
    let asked = asked.clone();
    api.places
        .run(move |door| {
            let call = Call { engine: door.engine()?, door, asked: &asked };
            let found = call.reader()?.project;
            match door.known_project(call.engine)? {
                Known::Unknown(_) if found.as_str().is_empty() => Ok(None),
                Known::Unknown(_) | Known::Project(_) => Ok(Some(found)),
            }
        })
        .await
}

struct Follower {
    socket: WebSocket,
    hub: Arc<Hub>,
    _stay: Arc<()>,
    /// Everything up to here was told.
    told_to: i64,
}

/// Why a stream ends.
enum End {
    /// The reader has left, or takes nothing any more.
    Gone,
    Lagged,
    Closing,
    Trouble(anyhow::Error),
}

impl Follower {
    async fn follow(mut self, api: &Api, asked: &Arc<AskedFor>, from: Option<i64>) {
        let end = match self.told(api, asked, from).await {
            Ok(never) => match never {},
            Err(end) => end,
        };
        let (code, reason) = match end {
            End::Gone => return,
            End::Lagged => {
                if self.say(Change::lagged(self.told_to).text()).await.is_err() {
                    return;
                }
                (close_code::AGAIN, format!("too slow; resume with from={}", self.told_to))
            }
            End::Closing => (close_code::AWAY, format!("the server ends; resume with from={}", self.told_to)),
            End::Trouble(error) => {
                tracing::warn!(%error, "a stream broke off");
                (close_code::ERROR, format!("trouble here; resume with from={}", self.told_to))
            }
        };
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        // It may have left meanwhile.
        let _ = timeout(SLOWEST, self.socket.send(close)).await;
    }

    async fn told(
        &mut self,
        api: &Api,
        asked: &Arc<AskedFor>,
        from: Option<i64>,
    ) -> Result<std::convert::Infallible, End> {
        let project = self.begun(api, asked).await?;
        // Joined before it is read how far the log has come, so that nothing falls in between.
        let mut feed = self.hub.join(&project);
        let now = project.clone();
        let mark = api.places.run(move |door| Ok(door.engine()?.mark(&now)?)).await.map_err(End::Trouble)?;
        self.hub.begin(&project, mark);
        self.say(Change::hello(mark.position).text()).await?;
        match from {
            Some(from) => self.catch_up(api, &project, from).await?,
            None => self.told_to = mark.position,
        }
        let hub = self.hub.clone();
        let mut ping = interval(PING_EVERY);
        loop {
            tokio::select! {
                told = feed.recv() => match told {
                    Ok(told) => self.pass_on(&told).await?,
                    Err(RecvError::Lagged(_)) => return Err(End::Lagged),
                    // Whoever watched has given up; the log has what this reader missed.
                    Err(RecvError::Closed) => return Err(End::Lagged),
                },
                heard = self.socket.recv() => match heard {
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(End::Gone),
                    Some(Ok(_)) => {}
                },
                _ = ping.tick() => self.send(Message::Ping(Bytes::new())).await?,
                () = hub.closed() => return Err(End::Closing),
            }
        }
    }

    /// Waits for the first event of a project that is still to be made.
    async fn begun(&mut self, api: &Api, asked: &Arc<AskedFor>) -> Result<ProjectId, End> {
        let hub = self.hub.clone();
        loop {
            if let Some(project) = project(api, asked).await.map_err(End::Trouble)? {
                return Ok(project);
            }
            tokio::select! {
                () = sleep(LOOK_EVERY) => {}
                heard = self.socket.recv() => match heard {
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(End::Gone),
                    Some(Ok(_)) => {}
                },
                () = hub.closed() => return Err(End::Closing),
            }
        }
    }

    /// Tells what the log has after a position, page by page and no faster than it is read. Working sets have no past: each
    /// is told of once.
    async fn catch_up(&mut self, api: &Api, project: &ProjectId, from: i64) -> Result<(), End> {
        let mut mark = Mark { position: from, set_revision: 0 };
        loop {
            let (project, after) = (project.clone(), mark);
            let changes =
                api.places.run(move |door| Ok(door.engine()?.changes(&project, after, PAGE)?)).await;
            let changes = changes.map_err(End::Trouble)?;
            for event in changes.events {
                self.told_to = event.position;
                self.say(Change::from(event).text()).await?;
            }
            for agent in changes.sets {
                self.say(Change::working_set(self.told_to, agent).text()).await?;
            }
            mark = changes.mark;
            if !changes.more {
                self.told_to = mark.position;
                return Ok(());
            }
        }
    }

    async fn pass_on(&mut self, told: &Told) -> Result<(), End> {
        match told {
            Told::Event { position, .. } if *position <= self.told_to => Ok(()),
            Told::Event { position, text } => {
                self.told_to = *position;
                self.send(Message::Text(text.clone())).await
            }
            Told::WorkingSet { agent } => {
                self.say(Change::working_set(self.told_to, agent.clone()).text()).await
            }
        }
    }

    async fn say(&mut self, text: String) -> Result<(), End> {
        self.send(Message::Text(text.into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        match timeout(SLOWEST, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(End::Gone),
        }
    }
}
