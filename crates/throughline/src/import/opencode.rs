//! OpenCode's sessions: rows of messages and of their parts in one database, which it keeps for all projects.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::{Value as Json, json};
use throughline_engine::store::another::{Another, Named, Wanted};
use throughline_engine::store::event::Kind;
use throughline_engine::store::sql::Value;
use throughline_engine::store::time::Timestamp;

use super::lines::{Line, MAX_LINE_BYTES, unread};
use super::{Past, Transcript, tell, tell_otherwise};
use crate::hooks::claude_code::prompt;
use crate::hooks::event::{Head, Seen};
use crate::hooks::tool::{self, Outcome, Use};
use crate::hooks::{Client, field, said};

const CLIENT: Client = Client::OpenCode;

/// A session in the database, and where the client worked in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) worked_in: Option<PathBuf>,
}

/// The sessions that a database has, earlier ones first, and how many more there are in a form that is not known here: that of
/// OpenCode 2.
pub(crate) fn sessions(path: &Path) -> Result<(Vec<Kept>, usize)> {
    let (database, columns) = (opened(path)?, &["id", "directory", "time_created"]);
    let of = |table| database.rows(table, Wanted { columns, having: None });
    let (known, newer) = (of("session")?, of("session_v2")?);
    if known.is_none() && newer.is_none() {
        bail!("{} is no database of OpenCode: it has no sessions; {USUALLY}", path.display());
    }
    for table in ["message", "part"] {
        if known.is_some() && !database.has(table)? {
            let path = path.display();
            bail!(
                "{path} is no database of OpenCode that is understood: it has no table `{table}`; {USUALLY}"
            );
        }
    }
    let (mut rows, mut newer) = (known.unwrap_or_default(), newer.unwrap_or_default());
    let known: HashSet<Option<&str>> = rows.iter().map(|row| text(row, "id")).collect();
    newer.retain(|row| !known.contains(&text(row, "id")));
    rows.sort_by_key(|row| (number(row, "time_created"), text(row, "id").map(str::to_owned)));
    let kept = |row: &Named| {
        let worked_in = text(row, "directory").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        Some(Kept { id: text(row, "id")?.to_owned(), worked_in })
    };
    Ok((rows.iter().filter_map(kept).collect(), newer.len()))
}

const USUALLY: &str = "name its database, usually ~/.local/share/opencode/opencode.db";

fn opened(path: &Path) -> Result<Another> {
    match Another::open(path)? {
        Some(database) => Ok(database),
        None => bail!("{} is no database; {USUALLY}", path.display()),
    }
}

/// A session message by message, each a line with its parts; only one is in memory at a time.
#[derive(Debug)]
pub(crate) struct Messages {
    database: Another,
    /// What a line tells of the session.
    session: Json,
    messages: std::vec::IntoIter<Named>,
    /// What is to be said of the message that was read last.
    waiting: VecDeque<Line>,
    pub(crate) number: usize,
    pub(crate) bytes: u64,
}

impl Messages {
    pub(crate) fn of(path: &Path, session: &str) -> Result<Messages> {
        let database = opened(path)?;
        let about = Wanted { columns: &["parent_id", "agent"], having: Some(("id", session)) };
        let about = database.rows("session", about)?.unwrap_or_default().pop().unwrap_or_default();
        let columns = &["id", "time_created"];
        let wanted = Wanted { columns, having: Some(("session_id", session)) };
        let mut messages = database.rows("message", wanted)?.unwrap_or_default();
        messages.sort_by_key(|row| (number(row, "time_created"), text(row, "id").map(str::to_owned)));
        let session =
            json!({ "id": session, "parent": text(&about, "parent_id"), "agent": text(&about, "agent") });
        let (messages, waiting) = (messages.into_iter(), VecDeque::new());
        Ok(Messages { database, session, messages, waiting, number: 0, bytes: 0 })
    }

    /// A line for the message, after one for each part of it that cannot be read.
    pub(crate) fn read(&mut self) -> Result<Option<Line>> {
        while self.waiting.is_empty() {
            let Some(message) = self.messages.next() else { return Ok(None) };
            self.number += 1;
            self.open(&message)?;
        }
        Ok(self.waiting.pop_front())
    }

    fn open(&mut self, message: &Named) -> Result<()> {
        let id = text(message, "id").unwrap_or_default();
        let named = format!("session {}, message {id}", self.session["id"].as_str().unwrap_or_default());
        let data = |having| Wanted { columns: &["id", "data"], having: Some(having) };
        // It may have been deleted meanwhile.
        let told = self.database.rows("message", data(("id", id)))?.and_then(|mut rows| rows.pop());
        let Some(told) = told else { return Ok(()) };
        let mut rows = self.database.rows("part", data(("message_id", id)))?.unwrap_or_default();
        rows.sort_by(|one, other| text(one, "id").cmp(&text(other, "id")));
        let bytes: usize = rows.iter().chain([&told]).filter_map(|row| Some(text(row, "data")?.len())).sum();
        self.bytes += bytes as u64;
        if bytes > MAX_LINE_BYTES {
            let what = format!("{named}: longer than {MAX_LINE_BYTES} bytes");
            self.waiting.push_back(Line::Broken(what));
            return Ok(());
        }
        let told = match decoded(&told) {
            Ok(told) => told,
            Err(why) => {
                self.waiting.push_back(Line::Broken(format!("{named}: {why}")));
                return Ok(());
            }
        };
        let mut parts = vec![];
        for row in &rows {
            let id = text(row, "id").unwrap_or_default();
            match decoded(row) {
                Ok(part) => parts.push(part),
                Err(why) => self.waiting.push_back(Line::Broken(format!("{named}, part {id}: {why}"))),
            }
        }
        let created = number(message, "time_created");
        self.waiting.push_back(Line::Said(json!({
            "session": self.session, "id": id, "time": { "created": created }, "message": told, "parts": parts,
        })));
        Ok(())
    }
}

fn decoded(row: &Named) -> std::result::Result<Json, String> {
    match serde_json::from_str(text(row, "data").ok_or("it has no data")?) {
        Ok(json @ Json::Object(_)) => Ok(json),
        Ok(_) => Err("no JSON object".to_owned()),
        Err(error) => Err(unread(&error)),
    }
}

fn text<'a>(row: &'a Named, name: &str) -> Option<&'a str> {
    match row.get(name) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}

fn number(row: &Named, name: &str) -> i64 {
    match row.get(name) {
        Some(Value::Int(number)) => *number,
        _ => 0,
    }
}

#[derive(Debug, Default)]
pub(super) struct Reader;

impl Transcript for Reader {
    fn read(&mut self, line: &Json, past: &mut Vec<Past>) {
        let part = |name| line.get(name).unwrap_or(&Json::Null);
        let Some(id) = field::text(line, &["id"]) else { return };
        let message = part("message");
        let created = moment(message, "created").or_else(|| moment(line, "created"));
        let told = Told { head: head(part("session")), id, created, message, parts: parts(line) };
        match field::text(told.message, &["role"]) {
            // What a sub-agent is asked for, an agent asks.
            Some("user") if told.head.parent.is_none() => told.asked(past),
            Some("assistant") if field::is_true(told.message, "summary") => told.compacted(past),
            Some("assistant") => told.answered(past),
            _ => {}
        }
    }
}

fn head(session: &Json) -> Head<'static> {
    let parent = field::text(session, &["parent"]).map(str::to_owned);
    let role = field::text(session, &["agent"]).filter(|_| parent.is_some()).map(said::line);
    let session = field::text(session, &["id"]).unwrap_or_default().to_owned();
    Head { session, parent, role, ..Head::default() }
}

fn parts(line: &Json) -> &[Json] {
    line.get("parts").and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

/// One message and its parts.
struct Told<'a> {
    head: Head<'static>,
    id: &'a str,
    /// By what it says, else by its row.
    created: Option<Timestamp>,
    message: &'a Json,
    parts: &'a [Json],
}

impl Told<'_> {
    fn asked(&self, past: &mut Vec<Past>) {
        let Some(at) = self.created else { return };
        past.extend(tell(CLIENT, &self.head, at, self.named(prompt(&self.typed()).1)));
    }

    fn compacted(&self, past: &mut Vec<Past>) {
        let Some(at) = moment(self.message, "completed") else { return };
        let note = Seen::note("compaction", "the context was compacted".to_owned());
        let note = Seen { content: said::message(&self.typed()), ..note };
        past.extend(tell_otherwise(CLIENT, &self.head, at, self.named(vec![note])));
    }

    /// All that the model said in a message is one, as its hook has it, and whole: what is taken in stays as it is. What
    /// it did follows where it was done.
    fn answered(&self, past: &mut Vec<Past>) {
        let mut text = moment(self.message, "completed").and_then(|_| said::message(&self.typed()));
        for part in self.parts {
            match field::text(part, &["type"]) {
                Some("text") => {
                    let at = moment(part, "start").or(self.created);
                    if let (Some(at), Some(text)) = (at, text.take()) {
                        let seen = vec![Seen::message(Kind::ModelMessage, text)];
                        past.extend(tell(CLIENT, &self.head, at, self.named(seen)));
                    }
                }
                Some("tool") => past.extend(self.used(part)),
                _ => {}
            }
        }
    }

    fn used(&self, part: &Json) -> Vec<Past> {
        let state = part.get("state").unwrap_or(&Json::Null);
        let Some(at) = moment(state, "end") else { return vec![] };
        let name = field::text(part, &["tool"]).unwrap_or("tool");
        let used = Use {
            name,
            input: state.get("input").unwrap_or(&Json::Null),
            id: field::text(part, &["callID"]),
            outcome: Outcome::of_response(name, Some(state)),
            duration_ms: moment(state, "start").map(|start| (at.0 - start.0) / 1000),
        };
        tell(CLIENT, &self.head, at, tool::seen(&used))
    }

    /// The text of it, without what plugins and the client itself add.
    fn typed(&self) -> String {
        let is_typed = |part: &&Json| {
            field::text(part, &["type"]) == Some("text")
                && !["synthetic", "ignored"].iter().any(|name| field::is_true(part, name))
        };
        let typed = self.parts.iter().filter(is_typed).filter_map(|part| field::text(part, &["text"]));
        typed.collect::<Vec<_>>().join("\n")
    }

    fn named(&self, seen: Vec<Seen>) -> Vec<Seen> {
        seen.into_iter().map(|seen| Seen { id: Some(self.id.to_owned()), ..seen }).collect()
    }
}

/// Milliseconds since 1970, under `time`.
fn moment(of: &Json, name: &str) -> Option<Timestamp> {
    let millis = of.get("time")?.get(name)?.as_i64().filter(|millis| *millis > 0)?;
    millis.checked_mul(1000).map(Timestamp)
}
