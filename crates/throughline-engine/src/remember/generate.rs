//! From the log to memories: what was said and done in a session since it was last looked at is extracted, consolidated
//! with what is known and kept, all of it or nothing. The log says what came of it, and from there the next run knows how
//! far the last one came; so a run that dies in the middle has not been.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::event::{self, Event, Filter, Kind, Order};
use throughline_store::id::{EventId, SessionId};
use throughline_store::job::Job;
use throughline_store::memory::Origin;
use throughline_store::session::{self as record, Session};
use throughline_store::{Connection, Error as StoreError};

use super::Action;
use super::consult::Consulted;
use super::extract::{BootFiles, Candidate, Extraction, Reason, extract};
use super::heard::{said_at, speaker};
use super::statement::{Cause, Draft};
use crate::capture::Note;
use crate::orient::repository;
use crate::work::Next;
use crate::{Caller, Engine, Result};

/// What came of looking at a part of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    pub session: SessionId,
    /// After this position of the log, and up to that one.
    pub from: i64,
    pub to: i64,
    pub events: usize,
    pub candidates: usize,
    pub created: usize,
    pub corroborated: usize,
    pub superseded: usize,
    pub quarantined: usize,
    /// What was looked at and not taken, by reason.
    pub discarded: BTreeMap<&'static str, usize>,
    /// What a model had to do with it, where one was chosen.
    pub model: Option<Consulted>,
}

pub(crate) const KIND: &str = "generate_memories";
/// The target of the notes that say how far a session was looked at.
pub const LEDGER_TARGET: &str = "memory_generation";
const EVENTS_AT_ONCE: i64 = 2000;
/// So many events before are read again: a fix is one because of the failure before it.
const CONTEXT: i64 = 200;
/// What people, models and commands say.
const HEARD: [Kind; 4] = [Kind::UserMessage, Kind::ModelMessage, Kind::ToolCall, Kind::ToolResult];

/// Events that nobody has looked at yet, after some that somebody has.
pub(super) struct Stretch {
    pub(super) session: Session,
    from: i64,
    to: i64,
    pub(super) events: Vec<Event>,
    is_last: bool,
}

impl Stretch {
    fn unseen(&self) -> &[Event] {
        let first = self.events.partition_point(|event| event.position <= self.from);
        &self.events[first..]
    }
}

pub(crate) fn run(engine: &Engine, caller: &Caller, job: &Job) -> Result<Next> {
    let session = SessionId::from(job.key.clone());
    match engine.generate_once(caller, &session)? {
        Some((_, true)) | None => Ok(Next::Done),
        Some((_, false)) => Ok(Next::Again(engine.now())),
    }
}

impl Engine {
    /// Turns what is new in a session into memories; nothing when nothing is new.
    pub fn generate(&self, caller: &Caller, session: &SessionId) -> Result<Vec<Generation>> {
        let mut generations = vec![];
        while let Some((generation, is_last)) = self.generate_once(caller, session)? {
            generations.push(generation);
            if is_last {
                break;
            }
        }
        Ok(generations)
    }

    /// Asks for it to be done in the background.
    pub(crate) fn request_generation(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        session: &SessionId,
    ) -> Result<()> {
        match self.settings.generate_memories {
            true => self.ask_for(tx, &caller.project, KIND, session.as_str()),
            false => Ok(()),
        }
    }

    /// One stretch, and whether it was the last.
    fn generate_once(&self, caller: &Caller, session: &SessionId) -> Result<Option<(Generation, bool)>> {
        let Some(stretch) = self.store.read(|conn| unseen(conn, caller, session))? else { return Ok(None) };
        let boot = boot_files(&stretch.session);
        let mut extraction = fresh(&stretch, &boot);
        let until = self.consulting_until();
        let mut consulted = self.asks_a_model().then(Consulted::default);
        if let Some(consulted) = &mut consulted {
            let said = (stretch.unseen(), &boot);
            self.consult_extraction(caller, said, &mut extraction, (consulted, until))?;
        }
        self.amend(caller, &mut extraction)?;
        self.believe_what_is_repeated(caller, (&stretch.events, &boot), &mut extraction)?;
        let mut drafts = self.drafts(caller, &stretch, &extraction)?;
        if let Some(consulted) = &mut consulted {
            self.consult_relations(caller, &mut drafts, (consulted, until))?;
        }
        self.read_beforehand(drafts.iter().map(|(by, draft)| (by, draft)))?;
        let generation = self.keep_stretch(caller, &stretch, (&extraction, &drafts), consulted)?;
        Ok(generation.map(|generation| (generation, stretch.is_last)))
    }

    /// All of it or nothing, and nothing where another worker was faster.
    fn keep_stretch(
        &self,
        caller: &Caller,
        stretch: &Stretch,
        (extraction, drafts): (&Extraction, &[(Caller, Draft)]),
        consulted: Option<Consulted>,
    ) -> Result<Option<Generation>> {
        let id: EventId = self.ids.next(self.now());
        self.write(caller, |tx| {
            if seen_to(tx, caller, &stretch.session.id)? != stretch.from {
                return Ok(None);
            }
            let kept = self.keep_all(tx, caller, stretch, extraction, drafts)?;
            let generation = Generation { model: consulted.clone(), ..kept };
            self.note_generation(tx, caller, &stretch.session, &generation, id.clone())?;
            Ok(Some(generation))
        })
    }

    fn drafts(
        &self,
        caller: &Caller,
        stretch: &Stretch,
        extraction: &Extraction,
    ) -> Result<Vec<(Caller, Draft)>> {
        let now = self.now();
        let draft = |candidate: &Candidate| {
            let by = Caller { actor: speaker(stretch, candidate), ..caller.clone() };
            let mut draft = self.draft(&by, self.heard(caller, stretch, candidate)?, now)?;
            let evidence = candidate.evidence.iter();
            let origin = evidence.map(|one| Origin {
                event: one.event.clone(),
                session: one.session.clone(),
                said: None,
            });
            draft.cause = Cause::Found {
                session: stretch.session.id.clone(),
                at: stretch.session.last_event_at,
                said_at: said_at(stretch, candidate),
                evidence: origin.collect(),
                tentative: candidate.tentative,
            };
            Ok((by, draft))
        };
        extraction.candidates.iter().map(draft).collect()
    }

    fn keep_all(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        stretch: &Stretch,
        extraction: &Extraction,
        drafts: &[(Caller, Draft)],
    ) -> Result<Generation> {
        let mut generation = Generation {
            session: stretch.session.id.clone(),
            from: stretch.from,
            to: stretch.to,
            events: extraction.events,
            candidates: drafts.len(),
            created: 0,
            corroborated: 0,
            superseded: 0,
            quarantined: 0,
            discarded: extraction.discarded.clone(),
            model: None,
        };
        for (by, draft) in drafts {
            if is_purged(tx, caller, draft)? {
                *generation.discarded.entry(Reason::Purged.as_str()).or_default() += 1;
                continue;
            }
            if is_tentative(draft) && !self.is_about_known(tx, by, draft)? {
                *generation.discarded.entry(Reason::AboutNothingKnown.as_str()).or_default() += 1;
                continue;
            }
            // Each is findable before the next is compared with what is known.
            let mut additions = vec![];
            let kept = self.keep(tx, by, draft, &mut additions)?;
            self.make_findable(tx, caller, additions)?;
            match kept.action {
                Action::Created => generation.created += 1,
                Action::Corroborated => generation.corroborated += 1,
                Action::Superseded => generation.superseded += 1,
                Action::Quarantined => generation.quarantined += 1,
                Action::Outdated => *generation.discarded.entry(Reason::Outdated.as_str()).or_default() += 1,
                Action::Refused => *generation.discarded.entry(Reason::TakenBack.as_str()).or_default() += 1,
            }
        }
        Ok(generation)
    }

    fn note_generation(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        session: &Session,
        generation: &Generation,
        id: EventId,
    ) -> Result<()> {
        let note = Note {
            session: &session.id,
            actor: Actor { kind: ActorKind::Agent, name: "throughline".to_owned() },
            // The session does not go on because somebody looks at it.
            at: session.last_event_at,
            kind: Kind::SystemEvent,
            id,
            target: LEDGER_TARGET,
            summary: generation.summary(),
            content: None,
            parts: Some(generation.record()),
            triggered_by: None,
            informs: None,
            redactions: 0,
        };
        self.note(tx, caller, note)
    }
}

impl Generation {
    fn summary(&self) -> String {
        let counts = format!(
            "{} events gave {} candidates: {} created, {} corroborated, {} superseded, {} quarantined",
            self.events, self.candidates, self.created, self.corroborated, self.superseded, self.quarantined
        );
        match self.model.as_ref().and_then(|model| model.without.as_deref()) {
            Some(why) => format!("{counts}; without the model: {why}"),
            None => counts,
        }
    }

    fn record(&self) -> Json {
        let mut record = json!({
            "from": self.from,
            "to": self.to,
            "events": self.events,
            "candidates": self.candidates,
            "created": self.created,
            "corroborated": self.corroborated,
            "superseded": self.superseded,
            "quarantined": self.quarantined,
            "discarded": self.discarded,
        });
        if let Some(model) = &self.model {
            record["model"] = json!({
                "answered": model.answered,
                "named": model.named,
                "related": model.related,
                "without": model.without,
            });
        }
        record
    }
}

fn is_tentative(draft: &Draft) -> bool {
    matches!(draft.cause, Cause::Found { tentative: true, .. })
}

/// Whether somebody erased what it comes from meanwhile: a model may have been asked about it for long.
fn is_purged(tx: &mut dyn Connection, caller: &Caller, draft: &Draft) -> Result<bool> {
    let Cause::Found { evidence, .. } = &draft.cause else { return Ok(false) };
    for origin in evidence {
        if event::by_id(tx, &caller.project, &origin.event)?.is_none_or(|event| event.purge.is_some()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What nobody has looked at; nothing when nobody said anything.
fn unseen(conn: &mut dyn Connection, caller: &Caller, session: &SessionId) -> Result<Option<Stretch>> {
    let Some(session) = record::by_id(conn, &caller.project, session)? else { return Ok(None) };
    let from = seen_to(conn, caller, &session.id)?;
    let of_session = Filter { sessions: vec![session.id.clone()], ..Filter::default() };
    let after = Filter { after_position: Some(from), ..of_session.clone() };
    let new = event::list(conn, &caller.project, &after, Order::OldestFirst, EVENTS_AT_ONCE)?;
    let is_last = (new.len() as i64) < EVENTS_AT_ONCE;
    // More may have been said after as many events as are read at once, so these are noted as looked at.
    if is_last && !new.iter().any(|event| HEARD.contains(&event.kind)) {
        return Ok(None);
    }
    let before = Filter { before_position: Some(from + 1), ..of_session };
    let mut events = event::list(conn, &caller.project, &before, Order::NewestFirst, CONTEXT)?;
    events.reverse();
    let to = new.last().map_or(from, |event| event.position);
    events.extend(new);
    Ok(Some(Stretch { session, from, to, events, is_last }))
}

/// Up to which position of the log the session was looked at.
fn seen_to(conn: &mut dyn Connection, caller: &Caller, session: &SessionId) -> Result<i64> {
    let ledger = Filter {
        sessions: vec![session.clone()],
        kinds: vec![Kind::SystemEvent],
        target: Some(LEDGER_TARGET.to_owned()),
        ..Filter::default()
    };
    let last = event::list(conn, &caller.project, &ledger, Order::NewestFirst, 1)?;
    let Some(note) = last.first() else { return Ok(0) };
    if note.purge.is_some() {
        // It went with what it tells of; what stood before it is not to be heard any more.
        return Ok(note.position);
    }
    // Any guess would leave something out or make memories surer of what was heard once.
    noted_to(note).ok_or_else(|| {
        let why = format!("the note {} does not say how far session {session} was looked at", note.id);
        StoreError::Corrupt(why).into()
    })
}

/// Up to which position a session was looked at, where an event notes that.
pub(crate) fn looked_at_to(note: &Event) -> Option<i64> {
    let is_note = note.kind == Kind::SystemEvent && note.target.as_deref() == Some(LEDGER_TARGET);
    is_note.then(|| noted_to(note)).flatten()
}

fn noted_to(note: &Event) -> Option<i64> {
    let parts: Json = serde_json::from_str(note.parts.as_deref()?).ok()?;
    parts["to"].as_i64()
}

/// Without what the events before said, which somebody has looked at.
fn fresh(stretch: &Stretch, boot: &BootFiles) -> Extraction {
    let new = stretch.unseen();
    let seen = &stretch.events[..stretch.events.len() - new.len()];
    let mut extraction = extract(&stretch.events, boot);
    let known = extract(seen, boot);
    extraction.events -= known.events;
    for (reason, count) in known.discarded {
        extraction.discarded.entry(reason).and_modify(|all| *all = all.saturating_sub(count));
    }
    extraction.discarded.retain(|_, count| *count > 0);
    let is_new = |id: &EventId| new.iter().any(|event| event.id == *id);
    extraction.candidates.retain(|candidate| candidate.evidence.iter().any(|one| is_new(&one.event)));
    extraction
}

/// What the project's own files tell agents, where the session worked on this machine.
fn boot_files(session: &Session) -> BootFiles {
    let texts = session.workspace.as_deref().map(repository::told_to_agents).unwrap_or_default();
    BootFiles::of(texts.iter().map(String::as_str))
}
