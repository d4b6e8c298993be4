//! The table in this program against its Python reference, and tables that are not whole.

use super::{Malformed, Table};

/// Written by `evals/embedding/golden.py`: text, a tab, the values with spaces between them.
const GOLDEN: &str = include_str!("golden.tsv");

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[test]
fn texts_have_the_vectors_of_the_reference() {
    let table = Table::built_in();
    assert_eq!((table.model(), table.dimensions()), ("throughline-static-2", 256));
    for line in GOLDEN.lines() {
        let (text, expected) = line.split_once('\t').unwrap();
        let expected: Vec<f32> = expected.split(' ').map(|x| x.parse().unwrap()).collect();
        let vector = table.embed(text).unwrap();
        assert_eq!(vector.len(), expected.len());
        assert!(cosine(&vector, &expected) > 0.9999, "{text}");
    }
}

#[test]
fn like_texts_are_near() {
    let embed = |text: &str| Table::built_in().embed(text).unwrap();
    let question = embed("Which pet does she own?");
    let near = cosine(&question, &embed("Anna bought a puppy last week."));
    let far = cosine(&question, &embed("The build failed with a linker error."));
    assert!(near > far + 0.1, "{near} {far}");
}

#[test]
fn identifiers_are_read_as_their_words() {
    let embed = |text: &str| Table::built_in().embed(text).unwrap();
    for (identifier, words) in [("parseHttpRequest", "parse http request"), ("HTTPServer2", "http server2")] {
        assert_eq!(embed(identifier), embed(words), "{identifier}");
    }
    assert_eq!(embed("YouTube é"), embed("youtube e"));
}

#[test]
fn a_text_without_a_known_part_has_no_vector() {
    for text in ["", " \n", "\u{1F9FF}", &"x".repeat(101)] {
        assert_eq!(Table::built_in().embed(text), None, "{text}");
    }
}

#[test]
fn bytes_that_are_not_a_whole_table_are_refused() {
    let whole = Table::built_in().bytes.to_vec();
    let refused = |bytes: &[u8]| Table::parse(bytes.to_vec()).unwrap_err();
    assert_eq!(refused(b"GGUF"), Malformed::Magic);
    assert_eq!(refused(&whole[..30]), Malformed::Header);
    assert_eq!(refused(&whole[..1000]), Malformed::Header);
    let found = whole.len() - 1;
    assert_eq!(refused(&whole[..found]), Malformed::Length { expected: whole.len(), found });
    for at in 8..64 + 72 {
        let mut bent = whole.clone();
        bent[at] = 0xFF;
        // In the name or beside it, any byte may be a valid table; none may panic.
        let _either = Table::parse(bent).map(|table| table.embed("Any text."));
    }
}

#[test]
fn parts_count_as_much_as_they_are_told_to() {
    let table = Table::built_in();
    assert_eq!(table.embed_weighed([("a green", 1.0), ("boat", 1.0)]), table.embed("a green boat"));
    let mostly = table.embed_weighed([("green", 0.1), ("boat", 1.0)]).unwrap();
    assert!(cosine(&mostly, &table.embed("boat").unwrap()) > 0.98);
    assert_eq!(table.embed_weighed([("boat", 0.0)]), None);
}

/// What one core does when nothing else runs on it: the fastest of many short rounds.
#[test]
#[expect(clippy::disallowed_methods, reason = "how long it takes is real time")]
#[ignore = "a measurement: cargo test --release -p throughline-inference -- --ignored --nocapture short_texts"]
fn short_texts_a_second() {
    let text = |n: usize| {
        format!("parcel {n} went to the port of Rotterdam because the tests of the gateway failed")
    };
    let texts: Vec<String> = (0..200).map(text).collect();
    let round = || {
        let started = std::time::Instant::now();
        let known = texts.iter().filter(|text| Table::built_in().embed(text).is_some()).count();
        known as f64 / started.elapsed().as_secs_f64()
    };
    let fastest = (0..200).map(|_| round()).fold(0.0, f64::max);
    println!("{fastest:.0} texts of {} bytes a second", texts[0].len());
    assert!(fastest > 20_000.0);
}
