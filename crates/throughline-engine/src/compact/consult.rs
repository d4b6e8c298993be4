//! Where a model is asked for a summary: before the transaction that writes it, and never for a hook. Without a usable
//! answer the built-in summary stands, with the reason.

use throughline_inference::complete::Provider;
use throughline_store::Connection;
use throughline_store::event::{Event, Order};
use throughline_store::model_call::Purpose;

use super::pages::Since;
use super::plan::Plan;
use super::told::Material;
use crate::ask::{Inquiry, Reply};
use crate::{Engine, Result};

/// The longest story; a summary is read again with every question of an agent.
const STORY_TOKENS: u64 = 400;
/// With less room than this nobody has to be asked.
const SHORTEST_STORY: u64 = 40;
/// Of the events that are replaced the newest are material, up to so many bytes: more than a model reads at once.
const MATERIAL_BYTES: usize = 4 * 1024 * 1024;

impl Engine {
    /// The plan as a model tells it, where one was chosen and answers well.
    pub(super) fn told_by_model(&self, since: &Since<'_>, plan: Plan) -> Result<Plan> {
        if !self.asks_a_model() {
            return Ok(plan);
        }
        let story_tokens = plan.tokens_to_spare().min(STORY_TOKENS);
        if story_tokens < SHORTEST_STORY {
            return Ok(plan.without("what is replaced is too short for more than a list".to_owned()));
        }
        let events = self.store.read(|conn| material(conn, since, plan.to))?;
        let material = Material {
            older: plan.events.saturating_sub(events.len()),
            events: &events,
            digest: &plan.digest,
            before: plan.story.as_ref(),
            story_tokens,
        };
        let model = &self.settings.model;
        let question = material.question(model.prompt_tokens, model.answer_tokens);
        let known = material.mentioned();
        let check = |answer: &_| material.check(answer, &known);
        let inquiry = Inquiry { purpose: Purpose::Summarize, question: &question, check: &check };
        match self.inquire(since.caller, &inquiry)? {
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

/// The newest events up to this place in the session, the oldest of them first.
fn material(conn: &mut dyn Connection, since: &Since<'_>, to: i64) -> Result<Vec<Event>> {
    let mut pages = since.pages(Order::NewestFirst).to(to);
    let (mut taken, mut bytes) = (vec![], 0);
    while bytes < MATERIAL_BYTES
        && let Some(page) = pages.next(conn)?
    {
        for event in page {
            bytes += bytes_of(&event);
            if bytes < MATERIAL_BYTES || taken.is_empty() {
                taken.push(event);
            }
        }
    }
    taken.reverse();
    Ok(taken)
}

fn bytes_of(event: &Event) -> usize {
    let texts = [&event.content, &event.parts, &event.target, &event.rationale];
    let texts: usize = texts.into_iter().flatten().map(String::len).sum();
    size_of::<Event>() + event.summary.len() + texts
}
