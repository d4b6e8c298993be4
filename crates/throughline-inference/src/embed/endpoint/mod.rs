//! Vectors from a server that speaks OpenAI's embeddings interface: a local one, or a hosted one.

mod answer;
mod exchange;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;
use std::time::Duration;
use std::{fmt, thread};

use serde_json::json;

use exchange::Exchange;

use crate::server::authority;

/// Where the server is and how to ask it.
#[derive(Clone, PartialEq, Eq)]
pub struct EndpointSettings {
    /// Up to and without `/embeddings`, such as `http://localhost:11434/v1`.
    pub base_url: String,
    pub model: String,
    pub api_key: Option<String>,
    /// Asks for shorter vectors than the model's own.
    pub dimensions: Option<usize>,
    /// What the model wants before a question, but not before a passage.
    pub query_prefix: String,
    /// For one request, from the connection to the last byte of the answer.
    pub timeout: Duration,
    /// At most so many texts in a request.
    pub batch: usize,
}

/// What can go wrong, by what the caller can do about it. Never contains the key.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The settings have to change.
    #[error("{0}")]
    Invalid(String),
    /// The server may answer later.
    #[error("{0}")]
    Unavailable(String),
    /// The server answered what no embeddings server should.
    #[error("{0}")]
    Answer(String),
}

pub type Result<T> = std::result::Result<T, Error>;

/// A model behind an endpoint.
pub struct EndpointModel {
    settings: EndpointSettings,
    name: String,
    dimensions: OnceLock<usize>,
    exchange: Exchange,
}

impl EndpointModel {
    /// Checks the settings; the server is not asked before the first text.
    pub fn open(settings: &EndpointSettings) -> Result<EndpointModel> {
        EndpointModel::open_sleeping(settings, thread::sleep)
    }

    /// Like [`open`](Self::open), with another way to wait before a request is tried again.
    pub fn open_sleeping(settings: &EndpointSettings, sleep: fn(Duration)) -> Result<EndpointModel> {
        let server = server(&settings.base_url)?;
        if settings.model.trim().is_empty() {
            return Err(Error::Invalid(
                "the endpoint has no model: set the name the server knows it by".into(),
            ));
        }
        Ok(EndpointModel {
            name: format!("endpoint:{server}/{}", settings.model),
            dimensions: settings.dimensions.map(OnceLock::from).unwrap_or_default(),
            exchange: Exchange::open(settings, &server, sleep),
            settings: settings.clone(),
        })
    }

    /// Names server and model: vectors of different names are not comparable.
    pub fn model(&self) -> &str {
        &self.name
    }

    /// The length of its vectors; unknown until the first answer unless the settings ask for one.
    pub fn dimensions(&self) -> Option<usize> {
        self.dimensions.get().copied()
    }

    /// A unit vector for each text, in their order.
    pub fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.settings.batch.max(1)) {
            vectors.extend(self.embed(batch, exchange::PATIENT)?);
        }
        Ok(vectors)
    }

    /// The unit vector of a question, asked for once.
    pub fn embed_query(&self, text: &str) -> Result<Vec<f32>> {
        let asked = format!("{}{text}", self.settings.query_prefix);
        let vectors = self.embed(&[&asked], exchange::ONCE)?;
        Ok(vectors.into_iter().next().expect("as many vectors as texts, or an error"))
    }

    fn embed(&self, texts: &[&str], attempts: u32) -> Result<Vec<Vec<f32>>> {
        let mut request = json!({ "model": self.settings.model, "input": texts });
        if let Some(dimensions) = self.settings.dimensions {
            request["dimensions"] = json!(dimensions);
        }
        let answer = self.exchange.post(&request, texts.len(), attempts)?;
        let vectors = answer::vectors(&answer, texts.len()).map_err(|wrong| self.wrong(&wrong))?;
        for vector in &vectors {
            self.check_dimensions(vector.len())?;
        }
        Ok(vectors)
    }

    fn check_dimensions(&self, found: usize) -> Result<()> {
        let expected = *self.dimensions.get_or_init(|| found);
        if found == expected {
            return Ok(());
        }
        Err(self.wrong(&format!(
            "a vector has {found} dimensions, not {expected}: set the dimensions the model gives, or another model"
        )))
    }

    fn wrong(&self, what: &str) -> Error {
        Error::Answer(format!("the answer of {} is not usable: {what}", self.name))
    }
}

impl fmt::Debug for EndpointSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndpointSettings")
            .field("base_url", &self.base_url)
            .field("model", &self.model)
            .field("dimensions", &self.dimensions)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for EndpointModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndpointModel").field("name", &self.name).finish_non_exhaustive()
    }
}

fn server(base_url: &str) -> Result<String> {
    authority(base_url, "embedding.api_key_env").map_err(|what| {
        Error::Invalid(format!("the endpoint's base_url {what}; an example is http://localhost:11434/v1"))
    })
}
