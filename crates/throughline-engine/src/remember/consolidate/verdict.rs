//! What follows from a relation: who said it, and how sure it is, decides between the two.

use throughline_store::memory::Source;

use super::Relation;

/// How a statement stands: who said it, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standpoint {
    pub source: Source,
    /// 0 to 1.
    pub confidence: f64,
    /// A person said it, in so many words or beside something else.
    pub by_person: bool,
}

/// What becomes of a new statement beside a known one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The known memory is surer, and stays.
    Corroborate,
    /// The new one takes the place of the known one.
    Supersede,
    /// The new one waits for somebody's word; the known one stays.
    QuarantineNew,
    /// The known one was said later, and stays.
    Outdated,
    /// Neither is to be trusted before somebody has looked at both.
    Review,
    /// They have nothing to do with each other.
    Create,
}

/// So much surer is the known one that the new one cannot simply take its place.
const CLEARLY_SURER: f64 = 0.2;

pub fn verdict(relation: Relation, known: Standpoint, new: Standpoint) -> Verdict {
    match relation {
        Relation::Unrelated if new.source == Source::ToolOutput => Verdict::QuarantineNew,
        Relation::Unrelated => Verdict::Create,
        Relation::Same => Verdict::Corroborate,
        Relation::Refines | Relation::Opposite if new.source == Source::ToolOutput => Verdict::QuarantineNew,
        Relation::Refines | Relation::Opposite if new.trust() > known.trust() => Verdict::Supersede,
        Relation::Refines | Relation::Opposite if new.trust() < known.trust() => Verdict::QuarantineNew,
        Relation::Refines => Verdict::Supersede,
        // Who speaks later knows more, unless what was known is much surer.
        Relation::Opposite if new.confidence + CLEARLY_SURER >= known.confidence => Verdict::Supersede,
        Relation::Opposite if new.source == Source::Explicit || new.by_person => Verdict::Supersede,
        Relation::Opposite => Verdict::Review,
    }
}

impl Standpoint {
    /// What people say counts alike, whether they asked for it to be remembered or not.
    pub(in crate::remember) fn trust(self) -> u8 {
        match self.source {
            Source::Explicit => 3,
            Source::Implicit if self.by_person => 3,
            Source::Bootstrap | Source::Implicit => 2,
            Source::ToolOutput => 0,
        }
    }
}
