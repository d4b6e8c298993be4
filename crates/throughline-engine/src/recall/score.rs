//! From relevance to a place in the answer: how recent, how important, how sure and how often used a record is.

use std::time::Duration;

use throughline_store::event::Kind as EventKind;
use throughline_store::time::Timestamp;

use super::code::Signals;
use super::dates::Dates;
use super::fuse::Candidate;
use super::{Found, Hit};

/// How much each part counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    pub relevance: f64,
    pub recency: f64,
    pub importance: f64,
}

impl Weights {
    /// What answers the query best, whenever it was said and however important it is.
    pub const RELEVANCE: Weights = Weights { relevance: 1.0, recency: 0.0, importance: 0.0 };
}

/// A score and what it is made of; all parts are between 0 and 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    pub total: f64,
    /// How well it matches, as a share of how well the best of the answer does.
    pub relevance: f64,
    /// How well it matches: the mix of words and meaning.
    pub matching: f64,
    /// BM25, as it is.
    pub lexical: f64,
    /// The cosine, when there are vectors to compare.
    pub semantic: Option<f64>,
    pub recency: f64,
    /// With confidence and use.
    pub importance: f64,
    /// As of now: what nobody confirms is less sure with time.
    pub confidence: f64,
    pub uses: i64,
    pub weights: Weights,
    /// Of a piece of code.
    pub code: Option<Signals>,
}

pub(super) fn of(
    candidate: &Candidate,
    found: &Found,
    (weights, half_life): (Weights, Duration),
    dates: &Dates,
    now: Timestamp,
) -> Score {
    // The days that a question names have counted among events already, where neighbours lend to each other.
    let (given, confidence, uses, touched, lift) = match found {
        Found::Memory(memory) => {
            let touched = memory.last_used_at.map_or(found.at(), |used| used.max(found.at()));
            let confidence = memory.confidence_at(now);
            (memory.importance, confidence, memory.use_count, touched, dates.lift(found.at()))
        }
        Found::Event(event) => (importance_of(event.kind), 1.0, 0, event.at, 1.0),
        Found::Item(item) => {
            let given = if item.status.is_finished() { 0.4 } else { 0.6 };
            (given, 1.0, 0, item.updated_at, dates.lift(item.updated_at))
        }
        Found::Code(_) => (0.4, 1.0, 0, found.at(), 1.0),
        Found::Resource(resource) => (0.4, 1.0, 0, resource.updated_at, dates.lift(resource.updated_at)),
    };
    let matching = (candidate.relevance * lift).min(1.0);
    let recency = recency(touched, half_life, now);
    let importance = importance(given, confidence, uses);
    Score {
        total: 0.0,
        relevance: 0.0,
        matching,
        lexical: f64::from(candidate.lexical),
        semantic: candidate.near.map(|near| f64::from(near.cosine)),
        recency,
        importance,
        confidence,
        uses,
        weights,
        code: candidate.code,
    }
}

/// Adds the parts up and puts the best first. What matches best is fully relevant: a distance in matching counts the
/// same whether the query has two words or twenty, and is not lost beside recency and importance.
pub(super) fn total(hits: &mut [Hit]) {
    let best = hits.iter().map(|hit| hit.score.matching).fold(f64::MIN_POSITIVE, f64::max);
    for score in hits.iter_mut().map(|hit| &mut hit.score) {
        score.relevance = score.matching / best;
        score.total = score.weights.relevance * score.relevance
            + score.weights.recency * score.recency
            + score.weights.importance * score.importance;
    }
    hits.sort_by(|a, b| b.score.total.total_cmp(&a.score.total));
}

/// Half as much after each half-life.
fn recency(at: Timestamp, half_life: Duration, now: Timestamp) -> f64 {
    let half_lives = now.since(at).as_secs_f64() / half_life.as_secs_f64().max(1.0);
    0.5_f64.powf(half_lives)
}

/// What is doubtful counts for less, what is used for more: every doubling of uses by a twentieth.
fn importance(given: f64, confidence: f64, uses: i64) -> f64 {
    let used = (1.0 + uses.max(0) as f64).log2() * 0.05;
    ((given + used) * (0.5 + 0.5 * confidence)).clamp(0.0, 1.0)
}

fn importance_of(kind: EventKind) -> f64 {
    match kind {
        EventKind::Decision => 0.6,
        EventKind::UserMessage
        | EventKind::TaskCompleted
        | EventKind::ValidationGate
        | EventKind::Handoff => 0.4,
        EventKind::ModelMessage | EventKind::Write | EventKind::ItemCreated | EventKind::ItemUpdated => 0.3,
        EventKind::ToolCall
        | EventKind::ToolResult
        | EventKind::Read
        | EventKind::Search
        | EventKind::MemoryRecall
        | EventKind::ItemDeleted
        | EventKind::ResourceWritten
        | EventKind::Checkpoint
        | EventKind::SystemEvent => 0.2,
    }
}
