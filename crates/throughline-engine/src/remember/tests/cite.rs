//! Code that memories cite: the same, moved, changed, gone, or none of our business.

use std::fs;

use tempfile::TempDir;
use throughline_store::memory::Source;

use super::{present, remember};
use crate::remember::{Citation, Code, Statement, citations, cited_in};
use crate::testing::{Fixture, refused};

const CART: &str = "fn total() {\n    cents()\n}\n\nfn tax() {\n    rate()\n}\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/cart.rs"), CART).unwrap();
    folder
}

#[test]
fn cited_lines_are_known_again_and_changes_show() {
    let folder = folder();
    let (root, file) = (folder.path(), folder.path().join("src/cart.rs"));
    let cited = Citation::read(root, "src/cart.rs:5-7").unwrap();
    assert_eq!((cited.path.as_str(), cited.first, cited.last), ("src/cart.rs", 5, 7));
    assert_eq!(cited.now(root), Code::Same);
    fs::write(&file, CART.replace("cents()", "cents();\n    round()")).unwrap();
    assert_eq!(cited.now(root), Code::Moved { first: 6 });
    fs::write(&file, CART.replace("    rate()", "\trate()")).unwrap();
    assert_eq!(cited.now(root), Code::Same, "how it is indented does not matter");
    fs::write(&file, CART.replace("rate()", "0")).unwrap();
    assert_eq!((cited.now(root), cited.now(root).is_stale()), (Code::Changed, true));
    fs::write(&file, "").unwrap();
    assert_eq!(cited.now(root), Code::Changed);
    fs::remove_file(&file).unwrap();
    assert_eq!((cited.now(root), cited.now(root).is_stale()), (Code::Gone, true));
    fs::write(&file, [0xff; 9]).unwrap();
    assert_eq!((cited.now(root), cited.now(root).is_stale()), (Code::Unknown, false));
}

#[test]
fn the_nearest_of_the_same_lines_are_those_that_moved() {
    let folder = folder();
    let (root, file) = (folder.path(), folder.path().join("src/cart.rs"));
    let cited = Citation::read(root, "src/cart.rs:7").unwrap();
    fs::write(&file, CART.replace("rate()", "rate();\n    round()")).unwrap();
    assert_eq!(cited.now(root), Code::Moved { first: 8 });
}

#[test]
fn a_long_citation_is_looked_for_near_its_place_only() {
    let folder = folder();
    let (root, file) = (folder.path(), folder.path().join("src/cart.rs"));
    let numbered = |line: usize| format!("    let price_{line} = cents({line});\n");
    let long: String = (1..=20_000).map(numbered).collect();
    fs::write(&file, &long).unwrap();
    let whole = Citation::read(root, "src/cart.rs").unwrap();
    let half = Citation::read(root, "src/cart.rs:1-10000").unwrap();
    assert_eq!((whole.now(root), half.now(root)), (Code::Same, Code::Same));
    fs::write(&file, long.replace("cents(9999)", "euros(9999)")).unwrap();
    assert_eq!((whole.now(root), half.now(root)), (Code::Changed, Code::Changed));
    fs::write(&file, "\n".repeat(3) + &long).unwrap();
    assert_eq!((whole.now(root), half.now(root)), (Code::Moved { first: 4 }, Code::Moved { first: 4 }));
    fs::write(&file, "\n".repeat(5_000) + &long).unwrap();
    assert_eq!((whole.now(root), half.now(root)), (Code::Changed, Code::Changed), "too many lines to hash");
}

#[test]
fn an_empty_file_is_known_again() {
    let folder = folder();
    let (root, file) = (folder.path(), folder.path().join("src/cart.rs"));
    fs::write(&file, "").unwrap();
    let cited = Citation::read(root, "src/cart.rs").unwrap();
    assert_eq!((cited.now(root), cited.first, cited.last), (Code::Same, 1, 1));
    fs::write(&file, CART).unwrap();
    assert_eq!(cited.now(root), Code::Moved { first: 4 }, "the only empty line");
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_looked_at_is_not_gone() {
    let folder = folder();
    let (root, file) = (folder.path(), folder.path().join("src/cart.rs"));
    let cited = Citation::read(root, "src/cart.rs:5-7").unwrap();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&file, &file).unwrap();
    assert_eq!(cited.now(root), Code::Unknown, "a link to itself");
    fs::remove_dir_all(root.join("src")).unwrap();
    fs::write(root.join("src"), "").unwrap();
    assert_eq!(cited.now(root), Code::Gone, "its folder is a file");
}

#[test]
fn only_lines_that_are_there_and_files_inside_the_folder_are_cited() {
    let folder = folder();
    fs::write(folder.path().join("secret.txt"), "x\n").unwrap();
    let root = folder.path().join("src");
    let refusal = |text: &str| refused(Citation::read(&root, text));
    assert!(refusal("cart.rs:9").contains("cart.rs has 7 lines"));
    assert!(refusal("cart.rs:0").contains("cart.rs has 7 lines"));
    assert!(refusal("cart.rs:3-2").contains("cart.rs has 7 lines"));
    assert!(refusal("cart.rs:1-0").contains("cart.rs has 7 lines"));
    assert!(refusal(&format!("cart.rs:1-{}", usize::MAX)).contains("cart.rs has 7 lines"));
    for outside in ["../secret.txt:1", "/etc/passwd:1", "nowhere.rs:1", ".", ""] {
        assert!(refusal(outside).starts_with("not found"), "{outside}");
    }
    assert_eq!(Citation::read(&root, "cart.rs").map(|cited| (cited.first, cited.last)).unwrap(), (1, 7));
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_outside_is_not_followed() {
    let folder = folder();
    fs::write(folder.path().join("secret.txt"), "x\n").unwrap();
    std::os::unix::fs::symlink(folder.path().join("secret.txt"), folder.path().join("src/in.txt")).unwrap();
    assert!(Citation::read(&folder.path().join("src"), "in.txt:1").is_err());
}

#[test]
fn a_memory_keeps_what_it_cites() {
    let folder = folder();
    let text =
        "Totals are in cents (see `src/cart.rs:1-3`, src/cart.rs:5, nowhere.rs:1 and the doc at 12:30).";
    let cited = cited_in(folder.path(), text);
    let places: Vec<(usize, usize)> = cited.iter().map(|cited| (cited.first, cited.last)).collect();
    assert_eq!(places, [(1, 3), (5, 5)]);
    let fixture = Fixture::new();
    let memory = remember(&fixture, Statement { cites: cited.clone(), ..Statement::of(text) }).memory;
    assert_eq!(citations(present(&fixture, &memory).cites.as_deref()), cited);
    assert_eq!(citations(None), []);
    assert_eq!(citations(Some("nonsense")), []);
}

#[test]
fn who_says_it_again_of_the_same_lines_keeps_them_as_they_are_now() {
    let folder = folder();
    let text = "Totals are in cents (src/cart.rs:1-3)";
    let fixture = Fixture::new();
    let say = |source| {
        let cites = cited_in(folder.path(), text);
        remember(&fixture, Statement { cites, source, ..Statement::of(text) }).memory
    };
    let is_stale = |memory| {
        let cited = citations(present(&fixture, memory).cites.as_deref()).remove(0);
        cited.now(folder.path()).is_stale()
    };
    let memory = say(Source::Explicit);
    fs::write(folder.path().join("src/cart.rs"), CART.replace("cents()", "euros()")).unwrap();
    say(Source::ToolOutput);
    assert!(is_stale(&memory), "a tool confirms nothing");
    assert_eq!(say(Source::Explicit).id, memory.id);
    assert!(!is_stale(&memory));
    assert_eq!(fixture.last_event().summary, "cited anew: Totals are in cents (src/cart.rs:1-3)");
}
