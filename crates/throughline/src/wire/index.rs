//! How findable things are, in JSON.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::index::{Coverage, Standing};
use throughline_engine::{Caller, Engine};

use super::code::Health;
use super::comparison;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Index {
    pub(crate) collections: Vec<Collection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model_problem: Option<String>,
    /// What compares vectors.
    pub(crate) vectors: String,
    /// The index of the project's files, once somebody asked for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<Health>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Collection {
    pub(crate) collection: String,
    pub(crate) documents: u64,
    pub(crate) pending: usize,
    pub(crate) partitions: usize,
    pub(crate) unindexed: i64,
    pub(crate) pages: i64,
    pub(crate) bytes: i64,
    /// How many records have a vector of the chosen model, of how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) embedded: Option<[i64; 2]>,
}

impl Index {
    pub(crate) fn of(engine: &Engine, caller: &Caller) -> Result<Index> {
        let standings = engine.index_standing(caller)?;
        let (model, coverages, model_problem) = match engine.embedding_progress(caller) {
            Ok(Some((model, coverages))) => (Some(model), coverages, None),
            Ok(None) => (None, vec![], None),
            Err(error) => (None, vec![], Some(error.to_string())),
        };
        let collections =
            standings.into_iter().map(|standing| Collection::new(standing, &coverages)).collect();
        let vectors = comparison::text(&engine.comparison()?);
        let code = engine.code_health(caller)?.map(|health| Health::at(&health, engine.now()));
        Ok(Index { collections, model, model_problem, vectors, code })
    }
}

impl Collection {
    pub(crate) fn new(standing: Standing, coverages: &[Coverage]) -> Collection {
        let covered = coverages.iter().find(|coverage| coverage.collection == standing.collection);
        Collection {
            collection: standing.collection.to_string(),
            documents: standing.documents,
            pending: standing.pending,
            partitions: standing.partitions,
            unindexed: standing.unindexed,
            pages: standing.pages,
            bytes: standing.bytes,
            embedded: covered.map(|coverage| [coverage.embedded_to, coverage.last]),
        }
    }
}
