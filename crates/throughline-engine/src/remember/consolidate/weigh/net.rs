//! The weights of the network that reads statements word by word, and the arithmetic of its layers. They are written by
//! `evals/consolidation/fit.py`, in the order in which they are read here.

use std::sync::LazyLock;

use throughline_inference::embed::Table;

use super::features::BASE;

/// So wide is each layer.
pub(super) const WIDTH: usize = 64;
/// So many parts of words are read of a statement.
pub(super) const PIECES: usize = 32;
/// So many ways there are in which a word looks at the others of its statement.
pub(super) const LOOKS: usize = 4;
/// How many values a word tells others by, in each way.
pub(super) const LOOK: usize = WIDTH / LOOKS;

pub(super) type Layer = [f32; WIDTH];

/// A layer of weights, by the input that they are for.
#[derive(Debug)]
pub(super) struct Weights<const OUT: usize> {
    rows: Vec<[f32; OUT]>,
    bias: [f32; OUT],
}

impl<const OUT: usize> Weights<OUT> {
    pub(super) fn of<'a>(&self, input: impl IntoIterator<Item = &'a f32>) -> [f32; OUT] {
        let mut sums = self.bias;
        add_through(&mut sums, &self.rows, input);
        sums
    }

    fn read(inputs: usize, next: &mut impl FnMut() -> f32) -> Weights<OUT> {
        Weights { rows: (0..inputs).map(|_| layer(next)).collect(), bias: layer(next) }
    }

    fn without_bias(inputs: usize, next: &mut impl FnMut() -> f32) -> Weights<OUT> {
        Weights { rows: (0..inputs).map(|_| layer(next)).collect(), bias: [0.0; OUT] }
    }
}

/// Values around zero, of one size.
#[derive(Debug)]
pub(super) struct Levels {
    scale: Layer,
    shift: Layer,
}

impl Levels {
    pub(super) fn of(&self, values: &Layer) -> Layer {
        let mean = values.iter().sum::<f32>() / WIDTH as f32;
        let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / WIDTH as f32;
        let by = 1.0 / (spread + 1e-5).sqrt();
        std::array::from_fn(|place| (values[place] - mean) * by * self.scale[place] + self.shift[place])
    }
}

#[derive(Debug)]
pub(super) struct Net {
    pub(super) project: Weights<WIDTH>,
    pub(super) places: Vec<Layer>,
    /// Of the word before, the word itself, the word after.
    pub(super) around: Weights<WIDTH>,
    pub(super) before_looking: Levels,
    /// What a word asks of others, what it answers to, what it tells.
    pub(super) looks: Weights<{ 3 * WIDTH }>,
    pub(super) looked: Weights<WIDTH>,
    pub(super) before_thinking: Levels,
    pub(super) think: Weights<{ 2 * WIDTH }>,
    pub(super) thought: Weights<WIDTH>,
    pub(super) sharpness: f32,
    pub(super) compare: Weights<WIDTH>,
    pub(super) mix: Weights<WIDTH>,
    pub(super) numbers: Weights<WIDTH>,
    pub(super) out: Weights<3>,
}

pub(super) static NET: LazyLock<Net> = LazyLock::new(|| {
    let (numbers, _) = include_bytes!("words.bin").as_chunks::<4>();
    let mut numbers = numbers.iter().map(|four| f32::from_le_bytes(*four));
    let mut next = || numbers.next().expect("the weights in this program were read by its tests");
    Net {
        project: Weights::without_bias(Table::built_in().dimensions(), &mut next),
        places: (0..PIECES).map(|_| layer(&mut next)).collect(),
        around: Weights::read(3 * WIDTH, &mut next),
        before_looking: Levels { scale: layer(&mut next), shift: layer(&mut next) },
        looks: Weights::read(WIDTH, &mut next),
        looked: Weights::read(WIDTH, &mut next),
        before_thinking: Levels { scale: layer(&mut next), shift: layer(&mut next) },
        think: Weights::read(WIDTH, &mut next),
        thought: Weights::read(2 * WIDTH, &mut next),
        sharpness: next(),
        compare: Weights::read(4 * WIDTH + 1, &mut next),
        mix: Weights::read(4 * WIDTH, &mut next),
        numbers: Weights::without_bias(BASE, &mut next),
        out: Weights::read(WIDTH, &mut next),
    }
});

fn layer<const N: usize>(next: &mut impl FnMut() -> f32) -> [f32; N] {
    std::array::from_fn(|_| next())
}

pub(super) fn add_through<'a, const OUT: usize>(
    sums: &mut [f32; OUT],
    weights: &[[f32; OUT]],
    input: impl IntoIterator<Item = &'a f32>,
) {
    for (weights, value) in weights.iter().zip(input) {
        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * value);
    }
}

pub(super) fn add<const N: usize>(to: &mut [f32; N], values: &[f32; N]) {
    to.iter_mut().zip(values).for_each(|(to, value)| *to += value);
}

pub(super) fn dot(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
