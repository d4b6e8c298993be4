//! Two statements word by word: each word beside those that the other has for it. A small network, whose input are the rows of
//! the embedding table and the numbers of the linear weights; fitted with them (`evals/consolidation/fit.py`).

use std::sync::LazyLock;

use throughline_inference::embed::Table;

use super::Shares;
use super::features::BASE;

/// So wide is each layer.
const WIDTH: usize = 32;
/// So many parts of words are read of a statement.
const PIECES: usize = 32;
/// Sums over words are kept in the range of the other numbers.
const USUAL_PIECES: f32 = 8.0;

type Layer = [f32; WIDTH];

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
        let table = Table::built_in();
        let rows = table.rows_of(text, PIECES);
        let alone: Vec<Layer> = rows.iter().map(|row| through(&NET.project, &table.row(*row))).collect();
        let meanings: Vec<Layer> = (0..alone.len()).map(|at| in_place(&alone, at)).collect();
        let directions = meanings.iter().map(unit).collect();
        Words { rows, meanings, directions }
    }
}

/// Which parts of words the network reads of a text, as rows of the table.
pub(super) fn rows(text: &str) -> Vec<u32> {
    Table::built_in().rows_of(text, PIECES)
}

/// What the network makes of two statements; nothing where it cannot read one.
pub(super) fn judged(known: &Words, new: &Words, numbers: &[f32; BASE]) -> Option<Shares> {
    if known.rows.is_empty() || new.rows.is_empty() {
        return None;
    }
    let [first, second] = [beside(known, new), beside(new, known)];
    let mut hidden = NET.mix_bias;
    add_through(&mut hidden, &NET.mix, first.iter().chain(&second).flatten());
    add_through(&mut hidden, &NET.numbers, numbers);
    let mut sums = NET.out_bias;
    for (weights, value) in NET.out.iter().zip(hidden) {
        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * value.max(0.0));
    }
    Some(Shares::of(sums))
}

/// What each word of one statement is beside those of the other: all together, and the most of it.
fn beside(one: &Words, other: &Words) -> [Layer; 2] {
    let (mut sum, mut most) = ([0.0; WIDTH], [0.0_f32; WIDTH]);
    for (at, row) in one.rows.iter().enumerate() {
        let (mine, theirs) = (&one.meanings[at], counterpart(&one.directions[at], other));
        let is_there = f32::from(u8::from(other.rows.contains(row)));
        let apart = mine.iter().zip(&theirs).map(|(mine, theirs)| (mine - theirs).abs());
        let alike = mine.iter().zip(&theirs).map(|(mine, theirs)| mine * theirs);
        let input: Vec<f32> =
            mine.iter().copied().chain(theirs).chain(apart).chain(alike).chain([is_there]).collect();
        let mut compared = NET.compare_bias;
        add_through(&mut compared, &NET.compare, &input);
        for (place, value) in compared.into_iter().enumerate() {
            sum[place] += value.max(0.0) / USUAL_PIECES;
            most[place] = most[place].max(value);
        }
    }
    [sum, most]
}

/// The words of a statement that stand for a word of another: near ones count, far ones hardly.
fn counterpart(direction: &Layer, other: &Words) -> Layer {
    let near: Vec<f32> =
        other.directions.iter().map(|theirs| dot(direction, theirs) * NET.sharpness).collect();
    let most = near.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f32> = near.iter().map(|near| (near - most).exp()).collect();
    let all: f32 = weights.iter().sum();
    let mut mean = [0.0; WIDTH];
    add_through(
        &mut mean,
        &other.meanings,
        weights.iter().map(|weight| weight / all).collect::<Vec<_>>().iter(),
    );
    mean
}

/// What a word means between its neighbours.
fn in_place(alone: &[Layer], at: usize) -> Layer {
    let mut around = NET.around_bias;
    for (place, weights) in NET.around.chunks_exact(WIDTH).enumerate() {
        let neighbour = (at + place).checked_sub(1).and_then(|at| alone.get(at));
        if let Some(neighbour) = neighbour {
            add_through(&mut around, weights, neighbour);
        }
    }
    std::array::from_fn(|place| alone[at][place] + around[place].max(0.0))
}

fn through(weights: &[Layer], input: &[f32]) -> Layer {
    let mut sums = [0.0; WIDTH];
    add_through(&mut sums, weights, input);
    sums
}

fn add_through<'a>(sums: &mut Layer, weights: &[Layer], input: impl IntoIterator<Item = &'a f32>) {
    for (weights, value) in weights.iter().zip(input) {
        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * value);
    }
}

fn dot(one: &Layer, other: &Layer) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn unit(layer: &Layer) -> Layer {
    let length = dot(layer, layer).sqrt().max(1e-6);
    layer.map(|value| value / length)
}

/// The weights, by the input that they are for.
#[derive(Debug)]
struct Net {
    project: Vec<Layer>,
    /// Of the word before, the word itself, the word after.
    around: Vec<Layer>,
    around_bias: Layer,
    sharpness: f32,
    compare: Vec<Layer>,
    compare_bias: Layer,
    mix: Vec<Layer>,
    mix_bias: Layer,
    numbers: Vec<Layer>,
    out: Vec<[f32; 3]>,
    out_bias: [f32; 3],
}

static NET: LazyLock<Net> = LazyLock::new(|| {
    let (numbers, _) = include_bytes!("words.bin").as_chunks::<4>();
    let mut numbers = numbers.iter().map(|four| f32::from_le_bytes(*four));
    let mut next = || numbers.next().expect("the weights in this program were read by its tests");
    Net {
        project: (0..Table::built_in().dimensions()).map(|_| layer(&mut next)).collect(),
        around: (0..3 * WIDTH).map(|_| layer(&mut next)).collect(),
        around_bias: layer(&mut next),
        sharpness: next(),
        compare: (0..=4 * WIDTH).map(|_| layer(&mut next)).collect(),
        compare_bias: layer(&mut next),
        mix: (0..4 * WIDTH).map(|_| layer(&mut next)).collect(),
        mix_bias: layer(&mut next),
        numbers: (0..BASE).map(|_| layer(&mut next)).collect(),
        out: (0..WIDTH).map(|_| layer(&mut next)).collect(),
        out_bias: layer(&mut next),
    }
});

fn layer<const N: usize>(next: &mut impl FnMut() -> f32) -> [f32; N] {
    std::array::from_fn(|_| next())
}
