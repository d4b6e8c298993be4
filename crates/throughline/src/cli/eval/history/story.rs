//! A history with its truth: what was said and done over some weeks, what holds at its end, and what must not be remembered.
//! The words come from a file; chance says who says what when.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value as Json, json};
use throughline_engine::store::event::Kind;

/// What a file of histories has.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Material {
    pub(super) name: String,
    /// Lines of the project's AGENTS.md.
    pub(super) boot: Vec<String>,
    pub(super) topics: Vec<Topic>,
    fixes: Vec<Fix>,
    /// What must not become a memory, by why.
    traps: BTreeMap<String, Vec<String>>,
}

/// Something that has one value at a time.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Topic {
    pub(super) id: String,
    /// A statement about it has one of each of these, `a|b`.
    needs: Vec<String>,
    values: Vec<String>,
    /// How somebody asks for it.
    pub(super) ask: String,
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
    needs: Vec<String>,
    value: Option<String>,
    past: Vec<String>,
    /// All that was said about it, first to last.
    pub(super) said: Vec<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Session {
    pub(super) day: usize,
    pub(super) client: &'static str,
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
    /// How often a fact was said, and how many lines were there to be kept out.
    pub(super) said: usize,
    pub(super) trapped: usize,
}

impl Truth {
    /// Whether a text is about this and says what holds.
    pub(super) fn is_told_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.is_about(&text) && self.value.as_ref().is_none_or(|value| has(&text, value))
    }

    /// Whether a text is about this and says what held once.
    pub(super) fn is_past_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let is_current = self.value.as_ref().is_some_and(|value| has(&text, value));
        self.is_about(&text) && !is_current && self.past.iter().any(|past| has(&text, past))
    }

    fn is_about(&self, text: &str) -> bool {
        self.needs.iter().all(|need| need.split('|').any(|word| text.contains(&word.to_lowercase())))
    }
}

/// As a whole: `1` is not in `8443`.
fn has(text: &str, value: &str) -> bool {
    let value = value.to_lowercase();
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(&value).any(|(at, found)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + found.len()..].chars().next())
    })
}

const CLIENTS: [&str; 2] = ["claude-code", "codex"];

/// The same seed tells the same.
pub(super) fn told(material: &Material, seed: u64, days: usize) -> Story {
    let mut author = Author { dice: Dice(seed), sessions: vec![], truths: vec![], said: 0, trapped: 0 };
    author.plan(days);
    material.topics.iter().for_each(|topic| author.tell(topic, days));
    material.fixes.iter().for_each(|fix| author.fix(fix));
    author.set_traps(&material.traps);
    let Author { sessions, truths, said, trapped, .. } = author;
    Story { sessions, truths, said, trapped }
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
                self.sessions.push(Session { day, client, steps: vec![] });
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
        self.truths.push(Truth {
            name: topic.id.clone(),
            ask: topic.ask.clone(),
            needs: topic.needs.clone(),
            value: Some(topic.values[values - 1].clone()),
            past: topic.values[..values - 1].to_vec(),
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
                self.run(session, command, error);
            }
        }
        self.truths.push(Truth {
            name: fix.command.clone(),
            ask: format!("what to do when {} fails", fix.command),
            needs: fix.needs.clone(),
            value: None,
            past: vec![],
            said: vec![format!("{} after {}", fix.fix, fix.command)],
        });
    }

    fn run(&mut self, session: usize, command: &str, error: Option<&String>) {
        let parts = json!({ "tool": "Bash", "ok": error.is_none() });
        let output = error.cloned().unwrap_or_else(|| "ok".to_owned());
        for (kind, content) in [(Kind::ToolCall, command.to_owned()), (Kind::ToolResult, output)] {
            let target = Some(command.to_owned());
            let step = Step { kind, target, content: Some(content), parts: Some(parts.clone()) };
            self.sessions[session].steps.push(step);
        }
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
                    "tool" => {
                        let parts = json!({ "tool": "WebFetch", "ok": true });
                        let step = Step {
                            kind: Kind::ToolResult,
                            target: Some("WebFetch".to_owned()),
                            content: Some(text),
                            parts: Some(parts),
                        };
                        self.insert(session, step);
                    }
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
    fn said(kind: Kind, text: String) -> Step {
        Step { kind, target: None, content: Some(text), parts: None }
    }
}
