//! The book: every page is in its table of contents, once.

use std::fs;

use super::{pages, root};

#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let listed: Vec<&str> = summary
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|path| !path.is_empty())
        .collect();
    let mut once = listed.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let mut there: Vec<String> =
        pages().iter().filter_map(|page| page.path.strip_prefix("docs/").map(str::to_owned)).collect();
    there.retain(|path| path != "SUMMARY.md");
    there.sort_unstable();
    assert_eq!(once, there, "docs/SUMMARY.md lists every page below docs, and nothing else");
}
