//! What was found, in JSON: stubs, and how their scores came about when asked.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::backlog::Uri;
use throughline_engine::recall::{
    Found, Hit as EngineHit, Recalled, Score as EngineScore, Searched as EngineSearched, snippet,
};
use throughline_engine::store::time::Timestamp;

use super::cited::cited;
use super::memory::rounded;
use super::time::{Moment, length};

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    pub(crate) hits: Vec<Hit>,
    pub(crate) shown: usize,
    /// How many are relevant enough.
    pub(crate) total: usize,
    /// There may be more than the total says.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) total_is_at_least: bool,
    /// So many relevant events are left out because they tell only what was overruled or forgotten since; a search for events
    /// finds them.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) overruled: usize,
    /// Of the newest events, so many are not indexed yet and were not searched.
    pub(crate) unindexed: i64,
    /// How code was searched, where that is not the usual way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) explanation: Option<Vec<Searched>>,
}

/// The cheap form of what was found: what it is, where it came from, how sure and how old it is.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Hit {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) snippet: String,
    pub(crate) score: f64,
    /// How well it matches the query, whatever its age and importance.
    pub(crate) matching: f64,
    pub(crate) source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) confidence: Option<f64>,
    /// The code that it cites has changed or is gone: read it again before relying on this.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) stale: bool,
    pub(crate) age: String,
    pub(crate) at: Moment,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<String>,
    /// Of an item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<String>,
    /// Of a piece of code: where it is, and what speaks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<[i64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<Score>,
}

/// A score by its parts.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Score {
    pub(crate) relevance: f64,
    pub(crate) matching: f64,
    pub(crate) lexical: f64,
    pub(crate) semantic: Option<f64>,
    pub(crate) recency: f64,
    pub(crate) importance: f64,
    pub(crate) confidence: f64,
    pub(crate) uses: i64,
    pub(crate) weights: [f64; 3],
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Searched {
    pub(crate) collection: String,
    pub(crate) documents: u64,
    pub(crate) unindexed: i64,
    pub(crate) candidates: usize,
    pub(crate) models: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model_problem: Option<String>,
    pub(crate) terms: Vec<Term>,
    pub(crate) ignored_terms: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Term {
    pub(crate) word: String,
    pub(crate) documents: u64,
    pub(crate) weight: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) taken_for: Vec<String>,
}

/// How much of each hit to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Detail {
    pub(crate) full: bool,
    pub(crate) explain: bool,
}

const SNIPPET_CHARS: usize = 200;
/// So many of the best hits have the code looked at that they cite.
const LOOKED_AT: usize = 20;

impl Answer {
    /// Where the folder is the project's own, `root` is where cited code lies.
    pub(crate) fn new(
        recalled: Recalled,
        query: &str,
        detail: Detail,
        (now, root): (Timestamp, Option<&Path>),
    ) -> Answer {
        let stale: Vec<bool> =
            recalled.hits.iter().take(LOOKED_AT).map(|hit| cites_stale_code(hit, root)).collect();
        let mut hits: Vec<Hit> =
            recalled.hits.into_iter().map(|hit| Hit::new(hit, query, detail, now)).collect();
        hits.iter_mut().zip(stale).for_each(|(hit, stale)| hit.stale = stale);
        Answer {
            shown: hits.len(),
            hits,
            total: recalled.total,
            total_is_at_least: recalled.at_least,
            overruled: recalled.overruled,
            code: recalled.code.and_then(super::code::note),
            unindexed: recalled.searched.iter().map(|searched| searched.unindexed).sum(),
            explanation: detail.explain.then(|| recalled.searched.into_iter().map(Searched::from).collect()),
        }
    }
}

fn cites_stale_code(hit: &EngineHit, root: Option<&Path>) -> bool {
    match &hit.found {
        Found::Memory(memory) => cited(memory, root).iter().any(|cited| cited.stale),
        Found::Event(_) | Found::Item(_) | Found::Resource(_) | Found::Code(_) => false,
    }
}

impl Hit {
    fn new(hit: EngineHit, query: &str, detail: Detail, now: Timestamp) -> Hit {
        let at = hit.found.at();
        let mut shown = Hit {
            id: String::new(),
            kind: String::new(),
            title: String::new(),
            snippet: String::new(),
            score: rounded(hit.score.total),
            matching: rounded(hit.score.matching),
            source: String::new(),
            confidence: None,
            stale: false,
            age: length(now.since(at)),
            at: Moment(at),
            tags: vec![],
            session_id: None,
            status: None,
            path: None,
            lines: None,
            why: super::code::why(&hit.score),
            content: None,
            parts: None,
        };
        let confidence = rounded(hit.score.confidence);
        shown.parts = detail.explain.then(|| Score::from(hit.score));
        let text = shown.describe(hit.found, confidence);
        shown.snippet = snippet(text.as_deref().unwrap_or(&shown.title), query, SNIPPET_CHARS);
        shown.content = text.filter(|_| detail.full);
        shown
    }

    /// What it is and where it comes from; answers with its text.
    fn describe(&mut self, found: Found, confidence: f64) -> Option<String> {
        match found {
            Found::Memory(memory) => {
                self.id = memory.id.to_string();
                self.kind = memory.kind.to_string();
                self.title = memory.title;
                self.source = format!("{} memory by {}", memory.source, memory.actor);
                self.confidence = Some(confidence);
                self.tags = memory.tags;
                Some(memory.content)
            }
            Found::Event(event) => {
                self.id = event.id.to_string();
                self.kind = event.kind.to_string();
                self.title = event.summary;
                self.source = format!("event {} by {}", event.position, event.actor);
                self.session_id = Some(event.session_id.to_string());
                event.content
            }
            Found::Item(item) => {
                self.id = item.id.to_string();
                self.kind = item.item_type.to_string();
                self.title = item.title;
                self.source = "backlog".to_owned();
                self.status = Some(item.status.to_string());
                Some(item.description).filter(|text| !text.is_empty())
            }
            Found::Resource(resource) => {
                self.id = Uri::of_resource(&resource.path);
                self.kind = "resource".to_owned();
                self.title = resource.title;
                self.source = format!("resource, version {}", resource.version);
                Some(resource.content)
            }
            Found::Code(code) => {
                self.id = code.place();
                self.kind = "code".to_owned();
                self.title = code.title();
                self.source = code.file.path.clone();
                self.path = Some(code.file.path.clone());
                self.lines = Some([code.chunk.first_line, code.chunk.last_line]);
                code.text
            }
        }
    }
}

impl From<EngineScore> for Score {
    fn from(score: EngineScore) -> Score {
        Score {
            relevance: rounded(score.relevance),
            matching: rounded(score.matching),
            lexical: rounded(score.lexical),
            semantic: score.semantic.map(rounded),
            recency: rounded(score.recency),
            importance: rounded(score.importance),
            confidence: rounded(score.confidence),
            uses: score.uses,
            weights: [score.weights.relevance, score.weights.recency, score.weights.importance],
        }
    }
}

impl From<EngineSearched> for Searched {
    fn from(searched: EngineSearched) -> Searched {
        let term = |term: throughline_engine::recall::QueryTerm| Term {
            word: term.word,
            documents: term.documents,
            weight: rounded(term.weight.into()),
            taken_for: term.taken_for,
        };
        Searched {
            collection: searched.collection.to_string(),
            documents: searched.documents,
            unindexed: searched.unindexed,
            candidates: searched.candidates,
            models: searched.models,
            model_problem: searched.model_problem,
            terms: searched.terms.into_iter().map(term).collect(),
            ignored_terms: searched.ignored_terms,
        }
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
