//! What a model writes when it is asked something: from a server, from a program, or from the model of the client that
//! uses us. Without a choice there is none, and nobody may depend on one.

mod anthropic;
mod client;
mod command;
mod exchange;
mod openai;
pub mod schema;
mod server;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value as Json;

pub use client::ClientModel;

use command::CommandModel;
use server::ServerModel;

/// Which model to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Anthropic's Messages API.
    Anthropic(ServerSettings),
    /// A server that speaks OpenAI's chat completions: Ollama, vLLM, LM Studio and others.
    OpenAi(ServerSettings),
    Command(CommandSettings),
    /// The model of the client that uses us, where it lends it.
    Client,
}

#[derive(Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// Up to and without `/v1/messages` or `/chat/completions`.
    pub base_url: String,
    pub model: String,
    pub api_key: Option<String>,
    pub connect_timeout: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSettings {
    pub program: PathBuf,
    pub arguments: Vec<String>,
}

/// What to ask, and the shape that the answer must have.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What the model is to do, whatever stands in the prompt.
    pub system: String,
    pub prompt: String,
    /// A JSON schema of the subset that [`schema`] knows.
    pub schema: Json,
    pub max_tokens: u64,
}

/// What the model wrote, which may be anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    pub text: String,
    /// What it cost, where the model says so.
    pub usage: Option<Usage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    pub tokens_in: u64,
    pub tokens_out: u64,
}

/// No answer takes as much; a server that claims more does not know.
const MOST_TOKENS: u64 = u32::MAX as u64;

impl Usage {
    /// What a server says, as far as it can be believed.
    fn claimed(tokens_in: u64, tokens_out: u64) -> Usage {
        Usage { tokens_in: tokens_in.min(MOST_TOKENS), tokens_out: tokens_out.min(MOST_TOKENS) }
    }
}

/// What can go wrong, by what the caller can do about it. Never contains the key.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Error {
    /// The settings have to change.
    #[error("{0}")]
    Invalid(String),
    /// The model may answer later.
    #[error("{0}")]
    Unavailable(String),
    /// What came is no answer of a model.
    #[error("{0}")]
    Answer(String),
}

pub type Result<T> = std::result::Result<T, Error>;

/// How long an answer is worth waiting for, and where time and chance come from.
pub struct Patience<'a> {
    /// By the clock of `now`.
    pub until: Duration,
    pub now: &'a dyn Fn() -> Duration,
    pub pause: &'a dyn Fn(Duration),
    /// A number below the given one.
    pub below: &'a dyn Fn(u64) -> u64,
}

/// A model that can be asked.
#[derive(Debug)]
pub enum Provider {
    Server(Box<ServerModel>),
    Command(CommandModel),
    Client(ClientModel),
}

impl Provider {
    /// Checks the settings; nobody is asked anything. Nothing where the client's model was chosen and no client lends one.
    pub fn open(choice: &Choice, lent: Option<&ClientModel>) -> Result<Option<Provider>> {
        Ok(Some(match choice {
            Choice::Anthropic(settings) => {
                Provider::Server(Box::new(ServerModel::open(server::Wire::Anthropic, settings)?))
            }
            Choice::OpenAi(settings) => {
                Provider::Server(Box::new(ServerModel::open(server::Wire::OpenAi, settings)?))
            }
            Choice::Command(settings) => Provider::Command(CommandModel::open(settings)?),
            Choice::Client => match lent {
                Some(model) => Provider::Client(model.clone()),
                None => return Ok(None),
            },
        }))
    }

    /// Answers of the same name come from the same model.
    pub fn name(&self) -> String {
        match self {
            Provider::Server(model) => model.name().to_owned(),
            Provider::Command(model) => model.name(),
            Provider::Client(_) => "client".to_owned(),
        }
    }

    pub fn complete(&self, question: &Question, patience: &Patience<'_>) -> Result<Completion> {
        match self {
            Provider::Server(model) => model.complete(question, patience),
            Provider::Command(model) => model.complete(question, patience.left()),
            Provider::Client(model) => model.complete(question, patience.left()),
        }
    }
}

impl Question {
    /// The whole question in words, for models that take nothing but a text.
    pub fn in_words(&self) -> String {
        format!("{}\n\n{}", self.system, self.prompt_in_words())
    }

    /// The prompt with the shape of the answer, for models that may not know schemas.
    pub fn prompt_in_words(&self) -> String {
        format!(
            "{}\n\nAnswer with one JSON document and nothing else. Its JSON schema:\n{}",
            self.prompt, self.schema
        )
    }
}

impl Patience<'_> {
    fn left(&self) -> Duration {
        self.until.saturating_sub((self.now)())
    }
}

impl fmt::Debug for Patience<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patience").field("until", &self.until).finish_non_exhaustive()
    }
}

impl fmt::Debug for ServerSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerSettings")
            .field("base_url", &self.base_url)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
