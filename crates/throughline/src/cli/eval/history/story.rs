//! A history with its truth: what was said and done over some weeks, what holds at its end, and what must not be remembered.
//! The words come from a file; chance says who says what when, unless the file is a recording.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value as Json, json};
use throughline_engine::store::event::Kind;

use super::recorded::Recording;

/// What a file of histories has.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Material {
    Recorded(Recording),
    Invented(Invention),
}

/// What may be said, of which chance makes many histories.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Invention {
    name: String,
    /// Lines of the project's AGENTS.md.
    boot: Vec<String>,
    topics: Vec<Topic>,
    fixes: Vec<Fix>,
    /// What must not become a memory, by why.
    traps: BTreeMap<String, Vec<String>>,
}

/// Something that has one value at a time.
#[derive(Debug, Clone, Deserialize)]
struct Topic {
    id: String,
    /// A statement about it has one of each of these, `a|b`.
    needs: Vec<String>,
    values: Vec<String>,
    /// How somebody asks for it.
    ask: String,
    first: Vec<String>,
    again: Vec<String>,
    change: Vec<String>,
}

/// A command that fails until something is done.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Fix {
    command: String,
    error: String,
    fix: String,
    needs: Vec<String>,
}

/// What holds at the end of a history.
#[derive(Debug, Clone)]
pub(super) struct Truth {
    pub(super) name: String,
    pub(super) ask: String,
    /// Who says all of one of these says what holds.
    pub(super) now: Vec<Wording>,
    pub(super) past: Vec<Wording>,
    /// All that was said about it, first to last.
    pub(super) said: Vec<String>,
}

/// What a text has in it that says something.
pub(super) type Wording = Vec<Word>;

/// In small letters.
#[derive(Debug, Clone)]
pub(super) enum Word {
    /// One of them, also as a part of a word.
    Part(Vec<String>),
    /// As a whole: `1` is not in `8443`.
    Whole(String),
}

#[derive(Debug, Clone)]
pub(super) struct Session {
    pub(super) day: usize,
    pub(super) client: String,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) kind: Kind,
    pub(super) target: Option<String>,
    pub(super) content: Option<String>,
    pub(super) parts: Option<Json>,
}

pub(super) struct Story {
    pub(super) sessions: Vec<Session>,
    pub(super) truths: Vec<Truth>,
    /// What may be remembered besides.
    pub(super) fine: Vec<Wording>,
    /// How often a fact was said, and how many lines were there to be kept out.
    pub(super) said: usize,
    pub(super) trapped: usize,
}

impl Material {
    pub(super) fn name(&self) -> &str {
        match self {
            Material::Recorded(recording) => &recording.name,
            Material::Invented(invention) => &invention.name,
        }
    }

    pub(super) fn boot(&self) -> &[String] {
        match self {
            Material::Recorded(recording) => &recording.boot,
            Material::Invented(invention) => &invention.boot,
        }
    }
}

impl Truth {
    /// Whether a text is about this and says what holds.
    pub(super) fn is_told_in(&self, text: &str) -> bool {
        is_any_in(&self.now, &text.to_lowercase())
    }

    /// Whether a text is about this and says what held once.
    pub(super) fn is_past_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        !is_any_in(&self.now, &text) && is_any_in(&self.past, &text)
    }
}

/// Of a text in small letters.
pub(super) fn is_any_in(wordings: &[Wording], text: &str) -> bool {
    wordings.iter().any(|wording| wording.iter().all(|word| word.is_in(text)))
}

impl Word {
    pub(super) fn part(text: &str) -> Word {
        Word::Part(text.split('|').map(str::to_lowercase).collect())
    }

    fn is_in(&self, text: &str) -> bool {
        match self {
            Word::Part(some) => some.iter().any(|word| text.contains(word)),
            Word::Whole(word) => has(text, word),
        }
    }
}

fn has(text: &str, value: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(value).any(|(at, found)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + found.len()..].chars().next())
    })
}

const CLIENTS: [&str; 2] = ["claude-code", "codex"];

/// The same seed tells the same; a recording is told as it is.
pub(super) fn told(material: &Material, seed: u64, days: usize) -> Story {
    match material {
        Material::Recorded(recording) => recording.told(),
        Material::Invented(invention) => invented(invention, seed, days),
    }
}

fn invented(material: &Invention, seed: u64, days: usize) -> Story {
    let mut author = Author { dice: Dice(seed), sessions: vec![], truths: vec![], said: 0, trapped: 0 };
    author.plan(days);
    material.topics.iter().for_each(|topic| author.tell(topic, days));
    material.fixes.iter().for_each(|fix| author.fix(fix));
    author.set_traps(&material.traps);
    let Author { sessions, truths, said, trapped, .. } = author;
    Story { sessions, truths, fine: vec![], said, trapped }
}

struct Author {
    dice: Dice,
    sessions: Vec<Session>,
    truths: Vec<Truth>,
    said: usize,
    trapped: usize,
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }

    fn of<'a>(&mut self, texts: &'a [String]) -> &'a str {
        let at = self.below(texts.len());
        texts.get(at).map_or("", String::as_str)
    }
}

impl Author {
    /// Several sessions on each day, by two agents in turn.
    fn plan(&mut self, days: usize) {
        for day in 0..days {
            for number in 0..3 + self.dice.below(3) {
                let client = CLIENTS[(day + number) % CLIENTS.len()];
                self.sessions.push(Session { day, client: client.to_owned(), steps: vec![] });
            }
        }
    }

    /// The values of a topic one after the other, each said more than once.
    fn tell(&mut self, topic: &Topic, days: usize) {
        let values = 1 + self.dice.below(topic.values.len());
        let span = (days / values).max(1);
        let mut all = vec![];
        for at in 0..values {
            let (value, old) =
                (&topic.values[at], at.checked_sub(1).map_or("", |old| topic.values[old].as_str()));
            let begins = at * span + self.dice.below(span.div_ceil(2));
            let ends = ((at + 1) * span).min(days);
            let phrases = if at == 0 { &topic.first } else { &topic.change };
            let said = self.dice.of(phrases).replace("{v}", value).replace("{old}", old);
            let mut last = self.session_on(begins);
            self.say(last, &said);
            all.push(said);
            for _ in 0..self.dice.below(4) {
                let day = begins + self.dice.below((ends - begins).max(1));
                let phrases = if self.dice.below(2) == 0 || at > 0 { &topic.again } else { &topic.first };
                let again = self.dice.of(phrases).replace("{v}", value);
                let session = self.session_on(day).max(last);
                if self.sessions[session].day < ends {
                    self.say(session, &again);
                    all.push(again);
                    last = session;
                }
            }
        }
        let wording = |value: &String| {
            let needs = topic.needs.iter().map(|need| Word::part(need));
            needs.chain([Word::Whole(value.to_lowercase())]).collect()
        };
        self.truths.push(Truth {
            name: topic.id.clone(),
            ask: topic.ask.clone(),
            now: vec![wording(&topic.values[values - 1])],
            past: topic.values[..values - 1].iter().map(wording).collect(),
            said: all,
        });
    }

    fn session_on(&mut self, day: usize) -> usize {
        let of_day: Vec<usize> =
            (0..self.sessions.len()).filter(|at| self.sessions[*at].day == day).collect();
        of_day.get(self.dice.below(of_day.len())).copied().unwrap_or(self.sessions.len() - 1)
    }

    /// People say things beside others.
    fn say(&mut self, session: usize, statement: &str) {
        self.said += 1;
        let text = match self.dice.below(5) {
            0 => format!("{statement}. Please go on with the cart."),
            1 => format!("ok. {statement}."),
            2 => format!("Thanks!\n\n{statement}"),
            _ => statement.to_owned(),
        };
        self.push(session, Kind::UserMessage, text);
    }

    /// Fails twice, then something helps; in two sessions.
    fn fix(&mut self, fix: &Fix) {
        for _ in 0..2 {
            let session = self.dice.below(self.sessions.len());
            for (command, error) in [
                (&fix.command, Some(&fix.error)),
                (&fix.command, Some(&fix.error)),
                (&fix.fix, None),
                (&fix.command, None),
            ] {
                let steps = ran(command, error.map_or("ok", String::as_str), error.is_none());
                self.sessions[session].steps.extend(steps);
            }
        }
        self.truths.push(Truth {
            name: fix.command.clone(),
            ask: format!("what to do when {} fails", fix.command),
            now: vec![fix.needs.iter().map(|need| Word::part(need)).collect()],
            past: vec![],
            said: vec![format!("{} after {}", fix.fix, fix.command)],
        });
    }

    /// Four or more in each session, among what is said.
    fn set_traps(&mut self, traps: &BTreeMap<String, Vec<String>>) {
        let sorts: Vec<&String> = traps.keys().collect();
        for session in 0..self.sessions.len() {
            for _ in 0..4 + self.dice.below(4) {
                let sort = sorts[self.dice.below(sorts.len())];
                let text = self.dice.of(&traps[sort]).to_owned();
                self.trapped += 1;
                match sort.as_str() {
                    "tool" => self.insert(session, Step::fetched("WebFetch", text)),
                    "assistant" => self.insert(session, Step::said(Kind::ModelMessage, text)),
                    _ => self.insert(session, Step::said(Kind::UserMessage, text)),
                }
            }
        }
    }

    fn push(&mut self, session: usize, kind: Kind, text: String) {
        self.sessions[session].steps.push(Step::said(kind, text));
    }

    /// Anywhere but between a command and its answer.
    fn insert(&mut self, session: usize, step: Step) {
        let steps = &mut self.sessions[session].steps;
        let mut at = self.dice.below(steps.len() + 1);
        while at < steps.len() && steps[at].target.is_some() {
            at += 1;
        }
        steps.insert(at, step);
    }
}

impl Step {
    pub(super) fn said(kind: Kind, text: String) -> Step {
        Step { kind, target: None, content: Some(text), parts: None }
    }

    pub(super) fn fetched(from: &str, text: String) -> Step {
        let parts = json!({ "tool": "WebFetch", "ok": true });
        Step {
            kind: Kind::ToolResult,
            target: Some(from.to_owned()),
            content: Some(text),
            parts: Some(parts),
        }
    }

    pub(super) fn touched(kind: Kind, path: String) -> Step {
        Step { kind, target: Some(path), content: None, parts: None }
    }
}

/// A command and what it printed.
pub(super) fn ran(command: &str, printed: &str, ok: bool) -> [Step; 2] {
    let parts = json!({ "tool": "Bash", "ok": ok });
    [(Kind::ToolCall, command), (Kind::ToolResult, printed)].map(|(kind, content)| Step {
        kind,
        target: Some(command.to_owned()),
        content: Some(content.to_owned()),
        parts: Some(parts.clone()),
    })
}
