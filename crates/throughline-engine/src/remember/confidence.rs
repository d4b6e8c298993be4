//! How sure a memory is once something speaks for or against it, and how it stands then. What time does to it is the
//! record's to say (`Memory::confidence_at`).

use throughline_store::memory::{Memory, Standing, Status};

use crate::{Error, Result};

/// The share of the way to certainty, or of the confidence that is lost, for evidence of full weight.
const SHARE: f64 = 0.3;
const MOST_SURE: f64 = 0.99;
/// A memory that is less sure waits for somebody to look at it, and is not found meanwhile.
const REVIEW_BELOW: f64 = 0.25;

/// A step of the way to certainty.
pub(super) fn surer(confidence: f64) -> f64 {
    supported(confidence, 1.0)
}

/// Support makes nothing certain, and what is certain already no less so.
pub(super) fn supported(confidence: f64, weight: f64) -> f64 {
    let surer = confidence + (1.0 - confidence) * SHARE * weight;
    surer.min(MOST_SURE.max(confidence))
}

pub(super) fn contradicted(confidence: f64, weight: f64) -> f64 {
    confidence * (1.0 - SHARE * weight)
}

/// How a memory stands once it is this sure.
pub(super) fn standing(memory: &Memory, confidence: f64) -> Standing {
    let status = match memory.status {
        Status::Active if confidence < REVIEW_BELOW => Status::Quarantined,
        status => status,
    };
    Standing { status, confidence, ..Standing::of(memory) }
}

/// What ended stays as sure as it was.
pub(super) fn check_movable(memory: &Memory) -> Result<()> {
    match memory.status {
        Status::Active | Status::Quarantined | Status::Expired => Ok(()),
        Status::Superseded | Status::Forgotten => Err(Error::Conflict(format!(
            "memory {} is {}; feedback is for memories that are in use, which `throughline memory list` shows",
            memory.id, memory.status
        ))),
    }
}
