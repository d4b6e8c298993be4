//! The tokens of a day: reserved before a model is asked, settled when it has answered.

use throughline_inference::complete::Usage;
use throughline_store::model_call::{self, ModelCall, Outcome, Purpose};

use super::day;
use crate::{Caller, Engine, Result};

/// The ledger goes back so many days.
pub(super) const KEPT_DAYS: i64 = 90;
/// What servers put around a question: the tool to be called, the roles, the schema once more.
const AROUND: u64 = 400;

impl Engine {
    /// The call as the ledger has it while it is under way, with the most that it can cost; else why the day does not
    /// hold it.
    pub(super) fn reserve(
        &self,
        caller: &Caller,
        (model, purpose): (String, Purpose),
        (tokens_in, tokens_out): (u64, u64),
    ) -> Result<std::result::Result<ModelCall, String>> {
        // Other models count up to half as much more than we do.
        let tokens_in = tokens_in.saturating_add(tokens_in / 2).saturating_add(AROUND);
        let wanted = counted(tokens_in).saturating_add(counted(tokens_out));
        let entry = ModelCall { model, ..self.ledger_entry(purpose, Outcome::Asked, None) };
        self.write(caller, |tx| {
            model_call::forget_before(tx, &caller.project, entry.day - KEPT_DAYS)?;
            let left = self.daily_tokens() - model_call::spent(tx, &caller.project, entry.day)?;
            if wanted > left {
                let why = over_budget(wanted, left.max(0));
                let refused =
                    ModelCall { outcome: Outcome::OverBudget, detail: Some(why.clone()), ..entry.clone() };
                model_call::insert(tx, &caller.project, &refused)?;
                return Ok(Err(why));
            }
            let call =
                ModelCall { tokens_in: counted(tokens_in), tokens_out: counted(tokens_out), ..entry.clone() };
            model_call::insert(tx, &caller.project, &call)?;
            Ok(Ok(call))
        })
    }

    /// Puts what a call cost in the place of what was reserved for it.
    pub(super) fn settle_call(
        &self,
        caller: &Caller,
        call: ModelCall,
        (outcome, usage): (Outcome, Usage),
        detail: Option<&str>,
    ) -> Result<()> {
        let call = ModelCall {
            outcome,
            tokens_in: counted(usage.tokens_in),
            tokens_out: counted(usage.tokens_out),
            cost: self.settings.model.prices.map(|prices| prices.of(usage)),
            detail: detail.map(str::to_owned),
            ..call
        };
        self.write(caller, |tx| Ok(model_call::settle(tx, &caller.project, &call)?))
    }

    pub(super) fn daily_tokens(&self) -> i64 {
        counted(self.settings.model.daily_tokens)
    }

    pub(super) fn today(&self) -> i64 {
        day(self.now())
    }
}

fn counted(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}

fn over_budget(wanted: i64, left: i64) -> String {
    format!(
        "the question may cost {wanted} tokens and today's budget has {left} left; see model.daily_tokens"
    )
}
