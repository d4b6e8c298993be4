//! Files as text: what is not ours comes through untouched.

use proptest::prelude::*;
use throughline_store::memory::Kind;

use super::{Piece, Sheet, Shows, Tag, hash, plain};

proptest! {
    #[test]
    fn any_text_comes_through_as_it_is(text in "([-*+#`<>!a-c: \t\n]|- a b|<!-- |-->|```|\r\n|  ){0,40}") {
        prop_assert_eq!(Sheet::read(&text).text(), text);
    }

    #[test]
    fn what_is_written_into_any_file_is_read_as_it_was(
        file in "(# T|## Facts|## Rules|- a b|- c d|  more|\tmore|   - a|text|)?(\n(# T|## Facts|## Rules|- a b|- c d|  more|\tmore|   - a|text|)){0,12}(\n|\r\n)?",
        texts in proptest::collection::vec("([a-c\\-*#`<>!:\t \u{a0}]|\n|\r\n|- a|  - b|<!-- memory:k 0123456789 -->|<!-- throughline memory sync x|```|## Facts){0,12}[a-c]", 1..4),
    ) {
        let before = Sheet::read(&file);
        let known: Vec<String> = before.blocks().map(|block| block.text.clone()).collect();
        let texts: Vec<String> = texts.iter().map(|text| plain(text)).collect();
        let mut sheet = before;
        for (at, text) in texts.iter().enumerate() {
            sheet.add(Kind::Fact, text.clone(), Tag::of(Shows::Memory, &format!("k{at}"), text));
        }
        sheet.sign();
        let again = Sheet::read(&sheet.text());
        for (at, text) in texts.iter().enumerate() {
            let block = again.place_of(&format!("k{at}"), Shows::Memory).and_then(|at| again.pieces[at].block());
            prop_assert_eq!(block.map(|block| (&block.text, block.is_changed())), Some((text, false)), "{}", sheet.text());
        }
        let mut kept: Vec<String> =
            again.blocks().filter(|block| block.tag.is_none()).map(|block| block.text.clone()).collect();
        let mut known = known;
        kept.sort();
        known.sort();
        prop_assert_eq!(kept, known, "{}", sheet.text());
    }

    #[test]
    fn what_is_added_is_read_again(texts in proptest::collection::vec("[a-c\\-#`<>! \n\r]{0,30}[a-c]", 1..5)) {
        let mut sheet = Sheet::titled("project");
        let texts: Vec<String> = texts.iter().map(|text| plain(text)).collect();
        for (at, text) in texts.iter().enumerate() {
            sheet.add(Kind::Fact, text.clone(), Tag::of(Shows::Memory, &format!("k{at}"), text));
        }
        sheet.sign();
        let mut again = Sheet::read(&sheet.text());
        let read: Vec<String> = again.blocks().map(|block| block.text.clone()).collect();
        prop_assert_eq!(read, texts);
        prop_assert!(again.blocks().all(|block| !block.is_changed() && block.kind == Some(Kind::Fact)));
        again.sign();
        prop_assert_eq!(again.text(), sheet.text());
    }
}

#[test]
fn bullets_are_blocks_and_the_rest_stays() {
    let text = "---\na: 1\n---\n# Shop\n\nHello\n- one\n* two words\r\n\n  more of it\n\n```\n- not this\n```\n<!--\n- nor this\n-->\n## Rules\n\
                + never do that <!-- memory:k1 0123456789 -->\n1. not numbered ones\n- See:\n- [a link](b.md)\n";
    let sheet = Sheet::read(text);
    let blocks: Vec<_> = sheet.blocks().map(|block| (block.line, block.kind, block.text.as_str())).collect();
    assert_eq!(blocks, [(8, None, "two words\n\nmore of it"), (19, Some(Kind::Rule), "never do that")]);
    assert_eq!(sheet.text(), text);
}

#[test]
fn a_byte_order_mark_stays_first() {
    let mut sheet = Sheet::read("\u{feff}- never push to main\n");
    assert_eq!(sheet.blocks().map(|block| block.text.as_str()).collect::<Vec<_>>(), ["never push to main"]);
    assert_eq!(sheet.text(), "\u{feff}- never push to main\n");
    sheet.add(Kind::Fact, "a b".into(), Tag::of(Shows::Memory, "k", "a b"));
    sheet.sign();
    assert!(sheet.text().starts_with("\u{feff}<!-- throughline memory sync "), "{:?}", sheet.text());
    assert!(matches!(Sheet::read(&sheet.text()).pieces[0], Piece::Mark(_)));
}

#[test]
fn a_heading_may_be_closed() {
    for (heading, kind) in [
        ("## Rules ##", Some(Kind::Rule)),
        ("# Rules\t####  ", Some(Kind::Rule)),
        ("## Rules#", None),
        ("## ##", None),
    ] {
        let sheet = Sheet::read(&format!("{heading}\n\n- never push to main\n"));
        assert_eq!(sheet.blocks().next().unwrap().kind, kind, "{heading}");
    }
}

#[test]
fn what_git_could_not_merge_is_seen() {
    for (text, line) in [
        ("# A\n<<<<<<< HEAD\n- a b\n=======\n- a c\n>>>>>>> b\n", Some(2)),
        ("- a b\r\n  more\r\n>>>>>>> b\r\n", Some(3)),
        ("- a b\n=======\n- a c\n", Some(2)),
        ("A title\n=======\n", None),
        ("```\n<<<<<<< HEAD\n=======\n>>>>>>> b\n```\n", None),
        ("- a b\n  <<<<<<< HEAD\n<<<<<<<\n======== \n", None),
    ] {
        assert_eq!(Sheet::read(text).unmerged, line, "{text:?}");
    }
}

#[test]
fn the_mark_goes_below_the_title() {
    let tag = Tag::of(Shows::Memory, "k", "a b");
    let mut sheet = Sheet::read("---\na: 1\n---\n\n# Shop\n\nHello\n");
    sheet.add(Kind::Rule, "a b".into(), tag.clone());
    let mark = sheet.sign();
    let expected = format!(
        "---\na: 1\n---\n\n# Shop\n\n<!-- throughline memory sync {mark}: a bullet is a memory; change, add or delete some and \
         run `throughline memory sync` -->\n\nHello\n\n## Rules\n\n- a b <!-- memory:k {} -->\n",
        hash("a b")
    );
    assert_eq!(sheet.text(), expected);
    let mut crlf = Sheet::read("Hello\r\nthere");
    crlf.add(Kind::Fact, "a b".into(), tag);
    crlf.sign();
    let text = crlf.text();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
    assert!(matches!(Sheet::read(&text).pieces[0], Piece::Mark(_)), "{text:?}");
}

#[test]
fn secrets_are_in_no_text_and_are_written_away() {
    let secret = crate::testing::SECRET;
    let mut sheet = Sheet::read(&format!("- the key is {secret}\n"));
    let block = sheet.block_mut(0).unwrap();
    assert!(!block.text.contains(secret), "{}", block.text);
    let (text, tag) = (block.text.clone(), Tag::of(Shows::Memory, "k", &block.text));
    block.show(text, tag);
    assert!(!sheet.text().contains(secret));
}
