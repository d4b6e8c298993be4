//! A history that somebody wrote down line by line, with what holds at its end.

use serde::Deserialize;
use throughline_engine::store::event::Kind;

use super::story::{self, Session, Step, Story, Truth, Word, Wording, is_any_in};

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Recording {
    pub(super) name: String,
    /// Lines of the project's AGENTS.md.
    pub(super) boot: Vec<String>,
    sessions: Vec<Recorded>,
    facts: Vec<Fact>,
    /// What may be remembered besides the facts.
    fine: Vec<Vec<String>>,
}

#[derive(Debug, Clone, Deserialize)]
struct Recorded {
    day: usize,
    client: String,
    steps: Vec<Did>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Did {
    Asked { user: String },
    Answered { agent: String },
    Ran { run: String, ok: bool, output: String },
    Fetched { fetch: String, output: String },
    Read { read: String },
    Wrote { wrote: String },
}

#[derive(Debug, Clone, Deserialize)]
struct Fact {
    name: String,
    /// How somebody asks for it.
    ask: String,
    now: Vec<Vec<String>>,
    past: Vec<Vec<String>>,
}

impl Recording {
    pub(super) fn told(&self) -> Story {
        let prompts: Vec<&String> =
            self.sessions.iter().flat_map(|session| &session.steps).filter_map(Did::asked).collect();
        let truths: Vec<Truth> = self.facts.iter().map(|fact| fact.truth(&prompts)).collect();
        let fine = wordings(&self.fine);
        let is_lasting = |text: &str| {
            let text = text.to_lowercase();
            let of_facts = |truth: &Truth| is_any_in(&truth.now, &text) || is_any_in(&truth.past, &text);
            truths.iter().any(of_facts) || is_any_in(&fine, &text)
        };
        let said = prompts.iter().filter(|prompt| is_lasting(prompt)).count();
        let trapped = prompts.len() - said;
        let sessions = self.sessions.iter().map(Recorded::session).collect();
        Story { sessions, truths, fine, said, trapped }
    }
}

impl Recorded {
    fn session(&self) -> Session {
        let steps = self.steps.iter().flat_map(Did::steps).collect();
        Session { day: self.day, client: self.client.clone(), steps }
    }
}

impl Did {
    fn asked(&self) -> Option<&String> {
        if let Did::Asked { user } = self { Some(user) } else { None }
    }

    fn steps(&self) -> Vec<Step> {
        match self {
            Did::Asked { user } => vec![Step::said(Kind::UserMessage, user.clone())],
            Did::Answered { agent } => vec![Step::said(Kind::ModelMessage, agent.clone())],
            Did::Ran { run, ok, output } => story::ran(run, output, *ok).to_vec(),
            Did::Fetched { fetch, output } => vec![Step::fetched(fetch, output.clone())],
            Did::Read { read } => vec![Step::touched(Kind::Read, read.clone())],
            Did::Wrote { wrote } => vec![Step::touched(Kind::Write, wrote.clone())],
        }
    }
}

impl Fact {
    fn truth(&self, prompts: &[&String]) -> Truth {
        let (now, past) = (wordings(&self.now), wordings(&self.past));
        let is_about = |text: &str| is_any_in(&now, text) || is_any_in(&past, text);
        let said = prompts.iter().filter(|prompt| is_about(&prompt.to_lowercase()));
        let said = said.map(|prompt| (*prompt).clone()).collect();
        Truth { name: self.name.clone(), ask: self.ask.clone(), now, past, said }
    }
}

fn wordings(lists: &[Vec<String>]) -> Vec<Wording> {
    lists.iter().map(|words| words.iter().map(|word| Word::part(word)).collect()).collect()
}
