//! What is known about the model: which one, what is left of the day, what went wrong; and whether it answers.

use serde_json::json;
use throughline_inference::complete::{Choice, Provider, Question};
use throughline_store::model_answer;
use throughline_store::model_call::{self, ModelCall, Outcome, Purpose, Tally};
use throughline_store::time::Timestamp;

use super::{Inquiry, NOBODY_LENDS, Reply};
use crate::{Caller, Engine, Error, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct ModelStatus {
    pub provider: &'static str,
    /// The model's name, where it can be asked here.
    pub model: Option<String>,
    /// Why it cannot be.
    pub problem: Option<String>,
    pub daily_tokens: i64,
    /// Today, with what is reserved.
    pub spent_tokens: i64,
    pub today: Vec<Tally>,
    /// How often today something was done without the model because it could not be asked or gave no usable answer.
    pub fallbacks: i64,
    /// The newest calls that came to nothing, of the last days.
    pub failures: Vec<ModelCall>,
    pub rests_until: Option<Timestamp>,
    pub answers_kept: i64,
}

/// One tiny call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tested {
    pub model: String,
    pub call: ModelCall,
}

const FAILURE_DAYS: i64 = 7;
const FAILURES: usize = 5;

impl Engine {
    pub fn model_status(&self, caller: &Caller) -> Result<ModelStatus> {
        let (today, project) = (self.today(), &caller.project);
        let (model, problem) = match self.provider() {
            Ok(Some(provider)) => (Some(provider.name()), None),
            Ok(None) => (None, self.settings.model.choice.as_ref().map(|_| NOBODY_LENDS.to_owned())),
            Err(error) => (None, Some(error.to_string())),
        };
        let (spent_tokens, tally, lately, answers_kept) = self.store.read(|conn| -> Result<_> {
            Ok((
                model_call::spent(conn, project, today)?,
                model_call::tally(conn, project, today)?,
                model_call::failures(conn, project, today - FAILURE_DAYS, FAILURES as i64)?,
                model_answer::count(conn, project)?,
            ))
        })?;
        Ok(ModelStatus {
            provider: provider_name(self.settings.model.choice.as_ref()),
            model,
            problem,
            daily_tokens: self.daily_tokens(),
            spent_tokens,
            fallbacks: tally.iter().filter(|tally| is_fallback(tally.outcome)).map(|tally| tally.calls).sum(),
            today: tally,
            failures: lately,
            rests_until: self.rests_until(caller)?.map(|(until, _)| until),
            answers_kept,
        })
    }

    /// Asks the model whether it is there, also one that rests.
    pub fn test_model(&self, caller: &Caller) -> Result<Tested> {
        let unusable = |why: String| Error::Model(why);
        let provider = match self.provider() {
            Ok(Some(provider)) => provider,
            Ok(None) if self.settings.model.choice.is_some() => {
                return Err(unusable(NOBODY_LENDS.to_owned()));
            }
            Ok(None) => return Err(unusable(NONE_CHOSEN.to_owned())),
            Err(error) => return Err(unusable(error.to_string())),
        };
        let question = Question {
            system: "You are asked whether you can answer at all.".to_owned(),
            prompt: "Answer with ready = true.".to_owned(),
            schema: json!({
                "type": "object",
                "properties": { "ready": { "type": "boolean" } },
                "required": ["ready"],
                "additionalProperties": false,
            }),
            max_tokens: 200,
        };
        let inquiry = Inquiry { purpose: Purpose::Test, question: &question, check: &|_| Ok(()) };
        match self.ask_provider(caller, provider, &inquiry)? {
            Reply::Without(why) => Err(unusable(why)),
            Reply::Answer(_) => Ok(Tested { model: Provider::name(provider), call: self.newest(caller)? }),
        }
    }

    fn newest(&self, caller: &Caller) -> Result<ModelCall> {
        let mut calls = self.store.read(|conn| model_call::ended(conn, &caller.project, 1))?;
        calls
            .pop()
            .ok_or_else(|| Error::NotFound("the call is not in the ledger any more; try again".to_owned()))
    }
}

const NONE_CHOSEN: &str = "no model was chosen; choose one with `throughline config set model.provider`: anthropic, openai, command or client";

fn provider_name(choice: Option<&Choice>) -> &'static str {
    match choice {
        None => "none",
        Some(Choice::Anthropic(_)) => "anthropic",
        Some(Choice::OpenAi(_)) => "openai",
        Some(Choice::Command(_)) => "command",
        Some(Choice::Client) => "client",
    }
}

fn is_fallback(outcome: Outcome) -> bool {
    match outcome {
        Outcome::Failed | Outcome::Nonsense | Outcome::OverBudget | Outcome::Resting | Outcome::NotLent => {
            true
        }
        Outcome::Asked | Outcome::Answered | Outcome::Cached | Outcome::Wrong => false,
    }
}
