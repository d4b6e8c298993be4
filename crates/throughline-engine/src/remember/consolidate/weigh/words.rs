//! Two statements word by word: each word, as its statement has it, beside those that the other has for it. A small network,
//! whose input are the rows of the embedding table and the numbers of the linear weights (`evals/consolidation/fit.py`).

use throughline_inference::embed::Table;

use super::Shares;
use super::features::BASE;
use super::net::{LOOK, LOOKS, Layer, NET, PIECES, WIDTH, add, add_through, dot};
use crate::remember::likely::probabilities;

/// Sums over words are kept in the range of the other numbers.
const USUAL_PIECES: f32 = 8.0;

/// A statement as the network reads it.
#[derive(Debug)]
pub(super) struct Words {
    /// Which parts of words they are.
    rows: Vec<u32>,
    /// What each means where it stands.
    meanings: Vec<Layer>,
    /// The same at unit length.
    directions: Vec<Layer>,
}

impl Words {
    pub(super) fn of(text: &str) -> Words {
        let rows = rows(text);
        let alone: Vec<Layer> = rows.iter().zip(&NET.places).map(in_its_place).collect();
        let mut meanings: Vec<Layer> = (0..alone.len()).map(|at| among_neighbours(&alone, at)).collect();
        look_around(&mut meanings);
        meanings.iter_mut().for_each(think);
        let directions = meanings.iter().map(unit).collect();
        Words { rows, meanings, directions }
    }

    /// What it says as a whole: all together, and the most of it.
    pub(super) fn whole(&self) -> [Layer; 2] {
        let mut whole = Whole::NONE;
        self.meanings.iter().for_each(|meaning| whole.add(meaning));
        [whole.sum, whole.most]
    }
}

/// What words come to: all of them together, and the most of it.
struct Whole {
    sum: Layer,
    most: Layer,
}

impl Whole {
    const NONE: Whole = Whole { sum: [0.0; WIDTH], most: [0.0; WIDTH] };

    fn add(&mut self, word: &Layer) {
        for (place, value) in word.iter().enumerate() {
            self.sum[place] += value / USUAL_PIECES;
            self.most[place] = self.most[place].max(*value);
        }
    }
}

/// Which parts of words the network reads of a text, as rows of the table.
pub(super) fn rows(text: &str) -> Vec<u32> {
    Table::built_in().rows_of(text, PIECES)
}

fn in_its_place((row, place): (&u32, &Layer)) -> Layer {
    let mut meaning = NET.project.of(&Table::built_in().row(*row));
    add(&mut meaning, place);
    meaning
}

fn among_neighbours(alone: &[Layer], at: usize) -> Layer {
    const NONE: Layer = [0.0; WIDTH];
    let before = at.checked_sub(1).map_or(&NONE, |before| &alone[before]);
    let after = alone.get(at + 1).unwrap_or(&NONE);
    let around = NET.around.of(before.iter().chain(&alone[at]).chain(after));
    std::array::from_fn(|place| alone[at][place] + around[place].max(0.0))
}

/// Each word takes up what the others of the statement tell it: what a "not" is for need not stand beside it.
fn look_around(words: &mut [Layer]) {
    let told: Vec<[f32; 3 * WIDTH]> =
        words.iter().map(|word| NET.looks.of(&NET.before_looking.of(word))).collect();
    for (word, own) in words.iter_mut().zip(&told) {
        let mut seen = [0.0; WIDTH];
        for (look, seen) in seen.as_chunks_mut::<LOOK>().0.iter_mut().enumerate() {
            let part = |what: usize| (what * LOOKS + look) * LOOK..(what * LOOKS + look + 1) * LOOK;
            let near = told.iter().map(|other| dot(&own[part(0)], &other[part(1)]) / (LOOK as f32).sqrt());
            for (share, other) in probabilities(near.collect::<Vec<f32>>()).into_iter().zip(&told) {
                seen.iter_mut().zip(&other[part(2)]).for_each(|(seen, value)| *seen += share * value);
            }
        }
        add(word, &NET.looked.of(&seen));
    }
}

fn think(word: &mut Layer) {
    let thoughts = NET.think.of(&NET.before_thinking.of(word)).map(|value| value.max(0.0));
    add(word, &NET.thought.of(&thoughts));
}

/// What the network makes of two statements; nothing where it cannot read one.
pub(super) fn judged(known: &Words, new: &Words, numbers: &[f32; BASE]) -> Option<Shares> {
    if known.rows.is_empty() || new.rows.is_empty() {
        return None;
    }
    let [first, second] = [beside(known, new), beside(new, known)];
    let mut hidden = NET.mix.of(first.iter().chain(&second).flatten());
    add(&mut hidden, &NET.numbers.of(numbers));
    Some(Shares::of(NET.out.of(&hidden.map(|value| value.max(0.0)))))
}

/// What each word of one statement is beside those of the other.
fn beside(one: &Words, other: &Words) -> [Layer; 2] {
    let mut whole = Whole::NONE;
    for (at, row) in one.rows.iter().enumerate() {
        let (mine, theirs) = (&one.meanings[at], counterpart(&one.directions[at], other));
        let is_there = f32::from(u8::from(other.rows.contains(row)));
        let apart: Layer = std::array::from_fn(|place| (mine[place] - theirs[place]).abs());
        let alike: Layer = std::array::from_fn(|place| mine[place] * theirs[place]);
        let compared =
            NET.compare.of(mine.iter().chain(&theirs).chain(&apart).chain(&alike).chain([&is_there]));
        whole.add(&compared.map(|value| value.max(0.0)));
    }
    [whole.sum, whole.most]
}

/// The words of a statement that stand for a word of another: near ones count, far ones hardly.
fn counterpart(direction: &Layer, other: &Words) -> Layer {
    let near = other.directions.iter().map(|theirs| dot(direction, theirs) * NET.sharpness);
    let mut mean = [0.0; WIDTH];
    add_through(&mut mean, &other.meanings, &probabilities(near.collect::<Vec<f32>>()));
    mean
}

fn unit(layer: &Layer) -> Layer {
    let length = (dot(layer, layer) + 1e-12).sqrt();
    layer.map(|value| value / length)
}
