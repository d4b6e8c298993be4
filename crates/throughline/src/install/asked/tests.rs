//! How the answers of clients are read.

use super::*;

fn answer(text: &str) -> Answer {
    Answer { is_success: true, text: uncoloured(text) }
}

#[test]
fn colours_are_no_part_of_an_answer() {
    assert_eq!(uncoloured("\u{1b}[90mfailed\u{1b}[0m, said\u{1b}"), "failed, said");
}

#[test]
fn a_list_tells_of_our_line_only() {
    let list = "○ other: /bin/other (stdio) - Connected\n✗ throughline: /bin/x mcp (stdio) - Disconnected\n";
    let told = answer(list).in_list("- connected");
    assert_eq!(told, Verdict::Problem("throughline: /bin/x mcp (stdio) - Disconnected".to_owned()));
    let told = answer("●  ✓ throughline \u{1b}[90mconnected\n").in_list("connected");
    assert_eq!(told, Verdict::Fine("throughline connected".to_owned()));
    assert!(matches!(answer("nothing here").in_list("connected"), Verdict::Problem(_)));
}
