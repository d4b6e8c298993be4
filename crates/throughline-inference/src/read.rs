//! The reader inside the binary: a small BERT that reads two statements at once and says what they are to each other, or
//! one and says what kind it is. It is fitted by `evals/consolidation/read.py`, which also writes its numbers.

use std::sync::LazyLock;

use crate::bert::matrix::Bytes;
use crate::bert::{Bert, Layer, Linear, Norm, Right, Text, Words};
use crate::embed::Table;

/// So many parts of words are read of a text.
const PIECES: usize = 48;
/// What two statements can be to each other: unrelated, the same, the opposite.
pub const RELATIONS: usize = 3;
/// What a statement can be: nothing that lasts, a fact, a rule, a preference, a decision.
pub const KINDS: usize = 5;

const WIDTH: usize = 384;
const WIDE: usize = 4 * WIDTH;
const HEADS: usize = 12;
const LAYERS: usize = 6;
/// After so many layers it is seen of most pairs that they are about different things.
const GLANCE: usize = 2;
/// Where so much says so, it is enough: of what the whole reader says something of, one in 1,000 is lost.
const DIFFERENT: f32 = 0.99;
/// Two texts, and what stands before, between and after them.
const POSITIONS: usize = 2 * PIECES + 3;

#[derive(Debug)]
pub struct Reader {
    bert: Bert,
    relations: Head,
    kinds: Head,
    glance: Head,
}

/// From what stands for the whole to a sum for each case.
#[derive(Debug)]
struct Head {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Reader {
    pub fn built_in() -> &'static Reader {
        static BUILT_IN: LazyLock<Reader> = LazyLock::new(|| {
            let words = Table::built_in().words() + 3;
            Parts { left: include_bytes!("../assets/reader.bin") }.reader(words)
        });
        &BUILT_IN
    }

    /// How much speaks for each relation of a new statement to a known one, as sums for a softmax.
    pub fn relations(&self, known: &str, new: &str) -> [f32; RELATIONS] {
        let (first, second) = (self.rows(known), self.rows(new));
        let mut tokens = vec![self.begin()];
        tokens.extend(first);
        tokens.push(self.end());
        let texts = [Text { second: tokens.len(), tokens: [tokens, second, vec![self.end()]].concat() }];
        let mut pass = self.bert.begin(&texts);
        let [different] = self.glance.of(pass.through(GLANCE));
        if different >= (DIFFERENT / (1.0 - DIFFERENT)).ln() {
            // As much as for one of two: nothing was said of what else they may be.
            return [different + std::f32::consts::LN_2, 0.0, 0.0];
        }
        self.relations.of(&pass.first_rows())
    }

    /// How much speaks for each kind that a statement can be, as sums for a softmax.
    pub fn kinds(&self, text: &str) -> [f32; KINDS] {
        self.kinds.of(&self.whole(text))
    }

    /// What stands for the whole of a text once it is read: what [`Reader::kinds`] tells its kind by.
    pub fn whole(&self, text: &str) -> Vec<f32> {
        let tokens = [vec![self.begin()], self.rows(text), vec![self.end()]].concat();
        self.bert.begin(&[Text { second: tokens.len(), tokens }]).first_rows()
    }

    /// The model's words are the table's, after one that stands for nothing.
    fn rows(&self, text: &str) -> Vec<u32> {
        let mut rows = pieces(text);
        rows.iter_mut().for_each(|row| *row += 1);
        rows
    }

    fn begin(&self) -> u32 {
        self.end() - 1
    }

    fn end(&self) -> u32 {
        self.bert.vocabulary() as u32 - 1
    }
}

/// The parts of words that are read of a text, as rows of the embedding table.
pub fn pieces(text: &str) -> Vec<u32> {
    Table::built_in().rows_of(text, PIECES)
}

impl Head {
    fn of<const CASES: usize>(&self, hidden: &[f32]) -> [f32; CASES] {
        std::array::from_fn(|case| {
            let weights = &self.weights[case * WIDTH..][..WIDTH];
            self.bias[case] + weights.iter().zip(hidden).map(|(weight, value)| weight * value).sum::<f32>()
        })
    }
}

/// The numbers of the reader, in the order in which they are written.
struct Parts {
    left: &'static [u8],
}

impl Parts {
    fn reader(mut self, words: usize) -> Reader {
        let words = Words::Halves { scales: self.floats(words), bytes: self.bytes(words * WIDTH / 2) };
        let positions = (0..2).map(|_| self.floats(POSITIONS * WIDTH)).collect();
        let norm = self.norm();
        let layers = (0..LAYERS).map(|_| self.layer()).collect();
        let bert = Bert { words, positions, norm, layers, width: WIDTH, heads: HEADS, epsilon: 1e-12 };
        Reader { bert, relations: self.head(RELATIONS), kinds: self.head(KINDS), glance: self.head(1) }
    }

    fn layer(&mut self) -> Layer {
        Layer {
            projection: self.linear(WIDTH, 3 * WIDTH),
            attended: self.linear(WIDTH, WIDTH),
            attended_norm: self.norm(),
            widened: self.linear(WIDTH, WIDE),
            narrowed: self.linear(WIDE, WIDTH),
            narrowed_norm: self.norm(),
        }
    }

    fn linear(&mut self, from: usize, to: usize) -> Linear {
        let (bias, scales) = (self.floats(to), self.floats(to));
        Linear { bias, weights: Right::Bytes(Bytes { scales, values: self.bytes(from * to) }) }
    }

    fn norm(&mut self) -> Norm {
        Norm { scale: self.floats(WIDTH), shift: self.floats(WIDTH) }
    }

    fn head(&mut self, cases: usize) -> Head {
        Head { weights: self.floats(cases * WIDTH), bias: self.floats(cases) }
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        self.bytes(count * 4).as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect()
    }

    /// The file in this program was read by its tests.
    fn bytes(&mut self, count: usize) -> &'static [u8] {
        let (bytes, left) = self.left.split_at(count);
        self.left = left;
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;

    fn most<const CASES: usize>(sums: [f32; CASES]) -> usize {
        (0..CASES).max_by(|a, b| sums[*a].total_cmp(&sums[*b])).unwrap_or(0)
    }

    #[test]
    fn two_statements_are_unrelated_the_same_or_the_opposite() {
        let known = "The billing service listens on port 8443";
        let to = |new: &str| most(Reader::built_in().relations(known, new));
        assert_eq!(to("Reach the billing service at port 8443"), 1);
        assert_eq!(to("We moved the billing service from port 8443 to 9000"), 2);
        assert_eq!(to("Commit messages are written in the imperative"), 0);
    }

    #[test]
    fn a_statement_lasts_or_not() {
        let kind = |text: &str| most(Reader::built_in().kinds(text));
        assert_eq!(kind("The staging database lives in Frankfurt"), 1);
        assert_eq!(kind("can you rename this variable please"), 0);
    }

    #[test]
    fn what_has_no_words_and_what_has_many_is_read() {
        let long = "word ".repeat(1000);
        for text in ["", " ", "\u{1F980}", &long] {
            let sums = Reader::built_in().relations(text, text);
            assert!(sums.iter().all(|sum| sum.is_finite()), "{text}");
            assert!(Reader::built_in().kinds(text).iter().all(|sum| sum.is_finite()));
        }
    }
}
