//! LoCoMo's format: long conversations of two people, with questions whose evidence is turns.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use jiff::civil::DateTime;
use serde::Deserialize;
use serde_json::Value as Json;
use throughline_engine::store::event::Kind;
use throughline_engine::store::time::Timestamp;

use super::{Haystack, Question, Session, Turn, read};

#[derive(Debug, Deserialize)]
struct Sample {
    qa: Vec<Qa>,
    conversation: BTreeMap<String, Json>,
    #[serde(default)]
    sample_id: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Qa {
    question: String,
    category: u8,
    #[serde(default)]
    evidence: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Said {
    speaker: String,
    dia_id: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    blip_caption: Option<String>,
}

const ADVERSARIAL: u8 = 5;
const DAY: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);

/// One haystack for each conversation.
pub(super) fn haystacks(files: &[PathBuf]) -> Result<Vec<Haystack>> {
    let mut haystacks = vec![];
    for path in files {
        let samples: Vec<Sample> = read(path, "LoCoMo")?;
        for sample in samples {
            let number = haystacks.len() + 1;
            haystacks.push(haystack(sample, number)?);
        }
    }
    Ok(haystacks)
}

fn haystack(sample: Sample, number: usize) -> Result<Haystack> {
    let mut sessions = vec![];
    for n in 1.. {
        let name = format!("session_{n}");
        // A conversation may have dates beyond its last session.
        let Some(said) = sample.conversation.get(&name) else {
            if sample.conversation.contains_key(&format!("{name}_date_time")) {
                continue;
            }
            break;
        };
        let said: Vec<Said> =
            serde_json::from_value(said.clone()).with_context(|| format!("{name} is no session"))?;
        let written = sample.conversation.get(&format!("{name}_date_time")).and_then(Json::as_str);
        let at = written.map_or(Ok(Timestamp(0)), time)?;
        sessions.push(Session { name, at, turns: said.into_iter().map(turn).collect() });
    }
    let asked_at = sessions.last().map_or(Timestamp(0), |session| session.at).plus(DAY);
    let questions = sample.qa.into_iter().filter_map(|qa| question(qa, &sessions, asked_at)).collect();
    let name = sample.sample_id.unwrap_or_else(|| format!("conversation {number}"));
    Ok(Haystack { name, sessions, questions })
}

fn turn(said: Said) -> Turn {
    let image = said.blip_caption.map(|caption| format!(" [shares image: {caption}]")).unwrap_or_default();
    Turn {
        key: turn_keys(&said.dia_id).pop().unwrap_or(said.dia_id),
        kind: Kind::UserMessage,
        text: format!("{}: {}{image}", said.speaker, said.text),
    }
}

/// Nothing for a question without evidence that exists.
fn question(qa: Qa, sessions: &[Session], asked_at: Timestamp) -> Option<Question> {
    let mut turns: Vec<String> = qa.evidence.iter().flat_map(|label| turn_keys(label)).collect();
    turns.sort();
    turns.dedup();
    turns.retain(|key| sessions.iter().any(|session| session.turns.iter().any(|turn| turn.key == *key)));
    let has_gold = |session: &&Session| session.turns.iter().any(|turn| turns.contains(&turn.key));
    let gold: Vec<String> = sessions.iter().filter(has_gold).map(|session| session.name.clone()).collect();
    (!turns.is_empty()).then(|| Question {
        text: qa.question,
        group: group(qa.category).to_owned(),
        headline: qa.category != ADVERSARIAL,
        asked_at,
        turns,
        sessions: gold,
    })
}

fn group(category: u8) -> &'static str {
    match category {
        1 => "multi-hop",
        2 => "temporal",
        3 => "open-domain",
        4 => "single-hop",
        _ => "adversarial",
    }
}

/// The turns that a label names. Some are malformed: "D8:6; D9:17", "D30:05", "D:11:26".
fn turn_keys(label: &str) -> Vec<String> {
    let mut keys = vec![];
    for piece in label.split('D').skip(1) {
        let numbers: Vec<u32> =
            piece.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
        if let [session, turn, ..] = numbers[..] {
            keys.push(format!("D{session}:{turn}"));
        }
    }
    keys
}

/// `1:56 pm on 8 May, 2023`
fn time(text: &str) -> Result<Timestamp> {
    let at =
        DateTime::strptime("%I:%M %p on %d %B, %Y", text).with_context(|| format!("{text:?} is no time"))?;
    Ok(Timestamp(at.to_zoned(jiff::tz::TimeZone::UTC)?.timestamp().as_microsecond()))
}

#[cfg(test)]
mod tests {
    use super::turn_keys;

    #[test]
    fn malformed_labels_are_repaired() {
        for (label, keys) in [
            ("D1:3", vec!["D1:3"]),
            ("D8:6; D9:17", vec!["D8:6", "D9:17"]),
            ("D30:05", vec!["D30:5"]),
            ("D:11:26", vec!["D11:26"]),
            ("D9:1 D4:4 D4:6", vec!["D9:1", "D4:4", "D4:6"]),
            ("D", vec![]),
        ] {
            assert_eq!(turn_keys(label), keys, "{label}");
        }
    }
}
