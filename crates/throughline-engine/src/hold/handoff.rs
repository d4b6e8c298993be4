//! Handoffs: a role passes its work on, and one of those who come in the other role takes it, once.

use serde_json::{Map, Value as Json, json};
use throughline_store::Connection;
use throughline_store::event::Kind;
use throughline_store::handoff::{self as record, Filter, Handoff, Taken, Which};
use throughline_store::id::HandoffId;
use throughline_store::session::Session;

use crate::capture::{DEFAULT_CHATMODE, During, Observation, check_names, one_line, redact};
use crate::compact::{self, Digest, text};
use crate::{Caller, Engine, Error, Result};

/// What somebody passes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Give {
    pub to_role: String,
    /// The session's own when not given.
    pub workflow: Option<String>,
    /// A JSON object: beside what the session itself says, or in its place.
    pub context: Map<String, Json>,
}

const MAX_CONTEXT_BYTES: usize = 64 * 1024;

impl Engine {
    /// Passes on what the session stands at.
    pub fn give_handoff(&self, caller: &Caller, give: &Give, during: &During) -> Result<Handoff> {
        check_roles(&give.to_role, give.workflow.as_deref())?;
        let mut given = Json::Object(give.context.clone());
        redact::json(&mut given);
        if given.to_string().len() > MAX_CONTEXT_BYTES {
            return Err(Error::Invalid(format!(
                "the handoff's context is larger than {MAX_CONTEXT_BYTES} bytes; keep long texts in files and name them"
            )));
        }
        let now = self.now();
        let id: HandoffId = self.ids.next(now);
        self.write(caller, |tx| {
            let before = self.present_session(tx, caller, &during.session)?;
            let digest = match &before {
                Some(session) => compact::digest_now(tx, caller, session)?,
                None => Digest::default(),
            };
            let context = context(before.as_ref(), &digest, &given);
            let blockers = before.as_ref().map(compact::blockers).unwrap_or_default();
            let summary = text::of(&digest, &blockers, text::Detail::Story);
            let opened = during.opening.chatmode.as_deref().unwrap_or(DEFAULT_CHATMODE);
            let from_role = before.as_ref().map_or(opened, |session| &session.chatmode).to_owned();
            let observation = Observation {
                opening: during.opening.clone(),
                target: Some(give.to_role.clone()),
                summary: Some(format!("handed over from {from_role} to {}", give.to_role)),
                content: (!summary.is_empty()).then(|| summary.clone()),
                parts: Some(json!({ "handoff_id": id.as_str(), "context": context })),
                ..Observation::of(Kind::Handoff, during.session.clone())
            };
            let session = self.capture_within(tx, caller, observation)?.session_id;
            let handoff = Handoff {
                id: id.clone(),
                from_role,
                to_role: give.to_role.clone(),
                workflow: give.workflow.clone().or_else(|| before.and_then(|session| session.workflow)),
                session,
                given_by: caller.actor.clone(),
                given_at: now,
                context: context.to_string(),
                summary,
                taken: None,
            };
            record::insert(tx, &caller.project, &handoff)?;
            Ok(handoff)
        })
    }

    /// The oldest that waits for the role, which is nobody else's from then on; nothing when none waits.
    pub fn take_handoff(
        &self,
        caller: &Caller,
        (role, workflow): (&str, Option<&str>),
        during: &During,
    ) -> Result<Option<Handoff>> {
        check_roles(role, workflow)?;
        let now = self.now();
        self.write(caller, |tx| {
            let waiting = Filter {
                to_role: Some(role.to_owned()),
                workflow: workflow.map(str::to_owned),
                which: Which::Pending,
                after: None,
            };
            let Some(handoff) = record::list(tx, &caller.project, &waiting, 1)?.pop() else {
                return Ok(None);
            };
            let observation = Observation {
                opening: during.opening.clone(),
                target: Some(handoff.from_role.clone()),
                summary: Some(one_line(&format!("took over from {} as {role}", handoff.from_role))),
                parts: Some(json!({ "handoff_id": handoff.id.as_str(), "taken": true })),
                ..Observation::of(Kind::Handoff, during.session.clone())
            };
            let session = self.capture_within(tx, caller, observation)?.session_id;
            let taken = Taken { by: caller.actor.clone(), session: Some(session), at: now };
            if !record::take(tx, &caller.project, &handoff.id, &taken)? {
                // Nobody else writes to the project meanwhile; should it be so, whoever has it has it.
                return Err(throughline_store::Error::Busy { waited_ms: 0 }.into());
            }
            Ok(Some(Handoff { taken: Some(taken), ..handoff }))
        })
    }

    pub fn handoffs(&self, caller: &Caller, filter: &Filter, limit: i64) -> Result<(Vec<Handoff>, i64)> {
        self.store.read(|conn| {
            let found = record::list(conn, &caller.project, filter, limit)?;
            Ok((found, record::count(conn, &caller.project, filter)?))
        })
    }
}

/// What waits for a role; for any where the role is not known.
pub(crate) fn waiting(
    conn: &mut dyn Connection,
    caller: &Caller,
    role: Option<&str>,
    limit: i64,
) -> Result<(Vec<Handoff>, i64)> {
    let filter = Filter { to_role: role.map(str::to_owned), which: Which::Pending, ..Filter::default() };
    let found = record::list(conn, &caller.project, &filter, limit)?;
    let total = if found.is_empty() { 0 } else { record::count(conn, &caller.project, &filter)? };
    Ok((found, total))
}

/// What the session says of itself, and over it what the giver says.
fn context(session: Option<&Session>, digest: &Digest, given: &Json) -> Json {
    let scratchpad: Json =
        session.and_then(|session| serde_json::from_str(&session.scratchpad).ok()).unwrap_or_default();
    let texts = |lines: &[compact::Line]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    let gates = match &scratchpad["validation_gates_passed"] {
        Json::Null => json!(digest.gates),
        written => written.clone(),
    };
    let mut context = json!({
        "spec_file": scratchpad["spec_file"],
        "current_task": scratchpad["current_task"],
        "gates_passed": gates,
        "artifacts": digest.files,
        "key_decisions": texts(&digest.decisions),
        "unresolved": digest.unresolved_lines(),
        "blockers": session.map(compact::blockers).unwrap_or_default(),
        "open_questions": digest.questions,
        "next_steps": digest.next_steps,
    });
    let Json::Object(object) = &mut context else { unreachable!("made an object above") };
    object.extend(given.as_object().cloned().unwrap_or_default());
    let says_nothing = |value: &Json| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    object.retain(|_, value| !says_nothing(value));
    context
}

/// Whether a handoff can be for such a role.
pub fn check_roles(role: &str, workflow: Option<&str>) -> Result<()> {
    check_names(&[("role", Some(role)), ("workflow", workflow)])?;
    if role.trim().is_empty() {
        return Err(Error::Invalid(
            "name the role that the handoff is for, for instance reviewer".to_owned(),
        ));
    }
    Ok(())
}
