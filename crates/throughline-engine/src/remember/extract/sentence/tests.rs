//! Where a sentence begins.

use super::*;

#[test]
fn what_leads_up_to_a_statement_is_left_out_whole() {
    for (whole, text) in [
        ("ok - we use pnpm", "we use pnpm"),
        ("“ok”, we use pnpm", "we use pnpm"),
        ("that's not how \"we do that\" works: we use pnpm", "we use pnpm"),
    ] {
        assert_eq!(Sentence::new(1, whole, None).text, text, "{whole}");
    }
}
