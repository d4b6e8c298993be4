//! LongMemEval's format: questions with sessions of a person and an assistant; pooled, every session of the files is
//! in the haystack of every question.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use jiff::civil::DateTime;
use serde::Deserialize;
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

use super::{Haystack, Question, Session, Turn, read};

#[derive(Debug, Deserialize)]
struct Asked {
    question: String,
    question_type: String,
    question_date: String,
    haystack_dates: Vec<String>,
    haystack_session_ids: Vec<String>,
    haystack_sessions: Vec<Vec<Said>>,
    answer_session_ids: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Said {
    role: String,
    content: String,
    #[serde(default)]
    has_answer: Option<bool>,
}

pub(super) fn haystacks(files: &[PathBuf]) -> Result<Vec<Haystack>> {
    let mut pool = Haystack { name: "pooled".to_owned(), sessions: vec![], questions: vec![] };
    let mut known = HashSet::new();
    for path in files {
        let all: Vec<Asked> = read(path, "LongMemEval")?;
        for asked in all {
            pool.questions.extend(question(&asked)?);
            let dated = asked.haystack_session_ids.into_iter().zip(asked.haystack_dates);
            for ((name, date), said) in dated.zip(asked.haystack_sessions) {
                if known.insert(name.clone()) {
                    pool.sessions.push(session(name, &date, said)?);
                }
            }
        }
    }
    Ok(vec![pool])
}

fn session(name: String, date: &str, said: Vec<Said>) -> Result<Session> {
    let turns = said.into_iter().enumerate().filter(|(_, said)| !said.content.trim().is_empty()).map(
        |(place, said)| Turn {
            key: format!("{name}#{place}"),
            kind: if said.role == "user" { Kind::UserMessage } else { Kind::ModelMessage },
            text: said.content,
        },
    );
    Ok(Session { turns: turns.collect(), at: time(date)?, name })
}

/// Nothing for a question whose answer no turn is marked to have.
fn question(asked: &Asked) -> Result<Option<Question>> {
    let mut turns = vec![];
    for (name, said) in asked.haystack_session_ids.iter().zip(&asked.haystack_sessions) {
        let marked = said.iter().enumerate().filter(|(_, said)| said.has_answer == Some(true));
        let spoken = marked.filter(|(_, said)| !said.content.trim().is_empty());
        turns.extend(spoken.map(|(place, _)| format!("{name}#{place}")));
    }
    let there = |id: &&String| asked.haystack_session_ids.contains(id);
    let sessions: Vec<String> = asked.answer_session_ids.iter().filter(there).cloned().collect();
    if turns.is_empty() || sessions.is_empty() {
        return Ok(None);
    }
    Ok(Some(Question {
        text: asked.question.clone(),
        group: asked.question_type.clone(),
        headline: true,
        asked_at: time(&asked.question_date)?,
        turns,
        sessions,
    }))
}

/// `2023/04/10 (Mon) 17:50`
fn time(text: &str) -> Result<Timestamp> {
    let at =
        DateTime::strptime("%Y/%m/%d (%a) %H:%M", text).with_context(|| format!("{text:?} is no time"))?;
    Ok(Timestamp(at.to_zoned(jiff::tz::TimeZone::UTC)?.timestamp().as_microsecond()))
}
