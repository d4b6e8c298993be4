//! What two statements are to each other: the weights of `remember/consolidate/weigh`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Deserialize;
use throughline_engine::remember::consolidate::weigh::{RELATIONS, WIDTH, features};

use super::super::{lines, read};
use super::softmax::{Example, Fitted, Plan};
use super::{Material, Topic};

/// The known one, the new one, what that is to it, and whether it is kept back.
struct Pair {
    known: String,
    new: String,
    label: String,
    is_held: bool,
    source: String,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Labelled {
    Pair { split: Option<String>, a: String, b: String, expect: String },
    Phrasings { split: Option<String>, same: Vec<String>, opposite: Vec<String>, other: Vec<String> },
    Thing { attributes: Vec<Attribute> },
}

#[derive(Debug, Deserialize)]
struct Attribute {
    values: Vec<Said>,
}

#[derive(Debug, Deserialize)]
struct Said {
    said: Vec<String>,
}

const PLAN: Plan = Plan { classes: RELATIONS.len(), width: WIDTH, epochs: 60, rate: 0.03, pull: 3e-4 };

/// The weights as bytes, and what they do with the pairs that were kept back.
pub(super) fn fit(files: &[PathBuf]) -> Result<(Vec<u8>, String)> {
    let mut pairs = vec![];
    for file in files {
        pairs.append(&mut read_file(file)?);
    }
    let (held, known): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(|pair| pair.is_held);
    let fitted = Fitted::to(&examples(&known), PLAN);
    let numbers = fitted.bias.iter().chain(&fitted.weights);
    Ok((numbers.flat_map(|number| number.to_le_bytes()).collect(), report(&fitted, known.len(), &held)))
}

/// A set with many pairs counts for more, but not in proportion.
fn examples(known: &[Pair]) -> Vec<Example> {
    let mut counts: HashMap<(&str, usize), f32> = HashMap::new();
    for pair in known {
        *counts.entry((&pair.source, pair.class())).or_default() += 1.0;
    }
    let weight = |pair: &Pair| 10.0 / counts[&(pair.source.as_str(), pair.class())].sqrt();
    known
        .iter()
        .map(|pair| Example { places: places(pair), class: pair.class(), weight: weight(pair) })
        .collect()
}

fn places(pair: &Pair) -> Vec<(u32, f32)> {
    let numbers = features(&pair.known, &pair.new).into_iter();
    (0..).zip(numbers).filter(|(_, number)| *number != 0.0).collect()
}

impl Pair {
    fn class(&self) -> usize {
        RELATIONS.iter().position(|relation| relation.as_str() == self.label).unwrap_or(0)
    }
}

fn report(fitted: &Fitted, known: usize, held: &[Pair]) -> String {
    let judged: Vec<(Vec<f32>, usize)> =
        held.iter().map(|pair| (fitted.shares(&places(pair)), pair.class())).collect();
    let mut report = format!("fitted to {known} pairs; of {} kept back:\n", held.len());
    for (class, relation) in RELATIONS.iter().enumerate().skip(1) {
        let all = judged.iter().filter(|(_, is)| *is == class).count();
        for sure in [0.5_f32, 0.6, 0.7, 0.8] {
            let taken: Vec<usize> =
                judged.iter().filter(|(shares, _)| shares[class] >= sure).map(|(_, is)| *is).collect();
            let right = taken.iter().filter(|is| **is == class).count();
            let precision = right as f64 / taken.len().max(1) as f64;
            let name = relation.as_str();
            report.push_str(&format!("  {name} from {sure}: {right} of {all}, precision {precision:.3}\n"));
        }
    }
    report
}

fn read_file(path: &Path) -> Result<Vec<Pair>> {
    let source = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut pairs = Pairs { source, is_held: false, found: vec![] };
    if path.extension().is_some_and(|extension| extension == "json") {
        pairs.of_history(&read(path, "history")?);
        return Ok(pairs.found);
    }
    for (number, example) in lines::<Labelled>(path, "consolidation")?.iter().enumerate() {
        match example {
            Labelled::Pair { split, a, b, expect } => {
                pairs.is_held = split.as_deref() == Some(HELD);
                pairs.add(a, b, expect);
            }
            Labelled::Phrasings { split, same, opposite, other } => {
                pairs.is_held = split.as_deref() == Some(HELD);
                pairs.of_phrasings(same, opposite, other);
            }
            Labelled::Thing { attributes } => {
                pairs.is_held = number.is_multiple_of(5);
                attributes.iter().enumerate().for_each(|(at, _)| pairs.of_thing(attributes, at));
            }
        }
    }
    Ok(pairs.found)
}

const HELD: &str = "held";

/// The pairs of a file, as they are found.
struct Pairs {
    source: String,
    is_held: bool,
    found: Vec<Pair>,
}

impl Pairs {
    fn add(&mut self, known: &str, new: &str, label: &str) {
        let (known, new, label) = (known.to_owned(), new.to_owned(), label.to_owned());
        let source = self.source.clone();
        self.found.push(Pair { known, new, label, is_held: self.is_held, source });
    }

    fn of_phrasings(&mut self, same: &[String], opposite: &[String], other: &[String]) {
        for (at, known) in same.iter().enumerate() {
            same.iter().skip(at + 1).for_each(|new| self.add(known, new, "same"));
            opposite.iter().for_each(|new| self.add(known, new, "opposite"));
            other.iter().for_each(|new| self.add(known, new, "unrelated"));
        }
    }

    /// One attribute against itself and against the others of its thing.
    fn of_thing(&mut self, attributes: &[Attribute], at: usize) {
        for (number, value) in attributes[at].values.iter().enumerate() {
            for (place, known) in value.said.iter().enumerate() {
                value.said.iter().skip(place + 1).for_each(|new| self.add(known, new, "same"));
                let later = attributes[at].values.iter().skip(number + 1).flat_map(|value| &value.said);
                later.for_each(|new| self.add(known, new, "opposite"));
                for (_, other) in attributes.iter().enumerate().filter(|(one, _)| *one != at) {
                    let said = other.values.iter().flat_map(|value| &value.said);
                    said.skip(place).step_by(3).for_each(|new| self.add(known, new, "unrelated"));
                }
            }
        }
    }

    fn of_history(&mut self, material: &Material) {
        let changes = |topic: &&Topic| topic.values.len() > 1 && !topic.change.is_empty();
        let topics: Vec<&Topic> = material.topics.iter().filter(changes).collect();
        for (at, topic) in topics.iter().enumerate() {
            let said: Vec<&String> = topic.first.iter().chain(&topic.again).collect();
            for (place, known) in said.iter().enumerate() {
                let known = topic.with(known, 0);
                for new in said.iter().skip(place + 1) {
                    self.add(&known, &topic.with(new, 0), "same");
                    self.add(&known, &topic.with(new, 1), "opposite");
                }
                topic.change.iter().for_each(|new| self.add(&known, &topic.with(new, 1), "opposite"));
                for step in 1..4 {
                    let other = topics[(at + step) % topics.len()];
                    let new = &other.change[place % other.change.len()];
                    self.add(&known, &other.with(new, other.values.len() - 1), "unrelated");
                }
            }
            self.of_changes(topic, &said);
        }
    }

    fn of_changes(&mut self, topic: &Topic, said: &[&String]) {
        for (place, change) in topic.change.iter().enumerate() {
            let known = topic.with(change, 1);
            said.iter().for_each(|new| self.add(&known, &topic.with(new, 1), "same"));
            if topic.values.len() > 2 {
                let next = &topic.change[(place + 1) % topic.change.len()];
                self.add(&known, &topic.with(next, 2), "opposite");
            }
        }
    }
}

impl Topic {
    /// The sentence with a value, and the one before it where it names that too.
    fn with(&self, sentence: &str, value: usize) -> String {
        let old = value.checked_sub(1).unwrap_or(self.values.len() - 1);
        sentence.replace("{v}", &self.values[value]).replace("{old}", &self.values[old])
    }
}
