//! Asking the model that was chosen, inside the day's budget. What was answered before is not asked again, a model that
//! failed a moment ago is left alone for a while, and an answer of the wrong shape is asked for once more. Nobody waits for
//! it in a transaction, and everybody has another way when there is no answer.

mod budget;
mod mention;
mod rest;
mod status;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};
use throughline_inference::complete::{
    ClientModel, Completion, Error as Unanswered, Patience, Provider, Question, Usage, schema,
};
use throughline_inference::tokens;
use throughline_store::event::{self, Filter, Order};
use throughline_store::model_call::{self, ModelCall, Outcome, Purpose};
use throughline_store::time::Timestamp;
use throughline_store::{Connection, Error as StoreError, model_answer, project};

use budget::KEPT_DAYS;
pub(crate) use mention::{Mentioned, is_negative};
pub use status::{ModelStatus, Tested};

use crate::capture::redacted;
use crate::log::PURGE_TARGET;
use crate::{Caller, Engine, Error, Result};

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    /// Of the shape that was asked for.
    Answer(Json),
    /// None, and why.
    Without(String),
}

/// Something to ask, and what it is for.
pub(crate) struct Inquiry<'a> {
    pub(crate) purpose: Purpose,
    pub(crate) question: &'a Question,
    /// What an answer of the right shape must obey beside it; else what is wrong, in words for the model.
    pub(crate) check: &'a Check<'a>,
}

type Check<'a> = dyn Fn(&Json) -> std::result::Result<(), String> + 'a;

/// So many answers are kept for each project.
const ANSWERS: i64 = 1000;
/// Of an answer that is not usable, so much is shown to the model again.
const SHOWN_AGAIN: usize = 4000;
const DAY_MICROS: i64 = 86_400_000_000;
const NOBODY_LENDS: &str =
    "the client's own model is asked only by `throughline mcp`, while its client offers sampling";

/// An answer that was paid for.
enum Told {
    Usable(Json),
    Wrong { text: String, why: String },
    Failed(String),
}

impl Engine {
    /// Lends the model of the client that uses this engine, for as long as the process lives.
    pub fn lend_model(&self, model: ClientModel) {
        // The first client of a process is its only one.
        let _ = self.lent.set(model);
    }

    /// The model that questions go to. None when none was chosen, or when no client lends its own.
    pub(crate) fn provider(&self) -> std::result::Result<Option<&Provider>, Unanswered> {
        let Some(choice) = &self.settings.model.choice else { return Ok(None) };
        if let Some(provider) = self.provider.get() {
            return Ok(Some(provider));
        }
        let opened = Provider::open(choice, self.lent.get())?;
        Ok(opened.map(|provider| self.provider.get_or_init(|| provider)))
    }

    /// Whether there is anybody to ask at all.
    pub(crate) fn asks_a_model(&self) -> bool {
        self.settings.model.choice.is_some()
    }

    /// Asks, and asks once more where the answer has not the right shape.
    pub(crate) fn ask(&self, caller: &Caller, purpose: Purpose, question: &Question) -> Result<Reply> {
        self.inquire(caller, &Inquiry { purpose, question, check: &|_| Ok(()) })
    }

    /// Asks, and asks once more where the answer has not the right shape or does not pass the check. Without secrets. An
    /// error only where all of it may be tried again.
    pub(crate) fn inquire(&self, caller: &Caller, inquiry: &Inquiry<'_>) -> Result<Reply> {
        match self.inquire_by_ledger(caller, inquiry) {
            Err(Error::Store(error)) if !is_passing(&error) => {
                Ok(Reply::Without(format!("its calls cannot be counted: {error}")))
            }
            told => told,
        }
    }

    fn inquire_by_ledger(&self, caller: &Caller, inquiry: &Inquiry<'_>) -> Result<Reply> {
        let purpose = inquiry.purpose;
        let provider = match self.provider() {
            Ok(Some(provider)) => provider,
            Ok(None) => return self.not_asked(caller, purpose, (Outcome::NotLent, NOBODY_LENDS.to_owned())),
            Err(error) => return self.not_asked(caller, purpose, (Outcome::Failed, error.to_string())),
        };
        let key = key(&provider.name(), inquiry.question);
        if let Some(answer) = self.known_answer(caller, inquiry, &key)? {
            return Ok(Reply::Answer(answer));
        }
        if let Some(why) = self.resting(caller)? {
            return self.not_asked(caller, purpose, (Outcome::Resting, why));
        }
        let position = self.store.read(|conn| position(conn, caller))?;
        let reply = self.ask_provider(caller, provider, inquiry)?;
        if let Reply::Answer(answer) = &reply {
            self.keep_answer(caller, &key, answer, position)?;
        }
        Ok(reply)
    }

    fn ask_provider(&self, caller: &Caller, provider: &Provider, inquiry: &Inquiry<'_>) -> Result<Reply> {
        let until = self.now().plus(self.settings.model.timeout);
        let told = self.one_call(caller, provider, inquiry, (until, Outcome::Wrong))?;
        let told = match told {
            Told::Wrong { text, why } => {
                let again = corrected(inquiry.question, &text, &why);
                let again = Inquiry { question: &again, ..*inquiry };
                self.one_call(caller, provider, &again, (until, Outcome::Nonsense))?
            }
            other => other,
        };
        Ok(match told {
            Told::Usable(answer) => Reply::Answer(answer),
            Told::Wrong { why, .. } => Reply::Without(format!("its answer cannot be used: {why}")),
            Told::Failed(why) => Reply::Without(why),
        })
    }

    /// Reserves, asks and settles. `wrong` is what the ledger says of an answer that is not usable.
    fn one_call(
        &self,
        caller: &Caller,
        provider: &Provider,
        inquiry: &Inquiry<'_>,
        (until, wrong): (Timestamp, Outcome),
    ) -> Result<Told> {
        let (question, purpose) = (inquiry.question, inquiry.purpose);
        let asked_tokens = tokens::count(&question.in_words());
        let call =
            match self.reserve(caller, (provider.name(), purpose), (asked_tokens, question.max_tokens))? {
                Ok(call) => call,
                Err(why) => return Ok(Told::Failed(why)),
            };
        let completed = self.complete(provider, question, until);
        let duration_micros = self.now().0.saturating_sub(call.asked_at.0);
        let call = ModelCall { duration_micros, ..call };
        match completed {
            Err(error) => {
                // A program complains in its own words, which may quote the key that it was given.
                let why = redacted(error.to_string(), &mut 0);
                // What no model answered has cost nothing that anybody could know.
                let usage = Usage { tokens_in: 0, tokens_out: 0 };
                self.settle_call(caller, call, (Outcome::Failed, usage), Some(&why))?;
                Ok(Told::Failed(why))
            }
            Ok(completion) => {
                let usage = completion.usage.unwrap_or_else(|| Usage {
                    tokens_in: asked_tokens,
                    tokens_out: tokens::count(&completion.text),
                });
                self.judge(caller, inquiry, (call, usage, wrong), completion)
            }
        }
    }

    fn judge(
        &self,
        caller: &Caller,
        inquiry: &Inquiry<'_>,
        (call, usage, wrong): (ModelCall, Usage, Outcome),
        completion: Completion,
    ) -> Result<Told> {
        match inquiry.read(&completion.text) {
            Ok(answer) => {
                self.settle_call(caller, call, (Outcome::Answered, usage), None)?;
                Ok(Told::Usable(answer))
            }
            Err(why) => {
                self.settle_call(caller, call, (wrong, usage), Some(&why))?;
                Ok(Told::Wrong { text: completion.text, why })
            }
        }
    }

    fn complete(
        &self,
        provider: &Provider,
        question: &Question,
        until: Timestamp,
    ) -> std::result::Result<Completion, Unanswered> {
        let since_1970 = |at: Timestamp| Duration::from_micros(u64::try_from(at.0).unwrap_or(0));
        let patience = Patience {
            until: since_1970(until),
            now: &|| since_1970(self.now()),
            pause: &std::thread::sleep,
            below: &|bound| self.ids.below(bound),
        };
        provider.complete(question, &patience)
    }

    fn known_answer(&self, caller: &Caller, inquiry: &Inquiry<'_>, key: &str) -> Result<Option<Json>> {
        let known = self.store.read(|conn| model_answer::find(conn, &caller.project, key))?;
        let Some(answer) = known.and_then(|known| inquiry.read(&known).ok()) else { return Ok(None) };
        let call = self.ledger_entry(inquiry.purpose, Outcome::Cached, None);
        self.write(caller, |tx| {
            model_answer::note_used(tx, &caller.project, key, call.asked_at)?;
            Ok(model_call::insert(tx, &caller.project, &call)?)
        })?;
        Ok(Some(answer))
    }

    /// Unless something was purged since the position at which it was asked for: it may quote that.
    fn keep_answer(&self, caller: &Caller, key: &str, answer: &Json, position: i64) -> Result<()> {
        let (now, text) = (self.now(), answer.to_string());
        self.write(caller, |tx| match is_purged_since(tx, caller, position)? {
            false => Ok(model_answer::keep(tx, &caller.project, (key, &text), now, ANSWERS)?),
            true => Ok(()),
        })
    }

    /// The ledger says why nobody was asked.
    fn not_asked(
        &self,
        caller: &Caller,
        purpose: Purpose,
        (outcome, why): (Outcome, String),
    ) -> Result<Reply> {
        let call = self.ledger_entry(purpose, outcome, Some(why.clone()));
        self.write(caller, |tx| {
            model_call::forget_before(tx, &caller.project, call.day - KEPT_DAYS)?;
            Ok(model_call::insert(tx, &caller.project, &call)?)
        })?;
        Ok(Reply::Without(why))
    }

    /// An entry that costs nothing.
    fn ledger_entry(&self, purpose: Purpose, outcome: Outcome, detail: Option<String>) -> ModelCall {
        let now = self.now();
        let model = self.provider().ok().flatten().map(Provider::name).unwrap_or_default();
        ModelCall {
            id: self.ids.next(now),
            day: day(now),
            asked_at: now,
            purpose,
            model,
            outcome,
            tokens_in: 0,
            tokens_out: 0,
            cost: None,
            duration_micros: 0,
            detail,
        }
    }
}

impl Inquiry<'_> {
    /// The answer, where it can be used; else why not.
    fn read(&self, text: &str) -> std::result::Result<Json, String> {
        let answer = without_secrets(schema::read(text, &self.question.schema)?);
        (self.check)(&answer)?;
        Ok(answer)
    }
}

/// How far the project's log has come.
pub(crate) fn position(conn: &mut dyn Connection, caller: &Caller) -> Result<i64> {
    Ok(project::by_id(conn, &caller.project)?.map_or(0, |project| project.last_position))
}

/// Whether something was erased after this position: what was read up to there may quote it.
pub(crate) fn is_purged_since(conn: &mut dyn Connection, caller: &Caller, position: i64) -> Result<bool> {
    let purges =
        Filter { target: Some(PURGE_TARGET.to_owned()), after_position: Some(position), ..Filter::default() };
    Ok(!event::list(conn, &caller.project, &purges, Order::NewestFirst, 1)?.is_empty())
}

/// Whether the same may work a moment later.
fn is_passing(error: &StoreError) -> bool {
    match error {
        StoreError::Busy { .. } | StoreError::Conflict { .. } | StoreError::Unavailable(_) => true,
        StoreError::Corrupt(_)
        | StoreError::NewerSchema { .. }
        | StoreError::Foreign(_)
        | StoreError::Exists(_)
        | StoreError::Other(_) => false,
    }
}

/// What a model makes up may look like a secret, and be one.
fn without_secrets(answer: Json) -> Json {
    match answer {
        Json::String(text) => Json::String(redacted(text, &mut 0)),
        Json::Array(entries) => entries.into_iter().map(without_secrets).collect(),
        Json::Object(fields) => {
            Json::Object(fields.into_iter().map(|(name, value)| (name, without_secrets(value))).collect())
        }
        other => other,
    }
}

/// Days since 1970, UTC.
fn day(at: Timestamp) -> i64 {
    at.0.div_euclid(DAY_MICROS)
}

/// The same question with what was wrong about the answer.
fn corrected(question: &Question, text: &str, why: &str) -> Question {
    let text: String = text.chars().take(SHOWN_AGAIN).collect();
    let prompt = format!(
        "{}\n\nYour answer before was:\n{text}\n\nIt cannot be used: {why}. Give the whole answer again as the schema \
         has it.",
        question.prompt
    );
    Question { prompt, ..question.clone() }
}

/// Everything that the answer depends on.
fn key(model: &str, question: &Question) -> String {
    let mut hash = Sha256::new();
    let schema = question.schema.to_string();
    for part in [model, &question.system, &question.prompt, &schema, &question.max_tokens.to_string()] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
