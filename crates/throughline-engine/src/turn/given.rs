//! What the model of a session has been given and still has.

use serde_json::{Value as Json, json};
use throughline_store::Connection;
use throughline_store::item::Item;
use throughline_store::memory::Memory;
use throughline_store::session::{self as record, Session};

use super::told::{self, Piece};
use super::{Need, TurnContext};
use crate::{Caller, Result};

/// Kept with the session as JSON; the log has every single note of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// How often something was given, and what it cost, over the whole session.
    pub times: i64,
    pub tokens: i64,
    pub memories: i64,
    /// What the model still has, with a mark of the state in which it got it; the oldest first.
    has: Vec<(String, String)>,
    /// The context was thrown away and nothing has been given since.
    compacted: bool,
}

/// A session that has been given more forgets what came first, which is then told again.
const REMEMBERED: usize = 1000;

pub(super) fn of(
    conn: &mut dyn Connection,
    caller: &Caller,
    session: Option<&Session>,
    need: Need<'_>,
) -> Result<Given> {
    let Some(session) = session else { return Ok(Given::default()) };
    let given = Given::read(record::given(conn, &caller.project, &session.id)?.as_deref());
    Ok(if need == Need::Compacted { given.forgotten() } else { given })
}

impl Given {
    /// What cannot be read is as good as nothing: something may be told twice.
    pub(crate) fn read(written: Option<&str>) -> Given {
        let json: Json = written.and_then(|written| serde_json::from_str(written).ok()).unwrap_or_default();
        let number = |name: &str| json[name].as_i64().unwrap_or_default();
        let pair = |pair: &Json| Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()));
        Given {
            times: number("times"),
            tokens: number("tokens"),
            memories: number("memories"),
            has: json["has"]
                .as_array()
                .map_or_else(Vec::new, |pairs| pairs.iter().filter_map(pair).collect()),
            compacted: json["compacted"] == true,
        }
    }

    pub(super) fn written(&self) -> String {
        json!({
            "times": self.times,
            "tokens": self.tokens,
            "memories": self.memories,
            "has": self.has,
            "compacted": self.compacted,
        })
        .to_string()
    }

    pub(super) fn is_compacted(&self) -> bool {
        self.compacted
    }

    /// As it is when the client has thrown its context away.
    pub(super) fn forgotten(self) -> Given {
        Given { has: vec![], compacted: true, ..self }
    }

    /// Whether the model does not have it, or has it in another state.
    pub(super) fn is_news(&self, piece: &Piece) -> bool {
        !self.has.iter().any(|(key, mark)| *key == piece.key && *mark == piece.mark)
    }

    pub(super) fn with(mut self, pieces: &[Piece], tokens: u64) -> Given {
        self.has.retain(|(key, _)| !pieces.iter().any(|piece| piece.key == *key));
        self.has.extend(pieces.iter().map(|piece| (piece.key.clone(), piece.mark.clone())));
        self.has.drain(..self.has.len().saturating_sub(REMEMBERED));
        self.times += 1;
        self.tokens += i64::try_from(tokens).unwrap_or(i64::MAX);
        self.memories += pieces.iter().filter(|piece| piece.is_memory).count() as i64;
        self.compacted = false;
        self
    }

    /// Leaves only what is news.
    pub(super) fn take_from(&self, context: &mut TurnContext) {
        let Some(orientation) = &mut context.orientation else { return };
        let before = orientation.size();
        let (memory, item) = (
            |memory: &Memory| self.is_news(&told::of_memory(memory)),
            |item: &Item| self.is_news(&told::of_item(item)),
        );
        orientation.rules.keep(memory);
        orientation.decisions.keep(memory);
        orientation.in_progress.keep(item);
        orientation.open.keep(item);
        if !self.is_news(&told::of_work(&orientation.work())) {
            orientation.completed.keep(|_| false);
            orientation.blockers.keep(|_| false);
        }
        context.left_out.told_before += before - orientation.size();
    }
}
