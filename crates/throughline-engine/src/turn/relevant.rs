//! What a prompt is about: memories and tasks close enough to it, and rules that hold whatever it is about.

use std::collections::HashSet;

use throughline_store::Connection;
use throughline_store::id::ItemId;
use throughline_store::index_page::Collection;
use throughline_store::item::{self, Item};
use throughline_store::memory::Memory;

use super::{Given, RULES, TurnContext, told};
use crate::backlog::ids_in;
use crate::index::terms::{Sort, TermId, terms};
use crate::orient::rules;
use crate::recall::code::is_ready;
use crate::recall::sorts;
use crate::recall::{Breadth, CodeQuery, Files, Found, Hit, Kind, Query, Recalled, Score, Weights};
use crate::words::is_in;
use crate::{Caller, Engine, Result};

/// So much of a long prompt says what it is about; the rest is what somebody pasted.
const MESSAGE_BYTES: usize = 4000;
/// The agent waits, so only the most telling words are looked up.
const TELLING: Breadth = Breadth::Telling { words: 24, documents: 1 };
/// More are looked at than told, because some were told before.
const LOOKED_AT: usize = 2;
const NAMED: usize = 10;
/// What matches so much less than the best is beside the point.
const BESIDE_THE_BEST: f64 = 0.7;
/// How much telling words count beside match and meaning, and how many of them count.
const WORDS: f64 = 0.9;
const MOST_WORDS: f64 = 3.0;
/// A prompt of fewer telling words is about nothing, and a record that shares fewer is about something else.
const TOPIC_WORDS: usize = 2;
/// From this cosine on, other words say the same.
const SAME_MEANING: f64 = 0.55;
/// What people say to an agent whatever the work is about. Sorted.
const CHATTER: &[&str] = &[
    "again", "ahead", "alright", "ask", "better", "code", "continue", "cool", "correct", "diff", "do",
    "done", "else", "exactly", "explain", "fine", "finish", "first", "fix", "forget", "function", "go",
    "going", "good", "great", "hello", "help", "hey", "hi", "instead", "just", "keep", "let", "like", "look",
    "looks", "make", "maybe", "mean", "need", "next", "nice", "no", "nope", "now", "ok", "okay", "other",
    "perfect", "please", "proceed", "question", "really", "retry", "revert", "right", "same", "see", "show",
    "simpler", "sorry", "start", "still", "stop", "sure", "tell", "thank", "thanks", "that", "thing",
    "things", "think", "try", "undo", "use", "wait", "want", "well", "why", "wrong", "yeah", "yep", "yes",
    "you",
];

/// At most so many places in the files are told.
const PASSAGES: usize = 2;
/// Code has many words, so that it takes more of them to be about a prompt. Both were measured on
/// `evals/injection/code.tsv`.
const CODE_WORDS: usize = 4;
const CODE_FLOOR: f64 = 0.33;

/// How sure it must be that something answers: a question asks for what is known, a prompt is about something else.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Demand {
    /// Of the floor that is set.
    floor: f64,
    /// Of what the best matches.
    beside_the_best: f64,
    topic_words: usize,
    most: usize,
}

impl Demand {
    fn of(message: &str) -> Demand {
        if is_question(message) {
            Demand { floor: 0.8, beside_the_best: 0.45, topic_words: 1, most: 3 }
        } else {
            Demand {
                floor: 1.0,
                beside_the_best: BESIDE_THE_BEST,
                topic_words: TOPIC_WORDS,
                most: usize::MAX,
            }
        }
    }
}

/// "on which port does the API run?"; what is asked of the agent itself is no such question.
fn is_question(message: &str) -> bool {
    const FEW: usize = 16;
    const ASKING: &str =
        "which what who whom whose where when how do does did is are was may must can should";
    const LEADING: &str = "on in at to from by with under through for of and so hey ok after until since";
    let words: Vec<String> = message.split_whitespace().map(str::to_lowercase).collect();
    let first = words.iter().position(|word| !is_in(LEADING, word)).unwrap_or(0);
    let asks = words.get(first).is_some_and(|word| is_in(ASKING, word));
    let is_personal = words.iter().any(|word| is_in("you your", word));
    message.trim_end().ends_with('?') && words.len() <= FEW && asks && !is_personal
}

/// The words that say what a prompt is about; "go on" is about nothing.
fn topic(message: &str) -> HashSet<TermId> {
    let mut topic = HashSet::new();
    terms(message, |term| {
        let is_telling = term.sort != Sort::Stop && CHATTER.binary_search(&term.word.as_str()).is_err();
        if is_telling {
            topic.insert(term.id);
        }
    });
    topic
}

/// Those that are worth interrupting for. A search that was asked for may show what is merely near; what nobody asked
/// for must be about the prompt, so it takes a match, close meaning and more than one telling word, each making up for
/// the lack of another. The shares were measured on `evals/injection`.
fn apt(recalled: Recalled, topic: &HashSet<TermId>, (floor, demand): (f64, Demand)) -> Vec<Hit> {
    let documents = |collection| {
        let searched = recalled.searched.iter().find(|searched| searched.collection == collection);
        searched.map_or(0, |searched| searched.documents)
    };
    let (memories, items) = (documents(Collection::Memories), documents(Collection::Items));
    let best = recalled.hits.iter().map(|hit| hit.score.matching).fold(0.0, f64::max);
    let is_apt = |hit: &Hit| {
        let documents = if matches!(hit.found, Found::Item(_)) { items } else { memories };
        hit.score.matching >= best * demand.beside_the_best
            && aptness(&hit.score, documents) >= floor * demand.floor
            && (hit.score.semantic.unwrap_or(0.0) >= SAME_MEANING
                || shared(topic, &hit.found) >= demand.topic_words)
    };
    recalled.hits.into_iter().filter(is_apt).take(demand.most).collect()
}

/// How many of the topic's words a record has.
fn shared(topic: &HashSet<TermId>, found: &Found) -> usize {
    let mut shared = HashSet::new();
    let mut look = |text: &str| {
        terms(&text[..text.floor_char_boundary(MESSAGE_BYTES)], |term| {
            if topic.contains(&term.id) {
                shared.insert(term.id);
            }
        });
    };
    match found {
        Found::Memory(memory) => [memory.title.as_str(), &memory.content].into_iter().for_each(&mut look),
        Found::Item(item) => [item.title.as_str(), &item.description].into_iter().for_each(&mut look),
        Found::Event(event) => look(&event.summary),
        Found::Resource(resource) => look(&resource.content),
        Found::Code(code) => {
            [code.file.path.as_str(), &code.title(), code.text.as_deref().unwrap_or_default()]
                .into_iter()
                .for_each(&mut look);
        }
    }
    shared.len()
}

fn aptness(score: &Score, documents: u64) -> f64 {
    // What a word that only one document has is worth.
    let rarest = (1.0 + (documents as f64 - 0.5).max(0.5) / 1.5).ln();
    let words = (score.lexical / rarest).min(MOST_WORDS) / MOST_WORDS;
    (score.matching + score.semantic.unwrap_or(0.0).max(0.0) + WORDS * words) / (2.0 + WORDS)
}

/// The items that a prompt names by their ids.
pub(super) fn named(
    conn: &mut dyn Connection,
    caller: &Caller,
    message: &str,
    given: &Given,
) -> Result<Vec<Item>> {
    let mut ids: Vec<ItemId> = ids_in(message).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.truncate(NAMED);
    let items = item::by_ids(conn, &caller.project, ids.iter())?;
    Ok(items.into_iter().filter(|item| given.is_news(&told::of_item(item))).collect())
}

impl Engine {
    pub(super) fn add_relevant(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        message: &str,
        given: &Given,
        context: &mut TurnContext,
    ) -> Result<()> {
        let policy = &self.settings.turn;
        let message = &message[..message.floor_char_boundary(MESSAGE_BYTES)];
        let query = Query {
            kinds: vec![Kind::Memory, Kind::Task],
            weights: Some(Weights::RELEVANCE),
            breadth: TELLING,
            ..Query::of(message, policy.most * LOOKED_AT)
        };
        let mut topic = topic(message);
        topic.extend(sorts::named_in(message).into_iter().flat_map(|asked| asked.things));
        let demand = Demand::of(message);
        if topic.len() < demand.topic_words {
            return Ok(());
        }
        let hits = apt(self.recall_within(conn, caller, &query)?, &topic, (policy.floor, demand));
        let found = hits.len();
        context.relevant = hits.into_iter().filter(|hit| given.is_news(&told::of_hit(hit))).collect();
        context.left_out.told_before += found - context.relevant.len();
        let named = &context.named;
        context
            .relevant
            .retain(|hit| !named.iter().any(|item| told::of_item(item).key == told::of_hit(hit).key));
        context.left_out.no_room += context.relevant.len().saturating_sub(policy.most);
        context.relevant.truncate(policy.most);
        Ok(())
    }

    /// Places in the project's files that the prompt is clearly about: where to look, not what is there.
    pub(super) fn add_code(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        (message, files): (&str, &Files),
        given: &Given,
        context: &mut TurnContext,
    ) -> Result<()> {
        let message = &message[..message.floor_char_boundary(MESSAGE_BYTES)];
        let topic = topic(message);
        if topic.len() < CODE_WORDS || !is_ready(conn, caller, files)? {
            return Ok(());
        }
        let query = Query {
            kinds: vec![Kind::Code],
            weights: Some(Weights::RELEVANCE),
            breadth: TELLING,
            code: CodeQuery { files: files.clone(), ..CodeQuery::default() },
            ..Query::of(message, PASSAGES * LOOKED_AT)
        };
        let mut recalled = self.recall_within(conn, caller, &query)?;
        self.check_passages(&query, &mut recalled);
        let is_apt = |hit: &Hit| hit.score.matching >= CODE_FLOOR && shared(&topic, &hit.found) >= CODE_WORDS;
        let apt = recalled.hits.into_iter().filter(is_apt).filter(|hit| given.is_news(&told::of_hit(hit)));
        context.relevant.extend(apt.take(PASSAGES));
        Ok(())
    }

    pub(super) fn untold_rules(
        &self,
        conn: &mut dyn Connection,
        caller: &Caller,
        given: &Given,
    ) -> Result<Vec<Memory>> {
        Ok(rules(conn, caller, self.now())?
            .shown
            .into_iter()
            .filter(|memory| given.is_news(&told::of_memory(memory)))
            .take(RULES)
            .collect())
    }
}
