//! Hooks of a team: what was heard goes to a server over HTTP. What does not arrive in time waits like everything else, and
//! goes with the next event.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::Value as Json;
use throughline_engine::clock::Clock;
use ureq::Agent;

use super::place::Place;
use super::{Delivered, Heard, spool};
use crate::config::non_empty_env;

/// The server understood and would refuse it again.
#[derive(Debug, thiserror::Error)]
#[error("the server refuses it ({status}): {why}")]
pub(super) struct Refused {
    status: u16,
    why: String,
}

/// What one process can wait for; a hook has a shorter deadline of its own.
const PATIENCE: Duration = Duration::from_secs(10);
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// Sends what waits, then what was heard. Models are told nothing this way.
pub(super) fn send(server: &str, home: &Path, heard: &Heard, place: &Place) -> Result<Delivered> {
    if heard.observations.is_empty() {
        return Ok(Delivered::default());
    }
    let server = Remote::new(server);
    let problems = spool::drain_by(home, |text| server.record(text));
    server.record(&spool::written(heard, place, Clock::system().now())?.to_string())?;
    Ok(Delivered { context: None, problems })
}

/// Sends what waits, for those who have time, and says what could not be sent and why.
pub(super) fn send_waiting(server: &str, home: &Path) -> Vec<String> {
    let server = Remote::new(server);
    spool::drain_by(home, |text| server.record(text))
}

struct Remote {
    url: String,
    agent: Agent,
    token: Option<String>,
}

impl Remote {
    fn new(server: &str) -> Remote {
        let agent = Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .max_redirects(0)
            .build()
            .new_agent();
        let url = format!("{}/api/hooks", server.trim_end_matches('/'));
        Remote { url, agent, token: non_empty_env("THROUGHLINE_TOKEN") }
    }

    /// Returns when the server has it for good. Sent twice it is recorded once.
    fn record(&self, text: &str) -> Result<()> {
        let mut request = self.agent.post(&self.url).header("Content-Type", "application/json");
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let mut answer = request.send(text).with_context(|| {
            let fix = match self.url.starts_with("http") {
                true => "check that it is up",
                false => "write http://HOST:PORT into THROUGHLINE_SERVER",
            };
            format!("cannot reach the server {}; {fix}", self.url)
        })?;
        let status = answer.status().as_u16();
        let body = answer.body_mut().with_config().limit(MAX_ANSWER_BYTES).read_to_string();
        let body = body.context("the server's answer broke off")?;
        match status {
            200..=299 => Ok(()),
            // Whoever is not let in may be let in later.
            400 | 404 | 409 | 413 | 422 => Err(Refused { status, why: told(&body) }.into()),
            _ => Err(anyhow::anyhow!("the server {} answers {status}: {}", self.url, told(&body))),
        }
    }
}

/// What the problem document says.
fn told(body: &str) -> String {
    let problem: Option<Json> = serde_json::from_str(body).ok();
    let detail = problem.and_then(|problem| Some(problem.get("detail")?.as_str()?.to_owned()));
    detail.unwrap_or_else(|| body.chars().take(200).collect())
}
