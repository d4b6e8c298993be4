//! Which sentences tell something that lasts: the weights of `remember/extract/lasting`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Deserialize;
use throughline_engine::remember::extract::lasting::{KINDS, WIDTH, features};
use throughline_engine::store::memory::Kind;

use super::super::{lines, read};
use super::softmax::{Example, Fitted, Plan};
use super::{Material, Topic};

const PLAN: Plan = Plan { classes: KINDS.len(), width: WIDTH, epochs: 30, rate: 0.08, pull: 2e-4 };
/// Features that only one sentence has say nothing about others.
const SEEN_AT_LEAST: usize = 2;

#[derive(Debug, Deserialize)]
struct Line {
    #[serde(default)]
    split: Option<String>,
    role: String,
    text: String,
    #[serde(default)]
    context: Vec<serde_json::Value>,
    expect: Option<Expected>,
}

#[derive(Debug, Deserialize)]
struct Expected {
    kind: String,
}

/// A sentence, what it is, and whether it is kept back to see what the weights are worth.
struct Labelled {
    text: String,
    kind: Option<Kind>,
    is_held: bool,
}

/// The weights as bytes, and what they do with the lines that were kept back.
pub(super) fn fit(files: &[PathBuf]) -> Result<(Vec<u8>, String)> {
    let mut labelled = vec![];
    for file in files {
        labelled.append(&mut read_file(file)?);
    }
    let (held, known): (Vec<Labelled>, Vec<Labelled>) = labelled.into_iter().partition(|line| line.is_held);
    let fitted = Fitted::to(&examples(&known), PLAN);
    Ok((bytes(&fitted), report(&fitted, known.len(), &held)))
}

/// What a line of a file is.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Row {
    Line(Line),
    Topic(Topic),
}

fn read_file(path: &Path) -> Result<Vec<Labelled>> {
    if path.extension().is_none_or(|extension| extension != "jsonl") {
        return Ok(told(read(path, "history")?));
    }
    let mut labelled = vec![];
    for row in lines::<Row>(path, "extraction")? {
        match row {
            Row::Line(line) => labelled.extend(by_itself(line)),
            // All of them would outweigh the rest.
            Row::Topic(topic) => labelled.extend(topic_told(&topic).step_by(3)),
        }
    }
    Ok(labelled)
}

/// Nothing for what a person did not say, or what only makes sense after something else.
fn by_itself(line: Line) -> Option<Labelled> {
    let is_own = line.role == "user" && line.context.is_empty() && !line.text.contains('\n');
    is_own.then(|| labelled(line))
}

fn labelled(line: Line) -> Labelled {
    let kind = line.expect.as_ref().map(|expected| {
        let first = expected.kind.split('|').next().unwrap_or_default();
        KINDS.iter().flatten().copied().find(|kind| kind.as_str() == first).unwrap_or(Kind::Fact)
    });
    Labelled { text: line.text, kind, is_held: line.split.as_deref() == Some("held") }
}

fn told(material: Material) -> Vec<Labelled> {
    let mut told: Vec<Labelled> = material.topics.iter().flat_map(topic_told).collect();
    let by_people = |(kind, _): &(String, Vec<String>)| !matches!(kind.as_str(), "tool" | "assistant");
    let traps = material.traps.into_iter().filter(by_people).flat_map(|(_, lines)| lines);
    told.extend(traps.map(|text| Labelled { text, kind: None, is_held: false }));
    told
}

fn topic_told(topic: &Topic) -> impl Iterator<Item = Labelled> {
    let value = |at: usize| topic.values.get(at % topic.values.len().max(1)).map_or("", String::as_str);
    let said = topic.first.iter().chain(&topic.again).chain(&topic.change);
    let texts = said
        .enumerate()
        .map(move |(at, text)| text.replace("{v}", value(at + 1)).replace("{old}", value(at)));
    texts.map(|text| Labelled { text, kind: Some(Kind::Fact), is_held: false })
}

fn examples(known: &[Labelled]) -> Vec<Example> {
    let read: Vec<(Vec<(u32, f32)>, usize)> =
        known.iter().map(|line| (features(&line.text), class(line.kind))).collect();
    let mut seen = vec![0_usize; WIDTH];
    read.iter().flat_map(|(places, _)| places).for_each(|(place, _)| seen[*place as usize] += 1);
    let example = |(mut places, class): (Vec<(u32, f32)>, usize)| {
        places.retain(|(place, _)| seen[*place as usize] >= SEEN_AT_LEAST);
        Example { places, class, weight: 1.0 }
    };
    read.into_iter().map(example).collect()
}

fn class(kind: Option<Kind>) -> usize {
    KINDS.iter().position(|one| *one == kind).unwrap_or(0)
}

/// As `lasting` reads them: the biases, a scale, a byte for each weight.
fn bytes(fitted: &Fitted) -> Vec<u8> {
    let largest = fitted.weights.iter().fold(0.0_f32, |most, weight| most.max(weight.abs()));
    let scale = largest / 127.0;
    let mut bytes: Vec<u8> =
        fitted.bias.iter().chain([&scale]).flat_map(|number| number.to_le_bytes()).collect();
    #[expect(clippy::cast_possible_truncation, reason = "a weight is at most 127 scales")]
    bytes.extend(fitted.weights.iter().map(|weight| ((weight / scale).round() as i8).cast_unsigned()));
    bytes
}

fn report(fitted: &Fitted, known: usize, held: &[Labelled]) -> String {
    let lasting = |line: &Labelled| 1.0 - fitted.shares(&features(&line.text))[0];
    let scored: Vec<(f32, bool)> = held.iter().map(|line| (lasting(line), line.kind.is_some())).collect();
    let all = scored.iter().filter(|(_, kept)| *kept).count();
    let mut report = format!("fitted to {known} sentences; of {} kept back:\n", held.len());
    for sure in [0.6, 0.7, 0.8, 0.9, 0.95] {
        let taken: Vec<bool> =
            scored.iter().filter(|(score, _)| *score >= sure).map(|(_, kept)| *kept).collect();
        let right = taken.iter().filter(|kept| **kept).count();
        report.push_str(&format!(
            "  from {sure}: {} taken, {right} of {all} that last, precision {:.3}\n",
            taken.len(),
            right as f64 / taken.len().max(1) as f64
        ));
    }
    report
}
