//! What a sentence says, and whether it is fit to be kept.

use throughline_store::memory::{Kind, Source};

use super::wording::tidy;
use super::{Family, Reason, contrasted};

/// What a sentence says, before it is known where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) family: Family,
    pub(super) kind: Kind,
    pub(super) content: String,
    pub(super) confidence: f64,
    pub(super) source: Source,
    pub(super) tentative: bool,
}

impl Found {
    pub(super) fn new(family: Family, kind: Kind, confidence: f64, content: &str) -> Found {
        Found { family, kind, content: tidy(content), confidence, source: Source::Implicit, tentative: false }
    }

    /// With the sentence before it, where it says nothing without; what is asked for is kept as it was said.
    pub(super) fn told_whole(self, before: Option<&str>) -> Found {
        match before {
            Some(before) if self.source != Source::Explicit => {
                let sign = if before.ends_with(['.', '!', '?', ':', ';', ',']) { "" } else { "." };
                Found { content: tidy(&format!("{before}{sign} {}", self.content)), ..self }
            }
            _ => self,
        }
    }

    /// Nothing that only denies, is too long or too short, or speaks of a day.
    pub(super) fn checked(self) -> Result<Found, Reason> {
        let chars = self.content.chars().count();
        let is_dense = !self.content.is_ascii();
        match () {
            () if self.source == Source::Implicit && contrasted::only_denies(&self.content) => {
                Err(Reason::NothingSaid)
            }
            // "We won't introduce MongoDB just for that"
            () if self.source == Source::Implicit && self.content.ends_with(" just for that") => {
                Err(Reason::Unresolved)
            }
            () if chars > MAX_CONTENT_CHARS => Err(Reason::TooLong),
            () if !is_dense && self.content.split_whitespace().count() < 2 => Err(Reason::TooShort),
            () => Ok(self),
        }
    }
}

pub(super) const MAX_CONTENT_CHARS: usize = 400;
