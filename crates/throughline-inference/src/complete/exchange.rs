//! One request to a server and its answer: time-outs, limits, and trying again while the server may recover.

use std::time::Duration;

use serde_json::Value as Json;
use ureq::http::Response;
use ureq::http::header::CONTENT_TYPE;
use ureq::{Agent, Body};

use super::server::Wire;
use super::{Error, Patience, ServerSettings};
use crate::server::{EXCERPT, Pause, excerpt, is_loopback, retry_after, without_key};

const ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// A server that asks for a longer pause has to do without us.
const LONGEST_PAUSE: Duration = Duration::from_secs(20);
/// Far more than any answer that was asked for.
const MAX_ANSWER: u64 = 4 * 1024 * 1024;

pub(super) struct Exchange {
    agent: Agent,
    url: String,
    server: String,
    headers: Vec<(&'static str, String)>,
    key: Option<String>,
}

/// Why there is no answer.
pub(super) enum Stopped {
    /// Asking otherwise may help.
    Refused {
        status: u16,
        said: String,
    },
    Failed(Error),
}

/// Why an attempt failed.
enum Failure {
    /// Trying again may help, not before the pause the server asks for.
    Passing(String, Option<Pause>),
    Final(Stopped),
}

impl Exchange {
    pub(super) fn open(settings: &ServerSettings, server: String, wire: Wire) -> Exchange {
        // A redirect would send texts where nobody said they may go.
        let config = Agent::config_builder()
            .timeout_connect(Some(settings.connect_timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false);
        let config = if is_loopback(&server) { config.proxy(None) } else { config };
        Exchange {
            agent: config.build().new_agent(),
            url: format!("{}{}", settings.base_url.trim_end_matches('/'), wire.path()),
            headers: wire.headers(settings.api_key.as_deref()),
            key: settings.api_key.clone(),
            server,
        }
    }

    pub(super) fn post(&self, request: &Json, patience: &Patience<'_>) -> Result<Vec<u8>, Stopped> {
        let request = request.to_string();
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            match self.attempt(&request, patience.left()) {
                Ok(answer) => return Ok(answer),
                Err(Failure::Final(stopped)) => return Err(stopped),
                Err(Failure::Passing(why, asked)) => {
                    let asked = asked.map(|asked| asked.left((patience.now)()));
                    let wait = asked.unwrap_or_else(|| with_chance(pause, patience)).min(LONGEST_PAUSE);
                    if attempt == ATTEMPTS || wait >= patience.left() {
                        return Err(Stopped::Failed(self.unavailable(&why)));
                    }
                    (patience.pause)(wait);
                }
            }
            pause *= 2;
        }
        unreachable!("the last attempt returns")
    }

    /// What whoever asked is told.
    pub(super) fn error(&self, stopped: Stopped) -> Error {
        let (status, said) = match stopped {
            Stopped::Failed(error) => return error,
            Stopped::Refused { status, said } => (status, said),
        };
        let fix = match status {
            300..=399 => "it is somewhere else; set model.url to where it redirects".to_owned(),
            401 | 403 => "set the environment variable that model.api_key_env names to a key that it accepts"
                .to_owned(),
            404 => "see model.url and model.name".to_owned(),
            _ => format!("see model.name; it says: {said}"),
        };
        Error::Invalid(format!("the model's server {} refuses with status {status}: {fix}", self.server))
    }

    fn attempt(&self, request: &str, left: Duration) -> Result<Vec<u8>, Failure> {
        let call = self.agent.post(&self.url).config().timeout_global(Some(left)).build();
        let call = call.header(CONTENT_TYPE, "application/json");
        let call = self.headers.iter().fold(call, |call, (name, value)| call.header(*name, value));
        let mut response = call.send(request).map_err(|error| self.failure(error))?;
        if !response.status().is_success() {
            return Err(self.refusal(&mut response));
        }
        self.check_type(&response)?;
        response.body_mut().with_config().limit(MAX_ANSWER).read_to_vec().map_err(|error| self.failure(error))
    }

    fn failure(&self, error: ureq::Error) -> Failure {
        let failed = |error| Failure::Final(Stopped::Failed(error));
        match error {
            // It has cost the whole time already.
            ureq::Error::Timeout(_) => failed(
                self.unavailable("it did not answer in time; raise model.timeout, or see whether it runs"),
            ),
            ureq::Error::BodyExceedsLimit(limit) => failed(Error::Answer(format!(
                "the answer of {} is longer than {limit} bytes: is model.url that of a model?",
                self.server
            ))),
            ureq::Error::Io(error) => Failure::Passing(format!("{error}; is it running?"), None),
            ureq::Error::ConnectionFailed => Failure::Passing("no connection; is it running?".into(), None),
            ureq::Error::HostNotFound => {
                Failure::Passing("the host is not found; see model.url".into(), None)
            }
            ureq::Error::Http(_) => failed(Error::Invalid(
                "the model's key has characters that a header cannot hold; set it again".into(),
            )),
            other => failed(self.unavailable(&without_key(&other.to_string(), self.key.as_deref()))),
        }
    }

    fn refusal(&self, response: &mut Response<Body>) -> Failure {
        match response.status().as_u16() {
            status @ (429 | 500..=599) => Failure::Passing(
                format!("it answers with status {status}; try again later"),
                retry_after(response),
            ),
            status => Failure::Final(Stopped::Refused {
                status,
                said: excerpt(response, MAX_ANSWER, self.key.as_deref()),
            }),
        }
    }

    /// A page for people is a wrong address; some servers name no type at all.
    fn check_type(&self, response: &Response<Body>) -> Result<(), Failure> {
        let named = response.headers().get(CONTENT_TYPE).and_then(|named| named.to_str().ok());
        let Some(named) = named.filter(|named| !named.contains("json")) else { return Ok(()) };
        let named: String = named.chars().take(EXCERPT).collect();
        Err(Failure::Final(Stopped::Failed(Error::Answer(format!(
            "{} answers with {named:?} instead of JSON: is model.url that of a model?",
            self.server
        )))))
    }

    fn unavailable(&self, why: &str) -> Error {
        Error::Unavailable(format!("the model's server {} is not available: {why}", self.server))
    }
}

/// Half of a pause is chance, so that those who were refused together do not return together.
fn with_chance(pause: Duration, patience: &Patience<'_>) -> Duration {
    let half = pause / 2;
    half + Duration::from_millis((patience.below)(half.as_millis() as u64 + 1))
}
