//! A statement to be remembered: checked, cleaned of secrets and read before the transaction that keeps it.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use throughline_store::id::{EventId, MemoryId, SessionId};
use throughline_store::memory::{Kind, Memory, Origin, Scope, Source, Status};
use throughline_store::time::Timestamp;

use super::Action;
use super::cite::{Citation, packed};
use super::consolidate::Relation;
use super::decide::Spoken;
use super::hearsay::quotes;
use crate::capture::{
    Opening, SessionRef, mark, one_line, redacted, refuse_secret, shortened, without_controls,
};
use crate::index::terms::{TermId, label};
use crate::index::vectors::Vector;
use crate::index::{Document, Text};
use crate::{Caller, Engine, Error, Result, mine};

/// What somebody wants to be remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    pub content: String,
    /// The beginning of the content unless given.
    pub title: Option<String>,
    pub kind: Kind,
    pub scope: Scope,
    pub tags: Vec<String>,
    /// 0 to 1; follows from the kind unless given.
    pub importance: Option<f64>,
    /// 0 to 1; follows from the source unless given.
    pub confidence: Option<f64>,
    pub source: Source,
    /// Where it was read: a file and its line.
    pub from: Option<String>,
    pub state_key: Option<String>,
    /// The memory it takes the place of, by its id or the beginning of it.
    pub supersedes: Option<String>,
    pub occurred_at: Option<Timestamp>,
    pub expires_at: Option<Timestamp>,
    /// The code that it is about.
    pub cites: Vec<Citation>,
    pub session: SessionRef,
    pub opening: Opening,
}

impl Statement {
    pub fn of(content: impl Into<String>) -> Statement {
        Statement {
            content: content.into(),
            title: None,
            kind: Kind::Fact,
            scope: Scope::App,
            tags: vec![],
            importance: None,
            confidence: None,
            source: Source::Explicit,
            from: None,
            state_key: None,
            supersedes: None,
            occurred_at: None,
            expires_at: None,
            cites: vec![],
            session: SessionRef::Own,
            opening: Opening::default(),
        }
    }
}

/// Why a statement is made, and in which session that is noted.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cause {
    /// Somebody makes it now.
    Said { session: SessionRef, opening: Box<Opening> },
    /// It was found in what a session said, which stays as it is.
    /// `said_at`: when it was said last. `tentative`: it is kept only where it is about something that is known.
    Found { session: SessionId, at: Timestamp, said_at: Timestamp, evidence: Vec<Origin>, tentative: bool },
}

/// Memories that hold beside what is stated.
pub(super) type Beside = Arc<HashSet<MemoryId>>;

/// A statement that has only its number and its event still to get.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) memory: Memory,
    pub(super) cause: Cause,
    pub(super) from: Option<String>,
    pub(super) supersedes: Option<String>,
    pub(super) redactions: i64,
    /// What was decided, where it is a decision.
    pub(super) decision: Option<Spoken>,
    /// What a model says that it is to known memories.
    pub(super) advice: Vec<(MemoryId, Relation)>,
    /// What it is not compared with.
    pub(super) beside: Beside,
    document: Document,
}

pub(super) const MAX_CONTENT_BYTES: usize = 64 * 1024;
const MAX_TITLE_BYTES: usize = 500;
const MAX_TAGS: usize = 32;
const TITLE_CHARS: usize = 80;

impl Engine {
    pub(super) fn draft(&self, caller: &Caller, statement: Statement, now: Timestamp) -> Result<Draft> {
        check(&statement, now)?;
        let mut redactions = 0;
        let content = redacted(mark::strip(&statement.content).trim().to_owned(), &mut redactions);
        if content.is_empty() {
            return Err(Error::Invalid(
                "that is only what Throughline put before you, which it knows; write what shall last"
                    .to_owned(),
            ));
        }
        let title = statement.title.map(|title| redacted(title, &mut redactions));
        let title =
            title.map(|title| without_controls(&title).trim().to_owned()).filter(|title| !title.is_empty());
        let told = [Some(content.as_str()), title.as_deref()];
        let is_hearsay = told.into_iter().flatten().any(|text| quotes(&caller.actor, statement.kind, text));
        let source = if is_hearsay { Source::ToolOutput } else { statement.source };
        let quarantined = source == Source::ToolOutput;
        let memory = Memory {
            number: 0,
            document: 0,
            id: self.ids.next::<MemoryId>(now),
            kind: statement.kind,
            scope: statement.scope,
            status: if quarantined { Status::Quarantined } else { Status::Active },
            title: title.unwrap_or_else(|| shortened(&one_line(&content), TITLE_CHARS)),
            tags: tags(statement.tags)?,
            importance: statement.importance.unwrap_or_else(|| usual_importance(statement.kind)),
            confidence: statement.confidence.unwrap_or_else(|| usual_confidence(source)),
            source,
            actor: caller.actor.clone(),
            state_key: statement.state_key.as_deref().map(state_key),
            supersedes: None,
            superseded_by: None,
            created_at: now,
            occurred_at: statement.occurred_at,
            expires_at: statement.expires_at,
            ended: None,
            last_used_at: None,
            use_count: 0,
            last_verified_at: None,
            cites: packed(&statement.cites),
            content_hash: said(&content),
            content,
        };
        Ok(Draft {
            document: document(&memory, &[]),
            memory,
            from: statement.from,
            supersedes: statement.supersedes,
            cause: Cause::Said { session: statement.session, opening: Box::new(statement.opening) },
            redactions,
            decision: None,
            advice: vec![],
            beside: Beside::default(),
        })
    }
}

impl Draft {
    /// Whether it was found in what somebody said.
    pub(super) fn is_heard(&self) -> bool {
        matches!(self.cause, Cause::Found { .. })
    }

    /// The message that it was found in last.
    pub(super) fn heard_in(&self) -> Option<&EventId> {
        match &self.cause {
            Cause::Found { evidence, .. } => evidence.last().map(|origin| &origin.event),
            Cause::Said { .. } => None,
        }
    }

    /// Whether what says something else was said after it: sessions are not looked at in the order in which they were.
    pub(super) fn is_older_than(&self, said_at: Timestamp) -> bool {
        matches!(self.cause, Cause::Found { said_at: own, .. } if own < said_at)
    }

    /// Since when it is known: what was heard is as old as the words, whenever a job got to them.
    pub(super) fn known_since(&self) -> Timestamp {
        match self.cause {
            Cause::Found { said_at, .. } => said_at.min(self.memory.created_at),
            Cause::Said { .. } => self.memory.created_at,
        }
    }

    /// What the memory is found by, once its document and its tags are known.
    pub(super) fn document(&self, memory: &Memory) -> Document {
        if memory.tags == self.memory.tags {
            Document { number: memory.document, ..self.document.clone() }
        } else {
            document(memory, &[])
        }
    }

    /// What was said, where the memory says it in other words.
    pub(super) fn words_beside(&self, memory: &Memory) -> Option<&str> {
        Some(self.memory.content.as_str()).filter(|said| *said != memory.content)
    }

    /// The memory as its event keeps it: enough to make the memory again from the log.
    pub(super) fn record(&self, memory: &Memory, action: Action) -> Json {
        let said = self.words_beside(memory);
        json!({
            "action": action.as_str(),
            "memory_id": memory.id.as_str(),
            "kind": memory.kind.as_str(),
            "scope": memory.scope.as_str(),
            "status": memory.status.as_str(),
            "title": memory.title,
            "content": memory.content,
            "tags": memory.tags,
            "importance": memory.importance,
            "confidence": memory.confidence,
            "source": memory.source.as_str(),
            "state_key": memory.state_key,
            "supersedes": memory.supersedes.as_ref().map(MemoryId::as_str),
            "occurred_at": memory.occurred_at.map(|at| at.0),
            "expires_at": memory.expires_at.map(|at| at.0),
            "cites": memory.cites,
            "said": said,
        })
    }
}

/// What a memory is found by: its words, and others that it was said in.
pub(crate) fn document(memory: &Memory, wordings: &[String]) -> Document {
    // A tag is also a word that somebody may search for.
    let title = format!("{} {}", title_beyond(memory), memory.tags.join(" "));
    let text = Text { title: &title, body: &in_all_words(memory.content.clone(), wordings) };
    let vector = Vector::by_table(&meaningful(memory, wordings));
    Document::new(memory.document, text, &labels(memory), vector)
}

/// What a memory means: its title counts where it is more than the beginning of the content.
pub(crate) fn meaningful(memory: &Memory, wordings: &[String]) -> String {
    let own = match title_beyond(memory) {
        "" => memory.content.clone(),
        title => format!("{title}: {}", memory.content),
    };
    in_all_words(own, wordings)
}

fn in_all_words(own: String, wordings: &[String]) -> String {
    wordings.iter().fold(own, |all, words| all + "\n" + words)
}

/// A state key as it is kept: capitals do not make another. Those of commands do, which name what was counted.
pub fn state_key(key: &str) -> String {
    let is_counted = key.strip_prefix(mine::TAG).is_some_and(|rest| rest.starts_with(':'));
    if is_counted { key.to_owned() } else { key.trim().to_lowercase() }
}

fn title_beyond(memory: &Memory) -> &str {
    let beginning = memory.title.trim_end_matches('…');
    if memory.content.starts_with(beginning) { "" } else { &memory.title }
}

fn labels(memory: &Memory) -> Vec<TermId> {
    let mut labels = vec![label("kind", memory.kind.as_str()), label("scope", memory.scope.as_str())];
    labels.extend(memory.tags.iter().map(|tag| label("tag", tag)));
    labels
}

/// Statements that differ in spaces and capitals alone say the same.
fn said(content: &str) -> String {
    let words: Vec<String> = content.split_whitespace().map(str::to_lowercase).collect();
    let words = words.join(" ");
    let sentence = words.trim_end_matches(['.', '!']);
    let half = |seed: &str| crate::index::terms::term_id(&format!("{seed}{sentence}"));
    format!("{:016x}{:016x}", half("a"), half("b"))
}

fn usual_importance(kind: Kind) -> f64 {
    match kind {
        Kind::Rule | Kind::Decision => 0.8,
        Kind::Preference => 0.7,
        Kind::Skill => 0.6,
        Kind::Fact | Kind::Belief => 0.5,
        Kind::Context => 0.4,
    }
}

fn usual_confidence(source: Source) -> f64 {
    match source {
        Source::Explicit => 0.9,
        Source::Bootstrap => 0.7,
        Source::Implicit => 0.6,
        Source::ToolOutput => 0.4,
    }
}

fn tags(tags: Vec<String>) -> Result<Vec<String>> {
    let mut tags: Vec<String> = tags.into_iter().map(|tag| tag.trim().to_owned()).collect();
    tags.sort_unstable();
    tags.dedup();
    check_tags(&tags)?;
    Ok(tags)
}

pub(super) fn check_tags(tags: &[String]) -> Result<()> {
    if tags.len() > MAX_TAGS {
        return Err(Error::Invalid(format!(
            "the memory has {} tags and the limit is {MAX_TAGS}; keep the ones you would search by",
            tags.len()
        )));
    }
    for tag in tags {
        if tag.is_empty() || tag.len() > 100 || tag.contains(char::is_control) {
            return Err(Error::Invalid(format!(
                "the tag {tag:?} must have 1 to 100 bytes and no line breaks or control characters"
            )));
        }
        refuse_secret("tag", tag)?;
    }
    Ok(())
}

fn check(statement: &Statement, now: Timestamp) -> Result<()> {
    if statement.content.trim().is_empty() {
        return Err(Error::Invalid(
            "there is nothing to remember: the content is empty; write what shall last".to_owned(),
        ));
    }
    let sizes = [
        ("content", statement.content.len(), MAX_CONTENT_BYTES),
        ("title", statement.title.as_ref().map_or(0, String::len), MAX_TITLE_BYTES),
    ];
    for (what, size, limit) in sizes {
        if size > limit {
            return Err(Error::Invalid(format!(
                "the memory's {what} has {size} bytes and the limit is {limit}; remember the statement and name the \
                 file that has the rest"
            )));
        }
    }
    for (what, share) in [("importance", statement.importance), ("confidence", statement.confidence)] {
        if share.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
            return Err(Error::Invalid(format!("the memory's {what} must be between 0 and 1")));
        }
    }
    if let Some(key) = &statement.state_key {
        if key.trim().is_empty() || key.len() > 200 || key.contains(char::is_control) {
            return Err(Error::Invalid(
                "the state key must have 1 to 200 bytes and no line breaks or control characters".to_owned(),
            ));
        }
        refuse_secret("state key", key)?;
    }
    if statement.expires_at.is_some_and(|at| at <= now) {
        return Err(Error::Invalid("the memory would have expired already; name a later time".to_owned()));
    }
    Ok(())
}
