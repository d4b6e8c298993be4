//! A session's scratchpad: a JSON object changed by merge patches, guarded by a version.

use serde_json::{Map, Value as Json, json};
use throughline_store::event::{Kind, Role};
use throughline_store::id::EventId;
use throughline_store::session::{self as record, Session};
use throughline_store::{Connection, Error as StoreError};

use super::find;
use crate::capture::{Note, Observation, Opening, SessionRef, one_line, redact};
use crate::{Caller, Engine, Error, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Scratchpad {
    pub session: Session,
    pub state: Json,
    pub version: i64,
}

/// A change to a scratchpad (RFC 7396: null removes, objects merge, everything else replaces).
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    pub patch: Json,
    /// Refuse when the scratchpad is not at this version any more.
    pub if_version: Option<i64>,
}

const TARGET: &str = "scratchpad";
const MAX_BYTES: usize = 256 * 1024;
/// The keys with a meaning, and whether they hold a list.
const KNOWN_LISTS: [&str; 3] = ["files_in_progress", PASSED, "blockers"];
const PASSED: &str = "validation_gates_passed";
const KNOWN_TEXTS: [&str; 2] = ["current_task", "spec_file"];

impl Engine {
    pub fn scratchpad(&self, caller: &Caller, name: Option<&str>) -> Result<Scratchpad> {
        self.store.read(|conn| read(find(conn, caller, name)?))
    }

    pub fn update_scratchpad(
        &self,
        caller: &Caller,
        name: Option<&str>,
        update: &Update,
    ) -> Result<Scratchpad> {
        let (patch, redactions) = cleaned(update)?;
        let now = self.now();
        let id: EventId = self.ids.next(now);
        self.write(caller, |tx| {
            let before = read(find(tx, caller, name)?)?;
            check_version(before.version, update.if_version)?;
            self.apply(tx, caller, &before, &patch)?;
            self.note_change(tx, caller, &before, &patch, redactions, id.clone())?;
            read(find(tx, caller, Some(before.session.id.as_str()))?)
        })
    }

    /// The same in the session that the caller works in, which opens with this where it has not yet.
    pub fn update_scratchpad_within(
        &self,
        caller: &Caller,
        (session, opening): (&SessionRef, &Opening),
        update: &Update,
    ) -> Result<Scratchpad> {
        let (patch, _) = cleaned(update)?;
        let run = session.clone().run(&caller.actor);
        self.write(caller, |tx| {
            let known = record::present(tx, &caller.project, run.client.as_deref(), &run.name)?;
            let version = known.map_or(0, |session| session.scratchpad_version);
            check_version(version, update.if_version)?;
            let change = Observation {
                opening: opening.clone(),
                role: Some(Role::System),
                target: Some(TARGET.to_owned()),
                summary: Some(changed_keys(&patch)),
                parts: Some(json!({ "patch": update.patch, "version": version + 1 })),
                ..Observation::of(Kind::SystemEvent, session.clone())
            };
            let id = self.capture_within(tx, caller, change)?.session_id;
            let before = read(find(tx, caller, Some(id.as_str()))?)?;
            self.apply(tx, caller, &before, &patch)?;
            read(find(tx, caller, Some(id.as_str()))?)
        })
    }

    fn apply(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        before: &Scratchpad,
        patch: &Json,
    ) -> Result<()> {
        let mut state = before.state.clone();
        merge(&mut state, patch);
        check(&state)?;
        let text = state.to_string();
        if !record::write_scratchpad(tx, &caller.project, &before.session.id, &text, before.version)? {
            // Somebody was faster; running again merges into what they wrote.
            return Err(StoreError::Busy { waited_ms: 0 }.into());
        }
        match passes_another(&before.state, &state) {
            true => self.request_generation(tx, caller, &before.session.id),
            false => Ok(()),
        }
    }

    fn note_change(
        &self,
        tx: &mut dyn Connection,
        caller: &Caller,
        before: &Scratchpad,
        patch: &Json,
        redactions: u32,
        id: EventId,
    ) -> Result<()> {
        let note = Note {
            session: &before.session.id,
            actor: caller.actor.clone(),
            at: self.now(),
            kind: Kind::SystemEvent,
            id,
            target: TARGET,
            summary: changed_keys(patch),
            content: None,
            parts: Some(json!({ "patch": patch, "version": before.version + 1 })),
            triggered_by: None,
            informs: None,
            redactions: i64::from(redactions),
        };
        self.note(tx, caller, note)
    }
}

/// The patch without secrets, and how many were taken out.
fn cleaned(update: &Update) -> Result<(Json, u32)> {
    let mut patch = update.patch.clone();
    let redactions = redact::json(&mut patch);
    if patch.is_object() {
        return Ok((patch, redactions));
    }
    Err(Error::Invalid(
        "a scratchpad is changed by a JSON object, for instance {\"current_task\": \"…\"}".into(),
    ))
}

/// Whether a gate is passed that was not before.
fn passes_another(before: &Json, after: &Json) -> bool {
    let passed = |state: &Json| state.get(PASSED).and_then(Json::as_array).cloned().unwrap_or_default();
    let known = passed(before);
    passed(after).iter().any(|gate| !known.contains(gate))
}

fn changed_keys(patch: &Json) -> String {
    let keys: Vec<&str> = patch.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    one_line(&format!("scratchpad: {}", keys.join(", ")))
}

pub(super) fn read(session: Session) -> Result<Scratchpad> {
    let state = serde_json::from_str(&session.scratchpad).map_err(|e| {
        StoreError::Corrupt(format!("the scratchpad of session {} is not JSON: {e}", session.id))
    })?;
    Ok(Scratchpad { state, version: session.scratchpad_version, session })
}

fn check_version(current: i64, expected: Option<i64>) -> Result<()> {
    match expected {
        Some(version) if version != current => Err(Error::Conflict(format!(
            "the scratchpad is at version {current} and not {version} any more; nothing was changed; read it and try again with version {current}"
        ))),
        _ => Ok(()),
    }
}

fn check(state: &Json) -> Result<()> {
    if state.to_string().len() > MAX_BYTES {
        return Err(Error::Invalid(format!(
            "the scratchpad would be larger than {MAX_BYTES} bytes; keep long texts in files and name them here"
        )));
    }
    let wrong = |key: &str, what: &str| Error::Invalid(format!("{key:?} in the scratchpad must be {what}"));
    for key in KNOWN_LISTS {
        if state.get(key).is_some_and(|value| !value.is_array()) {
            return Err(wrong(key, "a list"));
        }
    }
    for key in KNOWN_TEXTS {
        if state.get(key).is_some_and(|value| !value.is_string()) {
            return Err(wrong(key, "a text"));
        }
    }
    Ok(())
}

/// RFC 7396.
fn merge(target: &mut Json, patch: &Json) {
    let Json::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Json::Object(Map::new());
    }
    let Json::Object(object) = target else { unreachable!("made an object above") };
    for (key, value) in patch {
        if value.is_null() {
            object.shift_remove(key);
        } else {
            merge(object.entry(key.clone()).or_insert(Json::Null), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::merge;

    #[test]
    fn patches_merge_as_rfc_7396_says() {
        // The examples of the RFC's appendix.
        let cases = [
            (json!({"a":"b"}), json!({"a":"c"}), json!({"a":"c"})),
            (json!({"a":"b"}), json!({"b":"c"}), json!({"a":"b","b":"c"})),
            (json!({"a":"b"}), json!({"a":null}), json!({})),
            (json!({"a":"b","b":"c"}), json!({"a":null}), json!({"b":"c"})),
            (json!({"a":["b"]}), json!({"a":"c"}), json!({"a":"c"})),
            (json!({"a":"c"}), json!({"a":["b"]}), json!({"a":["b"]})),
            (json!({"a":{"b":"c"}}), json!({"a":{"b":"d","c":null}}), json!({"a":{"b":"d"}})),
            (json!({"a":[{"b":"c"}]}), json!({"a":[1]}), json!({"a":[1]})),
            (json!({"e":null}), json!({"a":1}), json!({"e":null,"a":1})),
            (json!({}), json!({"a":{"bb":{"ccc":null}}}), json!({"a":{"bb":{}}})),
        ];
        for (before, patch, after) in cases {
            let mut state: Value = before.clone();
            merge(&mut state, &patch);
            assert_eq!(state, after, "{before} patched with {patch}");
        }
    }
}
