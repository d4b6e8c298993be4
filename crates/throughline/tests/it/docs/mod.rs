//! The documents hold what they say: links lead somewhere, commands run, references are what the program knows.

mod book;
mod commands;
mod links;
mod reference;

use std::fs;
use std::path::{Path, PathBuf};

/// The pages of the book, which may not lead out of it.
const BOOK: &str = "docs";
/// Other documents for people.
const BESIDE: [&str; 6] =
    ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "packaging/README.md"];

/// A document by its path below the root.
struct Page {
    path: String,
    text: String,
}

/// A fenced block: what its first line says after the fence, what is in it, where it begins.
struct Block {
    info: String,
    text: String,
    line: usize,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn pages() -> Vec<Page> {
    let mut paths: Vec<String> = BESIDE.iter().map(|path| (*path).to_owned()).collect();
    find(&root().join(BOOK), &mut paths);
    paths.sort();
    paths
        .into_iter()
        .map(|path| Page { text: fs::read_to_string(root().join(&path)).unwrap(), path })
        .collect()
}

fn find(folder: &Path, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let below = entry.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        match entry.is_dir() {
            // What mdbook has built.
            true if below == "docs/book" => {}
            true => find(&entry, paths),
            false if below.ends_with(".md") => paths.push(below),
            false => {}
        }
    }
}

impl Page {
    fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut is_open = false;
        for (number, line) in self.text.lines().enumerate() {
            match (line.strip_prefix("```"), is_open) {
                (Some(info), false) => {
                    blocks.push(Block {
                        info: info.trim().to_owned(),
                        text: String::new(),
                        line: number + 1,
                    });
                    is_open = true;
                }
                (Some(_), true) => is_open = false,
                (None, true) => {
                    let block = blocks.last_mut().unwrap();
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, false) => {}
            }
        }
        blocks
    }

    /// The text without its blocks and without code between words, where nothing is a link.
    fn prose(&self) -> String {
        let mut prose = String::new();
        let mut is_open = false;
        for line in self.text.lines() {
            if line.starts_with("```") {
                is_open = !is_open;
            } else if !is_open {
                let outside = line.split('`').enumerate().filter(|(part, _)| part % 2 == 0);
                outside.for_each(|(_, text)| prose.push_str(text));
            }
            prose.push('\n');
        }
        prose
    }
}
