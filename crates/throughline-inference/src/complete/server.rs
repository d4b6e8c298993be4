//! A model behind a server, in either of two ways to speak with it.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use serde_json::Value as Json;

use super::exchange::{Exchange, Stopped};
use super::openai::Extra;
use super::{Completion, Error, Patience, Question, Result, ServerSettings, anthropic, openai};
use crate::server::authority;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wire {
    Anthropic,
    OpenAi,
}

pub struct ServerModel {
    wire: Wire,
    model: String,
    name: String,
    exchange: Exchange,
    /// What this server has refused already.
    without: Mutex<Vec<Extra>>,
}

impl ServerModel {
    pub(super) fn open(wire: Wire, settings: &ServerSettings) -> Result<ServerModel> {
        let server = authority(&settings.base_url, "model.api_key_env").map_err(|what| {
            Error::Invalid(format!("the model's url {what}; an example is {}", wire.example()))
        })?;
        let model = settings.model.trim();
        if model.is_empty() {
            return Err(Error::Invalid(
                "the model has no name: set model.name as the server knows it".into(),
            ));
        }
        Ok(ServerModel {
            wire,
            model: model.to_owned(),
            name: format!("{}:{server}/{model}", wire.name()),
            exchange: Exchange::open(settings, server, wire),
            without: Mutex::default(),
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn complete(&self, question: &Question, patience: &Patience<'_>) -> Result<Completion> {
        let body = match self.wire {
            Wire::Anthropic => self.exchange.post(&anthropic::request(&self.model, question), patience),
            Wire::OpenAi => self.post_what_it_knows(question, patience),
        };
        let body = body.map_err(|stopped| self.exchange.error(stopped))?;
        let answer: Json = serde_json::from_slice(&body)
            .map_err(|_| self.wrong("it is not JSON, or was cut off: see model.url"))?;
        let completion = match self.wire {
            Wire::Anthropic => anthropic::completion(&answer),
            Wire::OpenAi => openai::completion(&answer),
        };
        completion.map_err(|what| self.wrong(&what))
    }

    fn post_what_it_knows(
        &self,
        question: &Question,
        patience: &Patience<'_>,
    ) -> std::result::Result<Vec<u8>, Stopped> {
        loop {
            let without = self.without.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let request = openai::request(&self.model, question, &without);
            match self.exchange.post(&request, patience) {
                Err(Stopped::Refused { status, said }) => match openai::complained_about(&said) {
                    Some(extra) if !without.contains(&extra) => {
                        self.without.lock().unwrap_or_else(PoisonError::into_inner).push(extra);
                    }
                    _ => return Err(Stopped::Refused { status, said }),
                },
                other => return other,
            }
        }
    }

    fn wrong(&self, what: &str) -> Error {
        Error::Answer(format!("the answer of {} is not usable: {what}", self.name))
    }
}

impl Wire {
    fn name(self) -> &'static str {
        match self {
            Wire::Anthropic => "anthropic",
            Wire::OpenAi => "openai",
        }
    }

    fn example(self) -> &'static str {
        match self {
            Wire::Anthropic => "https://api.anthropic.com",
            Wire::OpenAi => "http://localhost:11434/v1",
        }
    }

    pub(super) fn path(self) -> &'static str {
        match self {
            Wire::Anthropic => anthropic::PATH,
            Wire::OpenAi => openai::PATH,
        }
    }

    /// What goes with every request; the key where there is one.
    pub(super) fn headers(self, key: Option<&str>) -> Vec<(&'static str, String)> {
        match self {
            Wire::Anthropic => {
                let (name, version) = anthropic::VERSION;
                let key = key.map(|key| ("x-api-key", key.to_owned()));
                key.into_iter().chain([(name, version.to_owned())]).collect()
            }
            Wire::OpenAi => key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect(),
        }
    }
}

impl fmt::Debug for ServerModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerModel").field("name", &self.name).finish_non_exhaustive()
    }
}
