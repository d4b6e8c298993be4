//! Where a model is asked for a summary: before the transaction that writes it, and never for a hook. Without a usable
//! answer the built-in summary stands, with the reason.

use throughline_inference::complete::Provider;
use throughline_store::model_call::Purpose;

use super::Held;
use super::plan::Plan;
use super::told::Material;
use crate::ask::{Inquiry, Reply};
use crate::{Caller, Engine, Result};

/// The longest story; a summary is read again with every question of an agent.
const STORY_TOKENS: u64 = 400;
/// With less room than this nobody has to be asked.
const SHORTEST_STORY: u64 = 40;

impl Engine {
    /// The plan as a model tells it, where one was chosen and answers well.
    pub(super) fn told_by_model(&self, caller: &Caller, held: &Held, plan: Plan) -> Result<Plan> {
        if !self.asks_a_model() {
            return Ok(plan);
        }
        let story_tokens = plan.tokens_to_spare().min(STORY_TOKENS);
        if story_tokens < SHORTEST_STORY {
            return Ok(plan.without("what is replaced is too short for more than a list".to_owned()));
        }
        let material = Material {
            events: &held.events[..plan.events],
            digest: &plan.digest,
            before: plan.story.as_ref(),
            story_tokens,
        };
        let model = &self.settings.model;
        let question = material.question(model.prompt_tokens, model.answer_tokens);
        let known = material.mentioned();
        let check = |answer: &_| material.check(answer, &known);
        let inquiry = Inquiry { purpose: Purpose::Summarize, question: &question, check: &check };
        match self.inquire(caller, &inquiry)? {
            Reply::Answer(answer) => {
                let told = material.take(&answer);
                let name = self.provider().ok().flatten().map(Provider::name).unwrap_or_default();
                Ok(plan.told(told, name))
            }
            Reply::Without(why) => {
                tracing::warn!(why, "the model wrote no summary; the built-in one stands");
                Ok(plan.without(why))
            }
        }
    }
}
