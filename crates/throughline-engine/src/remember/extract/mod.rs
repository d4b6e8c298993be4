//! What of a stretch of the log is worth remembering, found by rules: nothing is written here, and nothing is read
//! but the events that are handed in. Precise before complete: what is in doubt is no candidate, and is counted with
//! the reason why.
//!
//! `own_words` leaves what a speaker said himself, `sentence` reads it, `doubt` knows what speaks against it, and
//! each family of statements has a file of its own. `fix` and `routine` look at commands instead of words.

mod altering;
mod amendment;
mod antecedent;
mod aside;
mod assistant;
mod behind;
mod boot;
mod buried;
mod candidate;
mod command;
mod complaint;
mod composed;
mod contrasted;
mod convention;
mod correction;
mod cure;
mod decision;
mod doubt;
mod environment;
mod explicit;
mod fix;
mod forbidden;
mod found;
mod fragment;
mod grounds;
mod halves;
mod handed;
mod language;
mod lasting;
mod meant;
mod missing;
pub(super) mod named;
mod nouns;
mod order;
mod own_words;
mod passage;
mod preference;
mod routine;
mod scene;
mod sentence;
mod settled;
mod signature;
mod titled;
mod told;
mod topic;
mod withdrawn;
mod wording;

use std::collections::BTreeMap;

use throughline_store::event::{Event, Kind as EventKind, Role};
use throughline_store::id::text_enum;
use throughline_store::memory::{Kind, Scope, Source};

pub(super) use amendment::Amendment;
pub use boot::BootFiles;
pub(crate) use signature::signature;

use amendment::AgentsLines;
use found::{Found, MAX_CONTENT_CHARS};
use lasting::Doubted;
use sentence::Sentence;

use super::alternatives;

pub use candidate::{Candidate, Evidence};

pub(super) use aside::without_order;
pub(super) use lasting::lasts;
pub(super) use own_words::own_lines;
pub(super) use wording::{sentences, tidy};

text_enum! {
    /// Which rules found a candidate.
    Family {
        Explicit = "explicit",
        Correction = "correction",
        Preference = "preference",
        Decision = "decision",
        Convention = "convention",
        Environment = "environment",
        Fix = "fix",
        Routine = "routine",
        /// No rule knows it; its words were weighed.
        Weighed = "weighed",
        /// A model named it.
        Named = "named",
    }
}

text_enum! {
    /// Why something that was looked at is no candidate.
    Reason {
        /// It says nothing that any rule knows.
        NothingSaid = "nothing_said",
        Question = "question",
        Hypothetical = "hypothetical",
        /// Only on a condition, and perhaps only this once.
        Conditional = "conditional",
        Uncertain = "uncertain",
        Reported = "reported",
        Temporary = "temporary",
        /// Something to be done once.
        Task = "task",
        /// What happened, or what is wrong.
        Symptom = "symptom",
        Past = "past",
        /// A rule knows it, and its words are those of what does not last.
        Fleeting = "fleeting",
        Joke = "joke",
        /// It points at what is not in the sentence.
        Unresolved = "unresolved",
        TooShort = "too_short",
        TooLong = "too_long",
        /// Not the speaker's own words: quoted, pasted, code, logs.
        Quoted = "quoted",
        /// What we or a client put there.
        Injected = "injected",
        /// The project's own files for agents say it already.
        InBootFile = "in_boot_file",
        /// Found already in the same stretch.
        Repeated = "repeated",
        /// Whoever said it does not want it to be kept.
        Forbidden = "forbidden",
        /// It may last, and nothing is known that it is about.
        AboutNothingKnown = "about_nothing_known",
        /// A model named it without saying where it stands.
        NotCited = "not_cited",
        /// A model named it, and the lines that it cites do not say so.
        NotSaid = "not_said",
        /// A model named a rule that only a tool, or only the assistant, has said.
        ToldByTool = "told_by_tool",
        ToldByAssistant = "told_by_assistant",
        /// Something else was said since, in a session that was looked at before; it is kept as what was before.
        Outdated = "outdated",
        /// The same was forgotten or rejected, by somebody who has more to say than whoever says it again.
        TakenBack = "taken_back",
        /// It was erased while it was looked at.
        Purged = "purged",
    }
}

impl Reason {
    /// It is worded as what is over or passes, as somebody else's word, on a condition, or as a task; that a thing has changed is
    /// told so too.
    fn is_of_wording(self) -> bool {
        use Reason::{Conditional, Past, Reported, Symptom, Task, Temporary};
        matches!(self, Past | Reported | Symptom | Conditional | Task | Temporary)
    }
}

/// What came of a stretch of the log.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extraction {
    pub candidates: Vec<Candidate>,
    /// How many events had something to look at.
    pub events: usize,
    /// How many sentences and commands were not taken, by reason.
    pub discarded: BTreeMap<&'static str, usize>,
}

impl Extraction {
    pub(super) fn discard(&mut self, reason: Reason) {
        *self.discarded.entry(reason.as_str()).or_default() += 1;
    }

    fn take(&mut self, candidate: Candidate, boot: &BootFiles) {
        if boot.say(&candidate.content) {
            return self.discard(Reason::InBootFile);
        }
        let same = |known: &&mut Candidate| known.content.eq_ignore_ascii_case(&candidate.content);
        match self.candidates.iter_mut().find(same) {
            Some(known) => {
                known.evidence.extend(candidate.evidence);
                known.tentative &= candidate.tentative;
                self.discard(Reason::Repeated);
            }
            None => self.candidates.push(candidate),
        }
    }
}

/// What there is to remember in events of one session, in their order.
pub fn extract(events: &[Event], boot: &BootFiles) -> Extraction {
    let mut extraction = Extraction::default();
    let mut agent = AgentsLines::default();
    for event in events.iter().filter(|event| event.purge.is_none()) {
        match (event.kind, event.role) {
            (EventKind::UserMessage, Role::User) => {
                hear(event, (by_user, agent.lines()), boot, &mut extraction);
                agent.answered();
            }
            (EventKind::ModelMessage, Role::Assistant) => {
                agent.said(event);
                hear(event, (assistant::says, &[]), boot, &mut extraction);
            }
            (EventKind::ToolCall, _) => agent.said(event),
            _ => {}
        }
    }
    fix::find(events, boot, &mut extraction);
    routine::find(events, boot, &mut extraction);
    extraction
}

type Rules = fn(&Sentence<'_>) -> Result<Found, Reason>;

fn hear(event: &Event, (rules, agent): (Rules, &[String]), boot: &BootFiles, extraction: &mut Extraction) {
    let Some(text) = event.content.as_deref() else { return };
    extraction.events += 1;
    let own = own_words::of(text);
    for (reason, count) in &own.left_out {
        *extraction.discarded.entry(reason.as_str()).or_default() += count;
    }
    let sentences = sentence::read(&own.lines);
    if event.role == Role::User && forbidden::is_forbidden(&sentences) {
        return sentences.iter().for_each(|_| extraction.discard(Reason::Forbidden));
    }
    let sentences = if event.role == Role::User { halves::of_each(sentences) } else { sentences };
    let asked_for = if event.role == Role::User { explicit::asked_for(&sentences) } else { vec![] };
    for (at, (sentence, scene)) in sentences.iter().zip(scene::within(&sentences)).enumerate() {
        // Whoever puts something right begins with it, or with why.
        if let Some((amends, found)) = (at < 2).then(|| amendment::of(sentence, agent)).flatten() {
            let said = Candidate { amends: Some(amends), ..candidate(found, event, sentence) };
            extraction.take(said, boot);
            continue;
        }
        let is_asked_for = asked_for.get(at).copied().unwrap_or_default();
        let rules = if is_asked_for { explicit::listed } else { rules };
        let said = scene.map_or_else(|| rules(sentence), Err);
        let said = said.and_then(|found| match antecedent::is_asked_about(&sentences, at) {
            true if found.source != Source::Explicit => Err(Reason::Unresolved),
            _ => Ok(found),
        });
        let said = said.map(|found| found.told_whole(antecedent::of(&sentences, at)));
        match said.and_then(Found::checked) {
            Ok(found) => extraction.take(candidate(found, event, sentence), boot),
            Err(reason) => extraction.discard(reason),
        }
    }
}

/// What is said beside a statement neither belongs to it nor speaks against it; what is asked for is kept as it was said.
fn by_user(sentence: &Sentence<'_>) -> Result<Found, Reason> {
    if withdrawn::is_taken_back(sentence) {
        return Err(Reason::Uncertain);
    }
    if boot::is_referred_to(sentence) {
        return Err(Reason::InBootFile);
    }
    let whole = stated(sentence);
    if whole.as_ref().is_ok_and(|found| found.source == Source::Explicit) {
        return whole;
    }
    if let Some(behind) = behind::says(sentence, stated) {
        return Ok(behind);
    }
    let buried = buried::without_rest(sentence).and_then(|buried| stated(&buried).ok());
    if let Some(found) = buried.filter(|found| !found.tentative) {
        return Ok(found);
    }
    let alone = aside::without(sentence).and_then(|alone| stated(&alone).ok());
    match alone {
        Some(found) if !found.tentative => Ok(found),
        alone if aside::requests(sentence) => alone.map_or(whole.and(Err(Reason::Task)), Ok),
        _ => whole,
    }
}

/// The first family that knows the sentence has it; a doubt ends the search.
fn stated(sentence: &Sentence<'_>) -> Result<Found, Reason> {
    if let Some(found) = language::says(sentence)? {
        return Ok(found);
    }
    if let Some(said) = complaint::says(sentence) {
        return said;
    }
    let families = [
        explicit::says,
        decision::says,
        preference::says,
        correction::says,
        contrasted::says,
        convention::says,
        environment::says,
        told::says,
        settled::says,
    ];
    let mut doubt = None;
    for says in families {
        match says(sentence) {
            Ok(Some(found)) if found.source == Source::Explicit => return Ok(found),
            Ok(Some(_)) if composed::is_of_a_text(sentence) => return Err(Reason::Task),
            Ok(Some(found)) => {
                return lasting::confirmed(found, sentence).ok_or(Reason::Fleeting);
            }
            Ok(None) => {}
            Err(reason) => doubt = doubt.or(Some(reason)),
        }
    }
    if composed::is_of_a_text(sentence) {
        return Err(Reason::Task);
    }
    let doubt = doubt.or_else(|| told::doubts(sentence));
    let found = read(sentence, doubt).or_else(|| altering::says(sentence));
    found.ok_or(doubt.unwrap_or(Reason::NothingSaid))
}

/// What the reader makes of a sentence that no rule knows.
fn read(sentence: &Sentence<'_>, doubt: Option<Reason>) -> Option<Found> {
    // "If it's red, paste me the last lines": whatever it is.
    let is_of_this = || sentence.starts_any(&["if it's", "if it is", "if that's", "if this"]);
    let doubted = match doubt {
        None => Doubted::Not,
        Some(Reason::Past) if sentence.starts_any(&["yesterday", "last week", "last month"]) => {
            Doubted::ToBeKnown
        }
        Some(Reason::Past | Reason::Temporary) => Doubted::ToBeCertain,
        Some(Reason::Conditional) if is_of_this() => Doubted::ToBeCertain,
        Some(_) => Doubted::ToBeSure,
    };
    let least = match doubt {
        Some(reason) if doubt::is_final(reason, sentence) => return None,
        // "The largest file we may send is 5,000 entries": the words that doubt are no doubt here.
        Some(reason) if doubt::stands(reason, sentence) => lasting::CERTAIN,
        // "… is on leave until autumn, Priya has the inbox", "the tick is 100 ms now, merged today"
        Some(Reason::Temporary | Reason::Conditional) => lasting::CLEAR,
        _ => lasting::LIKELY,
    };
    lasting::says(sentence, least, doubted)
}

fn candidate(found: Found, event: &Event, sentence: &Sentence<'_>) -> Candidate {
    Candidate {
        scope: scope_of(found.kind),
        tags: topic::tags(&found.content),
        state_key: alternatives::state_key(&found.content),
        kind: found.kind,
        content: found.content,
        confidence: found.confidence,
        source: found.source,
        family: found.family,
        evidence: vec![evidence(event, sentence.line)],
        tentative: found.tentative,
        amends: None,
    }
}

fn scope_of(kind: Kind) -> Scope {
    match kind {
        Kind::Preference => Scope::User,
        _ => Scope::App,
    }
}

fn evidence(event: &Event, line: usize) -> Evidence {
    Evidence { event: event.id.clone(), session: event.session_id.clone(), line }
}

#[cfg(test)]
mod tests;
