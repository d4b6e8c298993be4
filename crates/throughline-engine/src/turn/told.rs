//! What was told: its text, its parts, and the note of it in the log.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use serde_json::{Value as Json, json};
use throughline_inference::tokens;
use throughline_store::Connection;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::checkpoint::Reason;
use throughline_store::context_entry::{self, ContextEntry, Holder};
use throughline_store::event::Kind;
use throughline_store::id::{CheckpointId, EventId, SessionId};
use throughline_store::item::Item;
use throughline_store::memory::Memory;
use throughline_store::session as record;

use super::given::Given;
use super::{LeftOut, Need, TurnContext};
use crate::backlog::RecentWork;
use crate::capture::{Note, Observation, Outcome, Recorded};
use crate::hold::checkpoint::{Wish, agent_of};
use crate::orient::Orientation;
use crate::recall::{Found, Hit};
use crate::{Caller, Engine, Result};

/// A text that is to be put before a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub text: String,
    pub tokens: u64,
    pub pieces: Vec<Piece>,
    pub left_out: LeftOut,
    moment: &'static str,
    /// What the model has after it.
    given: Given,
}

/// One thing that is told.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Its id, or what it is.
    pub key: String,
    pub why: Why,
    /// How well it matches the prompt.
    pub score: Option<f64>,
    pub(super) is_memory: bool,
    /// Changes when the thing does.
    pub(super) mark: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The prompt names it.
    Named,
    /// The prompt is about it.
    Relevant,
    /// It holds whatever the prompt is about.
    Rule,
    /// It says where the project stands.
    Orientation,
    /// The context was lost.
    Compaction,
    /// The agent holds it HOT.
    Held,
    /// It goes with everything that is told.
    Always,
}

impl Why {
    pub fn as_str(self) -> &'static str {
        match self {
            Why::Named => "named",
            Why::Relevant => "relevant",
            Why::Rule => "rule",
            Why::Orientation => "orientation",
            Why::Compaction => "compaction",
            Why::Held => "held",
            Why::Always => "always",
        }
    }
}

/// What is noted beside observations, in their transaction, unless they had been made before.
#[derive(Debug, Clone, Copy)]
pub enum Beside<'a> {
    Nothing,
    Told(&'a Told),
    /// The model may have lost what it was given.
    Lost,
    /// The client is about to throw its context away.
    Compaction {
        told: Option<&'a Told>,
    },
}

pub const INJECTION_TARGET: &str = "injection";

impl Told {
    pub(super) fn new(need: Need<'_>, context: &TurnContext, given: Given, text: String) -> Told {
        let pieces = pieces(context);
        let tokens = tokens::count(&text);
        Told {
            given: given.with(&pieces, tokens),
            left_out: context.left_out,
            moment: need.as_str(),
            text,
            tokens,
            pieces,
        }
    }

    fn summary(&self) -> String {
        let names: Vec<&str> = self.pieces.iter().map(|piece| piece.key.as_str()).take(6).collect();
        let more = self.pieces.len().saturating_sub(names.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("gave {} tokens at {}: {}{more}", self.tokens, self.moment, names.join(", "))
    }

    fn parts(&self) -> Json {
        let piece = |piece: &Piece| match piece.score {
            Some(score) => json!({ "what": piece.key, "why": piece.why.as_str(), "score": rounded(score) }),
            None => json!({ "what": piece.key, "why": piece.why.as_str() }),
        };
        json!({
            "moment": self.moment,
            "tokens": self.tokens,
            "given": self.pieces.iter().map(piece).collect::<Vec<_>>(),
            "left_out": { "told_before": self.left_out.told_before, "no_room": self.left_out.no_room },
        })
    }
}

fn rounded(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}

impl Engine {
    /// Records observations and what a model is told because of them, all or none.
    pub fn capture_turn(
        &self,
        caller: &Caller,
        observations: Vec<Observation>,
        beside: Beside<'_>,
    ) -> Result<Vec<Recorded>> {
        let prepared = self.prepared(caller, observations)?;
        let now = self.now();
        let ids: (CheckpointId, EventId) = (self.ids.next(now), self.ids.next(now));
        self.write(caller, |tx| {
            let recorded = self.append(tx, caller, &prepared)?;
            let fresh = recorded.iter().find(|event| event.outcome == Outcome::Appended);
            if let Some(first) = fresh {
                self.note_beside(tx, caller, first, beside, &ids)?;
            }
            Ok(recorded)
        })
    }

    fn note_beside(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        first: &Recorded,
        beside: Beside<'_>,
        (checkpoint, injection): &(CheckpointId, EventId),
    ) -> Result<()> {
        let told = match beside {
            Beside::Nothing | Beside::Lost => None,
            Beside::Told(told) => Some(told),
            Beside::Compaction { told } => {
                self.note_checkpoint(tx, caller, first, checkpoint)?;
                told
            }
        };
        if let Some(told) = told {
            self.note_told(tx, caller, first, (told, injection))?;
        }
        if matches!(beside, Beside::Lost | Beside::Compaction { .. }) {
            forget_given(tx, caller, &first.session_id)?;
        }
        Ok(())
    }

    fn note_told(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        first: &Recorded,
        (told, id): (&Told, &EventId),
    ) -> Result<()> {
        let note = Note {
            kind: Kind::MemoryRecall,
            triggered_by: Some(first.id.clone()),
            parts: Some(told.parts()),
            ..self.own_note(&first.session_id, INJECTION_TARGET, told.summary(), id.clone())
        };
        self.note(tx, caller, note)?;
        Ok(record::set_given(tx, &caller.project, &first.session_id, &told.given.written())?)
    }

    /// What has been done so far, before the model forgets it.
    /// What the session stands at; with it goes what its agent holds, which begins anew with what is HOT.
    fn note_checkpoint(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        first: &Recorded,
        id: &CheckpointId,
    ) -> Result<()> {
        let Some(session) = record::by_id(tx, &caller.project, &first.session_id)? else { return Ok(()) };
        let agent = agent_of(&session);
        let holder = Holder { project: &caller.project, agent: &agent };
        if context_entry::list(tx, holder)?.is_empty() {
            let title = "before the client's compaction".to_owned();
            let wish = Wish::of(&session, id.clone(), Reason::Compaction, title);
            self.make_checkpoint(tx, caller, wish).map(|_| ())
        } else {
            self.flash(tx, caller, &agent, (&session, id.clone())).map(|_| ())
        }
    }

    fn own_note<'a>(
        &self,
        session: &'a SessionId,
        target: &'a str,
        summary: String,
        id: EventId,
    ) -> Note<'a> {
        Note {
            session,
            actor: Actor { kind: ActorKind::Agent, name: "throughline".to_owned() },
            at: self.now(),
            kind: Kind::SystemEvent,
            id,
            target,
            summary,
            content: None,
            parts: None,
            triggered_by: None,
            informs: None,
            redactions: 0,
        }
    }
}

fn forget_given(tx: &mut dyn Connection, caller: &Caller, session: &SessionId) -> Result<()> {
    let given = Given::read(record::given(tx, &caller.project, session)?.as_deref()).forgotten();
    Ok(record::set_given(tx, &caller.project, session, &given.written())?)
}

fn pieces(context: &TurnContext) -> Vec<Piece> {
    let named = context.named.iter().map(|item| Piece { why: Why::Named, ..of_item(item) });
    let mut pieces: Vec<Piece> = named.chain(context.relevant.iter().map(of_hit)).collect();
    pieces.extend(context.rules.iter().map(|memory| Piece { why: Why::Rule, ..of_memory(memory) }));
    pieces.extend(context.orientation.iter().flat_map(of_orientation));
    pieces.extend(
        context
            .thread
            .iter()
            .map(|thread| Piece { why: Why::Compaction, ..plain("this session", mark(&thread.lines)) }),
    );
    pieces.extend(context.held.iter().map(of_entry));
    let work = context.work.as_ref().filter(|work| !work.is_empty());
    pieces.extend(work.map(of_work));
    pieces.extend(context.scratchpad.as_ref().map(of_scratchpad));
    pieces
}

fn of_orientation(orientation: &Orientation) -> Vec<Piece> {
    let memories = orientation.rules.shown.iter().chain(&orientation.decisions.shown).map(of_memory);
    let items = orientation.in_progress.shown.iter().chain(&orientation.open.shown).map(of_item);
    let about = of_orienting();
    let work = Some(orientation.work()).filter(|work| !work.is_empty());
    [about].into_iter().chain(memories).chain(items).chain(work.as_ref().map(of_work)).collect()
}

/// That the model was told where the project stands, whatever it was.
pub(super) fn of_orienting() -> Piece {
    plain("orientation", String::new())
}

pub(super) fn of_hit(hit: &Hit) -> Piece {
    let piece = match &hit.found {
        Found::Memory(memory) => of_memory(memory),
        Found::Item(item) => of_item(item),
        Found::Event(event) => plain(event.id.as_str(), String::new()),
        Found::Resource(resource) => plain(&resource.path, mark(&resource.updated_at.0)),
        Found::Code(code) => plain(&code.place(), mark(&code.file.hash)),
    };
    Piece { why: Why::Relevant, score: Some(hit.score.matching), ..piece }
}

/// What a memory says never changes.
pub(super) fn of_memory(memory: &Memory) -> Piece {
    Piece { is_memory: true, ..plain(memory.id.as_str(), String::new()) }
}

pub(super) fn of_item(item: &Item) -> Piece {
    plain(item.id.as_str(), mark(&(item.status.as_str(), &item.title)))
}

pub(super) fn of_entry(entry: &ContextEntry) -> Piece {
    Piece { why: Why::Held, ..plain(entry.id.as_str(), entry.content_hash.clone()) }
}

pub(super) fn of_work(work: &RecentWork) -> Piece {
    let completed: Vec<_> = work.completed.iter().map(|one| (one.id.as_str(), one.at.0)).collect();
    let blockers: Vec<_> = work.blockers.iter().map(|one| (one.id.as_str(), &one.reasons)).collect();
    Piece { why: Why::Always, ..plain("working memory", mark(&(completed, blockers))) }
}

pub(super) fn of_scratchpad(scratchpad: &Json) -> Piece {
    Piece { why: Why::Always, ..plain("scratchpad", mark(&scratchpad.to_string())) }
}

fn plain(key: &str, mark: String) -> Piece {
    Piece { key: key.to_owned(), why: Why::Orientation, score: None, is_memory: false, mark }
}

fn mark(state: &impl Hash) -> String {
    let mut hash = DefaultHasher::new();
    state.hash(&mut hash);
    format!("{:08x}", hash.finish() as u32)
}
