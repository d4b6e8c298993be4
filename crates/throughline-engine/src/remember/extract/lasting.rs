//! Sentences that no rule knows: the reader in the program says whether they tell something that lasts. It decides where the
//! rules have nothing to say, and speaks against what a rule took in passing.

use throughline_inference::read::{self, Reader};
use throughline_store::memory::Kind;

use super::sentence::{Leads, Sentence};
use super::{Family, Found, doubt, fragment, order};
use crate::remember::consolidate::build;
use crate::remember::likely::probabilities;

/// What a sentence can be, in the order in which the reader was taught.
const KINDS: [Option<Kind>; read::KINDS] =
    [None, Some(Kind::Fact), Some(Kind::Rule), Some(Kind::Preference), Some(Kind::Decision)];

/// So sure, neither how a sentence is worded nor what follows it speaks against it.
pub(super) const CERTAIN: f32 = 0.97;
/// Chosen on lines that nothing was fitted to: so sure, more than nine of ten are right.
pub(super) const SURE: f32 = 0.95;
/// So sure, it may last: it is worth keeping where it is about something that is known.
pub(super) const LIKELY: f32 = 0.4;
/// So sure, it may last although it is worded as what passes.
pub(super) const CLEAR: f32 = 0.7;
/// Below this, hardly any lasts, whatever a rule says.
const FLEETING: f32 = 0.15;
/// "Never edit generated files" is a rule even where the reader would rather not say so.
const HARDLY: f32 = 0.05;
/// Who says nothing else in a message says it to be known: so sure is enough.
const SURE_ALONE: f32 = 0.75;
/// Of what is found so, less is certain than of what a rule knows.
const CONFIDENCE: f64 = 0.55;

/// What a rule has against how a sentence is worded, and what speaks against that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubted {
    Not,
    /// Also where nothing else is said.
    ToBeSure,
    ToBeCertain,
    /// It tells of a day, so it is kept only where something is known that it is about.
    ToBeKnown,
}

/// What it says, if it lasts at least so surely. What its wording leaves in doubt has to be surer to be kept by itself.
pub(super) fn says(sentence: &Sentence<'_>, least: f32, doubted: Doubted) -> Option<Found> {
    if only_ends(sentence) || only_leads(sentence) || only_names(sentence) {
        return None;
    }
    let (kind, lasting) = weighed(said(sentence))?;
    let is_certain = lasting >= CERTAIN;
    if !is_certain && fragment::of(sentence).is_some() {
        return None;
    }
    let sure = if sentence.is_alone && doubted == Doubted::Not { SURE_ALONE } else { SURE };
    let is_doubtful = doubted == Doubted::ToBeCertain || doubt::is_ordered(sentence);
    let tentative = doubted == Doubted::ToBeKnown || lasting < sure || !is_certain && is_doubtful;
    (lasting >= least)
        .then(|| Found { tentative, ..Found::new(Family::Weighed, kind, CONFIDENCE, sentence.text) })
}

/// "no more yarn. the package manager is pnpm": what follows says it all.
fn only_ends(sentence: &Sentence<'_>) -> bool {
    const FEW: usize = 4;
    sentence.next.is_some()
        && sentence.words.len() <= FEW
        && sentence.starts_any(&["no more", "no longer", "not", "goodbye", "bye"])
}

/// "From the sales brochure:" says nothing without what follows.
fn only_leads(sentence: &Sentence<'_>) -> bool {
    sentence.whole.trim_end().ends_with(':')
}

/// "Always a pull request, please" says nothing of when; "that's the thing everyone trips over" of what.
fn only_names(sentence: &Sentence<'_>) -> bool {
    const FEW: usize = 5;
    let is_short = sentence.words.len() <= FEW;
    is_short && sentence.starts_any(&["always a", "always an", "always the", "always that", "always one"])
        || sentence.starts_any(&["that's the thing", "that is the thing", "that's the one", "i want one"])
}

/// Whether a text by itself surely tells something that lasts.
pub(in crate::remember) fn lasts(text: &str) -> bool {
    weighed(text).is_some_and(|(_, lasting)| lasting >= SURE)
}

/// Whether a text by itself may tell something that lasts.
pub(super) fn may_last(text: &str) -> bool {
    share(text) >= LIKELY
}

/// How surely a text by itself tells something that lasts.
pub(super) fn share(text: &str) -> f32 {
    1.0 - weigh(text)[0]
}

/// Of which kind a text is, if it lasts, and how probable that is.
fn weighed(text: &str) -> Option<(Kind, f32)> {
    let shares = weigh(text);
    let kind = (1..KINDS.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b])).and_then(|at| KINDS[at])?;
    Some((kind, 1.0 - shares[0]))
}

/// How surely what a rule found has to be worded as what lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Proof {
    /// It was told in passing.
    Surely,
    /// It says which command does something, or who answers for it.
    Clearly,
    /// Somebody corrects, wishes or decides something.
    Hardly,
    /// It is worded as what is done each time: that is in doubt at most.
    Doubtfully,
}

/// What a rule found: nothing where it is worded as only what passes is, and in doubt where more has to speak for it.
pub(super) fn confirmed(found: Found, sentence: &Sentence<'_>) -> Option<Found> {
    let mut lasting = 1.0 - weigh(said(sentence))[0];
    // "Resend!! not SES." is too short to be read; "Use Resend, not SES" is not.
    if found.family == Family::Correction && lasting < FLEETING {
        lasting = 1.0 - weigh(&found.content)[0];
    }
    let (least, sure) = match proof(&found, sentence) {
        Proof::Surely => (FLEETING, SURE),
        Proof::Clearly => (FLEETING, CLEAR),
        Proof::Hardly => (FLEETING, FLEETING),
        Proof::Doubtfully if sentence.is_alone => (0.0, 0.0),
        Proof::Doubtfully => (0.0, HARDLY),
    };
    (lasting >= least).then_some(Found { tentative: found.tentative || lasting < sure, ..found })
}

fn proof(found: &Found, sentence: &Sentence<'_>) -> Proof {
    match found.family {
        Family::Environment | Family::Convention if is_custom(sentence) => Proof::Doubtfully,
        Family::Environment | Family::Convention if build(&found.content).is_some() => Proof::Clearly,
        Family::Environment | Family::Convention => Proof::Surely,
        Family::Explicit
        | Family::Correction
        | Family::Preference
        | Family::Decision
        | Family::Fix
        | Family::Routine
        | Family::Weighed
        | Family::Named => Proof::Hardly,
    }
}

fn is_custom(sentence: &Sentence<'_>) -> bool {
    sentence.starts_any(&["we always", "we never", "always", "never"]) || order::forbids_in_general(sentence)
}

/// What leads up to it belongs to how people say such, unless it says nothing at all: "Next:", "ok cool,".
fn said<'a>(sentence: &Sentence<'a>) -> &'a str {
    if sentence.leads == Leads::default() { sentence.text } else { sentence.whole }
}

/// How probable each of [`KINDS`] is.
fn weigh(text: &str) -> [f32; KINDS.len()] {
    probabilities(Reader::built_in().kinds(text))
}
