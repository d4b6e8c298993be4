//! What the project is for: the first real paragraph of its README, else the description in its manifest.

use super::files::Files;
use super::manifest::Manifests;
use super::prose::{self, Block};

const READMES: [&str; 9] = [
    "README.md",
    "README.rst",
    "README.markdown",
    "README.adoc",
    "README.txt",
    "README",
    "README.org",
    ".github/README.md",
    "docs/README.md",
];
const CHARS: usize = 400;
const LETTERS: usize = 25;

pub(super) fn readme(files: &Files) -> Option<String> {
    READMES.iter().find_map(|name| match files.at_top(name) {
        Some(name) => files.text(name),
        None => files.text(name),
    })
}

pub(super) fn purpose(readme: &[Block], manifests: &Manifests) -> Option<String> {
    let paragraph = readme.iter().find_map(|block| match block {
        Block::Paragraph(text) if says_something(text) => Some(text.as_str()),
        _ => None,
    });
    let text = paragraph.or(manifests.description())?;
    Some(prose::line(text, CHARS)).filter(|text| !text.is_empty())
}

/// Rather than a row of links, a licence or an empty phrase.
fn says_something(text: &str) -> bool {
    // A character of Chinese or Japanese says as much as some letters.
    let letters: usize =
        text.chars().filter(|c| c.is_alphabetic()).map(|c| if c >= '\u{2e80}' { 3 } else { 1 }).sum();
    let separators = text.matches([' ', '|', '•', '·']).count().max(1);
    let bars = text.matches(['|', '•', '·']).count();
    letters >= LETTERS && bars * 3 < separators
}
