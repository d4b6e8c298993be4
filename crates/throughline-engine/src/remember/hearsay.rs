//! Whose word a statement is: what an agent repeats of a tool, a page or a file is that one's word, whoever asks for it to be kept
//! and whether he asks or only says it. A person's word makes it that person's.
//!
//! What tools return is not kept, so of the sentences that are meant to bind somebody there are marks, which tell them again.

mod disguise;
mod grave;
mod mark;
mod safeguard;
mod wording;

use serde_json::Value as Json;
use throughline_store::Connection;
use throughline_store::actor::{Actor, ActorKind};
use throughline_store::event::{self, Event, Filter, Kind as EventKind, Order};
use throughline_store::id::SessionId;
use throughline_store::memory::{Kind, Source};

use super::Statement;
use super::decide::chosen;
use super::extract::{own_lines, sentences};
use super::statement::MAX_CONTENT_BYTES;
use crate::capture::one_line;
use crate::words::is_in;
use crate::{Caller, Engine, Result};
use disguise::{plain, readings};
use grave::{addresses, is_grave};
use mark::Mark;
use wording::words;

/// Where an event of a tool has the marks of what it was told, among its parts.
pub const ORDERS: &str = "orders";
/// So much of what a tool returns is looked at, and so many marks are made of it.
const LOOKED_AT_BYTES: usize = 64 * 1024;
const MARKED: usize = 128;
/// What only may be an order has to be so long: shorter ones anybody may say by himself.
const TELLING_WORDS: usize = 4;
/// An agent repeats what it has read lately.
const LATELY: i64 = 500;
const TOOLS: [EventKind; 4] =
    [EventKind::ToolCall, EventKind::ToolResult, EventKind::Read, EventKind::Search];

const SPEAKERS: &str = "tool output page webpage website site readme readme.md file log response issue email document script comment \
    error result it";
const SAYING: &str = "say says said state states stated read reads tell tells told instruct instructs instructed ask asks asked demands";

/// Marks of the sentences of a text that are meant to bind.
pub fn orders_in(text: &str) -> Vec<String> {
    marks_in(text).iter().map(Mark::written).collect()
}

fn marks_in(text: &str) -> Vec<Mark> {
    let text = plain(&text[..text.floor_char_boundary(LOOKED_AT_BYTES)]);
    let is_marked = |one: &&str| {
        let words = words(one);
        wording::binds(one, &words) || may_bind(&words) || wording::is_of_us(&words) || is_grave(one, &words)
    };
    let mut marks: Vec<Mark> = vec![];
    let lines = unwrapped(&text);
    for line in lines.iter().flat_map(|line| readings(line)) {
        for one in sentences(&line).into_iter().filter(is_marked) {
            marks.extend(marks_of(one));
            if marks.len() >= MARKED {
                marks.truncate(MARKED);
                return marks;
            }
        }
    }
    marks
}

/// An address or a flag is known again whatever is said of it.
fn marks_of(sentence: &str) -> Vec<Mark> {
    let mut marks = Mark::all_of(sentence);
    marks.extend(addresses(sentence).iter().map(|name| Mark::of_name(name)));
    marks.extend(safeguard::flags(sentence).map(Mark::of_name));
    marks
}

/// The lines of a text; those over which a sentence goes on are one.
fn unwrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for line in text.replace("\\n", "\n").lines() {
        let begin = line.find(char::is_alphabetic).map(|at| &line[at..]);
        let goes_on = begin.is_some_and(|rest| rest.starts_with(char::is_lowercase));
        match lines.last_mut() {
            Some(last) if goes_on && last.ends_with(|c: char| c.is_alphanumeric() || c == ',') => {
                last.push(' ');
                last.push_str(begin.unwrap_or_default().trim_end());
            }
            _ => lines.push(line.trim_end().to_owned()),
        }
    }
    lines
}

fn may_bind(words: &[String]) -> bool {
    words.len() >= TELLING_WORDS && wording::perhaps_binds(words)
}

/// A sentence of a statement that is somebody's to say.
struct Claim {
    sentence: String,
    marks: Vec<Mark>,
    /// It surely binds, so it is known again also where it was said a little otherwise.
    binds: bool,
    /// It is worded as what texts say, or takes a safeguard away: nobody but a person can say so.
    is_a_persons: bool,
}

impl Claim {
    /// Nothing where anybody can say so.
    fn of(sentence: &str, kind: Kind, source: Source) -> Option<Claim> {
        let is_own = source != Source::Bootstrap;
        let is_binding = matches!(kind, Kind::Rule | Kind::Preference | Kind::Decision);
        let words = words(sentence);
        let binds = is_binding || wording::binds(sentence, &words) || is_own && is_grave(sentence, &words);
        let is_loose = safeguard::loosens(sentence);
        let is_to_hold = is_binding || wording::is_in_the_name_of_people(sentence);
        let is_a_persons = is_own
            && (is_loose && is_to_hold
                || safeguard::gives_up(sentence)
                || kind != Kind::Decision && wording::is_addressed(sentence));
        if !(binds || is_a_persons || may_bind(&words)) {
            return None;
        }
        let mut marks = marks_of(sentence);
        if is_loose {
            // How it is taken away is said in many ways.
            marks.extend(Mark::all_but(sentence, safeguard::says_how));
        }
        Some(Claim { sentence: sentence.to_owned(), marks, binds, is_a_persons })
    }

    fn is_in(&self, read: &[Mark]) -> bool {
        let is_read =
            |own: &Mark| read.iter().any(|mark| if self.binds { mark.says(own) } else { mark.is(own) });
        self.marks.iter().any(is_read)
    }

    /// Whether one of these sentences of people says it too.
    fn is_said(&self, said: &[String]) -> bool {
        let denials = wording::denials(&self.sentence);
        said.iter().filter(|sentence| wording::denials(sentence) == denials).any(|sentence| {
            let marks = marks_of(sentence);
            !self.marks.is_empty() && self.marks.iter().all(|own| marks.iter().any(|mark| mark.says(own)))
        })
    }
}

/// What of a statement of an agent has to be somebody's word.
fn claims(statement: &Statement) -> Vec<Claim> {
    let content = chosen(&statement.content);
    let mut texts = readings(content);
    // Among the words of its subject a choice would not be known again.
    let is_decision = statement.kind == Kind::Decision;
    let choice = content.split_once(": ").filter(|_| is_decision).map(|(_, choice)| choice);
    texts.extend(choice.map(readings).unwrap_or_default());
    let claim = |sentence: &str| Claim::of(sentence, statement.kind, statement.source);
    let told = texts.iter().flat_map(|text| text.lines()).flat_map(sentences).filter_map(claim);
    let titled = title_beside(statement).map(readings).unwrap_or_default();
    // A short title says what it is about.
    let is_told = |claim: &Claim| claim.is_a_persons || words(&claim.sentence).len() >= TELLING_WORDS;
    let titled = titled.iter().flat_map(|title| sentences(title)).filter_map(claim).filter(is_told);
    told.chain(titled).collect()
}

/// The title where it is more than the beginning of the content.
fn title_beside(statement: &Statement) -> Option<&str> {
    let title = statement.title.as_deref()?;
    let is_beginning = one_line(&statement.content).starts_with(title.trim_end_matches('…'));
    (!is_beginning).then_some(title)
}

impl Engine {
    /// A statement as that which it repeats: what binds and an agent has just read, and no person has said, is a tool's.
    pub(super) fn attributed(&self, caller: &Caller, statement: Statement) -> Result<Statement> {
        // What is too long is refused, and not looked at first.
        let is_kept = statement.content.len() <= MAX_CONTENT_BYTES;
        if caller.actor.kind != ActorKind::Agent || !is_kept {
            return Ok(statement);
        }
        let is_hearsay = self.is_hearsay(caller, &statement, None)?;
        let source = if is_hearsay { Source::ToolOutput } else { statement.source };
        Ok(Statement { source, ..statement })
    }

    /// Whether what an agent states is a tool's word, as far as the project lately and the session know.
    pub(super) fn is_hearsay(
        &self,
        caller: &Caller,
        statement: &Statement,
        session: Option<&SessionId>,
    ) -> Result<bool> {
        let mut claims = claims(statement);
        if claims.is_empty() {
            return Ok(false);
        }
        let lately = |kinds: &[EventKind]| self.store.read(|conn| lately(conn, caller, session, kinds));
        let read: Vec<Mark> = lately(&TOOLS)?.iter().flat_map(read_in).collect();
        claims.retain(|claim| claim.is_a_persons || claim.is_in(&read));
        if claims.is_empty() {
            return Ok(false);
        }
        let said: Vec<String> = lately(&[EventKind::UserMessage])?.iter().flat_map(said_in).collect();
        Ok(claims.iter().any(|claim| !claim.is_said(&said)))
    }
}

/// The events of these kinds, lately in the project and in the session.
fn lately(
    conn: &mut dyn Connection,
    caller: &Caller,
    session: Option<&SessionId>,
    kinds: &[EventKind],
) -> Result<Vec<Event>> {
    let mut events = vec![];
    for sessions in std::iter::once(vec![]).chain(session.map(|session| vec![session.clone()])) {
        let filter = Filter { kinds: kinds.to_vec(), sessions, ..Filter::default() };
        events.extend(event::list(conn, &caller.project, &filter, Order::NewestFirst, LATELY)?);
    }
    events.retain(|event| event.purge.is_none());
    Ok(events)
}

/// The marks of an event: those that were made when it was recorded, and those of what is kept of it.
fn read_in(event: &Event) -> Vec<Mark> {
    let parts: Option<Json> = event.parts.as_deref().and_then(|parts| serde_json::from_str(parts).ok());
    let marks = parts.as_ref().and_then(|parts| parts.get(ORDERS)?.as_array());
    let marks = marks.into_iter().flatten().filter_map(|mark| Mark::read(mark.as_str()?));
    // What an agent writes into a call is its own.
    let kept = event.content.as_deref().filter(|_| event.kind != EventKind::ToolCall);
    marks.chain(kept.map(marks_in).unwrap_or_default()).collect()
}

/// What a person says himself. Who asks whether it is so, or tells what a text says, has not said it.
fn said_in(event: &Event) -> Vec<String> {
    let lines = own_lines(event.content.as_deref().unwrap_or_default());
    let lines: Vec<String> = lines.iter().flat_map(|line| readings(line)).collect();
    let sentences = lines.iter().flat_map(|line| sentences(line));
    let is_own = |sentence: &&str| !names_a_text(&words(sentence)) && !sentence.trim_end().ends_with('?');
    sentences.filter(is_own).map(str::to_owned).collect()
}

/// Whether both say nearly the same, and deny it as often.
pub(super) fn say_alike(one: &str, other: &str) -> bool {
    let (first, second) = (Mark::all_of(one), Mark::all_of(other));
    let are_short = first.len() == 1 && second.len() == 1;
    are_short
        && first[0].says(&second[0])
        && second[0].says(&first[0])
        && wording::denials(one) == wording::denials(other)
}

/// Whether a part of it takes a safeguard away.
pub(super) fn loosens(content: &str) -> bool {
    plain(content).lines().flat_map(sentences).any(safeguard::loosens)
}

/// A statement without the label of a text before it.
pub(super) fn unlabelled(content: &str) -> &str {
    wording::unlabelled(content)
}

/// Whether it tells others what to do in the name of somebody who cannot.
pub(super) fn quotes(actor: &Actor, kind: Kind, content: &str) -> bool {
    let content = plain(content);
    let content = content.as_ref();
    let tells = |one: &str| {
        let words = words(one);
        wording::binds(one, &words) || wording::perhaps_binds(&words)
    };
    let binds =
        matches!(kind, Kind::Rule | Kind::Preference) || content.lines().flat_map(sentences).any(tells);
    actor.kind == ActorKind::Agent && binds && (names_a_text(&words(content)) || is_output(content))
}

/// "the page says …", "README.md tells users to …"
fn names_a_text(words: &[String]) -> bool {
    words.windows(2).any(|pair| {
        let speaker = pair[0].as_str();
        let is_file =
            speaker.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "md" | "txt" | "html" | "json"));
        (is_file || is_in(SPEAKERS, speaker)) && is_in(SAYING, &pair[1])
    })
}

/// "Tool output: …"
fn is_output(content: &str) -> bool {
    let lead = content.split_once(':').map(|(lead, _)| lead.trim().to_lowercase());
    lead.is_some_and(|lead| lead.split_whitespace().count() <= 3 && lead.ends_with("output"))
}
