//! One request and its answer: time-outs, limits, and trying again while the server may recover.

use std::time::Duration;

use serde_json::Value as Json;
use ureq::http::Response;
use ureq::{Agent, Body};

use super::{EndpointSettings, Error, Result};
use crate::server::{Pause, excerpt, is_loopback, retry_after, without_key};

/// Passages can wait for a server that is busy or starting.
pub(super) const PATIENT: u32 = 4;
/// Behind a question somebody waits, and has another way to be answered.
pub(super) const ONCE: u32 = 1;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// A number in JSON takes up to some 24 bytes, and no model gives more than 16 384 of them.
const ANSWER_PER_TEXT: u64 = 24 * 16_384;

pub(super) struct Exchange {
    agent: Agent,
    url: String,
    server: String,
    key: Option<String>,
    timeout: Duration,
    sleep: fn(Duration),
}

/// Why an attempt failed.
enum Failure {
    /// Trying again may help, not before the pause the server asks for.
    Passing(String, Option<Pause>),
    Final(Error),
}

impl Exchange {
    pub(super) fn open(settings: &EndpointSettings, server: &str, sleep: fn(Duration)) -> Exchange {
        // A redirect would send texts where nobody said they may go.
        let config = Agent::config_builder()
            .timeout_global(Some(settings.timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false);
        let config = if is_loopback(server) { config.proxy(None) } else { config };
        Exchange {
            agent: config.build().new_agent(),
            url: format!("{}/embeddings", settings.base_url.trim_end_matches('/')),
            server: server.to_owned(),
            key: settings.api_key.clone(),
            timeout: settings.timeout,
            sleep,
        }
    }

    /// The answer to a request about so many texts.
    pub(super) fn post(&self, request: &Json, texts: usize, attempts: u32) -> Result<Vec<u8>> {
        let request = request.to_string();
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            match self.attempt(&request, texts) {
                Ok(answer) => return Ok(answer),
                Err(Failure::Final(error)) => return Err(error),
                Err(Failure::Passing(why, _)) if attempt == attempts => return Err(self.unavailable(&why)),
                Err(Failure::Passing(_, asked)) => {
                    // Without a clock of ours a date says nothing.
                    let asked = asked.and_then(Pause::length);
                    (self.sleep)(asked.unwrap_or(pause).min(LONGEST_PAUSE));
                }
            }
            pause *= 2;
        }
        unreachable!("the last attempt returns")
    }

    fn attempt(&self, request: &str, texts: usize) -> std::result::Result<Vec<u8>, Failure> {
        let mut call = self.agent.post(&self.url).header("content-type", "application/json");
        if let Some(key) = &self.key {
            call = call.header("authorization", format!("Bearer {key}"));
        }
        let mut response = call.send(request).map_err(|error| self.failure(error))?;
        if !response.status().is_success() {
            return Err(self.refusal(&mut response));
        }
        let limit = ANSWER_PER_TEXT * (texts as u64 + 1);
        response.body_mut().with_config().limit(limit).read_to_vec().map_err(|error| self.failure(error))
    }

    fn failure(&self, error: ureq::Error) -> Failure {
        match error {
            // It has cost the whole time already.
            ureq::Error::Timeout(_) => Failure::Final(self.unavailable(&format!(
                "it did not answer within {} ms; raise the timeout or lower the batch",
                self.timeout.as_millis()
            ))),
            ureq::Error::BodyExceedsLimit(limit) => Failure::Final(Error::Answer(format!(
                "the answer of {} is longer than {limit} bytes: is base_url that of an embeddings server?",
                self.server
            ))),
            ureq::Error::Io(error) => Failure::Passing(format!("{error}; is it running?"), None),
            ureq::Error::ConnectionFailed => Failure::Passing("no connection; is it running?".into(), None),
            ureq::Error::HostNotFound => Failure::Passing("the host is not found; see base_url".into(), None),
            ureq::Error::Http(_) => Failure::Final(Error::Invalid(
                "the endpoint's api_key has characters that a header cannot hold; set it again".into(),
            )),
            other => Failure::Final(self.unavailable(&without_key(&other.to_string(), self.key.as_deref()))),
        }
    }

    fn refusal(&self, response: &mut Response<Body>) -> Failure {
        let status = response.status().as_u16();
        let fix = match status {
            429 | 500..=599 => {
                return Failure::Passing(
                    format!("it answers with status {status}; try again later"),
                    retry_after(response),
                );
            }
            300..=399 => "it is somewhere else; set base_url to where it redirects".to_owned(),
            401 | 403 => "set an api_key that it accepts".to_owned(),
            404 => "see base_url (up to and without /embeddings) and model".to_owned(),
            _ => format!(
                "see model and dimensions; it says: {}",
                excerpt(response, ANSWER_PER_TEXT, self.key.as_deref())
            ),
        };
        Failure::Final(Error::Invalid(format!(
            "the embeddings server {} refuses with status {status}: {fix}",
            self.server
        )))
    }

    fn unavailable(&self, why: &str) -> Error {
        Error::Unavailable(format!("the embeddings server {} is not available: {why}", self.server))
    }
}
