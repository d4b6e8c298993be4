//! What the rules take from labelled lines and stretches of work, and what they should have taken.

use std::path::PathBuf;

use anyhow::Result;
use serde::Deserialize;
use serde_json::json;
use throughline_engine::remember::extract::{BootFiles, Candidate, extract};
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::event::{Event, Kind, Role};
use throughline_engine::store::id::{EventId, SessionId};
use throughline_engine::store::time::Timestamp;

use super::lines;
use super::tally::{Mistake, Tally};

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Example {
    Line(Line),
    Stretch(Stretch),
}

/// Something that was said, with what was said before.
#[derive(Debug, Deserialize)]
struct Line {
    id: String,
    #[serde(default)]
    split: Option<String>,
    role: Speaker,
    text: String,
    #[serde(default)]
    context: Vec<Said>,
    expect: Option<Expected>,
}

/// Messages, commands and writes in order.
#[derive(Debug, Deserialize)]
struct Stretch {
    id: String,
    #[serde(default)]
    split: Option<String>,
    /// What the project's own files for agents say.
    #[serde(default)]
    boot: Option<String>,
    events: Vec<Happened>,
    #[serde(default)]
    expect: Vec<Expected>,
}

#[derive(Debug, Deserialize)]
struct Expected {
    /// One kind, or several that would do: `rule|preference`.
    kind: String,
    /// What the statement must contain, in small letters.
    #[serde(default)]
    about: Vec<String>,
    /// What must not have stayed in it.
    #[serde(default)]
    without: Vec<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Speaker {
    User,
    Assistant,
    Tool,
}

#[derive(Debug, Deserialize)]
struct Said {
    role: Speaker,
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Happened {
    Said(Said),
    Ran {
        command: String,
        ok: bool,
        #[serde(default)]
        error: String,
    },
    Wrote {
        wrote: String,
    },
}

/// Candidates of any kind, and those of the expected kind.
const FOUND: &str = "found";
const WITH_KIND: &str = "found with kind";
const NO_SPLIT: &str = "-";

pub(super) fn measure(files: &[PathBuf]) -> Result<Tally> {
    let mut tally = Tally::default();
    for file in files {
        for example in lines::<Example>(file, "extraction")? {
            tally.look();
            match example {
                Example::Line(line) => judge_line(line, &mut tally),
                Example::Stretch(stretch) => judge_stretch(stretch, &mut tally),
            }
        }
    }
    Ok(tally)
}

fn judge_line(line: Line, tally: &mut Tally) {
    let mut events: Vec<Event> = vec![];
    for said in &line.context {
        let at = events.len();
        events.push(message(at, said));
    }
    let judged = message(events.len(), &Said { role: line.role, text: line.text.clone() });
    let id = judged.id.clone();
    events.push(judged);
    let candidates = extract(&events, &BootFiles::default()).candidates;
    let of_line = candidates
        .into_iter()
        .filter(|one| one.evidence.iter().any(|evidence| evidence.event == id))
        .collect();
    let split = line.split.as_deref().unwrap_or(NO_SPLIT);
    Judge { id: &line.id, split, text: &line.text }.judge(of_line, line.expect.into_iter().collect(), tally);
}

fn judge_stretch(stretch: Stretch, tally: &mut Tally) {
    let mut events: Vec<Event> = vec![];
    for happened in &stretch.events {
        happen(happened, &mut events);
    }
    let boot = BootFiles::of(stretch.boot.as_deref());
    let split = stretch.split.as_deref().unwrap_or(NO_SPLIT);
    let judge = Judge { id: &stretch.id, split, text: "(a stretch of work)" };
    judge.judge(extract(&events, &boot).candidates, stretch.expect, tally);
}

struct Judge<'a> {
    id: &'a str,
    split: &'a str,
    text: &'a str,
}

impl Judge<'_> {
    /// A candidate is right when it says what was expected and nothing that should not have stayed; its kind is
    /// counted apart.
    fn judge(&self, mut candidates: Vec<Candidate>, expected: Vec<Expected>, tally: &mut Tally) {
        // What is known decides about these.
        candidates.retain(|candidate| !candidate.tentative);
        for candidate in &candidates {
            [FOUND, WITH_KIND, candidate.kind.as_str()].iter().for_each(|of| tally.give(self.split, of));
        }
        for expected in expected {
            let kinds: Vec<&str> = expected.kind.split('|').collect();
            let right = candidates
                .iter()
                .position(|candidate| expected.is_met_by(candidate))
                .map(|at| candidates.remove(at));
            let kind =
                right.as_ref().map(|candidate| candidate.kind.as_str()).filter(|kind| kinds.contains(kind));
            let counted = kind.unwrap_or(kinds[0]);
            [FOUND, WITH_KIND, counted].iter().for_each(|of| tally.expect(self.split, of));
            match (&right, kind) {
                (Some(_), Some(kind)) => {
                    [FOUND, WITH_KIND, kind].iter().for_each(|of| tally.right(self.split, of));
                }
                (Some(candidate), None) => {
                    tally.right(self.split, FOUND);
                    self.note(
                        "of another kind",
                        format!("{} [{}] for {}", candidate.content, candidate.kind, expected.kind),
                        tally,
                    );
                }
                (None, _) => self.note("missed", format!("{} {:?}", self.text, expected.about), tally),
            }
        }
        for candidate in candidates {
            self.note(
                "wrong",
                format!("{} [{}] from {:?}", candidate.content, candidate.family, self.text),
                tally,
            );
        }
    }

    fn note(&self, what: &'static str, text: String, tally: &mut Tally) {
        tally.mistake(Mistake { id: self.id.to_owned(), split: self.split.to_owned(), what, text });
    }
}

impl Expected {
    fn is_met_by(&self, candidate: &Candidate) -> bool {
        let content = candidate.content.to_lowercase();
        self.about.iter().all(|about| content.contains(&about.to_lowercase()))
            && !self.without.iter().any(|without| content.contains(&without.to_lowercase()))
    }
}

fn happen(happened: &Happened, events: &mut Vec<Event>) {
    let at = events.len();
    match happened {
        Happened::Said(said) => events.push(message(at, said)),
        Happened::Wrote { wrote } => {
            events.push(Event { target: Some(wrote.clone()), ..event(at, Kind::Write, Role::Assistant) });
        }
        Happened::Ran { command, ok, error } => {
            let parts = Some(json!({ "tool": "Bash", "ok": ok }).to_string());
            let call = event(at, Kind::ToolCall, Role::Assistant);
            events.push(Event { target: Some(command.clone()), parts: parts.clone(), ..call });
            if !ok {
                let result = event(at + 1, Kind::ToolResult, Role::Tool);
                events.push(Event {
                    target: Some(command.clone()),
                    content: Some(error.clone()),
                    parts,
                    ..result
                });
            }
        }
    }
}

fn message(at: usize, said: &Said) -> Event {
    let (kind, role) = match said.role {
        Speaker::User => (Kind::UserMessage, Role::User),
        Speaker::Assistant => (Kind::ModelMessage, Role::Assistant),
        Speaker::Tool => (Kind::ToolResult, Role::Tool),
    };
    Event { content: Some(said.text.clone()), ..event(at, kind, role) }
}

/// An event as the log would have it, of a session that is nowhere.
fn event(at: usize, kind: Kind, role: Role) -> Event {
    let number = at as i64 + 1;
    Event {
        position: number,
        id: EventId::from(format!("event-{number}")),
        session_id: SessionId::from("session".to_owned()),
        sequence: number,
        at: Timestamp(0),
        actor: Actor { kind: ActorKind::Agent, name: "eval".to_owned() },
        kind,
        role,
        target: None,
        summary: String::new(),
        content: None,
        parts: None,
        item_id: None,
        triggered_by: None,
        informs: None,
        rationale: None,
        client_key: None,
        tokens: 0,
        redactions: 0,
        purge: None,
    }
}
