//! Links between documents, to files of the repository and to headings.

use std::collections::HashSet;
use std::path::{Component, Path};

use super::{BOOK, Page, pages, root};

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

#[test]
fn every_link_leads_somewhere() {
    let all = pages();
    let broken: Vec<String> = all.iter().flat_map(|page| broken(page, &all)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let page = |text: &str| Page { path: "docs/a.md".to_owned(), text: text.to_owned() };
    let all = [page("# Known words, here\n")];
    for text in [
        "[a](missing.md)",
        "![a](missing.png)",
        "[a](a.md#unknown)",
        "[a](#unknown)",
        "[a](../README.md)",
        "[a](http://example.org)",
    ] {
        assert_ne!(broken(&page(text), &all), [""; 0], "{text}");
    }
    let outside = format!("[a]({REPOSITORY}/blob/main/MISSING.md)");
    assert_ne!(broken(&page(&outside), &all), [""; 0]);
    assert_eq!(broken(&page("[a](a.md#known-words-here) `[a](b)` <https://example.org>"), &all), [""; 0]);
}

fn broken(page: &Page, all: &[Page]) -> Vec<String> {
    let prose = page.prose();
    let targets = prose.match_indices("](").filter_map(|(at, _)| prose[at + 2..].split(')').next());
    targets
        .filter_map(|target| Some(format!("{}: {target}: {}", page.path, wrong(page, target, all)?)))
        .collect()
}

/// What is wrong with the target of a link, if anything.
fn wrong(page: &Page, target: &str, all: &[Page]) -> Option<&'static str> {
    if let Some(path) = target.strip_prefix(&format!("{REPOSITORY}/blob/main/")) {
        return (!root().join(path).exists()).then_some("there is no such file in the repository");
    }
    if target.starts_with("http://") && !target.starts_with("http://127.0.0.1") {
        return Some("other sites are named with https");
    }
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, heading) =
        target.split_once('#').map_or((target, None), |(path, heading)| (path, Some(heading)));
    let path = if path.is_empty() { page.path.clone() } else { beside(&page.path, path) };
    if page.path.starts_with(BOOK) && !path.starts_with(BOOK) {
        return Some("it leads out of the book: name the repository's address");
    }
    let known = all.iter().find(|page| page.path == path);
    match (known, heading) {
        (None, _) if !root().join(&path).exists() => Some("there is no such file"),
        (Some(known), Some(heading)) if !headings(known).contains(heading) => {
            Some("there is no such heading")
        }
        _ => None,
    }
}

fn beside(page: &str, target: &str) -> String {
    let joined = Path::new(page).parent().unwrap().join(target);
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            other => parts.push(other.as_os_str().to_str().unwrap()),
        }
    }
    parts.join("/")
}

/// As GitHub and mdbook make them.
fn headings(page: &Page) -> HashSet<String> {
    let mut is_open = false;
    let mut found = HashSet::new();
    for line in page.text.lines() {
        is_open ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if !is_open && line.starts_with('#') && title.starts_with(' ') {
            let kept = title.trim().to_lowercase();
            let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            found.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    found
}
