//! What must not be lost of a session, taken from its events one after the other without a model: the same events always
//! give the same digest, and the digest of a part can be gone on with.

use serde_json::{Value as Json, json};
use throughline_store::event::{Event, Kind};
use throughline_store::id::EventId;

use super::correction;
use crate::capture::{shortened, without_controls};
use crate::remember::was_to_wait;
use crate::unfinished::next_step;
use crate::unfinished::open::{Open, follow};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digest {
    /// What was asked for last, the newest last.
    pub requests: Vec<Line>,
    pub decisions: Vec<Line>,
    /// Checks that failed and did not pass since, gates not passed.
    pub unresolved: Vec<Open>,
    /// The newest of what failed and passed since.
    pub settled: Vec<Line>,
    /// Where the user put the agent right.
    pub corrections: Vec<Line>,
    /// What the user asked to be remembered: the newest, for these are memories of the store as well, and a session that
    /// loads a store has any number of them.
    pub remember: Vec<Line>,
    /// How many lines went from that list.
    pub remembered_before: usize,
    pub next_steps: Vec<String>,
    /// What the agent asked last and was not answered.
    pub questions: Vec<String>,
    pub files: Vec<String>,
    /// The last files that were read, or named by a command, and not changed.
    pub looked_at: Vec<String>,
    /// Gates that were passed.
    pub gates: Vec<String>,
}

/// Something that was said, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    pub event: EventId,
}

const REQUESTS: usize = 8;
const SETTLED: usize = 8;
const LOOKED_AT: usize = 40;
const CHARS: usize = 400;
const REQUEST_CHARS: usize = 200;
const PATH_CHARS: usize = 160;
const REMEMBERED: usize = 1000;
/// What is said again takes its place anew if it is among so many of the last: a session may have any number of lines.
const COMPARED: usize = 1000;

impl Digest {
    pub(crate) fn follow<'a>(&mut self, events: impl Iterator<Item = &'a Event>) {
        events.filter(|event| event.purge.is_none()).for_each(|event| self.take(event));
    }

    fn take(&mut self, event: &Event) {
        for settled in follow(&mut self.unresolved, event) {
            self.settled.push(Line { text: settled.check, event: event.id.clone() });
        }
        keep_last(&mut self.settled, SETTLED);
        match event.kind {
            Kind::UserMessage => self.take_request(event),
            Kind::ModelMessage => self.take_answer(event),
            Kind::Decision | Kind::SystemEvent if was_to_wait(event) => {}
            Kind::Decision => add(&mut self.decisions, event, CHARS),
            Kind::Write | Kind::ResourceWritten => self.take_file(event),
            Kind::ValidationGate => self.take_gate(event),
            // A memory that was made in the session.
            Kind::SystemEvent if event.informs.is_some() => add(&mut self.remember, event, CHARS),
            Kind::Read => self.look_at(event.target.as_deref().into_iter()),
            Kind::ToolCall => self.look_at(named_files(event.target.as_deref().unwrap_or_default())),
            Kind::ToolResult
            | Kind::Search
            | Kind::MemoryRecall
            | Kind::ItemCreated
            | Kind::ItemUpdated
            | Kind::ItemDeleted
            | Kind::TaskCompleted
            | Kind::Handoff
            | Kind::Checkpoint
            | Kind::SystemEvent => {}
        }
        self.remembered_before += keep_last(&mut self.remember, REMEMBERED);
    }

    fn take_request(&mut self, event: &Event) {
        let text = said(event);
        if correction::is_memo(text) {
            add(&mut self.remember, event, CHARS);
        } else if correction::is_correction(text) {
            add(&mut self.corrections, event, CHARS);
        }
        correction::resolutions(text).for_each(|decided| self.take_decision(decided, event));
        add(&mut self.requests, event, REQUEST_CHARS);
        keep_last(&mut self.requests, REQUESTS);
        self.questions.clear();
    }

    fn take_decision(&mut self, decided: &str, event: &Event) {
        let text = shortened(&without_controls(decided), CHARS);
        if self.decisions.iter().rev().take(COMPARED).all(|known| known.text != text) {
            self.decisions.push(Line { text, event: event.id.clone() });
        }
    }

    /// Of several answers only the last one's steps are still next.
    fn take_answer(&mut self, event: &Event) {
        let text = said(event);
        correction::decisions(text).for_each(|decided| self.take_decision(decided, event));
        self.next_steps = next_step::in_short(text);
        let questions = text.lines().map(str::trim).filter(|line| line.ends_with('?'));
        self.questions = questions.map(|line| shortened(line, REQUEST_CHARS)).collect();
        keep_last(&mut self.questions, 3);
    }

    fn take_file(&mut self, event: &Event) {
        if let Some(file) = &event.target {
            self.files.retain(|known| known != file);
            self.files.push(file.clone());
            self.looked_at.retain(|known| known != file);
        }
    }

    /// An agent that works in a shell reads and changes files without a tool that says so.
    fn look_at<'a>(&mut self, files: impl Iterator<Item = &'a str>) {
        for file in files {
            self.looked_at.retain(|known| known != file);
            if !self.files.iter().any(|changed| changed == file) {
                self.looked_at.push(file.to_owned());
            }
        }
        keep_last(&mut self.looked_at, LOOKED_AT);
    }

    fn take_gate(&mut self, event: &Event) {
        let gate = event.target.clone().unwrap_or_else(|| event.summary.clone());
        let is_open = self.unresolved.iter().any(|open| open.event == event.id);
        self.gates.retain(|known| *known != gate);
        self.gates.extend((!is_open).then_some(gate));
    }

    /// As it is kept with a summary, to be gone on with.
    pub(crate) fn written(&self) -> Json {
        let lines = |lines: &[Line]| -> Vec<Json> {
            lines.iter().map(|line| json!([line.text, line.event.as_str()])).collect()
        };
        let open = |open: &Open| json!([open.check, open.text, open.event.as_str()]);
        let mut written = json!({
            "requests": lines(&self.requests),
            "decisions": lines(&self.decisions),
            "unresolved": self.unresolved.iter().map(open).collect::<Vec<_>>(),
            "settled": lines(&self.settled),
            "corrections": lines(&self.corrections),
            "remember": lines(&self.remember),
            "next_steps": self.next_steps,
            "questions": self.questions,
            "files": self.files,
            "looked_at": self.looked_at,
            "gates": self.gates,
        });
        if self.remembered_before > 0 {
            written["remembered_before"] = json!(self.remembered_before);
        }
        written
    }

    /// What is not there is empty.
    pub(crate) fn read(kept: &Json) -> Digest {
        let array = |name: &str| kept[name].as_array().cloned().unwrap_or_default();
        let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
        let texts = |name: &str| array(name).iter().map(text).collect::<Vec<_>>();
        let line = |value: &Json| Line { text: text(&value[0]), event: EventId::from(text(&value[1])) };
        let lines = |name: &str| array(name).iter().map(line).collect::<Vec<_>>();
        let open = |value: &Json| Open {
            check: text(&value[0]),
            text: text(&value[1]),
            event: EventId::from(text(&value[2])),
        };
        let number = |name: &str| kept[name].as_u64().and_then(|number| usize::try_from(number).ok());
        Digest {
            requests: lines("requests"),
            decisions: lines("decisions"),
            unresolved: array("unresolved").iter().map(open).collect(),
            settled: lines("settled"),
            corrections: lines("corrections"),
            remember: lines("remember"),
            remembered_before: number("remembered_before").unwrap_or(0),
            next_steps: texts("next_steps"),
            questions: texts("questions"),
            files: texts("files"),
            looked_at: texts("looked_at"),
            gates: texts("gates"),
        }
    }

    pub(crate) fn unresolved_lines(&self) -> Vec<String> {
        let line = |open: &Open| match open.text.as_str() {
            "" => open.check.clone(),
            text => format!("{}: {text}", open.check),
        };
        self.unresolved.iter().map(line).collect()
    }
}

/// The words of a command line that name a file below a folder.
fn named_files(command: &str) -> impl Iterator<Item = &str> {
    let words = command.split(|c: char| c.is_whitespace() || "\"'`()<>|;=,:".contains(c));
    words.map(|word| word.trim_start_matches("./")).filter(|word| {
        let Some((folder, file)) = word.rsplit_once('/') else { return false };
        let has_ending = file.rsplit_once('.').is_some_and(|(name, ending)| {
            !name.is_empty() && !ending.is_empty() && ending.chars().all(char::is_alphanumeric)
        });
        let is_plain = word.chars().all(|c| c.is_alphanumeric() || "/._-+@".contains(c));
        has_ending && is_plain && word.len() <= PATH_CHARS && folder.split('/').all(|part| !part.is_empty())
    })
}

/// What an event says, at its full length where it has one.
fn said(event: &Event) -> &str {
    event.content.as_deref().unwrap_or(&event.summary)
}

fn add(lines: &mut Vec<Line>, event: &Event, chars: usize) {
    let mut text = without_controls(said(event));
    if let Some(why) = &event.rationale {
        text = format!("{} (because {})", shortened(&text, chars), without_controls(why));
    }
    let line = Line { text: shortened(text.trim(), chars), event: event.id.clone() };
    let first = lines.len().saturating_sub(COMPARED);
    let before = lines[first..].iter().position(|known| known.text == line.text);
    before.map(|at| lines.remove(first + at));
    lines.push(line);
}

/// How many it takes from the beginning.
fn keep_last<T>(list: &mut Vec<T>, most: usize) -> usize {
    let more = list.len().saturating_sub(most);
    list.drain(..more);
    more
}
