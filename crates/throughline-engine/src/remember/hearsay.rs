//! Whose word a statement is: what an agent repeats of a tool, a page or a file is that one's word, whoever asks for it to be kept.
//!
//! What tools return is not kept, so of the sentences that order something there are marks, which tell them again word for word.

use serde_json::Value as Json;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::event::{self, Event, Filter, Kind as EventKind, Order};
use throughline_store::memory::{Kind, Source};

use super::Statement;
use super::extract::sentences;
use crate::index::terms::term_id;
use crate::words::is_in;
use crate::{Caller, Engine, Result};

/// Where an event of a tool has the marks of what it was told, among its parts.
pub const ORDERS: &str = "orders";
/// So much of what a tool returns is looked at, and so many orders of it are marked.
const LOOKED_AT_BYTES: usize = 64 * 1024;
const MARKED: usize = 32;
/// Shorter ones anybody may say by himself.
const TELLING_WORDS: usize = 4;
/// An agent repeats what it has read lately.
const LATELY: i64 = 500;

const SPEAKERS: &str = "tool output page webpage website site readme readme.md file log response issue email document script comment \
    error result it";
const SAYING: &str = "say says said state states stated read reads tell tells told instruct instructs instructed ask asks asked demands";
const ORDERING: &str = "always never must should ignore run curl disable don't not only";

/// Marks of the sentences of a text that order something.
pub fn orders_in(text: &str) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(LOOKED_AT_BYTES)];
    let orders = text.lines().flat_map(sentences).filter_map(mark);
    orders.take(MARKED).collect()
}

/// Nothing where it orders nothing.
fn mark(sentence: &str) -> Option<String> {
    let words = words(sentence);
    let orders = words.len() >= TELLING_WORDS && words.iter().any(|word| is_in(ORDERING, word));
    orders.then(|| format!("{:016x}", term_id(&words.join(" "))))
}

impl Engine {
    /// A statement as that which it repeats: an order that an agent has just read, and that no person has said, is a tool's.
    pub(super) fn attributed(&self, caller: &Caller, statement: Statement) -> Result<Statement> {
        let orders = orders_in(&statement.content);
        if caller.actor.kind != ActorKind::Agent || orders.is_empty() {
            return Ok(statement);
        }
        let by_tools = [EventKind::ToolCall, EventKind::ToolResult, EventKind::Read, EventKind::Search];
        let is_read = self.said_lately(caller, &by_tools, &orders)?;
        let is_repeated = is_read && !self.said_lately(caller, &[EventKind::UserMessage], &orders)?;
        let source = if is_repeated { Source::ToolOutput } else { statement.source };
        Ok(Statement { source, ..statement })
    }

    fn said_lately(&self, caller: &Caller, kinds: &[EventKind], orders: &[String]) -> Result<bool> {
        let filter = Filter { kinds: kinds.to_vec(), ..Filter::default() };
        let said = |event: &Event| ordered(event).iter().any(|mark| orders.contains(mark));
        self.store.read(|conn| {
            let lately = event::list(conn, &caller.project, &filter, Order::NewestFirst, LATELY)?;
            Ok(lately.iter().any(said))
        })
    }
}

/// The marks of an event: those that were made when it was recorded, and those of what is kept of it.
fn ordered(event: &Event) -> Vec<String> {
    let parts: Option<Json> = event.parts.as_deref().and_then(|parts| serde_json::from_str(parts).ok());
    let marks = parts.as_ref().and_then(|parts| parts.get(ORDERS)?.as_array());
    let marks = marks.into_iter().flatten().filter_map(|mark| mark.as_str().map(str::to_owned));
    marks.chain(event.content.as_deref().map(orders_in).unwrap_or_default()).collect()
}

/// Whether it tells others what to do in the name of somebody who cannot.
pub(super) fn is_hearsay(actor: &Actor, kind: Kind, content: &str) -> bool {
    let words = words(content);
    let binds =
        matches!(kind, Kind::Rule | Kind::Preference) || words.iter().any(|word| is_in(ORDERING, word));
    actor.kind == ActorKind::Agent && binds && (quotes(&words) || is_labelled(content))
}

fn words(text: &str) -> Vec<String> {
    let bare =
        |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).replace('’', "'").to_lowercase();
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

/// "the page says …", "README.md tells users to …"
fn quotes(words: &[String]) -> bool {
    words.windows(2).any(|pair| {
        let speaker = pair[0].as_str();
        let is_file =
            speaker.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "md" | "txt" | "html" | "json"));
        (is_file || is_in(SPEAKERS, speaker)) && is_in(SAYING, &pair[1])
    })
}

/// "Tool output: …"
fn is_labelled(content: &str) -> bool {
    let lead = content.split_once(':').map(|(lead, _)| lead.trim().to_lowercase());
    lead.is_some_and(|lead| lead.split_whitespace().count() <= 3 && lead.ends_with("output"))
}
