//! The week itself: what clients send to hooks and ask of tools, line by line, each at its time.

use anyhow::{Context as _, Result, anyhow};
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use throughline_engine::store::actor::{Actor, ActorKind};

use super::ground::{Ground, PERSON};
use crate::hooks::{self, Client, Moment, Place, Start};
use crate::mcp;

const WEEK: &str = include_str!("../../../assets/demo/week.jsonl");
/// What an agent gives away in its answer. Split, so that scanners of this file do not take it for a live key.
const TOKEN: &str = concat!("gh", "p_x7Rk2mQ9vLc4TzW8bNf3Jd6HsYp1Ge5Ua0Ko");
/// Between one line and the next.
const PAUSE_SECONDS: i64 = 45;
/// After a session, until the jobs that it left are done.
const REST_SECONDS: i64 = 30 * 60;

/// A line of the week.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Line {
    Session {
        session: String,
        client: String,
        minutes_ago: i64,
    },
    /// An event as the client sends it, without what every event has.
    Hook {
        hook: Map<String, Json>,
    },
    Tool {
        tool: String,
        arguments: Map<String, Json>,
    },
}

/// What was answered on the way and is worth seeing.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) events: usize,
    /// What the model was told after its context had been cut.
    pub(super) after_compaction: Option<String>,
    pub(super) handoff: Option<Json>,
}

/// Whose session it is that goes on.
struct Present {
    client: Client,
    session: String,
    place: Place,
}

pub(super) fn week(ground: &Ground) -> Result<Played> {
    let mut played = Played::default();
    let mut present: Option<Present> = None;
    for (number, line) in WEEK.lines().enumerate() {
        let line = line.replace("$TOKEN", TOKEN);
        let parsed =
            serde_json::from_str(&line).with_context(|| format!("line {} of the week", number + 1))?;
        match (parsed, &present) {
            (Line::Session { session, client, minutes_ago }, _) => {
                rest(ground)?;
                ground.go_back(minutes_ago);
                present = Some(begin(ground, session, &client)?);
            }
            (Line::Hook { hook }, Some(present)) => played.hook(ground, present, hook)?,
            (Line::Tool { tool, arguments }, Some(present)) => {
                played.tool(ground, present, &tool, arguments)?;
            }
            (_, None) => return Err(anyhow!("the week begins with a session")),
        }
        ground.let_pass(PAUSE_SECONDS);
    }
    rest(ground)?;
    ground.come_to_the_present();
    Ok(played)
}

fn begin(ground: &Ground, session: String, client: &str) -> Result<Present> {
    let client: Client = client.parse().map_err(|why: String| anyhow!(why))?;
    let actor = |kind, name: &str| Actor { kind, name: name.to_owned() };
    let place = Place {
        folder: ground.door.folder.clone(),
        project: ground.door.config.project.clone(),
        person: actor(ActorKind::User, PERSON),
        agent: actor(ActorKind::Agent, client.name()),
    };
    Ok(Present { client, session, place })
}

/// What waits to be done in the background is done, as a server or the next hour would.
fn rest(ground: &Ground) -> Result<()> {
    ground.let_pass(REST_SECONDS);
    while ground.engine.work_one("demo")?.is_some() {}
    Ok(())
}

impl Played {
    fn hook(&mut self, ground: &Ground, present: &Present, mut hook: Map<String, Json>) -> Result<()> {
        hook.insert("session_id".to_owned(), present.session.as_str().into());
        hook.insert("cwd".to_owned(), ground.folder.display().to_string().into());
        let now = ground.engine.now();
        let heard = present.client.hear(None, &Json::Object(hook), now).map_err(|why| anyhow!(why))?;
        let Some(heard) = heard else { return Ok(()) };
        let delivered = hooks::deliver(&ground.door, &heard, &present.place)?;
        self.events += 1;
        if heard.moment == Moment::SessionStart(Start::Compact) {
            self.after_compaction = delivered.context;
        }
        Ok(())
    }

    fn tool(
        &mut self,
        ground: &Ground,
        present: &Present,
        tool: &str,
        arguments: Map<String, Json>,
    ) -> Result<()> {
        let from = (present.client.name(), present.session.as_str());
        let answer = mcp::call_tool(&ground.door, from, tool, arguments)?;
        self.events += 1;
        if tool == "handoff" && answer["action"] == "taken" {
            self.handoff = Some(answer["handoff"].clone());
        }
        Ok(())
    }
}
