//! What a project tells agents about how to work on it: the rules in AGENTS.md, CLAUDE.md and their like, strict ones
//! first.

use super::files::Files;
use super::prose::{self, Block};

/// A rule and the file it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guidance {
    pub text: String,
    pub source: String,
}

pub(super) const FILES: [&str; 7] = [
    "AGENTS.md",
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    "GEMINI.md",
    ".github/copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
];
const CHARS: usize = 160;
/// Shorter ones are names in a list.
const MIN_CHARS: usize = 12;
const STRICT: [&str; 9] =
    ["never ", "always ", "must ", "do not ", "don't ", "only ", "required", "forbidden", "not allowed"];
/// How an order begins.
const ORDERS: &str = "add ask avoid build check choose commit create document do ensure fix follow format give handle implement \
    include keep leave make match name never no open only place prefer put read remove reuse run search separate test try \
    update use validate verify write";

pub(super) fn documents(files: &Files) -> Vec<(String, Vec<Block>)> {
    let mut documents: Vec<(String, Vec<Block>)> = vec![];
    for name in FILES {
        let Some(text) = files.text(name) else { continue };
        let blocks = prose::blocks(&text);
        // CLAUDE.md is often AGENTS.md under a second name.
        if !documents.iter().any(|(_, known)| *known == blocks) {
            documents.push((name.to_owned(), blocks));
        }
    }
    documents
}

/// The strict ones first, each in the order of the documents.
pub(super) fn rules(documents: &[(String, Vec<Block>)]) -> Vec<Guidance> {
    let mut rules: Vec<(bool, Guidance)> = vec![];
    for (source, blocks) in documents {
        for block in blocks {
            let Block::Bullet(text) = block else { continue };
            let lower = text.to_lowercase();
            let is_strict = STRICT.iter().any(|word| lower.contains(word));
            if text.chars().count() >= MIN_CHARS && (is_strict || is_order(&lower)) {
                let rule = Guidance { text: prose::line(text, CHARS), source: source.clone() };
                rules.push((!is_strict, rule));
            }
        }
    }
    rules.sort_by_key(|(is_mild, _)| *is_mild);
    rules.into_iter().map(|(_, rule)| rule).collect()
}

fn is_order(lower: &str) -> bool {
    let first = lower.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty());
    first.is_some_and(|first| ORDERS.split_whitespace().any(|order| order == first))
}
