//! What two statements are to each other, as the rules see it and as it was labelled.

use std::path::PathBuf;

use anyhow::Result;
use serde::Deserialize;
use throughline_engine::remember::consolidate::relation;

use super::lines;
use super::tally::{Mistake, Tally};

#[derive(Debug, Deserialize)]
struct Pair {
    id: String,
    #[serde(default)]
    split: Option<String>,
    /// The statement that is known.
    a: String,
    /// The statement that is new.
    b: String,
    expect: Label,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Label {
    Same,
    Refined,
    Opposite,
    Unrelated,
}

impl Label {
    fn as_str(self) -> &'static str {
        match self {
            Label::Same => "same",
            Label::Refined => "refined",
            Label::Opposite => "opposite",
            Label::Unrelated => "unrelated",
        }
    }
}

/// One fact in many phrasings, what contradicts it, and what only sounds like it.
#[derive(Debug, Deserialize)]
pub(super) struct Phrasings {
    pub(super) id: String,
    pub(super) split: String,
    pub(super) same: Vec<String>,
    pub(super) opposite: Vec<String>,
    pub(super) other: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Example {
    Pair(Pair),
    Phrasings(Phrasings),
}

/// Relations of any sort but "unrelated".
const ANY: &str = "any relation";
const EACH: &str = "each pair";

pub(super) fn measure(files: &[PathBuf]) -> Result<Tally> {
    let mut tally = Tally::default();
    for file in files {
        for example in lines::<Example>(file, "consolidation")? {
            let pairs = match example {
                Example::Pair(pair) => vec![pair],
                Example::Phrasings(phrasings) => phrasings.pairs(),
            };
            for pair in pairs {
                tally.look();
                judge(&pair, &mut tally);
            }
        }
    }
    Ok(tally)
}

impl Phrasings {
    /// Each phrasing after the first one, and everything else after each phrasing.
    fn pairs(&self) -> Vec<Pair> {
        let pair = |(a, b): (&String, &String), expect: Label| Pair {
            id: self.id.clone(),
            split: Some(format!("phrasings {}", self.split)),
            a: a.clone(),
            b: b.clone(),
            expect,
        };
        let mut pairs: Vec<Pair> = vec![];
        for (at, known) in self.same.iter().enumerate() {
            if at > 0 {
                pairs.push(pair((&self.same[0], known), Label::Same));
                pairs.push(pair((known, &self.same[0]), Label::Same));
            }
            pairs.extend(self.opposite.iter().map(|new| pair((known, new), Label::Opposite)));
            pairs.extend(self.other.iter().map(|new| pair((known, new), Label::Unrelated)));
        }
        pairs
    }
}

fn judge(pair: &Pair, tally: &mut Tally) {
    let split = pair.split.as_deref().unwrap_or("-");
    let related = relation(&pair.a, &pair.b);
    let (expected, given) = (pair.expect.as_str(), related.relation.as_str());
    [expected, EACH].iter().for_each(|of| tally.expect(split, of));
    [given, EACH].iter().for_each(|of| tally.give(split, of));
    let unrelated = Label::Unrelated.as_str();
    if expected != unrelated {
        tally.expect(split, ANY);
    }
    if given != unrelated {
        tally.give(split, ANY);
    }
    if expected == given {
        [given, EACH].iter().for_each(|of| tally.right(split, of));
        if given != unrelated {
            tally.right(split, ANY);
        }
    } else {
        let text = format!(
            "{given} for {expected}, because {}: {:?} and {:?}",
            related.reasons.join(", "),
            pair.a,
            pair.b
        );
        tally.mistake(Mistake { id: pair.id.clone(), split: split.to_owned(), what: "wrong", text });
    }
}
