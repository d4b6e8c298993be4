//! From what a client said to what is recorded: which session it belongs to, and a key under which it is recorded once
//! however often it is told.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

use serde_json::{Map, Value as Json};
use throughline_engine::capture::{Observation, Opening, SessionRef, Then};
use throughline_engine::store::actor::ActorKind;
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

use super::{Client, Heard, Moment, said};

/// What was handed to a hook.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said<'a> {
    pub(super) client: Client,
    pub(super) event: Option<&'a str>,
    pub(super) payload: &'a Json,
    pub(super) now: Timestamp,
}

/// What is the same for everything that one event tells.
#[derive(Debug, Clone, Default)]
pub(super) struct Head<'a> {
    pub(super) event: &'a str,
    pub(super) session: String,
    /// The session that this one works for, by the client's own id.
    pub(super) parent: Option<String>,
    pub(super) role: Option<String>,
    pub(super) folder: Option<PathBuf>,
    pub(super) branch: Option<String>,
    /// What sets this event apart from an equal one a moment later: the client's time or turn. Without one it is the
    /// second in which it is heard.
    pub(super) stamp: Option<String>,
    /// What else is worth knowing about the session, by name.
    pub(super) about: Vec<(&'static str, String)>,
}

/// One thing that happened, before it has a session and a key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seen {
    pub(super) kind: Kind,
    pub(super) target: Option<String>,
    pub(super) summary: Option<String>,
    pub(super) content: Option<String>,
    pub(super) parts: Option<Json>,
    /// The client's own id for it.
    pub(super) id: Option<String>,
    pub(super) then: Then,
}

impl Seen {
    pub(super) fn of(kind: Kind) -> Seen {
        Seen { kind, target: None, summary: None, content: None, parts: None, id: None, then: Then::GoesOn }
    }

    pub(super) fn message(kind: Kind, content: String) -> Seen {
        Seen { content: Some(content), ..Seen::of(kind) }
    }

    /// A note about the session itself.
    pub(super) fn note(target: &str, summary: String) -> Seen {
        let (target, summary) = (Some(target.to_owned()), Some(summary));
        Seen { target, summary, ..Seen::of(Kind::SystemEvent) }
    }
}

impl<'a> Said<'a> {
    pub(super) fn heard(
        &self,
        head: Head<'a>,
        moment: Moment,
        seen: Vec<Seen>,
    ) -> Result<Option<Heard>, String> {
        if head.session.is_empty() {
            return Err(format!("the event {} names no session", said::line(head.event)));
        }
        let client = self.client.name().to_owned();
        let session = SessionRef::Of { client: client.clone(), session: head.session.clone() };
        let opening = Opening {
            chatmode: head.role.clone().filter(|role| !role.is_empty()),
            git_branch: head.branch.clone(),
            parent: head.parent.clone().map(|session| SessionRef::Of { client, session }),
            metadata: metadata(&head.about),
            ..Opening::default()
        };
        let is_said = seen.iter().any(|seen| seen.kind == Kind::UserMessage);
        let actor = if is_said { ActorKind::User } else { ActorKind::Agent };
        let observe = |seen: Seen| Observation {
            opening: opening.clone(),
            client_key: Some(self.key(&head, &seen)),
            target: seen.target,
            summary: seen.summary.as_deref().map(said::line),
            content: seen.content,
            parts: seen.parts,
            then: seen.then,
            ..Observation::of(seen.kind, session.clone())
        };
        let observations = seen.into_iter().map(observe).collect();
        let event = said::line(head.event);
        Ok(Some(Heard {
            client: self.client,
            event,
            session: session.clone(),
            opening: opening.clone(),
            folder: head.folder.clone(),
            actor,
            observations,
            moment,
        }))
    }

    /// The same for each telling of one thing: by the client's own id for it, else by what it says and when.
    fn key(&self, head: &Head<'_>, seen: &Seen) -> String {
        let mut hash = DefaultHasher::new();
        (self.client.name(), &head.session, seen.kind.as_str()).hash(&mut hash);
        match &seen.id {
            Some(id) => (true, id).hash(&mut hash),
            None => {
                let second = || (self.now.0 / 1_000_000).to_string();
                let stamp = head.stamp.clone().unwrap_or_else(second);
                // What a tool returned may be told in more than one way; notes differ in nothing else.
                let note = (seen.kind == Kind::SystemEvent).then_some(&seen.summary);
                (false, &seen.target, &seen.content, note, stamp).hash(&mut hash);
            }
        }
        format!("hook {:016x}", hash.finish())
    }
}

fn metadata(about: &[(&'static str, String)]) -> Option<Json> {
    let fields = about.iter().map(|(name, value)| ((*name).to_owned(), Json::from(value.as_str())));
    let fields: Map<String, Json> = fields.collect();
    (!fields.is_empty()).then_some(Json::Object(fields))
}
