//! How sure the reader has to be before a statement ends another.

/// How much has to speak for it that a statement ends another.
#[derive(Debug)]
pub(super) struct Levels {
    pub(super) opposite: f32,
    /// Where a memory's own words are about something else, other words for it have to be clearer.
    pub(super) opposite_to_others: f32,
    /// Where so much says that both are about one thing, one of them is enough: the newer one, unless the same is so much
    /// likelier than the opposite ([`TIE`]). It takes the place of what says the same without loss; what is taken for the same is
    /// not told any more.
    pub(super) about_it: f32,
    /// What a memory took the place of and the statement have to be so surely about one thing.
    pub(super) of_past: f32,
}

/// How sure one has to be that a statement ends a known one that is not distant.
pub(super) const CLOSE: Levels =
    Levels { opposite: 0.6, opposite_to_others: 0.8, about_it: 0.8, of_past: 0.8 };
/// And one that is: a store has far more pairs of such, so that more of what is taken for the end of another is none.
/// Of 340 changes in prompts of projects that nothing was fitted to, 230 are found with these and 17 others of 31,869 pairs are
/// taken for one; with 0.95 it is 235 and 24.
pub(super) const DISTANT: Levels =
    Levels { opposite: 0.97, opposite_to_others: 0.98, about_it: 0.98, of_past: 0.95 };
/// So many times as likely as the opposite, the same is likelier than it.
pub(super) const TIE: f32 = 1.5;
/// Where so much says that both are about one thing, the rules know what they are to each other.
pub(super) const BACKED: f32 = 0.5;
/// Where so much says so, it is worth a question.
pub(super) const PERHAPS: f32 = 0.4;
/// Where so much says that they are about two things, they are.
pub(super) const APART: f32 = 0.6;
/// Where so much says that one of two that are not distant ends the other, it does: the other way round, who speaks of the limit
/// speaks less surely of the limit of one thing.
pub(super) const ENDS: f32 = 0.98;
/// Chosen on facts that nothing was fitted to. To have the same twice is a nuisance; to take something for outdated that is
/// not loses it.
pub(super) const SAME: f32 = 0.35;
/// Of two things, the same may hold.
pub(super) const SAME_APART: f32 = 0.85;
/// What is so likely to be about something else by its numbers is distant.
pub(super) const DOUBTFUL: f32 = 0.7;
/// What is so surely something else by its numbers is not read.
pub(super) const FAR: f32 = 0.98;
