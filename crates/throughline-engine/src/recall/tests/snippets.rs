//! The part of a text that is shown, and texts of any kind in a search.

use proptest::prelude::*;

use super::{By, Fixture, Query, Statement, recall, remember};
use crate::recall::snippet;

#[test]
fn a_snippet_shows_the_words_that_were_asked_for() {
    let long = format!("{} the needle lies here {}", "hay ".repeat(100), "straw ".repeat(100));
    for (text, query, expected) in [
        ("short and sweet", "sweet", "short and sweet"),
        ("one\n  two\tthree", "two", "one two three"),
        ("", "anything", ""),
        (&long, "needle", "…hay hay hay the needle lies here straw straw…"),
        (&long, "nothing of it", "hay hay hay hay hay hay hay hay hay hay hay…"),
    ] {
        assert_eq!(snippet(text, query, 45), expected, "{query}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_snippet_is_short_and_on_one_line(text in ".{0,300}", query in ".{0,20}", chars in 0_usize..120) {
        let shown = snippet(&text, &query, chars);
        prop_assert!(shown.chars().count() <= chars + 2, "{}", shown);
        prop_assert!(!shown.contains('\n'));
    }
}

#[test]
fn any_text_is_remembered_and_asked_for_without_harm() {
    let fixture = Fixture::new();
    let config = ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(text in "(?s).{1,200}", query in "(?s).{0,100}")| {
        prop_assume!(!text.trim().is_empty());
        remember(&fixture, vec![Statement::of(format!("{text} marked"))]);
        for by in [By::Words, By::Meaning, By::WordsAndMeaning] {
            recall(&fixture, &Query { by, ..Query::of(query.clone(), 10) });
            let own = recall(&fixture, &Query { by, floor: Some(0.0), ..Query::of(format!("{text} marked"), 1000) });
            prop_assert!(own.total > 0, "{:?}", by);
        }
    });
}
