//! Which sentences tell something that lasts: the weights of `remember/extract/lasting`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Deserialize;
use throughline_engine::remember::extract::lasting::{KINDS, WIDTH, features};
use throughline_engine::store::memory::Kind;

use super::super::{lines, read};
use super::Material;
use super::softmax::{Example, Fitted, Plan};

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

fn read_file(path: &Path) -> Result<Vec<Labelled>> {
    if path.extension().is_some_and(|extension| extension == "jsonl") {
        let own = |line: &Line| line.role == "user" && line.context.is_empty() && !line.text.contains('\n');
        return Ok(lines::<Line>(path, "extraction")?.into_iter().filter(own).map(labelled).collect());
    }
    Ok(told(read(path, "history")?))
}

fn labelled(line: Line) -> Labelled {
    let kind = line.expect.as_ref().map(|expected| {
        let first = expected.kind.split('|').next().unwrap_or_default();
        KINDS.iter().flatten().copied().find(|kind| kind.as_str() == first).unwrap_or(Kind::Fact)
    });
    Labelled { text: line.text, kind, is_held: line.split.as_deref() == Some("held") }
}

fn told(material: Material) -> Vec<Labelled> {
    let fact = |text: String| Labelled { text, kind: Some(Kind::Fact), is_held: false };
    let mut told = vec![];
    for topic in material.topics {
        let value = |at: usize| topic.values.get(at % topic.values.len().max(1)).map_or("", String::as_str);
        let said = topic.first.iter().chain(&topic.again).chain(&topic.change);
        for (at, text) in said.enumerate() {
            told.push(fact(text.replace("{v}", value(at + 1)).replace("{old}", value(at))));
        }
    }
    let by_people = |(kind, _): &(String, Vec<String>)| !matches!(kind.as_str(), "tool" | "assistant");
    let traps = material.traps.into_iter().filter(by_people).flat_map(|(_, lines)| lines);
    told.extend(traps.map(|text| Labelled { text, kind: None, is_held: false }));
    told
}

fn examples(known: &[Labelled]) -> Vec<Example> {
    let read: Vec<(Vec<u32>, usize)> =
        known.iter().map(|line| (features(&line.text), class(line.kind))).collect();
    let mut seen = vec![0_usize; WIDTH];
    read.iter().flat_map(|(places, _)| places).for_each(|place| seen[*place as usize] += 1);
    let example = |(places, class): (Vec<u32>, usize)| Example {
        places: places
            .into_iter()
            .filter(|place| seen[*place as usize] >= SEEN_AT_LEAST)
            .map(|place| (place, 1.0))
            .collect(),
        class,
        weight: 1.0,
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
    let lasting = |line: &Labelled| {
        let places: Vec<(u32, f32)> = features(&line.text).into_iter().map(|place| (place, 1.0)).collect();
        1.0 - fitted.shares(&places)[0]
    };
    let scored: Vec<(f32, bool)> = held.iter().map(|line| (lasting(line), line.kind.is_some())).collect();
    let all = scored.iter().filter(|(_, kept)| *kept).count();
    let mut report = format!("fitted to {known} sentences; of {} kept back:\n", held.len());
    for sure in [0.5, 0.6, 0.7, 0.8, 0.9] {
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
