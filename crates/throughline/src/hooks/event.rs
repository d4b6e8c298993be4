//! From what a client said to what is recorded: which session it belongs to, and a key under which it is recorded once
//! however often it is told.

use std::path::PathBuf;

use serde_json::{Map, Value as Json};
use throughline_engine::capture::{Observation, Opening, SessionRef, Then};
use throughline_engine::store::actor::ActorKind;
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

use super::{Client, Heard, Moment, said};

/// What was handed to a hook.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said<'a> {
    pub(crate) client: Client,
    pub(crate) event: Option<&'a str>,
    pub(crate) payload: &'a Json,
    pub(crate) now: Timestamp,
}

/// What is the same for everything that one event tells.
#[derive(Debug, Clone, Default)]
pub(crate) struct Head<'a> {
    pub(crate) event: &'a str,
    pub(crate) session: String,
    /// The session that this one works for, by the client's own id.
    pub(crate) parent: Option<String>,
    pub(crate) role: Option<String>,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) branch: Option<String>,
    /// What sets this event apart from an equal one a moment later: the client's time or turn. Without one it is the
    /// second in which it is heard.
    pub(crate) stamp: Option<String>,
    /// What else is worth knowing about the session, by name.
    pub(crate) about: Vec<(&'static str, String)>,
}

/// One thing that happened, before it has a session and a key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seen {
    pub(crate) kind: Kind,
    pub(crate) target: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) content: Option<String>,
    pub(crate) parts: Option<Json>,
    /// The client's own id for it.
    pub(crate) id: Option<String>,
    pub(crate) then: Then,
}

impl Seen {
    pub(crate) fn of(kind: Kind) -> Seen {
        Seen { kind, target: None, summary: None, content: None, parts: None, id: None, then: Then::GoesOn }
    }

    pub(crate) fn message(kind: Kind, content: String) -> Seen {
        Seen { content: Some(content), ..Seen::of(kind) }
    }

    /// A note about the session itself.
    pub(crate) fn note(target: &str, summary: String) -> Seen {
        let (target, summary) = (Some(target.to_owned()), Some(summary));
        Seen { target, summary, ..Seen::of(Kind::SystemEvent) }
    }
}

impl<'a> Said<'a> {
    pub(crate) fn heard(
        &self,
        head: Head<'a>,
        moment: Moment,
        seen: Vec<Seen>,
    ) -> Result<Option<Heard>, String> {
        if head.session.is_empty() {
            let named = format!("the event {}", said::line(head.event));
            return Err(format!("{} names no session", named.trim_end()));
        }
        let is_said = seen.iter().any(|seen| seen.kind == Kind::UserMessage);
        Ok(Some(Heard {
            client: self.client,
            event: said::line(head.event),
            session: self.session(&head),
            opening: self.opening(&head),
            folder: head.folder.clone(),
            actor: if is_said { ActorKind::User } else { ActorKind::Agent },
            observations: self.observations(&head, seen),
            moment,
        }))
    }

    /// What was seen as observations of the session, each under its key.
    pub(crate) fn observations(&self, head: &Head<'_>, seen: Vec<Seen>) -> Vec<Observation> {
        let (session, opening) = (self.session(head), self.opening(head));
        let observe = |seen: Seen| Observation {
            opening: opening.clone(),
            client_key: Some(self.key(head, &seen)),
            target: seen.target,
            summary: seen.summary.as_deref().map(said::line),
            content: seen.content,
            parts: seen.parts,
            then: seen.then,
            ..Observation::of(seen.kind, session.clone())
        };
        seen.into_iter().map(observe).collect()
    }

    fn session(&self, head: &Head<'_>) -> SessionRef {
        SessionRef::Of { client: self.client.name().to_owned(), session: head.session.clone() }
    }

    fn opening(&self, head: &Head<'_>) -> Opening {
        let of_client = |session| SessionRef::Of { client: self.client.name().to_owned(), session };
        Opening {
            chatmode: head.role.clone().filter(|role| !role.is_empty()),
            git_branch: head.branch.clone(),
            parent: head.parent.clone().map(of_client),
            metadata: metadata(&head.about),
            ..Opening::default()
        }
    }

    /// The same for each telling of one thing: by the client's own id for it, else by what it says and when.
    fn key(&self, head: &Head<'_>, seen: &Seen) -> String {
        let of = [self.client.name(), &head.session, seen.kind.as_str()];
        let fingerprint = match &seen.id {
            Some(id) => fingerprint(of.into_iter().chain(["id", id])),
            None => {
                let second = || (self.now.0 / 1_000_000).to_string();
                let stamp = head.stamp.clone().unwrap_or_else(second);
                // What a tool returned may be told in more than one way; notes differ in nothing else.
                let note = seen.summary.as_deref().filter(|_| seen.kind == Kind::SystemEvent);
                let said = [seen.target.as_deref(), seen.content.as_deref(), note, Some(stamp.as_str())];
                fingerprint(of.into_iter().chain(["said"]).chain(said.map(Option::unwrap_or_default)))
            }
        };
        format!("hook {fingerprint:016x}")
    }
}

/// The same for the same texts on every machine and in every version: what is recorded once must not be recorded again by
/// a newer program. FNV-1a.
fn fingerprint<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    // A byte that no text has ends each of them.
    let bytes = texts.flat_map(|text| text.bytes().chain([0xff]));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

fn metadata(about: &[(&'static str, String)]) -> Option<Json> {
    let fields = about.iter().map(|(name, value)| ((*name).to_owned(), Json::from(value.as_str())));
    let fields: Map<String, Json> = fields.collect();
    (!fields.is_empty()).then_some(Json::Object(fields))
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn a_fingerprint_is_the_same_in_every_version() {
        assert_eq!(fingerprint(["a", "bc"].into_iter()), 0xa0a3542c19b900ab);
        assert_ne!(fingerprint(["a", "bc"].into_iter()), fingerprint(["ab", "c"].into_iter()));
    }
}
