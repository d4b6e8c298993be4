//! Where a model helps to turn a session into memories: it names what no rule found, and says what a statement is to a
//! known one where the rules are not sure. Both outside of any transaction; without an answer the rules have the word.

use throughline_inference::complete::Question;
use throughline_store::event::Event;
use throughline_store::memory::Memory;
use throughline_store::model_call::Purpose;
use throughline_store::time::Timestamp;

use super::consolidate::{New, Relation, is_unsure, pairs_question, pairs_verdicts};
use super::extract::{BootFiles, Extraction, named};
use super::similar::stated;
use super::statement::Draft;
use crate::ask::Reply;
use crate::{Caller, Engine, Result};

/// What a model was asked about a part of a session, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consulted {
    /// How many questions were answered.
    pub answered: usize,
    /// How many candidates it named that hold.
    pub named: usize,
    /// About how many pairs it had the word.
    pub related: usize,
    /// Why the rules had to do without it, where they had.
    pub without: Option<String>,
}

/// So many pairs are asked about at once, and of each statement so many.
const PAIRS: usize = 12;
const PAIRS_OF_ONE: usize = 3;

/// A known memory and the draft that may be about it, by its place.
struct Pair {
    known: Memory,
    draft: usize,
}

impl Engine {
    /// Until when the questions about one part of a session may take: a worker that takes longer is taken for dead.
    pub(super) fn consulting_until(&self) -> Timestamp {
        self.now().plus(self.settings.jobs.lease / 2)
    }

    /// Adds what a model names in these events to what the rules have found.
    pub(super) fn consult_extraction(
        &self,
        caller: &Caller,
        (events, boot): (&[Event], &BootFiles),
        extraction: &mut Extraction,
        (consulted, until): (&mut Consulted, Timestamp),
    ) -> Result<()> {
        let all = named::passages(events);
        let mut rest = &all[..];
        while !rest.is_empty() && consulted.without.is_none() {
            let (now, later) = rest.split_at(named::fitting(rest, self.settings.model.prompt_tokens));
            rest = later;
            if !named::speak(now) {
                continue;
            }
            let question = named::question(now, extraction, self.settings.model.answer_tokens);
            match self.ask_until(caller, Purpose::Extract, &question, until)? {
                Reply::Without(why) => consulted.without = Some(why),
                Reply::Answer(answer) => {
                    consulted.answered += 1;
                    consulted.named += named::take(&answer, (now, &all), boot, extraction);
                }
            }
        }
        Ok(())
    }

    /// Gives drafts what a model says they are to known memories, where the rules are not sure.
    pub(super) fn consult_relations(
        &self,
        caller: &Caller,
        drafts: &mut [(Caller, Draft)],
        (consulted, until): (&mut Consulted, Timestamp),
    ) -> Result<()> {
        // A model that has just failed is not asked again.
        if consulted.without.is_some() {
            return Ok(());
        }
        let pairs = self.unsure_pairs(caller, drafts)?;
        if pairs.is_empty() {
            return Ok(());
        }
        let texts: Vec<(&str, &str)> = pairs
            .iter()
            .map(|pair| (pair.known.content.as_str(), drafts[pair.draft].1.memory.content.as_str()))
            .collect();
        let question = pairs_question(&texts, self.settings.model.answer_tokens);
        let answer = match self.ask_until(caller, Purpose::Relate, &question, until)? {
            Reply::Without(why) => {
                consulted.without = Some(why);
                return Ok(());
            }
            Reply::Answer(answer) => answer,
        };
        consulted.answered += 1;
        let verdicts: Vec<Option<Relation>> = pairs_verdicts(&answer, pairs.len());
        for (pair, verdict) in pairs.into_iter().zip(verdicts) {
            let Some(verdict) = verdict else { continue };
            consulted.related += 1;
            drafts[pair.draft].1.advice.push((pair.known.id, verdict));
        }
        Ok(())
    }

    fn ask_until(
        &self,
        caller: &Caller,
        purpose: Purpose,
        question: &Question,
        until: Timestamp,
    ) -> Result<Reply> {
        let reply = match self.now() < until {
            true => self.ask(caller, purpose, question)?,
            false => Reply::Without("there was no time left to ask".to_owned()),
        };
        if let Reply::Without(why) = &reply {
            tracing::warn!(purpose = %purpose, why, "the model gave no answer; the rules go on without it");
        }
        Ok(reply)
    }

    fn unsure_pairs(&self, caller: &Caller, drafts: &[(Caller, Draft)]) -> Result<Vec<Pair>> {
        let mut pairs = vec![];
        for (place, (_, draft)) in drafts.iter().enumerate() {
            let near = self.store.read(|conn| self.near(conn, caller, draft))?;
            // Where it is sure for one, nobody has to be asked about the others.
            let related = New::of(&draft.memory.content).relations_to(&stated(&near));
            if related.iter().any(|one| one.relation != Relation::Unrelated && !is_unsure(one)) {
                continue;
            }
            let unsure = near.into_iter().zip(related).filter(|(_, related)| is_unsure(related));
            pairs
                .extend(unsure.take(PAIRS_OF_ONE).map(|(near, _)| Pair { known: near.memory, draft: place }));
        }
        pairs.truncate(PAIRS);
        Ok(pairs)
    }
}
