//! What texts mean, as vectors: from the table inside the binary, or from a stronger model that was chosen.

pub mod endpoint;
pub mod kernel;
pub mod local;
pub mod table;
pub mod wordpiece;

pub use endpoint::EndpointSettings;
pub use local::{LocalSettings, Pooling};
pub use table::Table;

use endpoint::EndpointModel;
use local::LocalModel;

/// Which model to use beside the table inside the binary.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    Local(LocalSettings),
    Endpoint(EndpointSettings),
}

/// A model that was chosen because it is stronger than the table inside the binary.
#[derive(Debug)]
pub enum Model {
    Local(Box<LocalModel>),
    Endpoint(Box<EndpointModel>),
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Local(#[from] local::Error),
    #[error(transparent)]
    Endpoint(#[from] endpoint::Error),
}

impl Model {
    pub fn open(choice: &Choice) -> Result<Model, Error> {
        Ok(match choice {
            Choice::Local(settings) => Model::Local(Box::new(LocalModel::open(settings)?)),
            Choice::Endpoint(settings) => Model::Endpoint(Box::new(EndpointModel::open(settings)?)),
        })
    }

    /// Vectors of the same name can be compared.
    pub fn name(&self) -> &str {
        match self {
            Model::Local(model) => model.model(),
            Model::Endpoint(model) => model.model(),
        }
    }

    /// A unit vector for each text that is to be found.
    pub fn passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        Ok(match self {
            Model::Local(model) => model.embed_passages(texts)?,
            Model::Endpoint(model) => model.embed_passages(texts)?,
        })
    }

    /// The unit vector of a text that is searched for.
    pub fn query(&self, text: &str) -> Result<Vec<f32>, Error> {
        Ok(match self {
            Model::Local(model) => model.embed_query(text)?,
            Model::Endpoint(model) => model.embed_query(text)?,
        })
    }
}
