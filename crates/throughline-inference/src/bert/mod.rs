//! The forward pass of a BERT: tokens in, a row of hidden states for each token out.
//!
//! The texts of a batch lie one after the other without padding: all layers work on rows, only attention asks
//! which text a row belongs to. So a text's vectors do not depend on the texts beside it.

pub(crate) mod matrix;
mod rows;

use self::matrix::{Bytes, Packed, Side, View};

/// A model, whose parts fit together.
#[derive(Debug)]
pub(crate) struct Bert {
    pub(crate) words: Words,
    /// Position and segment together, a table for each segment.
    pub(crate) positions: Vec<Vec<f32>>,
    pub(crate) norm: Norm,
    pub(crate) layers: Vec<Layer>,
    pub(crate) width: usize,
    pub(crate) heads: usize,
    pub(crate) epsilon: f32,
}

/// What a token is worth before it is read.
#[derive(Debug)]
pub(crate) enum Words {
    Whole(Vec<f32>),
    /// Four bits for each number, the first of two in the lower half, and what a unit is worth in each row.
    Halves {
        bytes: &'static [u8],
        scales: Vec<f32>,
    },
}

impl Words {
    fn count(&self, width: usize) -> usize {
        match self {
            Words::Whole(values) => values.len() / width,
            Words::Halves { scales, .. } => scales.len(),
        }
    }

    /// Appends the row of a token, with its place added.
    fn push(&self, token: usize, place: &[f32], hidden: &mut Vec<f32>) {
        let width = place.len();
        match self {
            Words::Whole(values) => {
                let word = &values[token * width..][..width];
                hidden.extend(word.iter().zip(place).map(|(word, place)| word + place));
            }
            Words::Halves { bytes, scales } => {
                let row = &bytes[token * width / 2..][..width / 2];
                let halves = row.iter().flat_map(|byte| [byte & 0xF, byte >> 4]);
                let values = halves.map(|half| (f32::from(half) - 8.0) * scales[token]);
                hidden.extend(values.zip(place).map(|(word, place)| word + place));
            }
        }
    }
}

#[derive(Debug)]
pub(crate) struct Layer {
    /// Queries, keys and values in one.
    pub(crate) projection: Linear,
    pub(crate) attended: Linear,
    pub(crate) attended_norm: Norm,
    pub(crate) widened: Linear,
    pub(crate) narrowed: Linear,
    pub(crate) narrowed_norm: Norm,
}

#[derive(Debug)]
pub(crate) struct Linear {
    pub(crate) weights: Right,
    pub(crate) bias: Vec<f32>,
}

/// The weights of a layer, a row for each input.
#[derive(Debug)]
pub(crate) enum Right {
    Packed(Packed),
    Bytes(Bytes),
}

#[derive(Debug)]
pub(crate) struct Norm {
    pub(crate) scale: Vec<f32>,
    pub(crate) shift: Vec<f32>,
}

/// Memory that one layer leaves to the next.
#[derive(Default)]
struct Scratch {
    projected: Vec<f32>,
    context: Vec<f32>,
    wide: Vec<f32>,
    scores: Vec<f32>,
    keys: Packed,
    values: Packed,
    left: Vec<f32>,
}

impl Bert {
    pub(crate) fn vocabulary(&self) -> usize {
        self.words.count(self.width)
    }

    pub(crate) fn max_tokens(&self) -> usize {
        self.positions[0].len() / self.width
    }

    /// A row for each token of each text. Tokens are inside the vocabulary, texts not over `max_tokens`.
    pub(crate) fn forward(&self, texts: &[Text]) -> Vec<f32> {
        let mut hidden = self.embedded(texts);
        let mut scratch = Scratch::default();
        for layer in &self.layers {
            layer.projection.apply(&hidden, &mut scratch.projected, &mut scratch.left);
            self.attend(texts, &mut scratch);
            layer.attended.add(&scratch.context, &mut hidden, &mut scratch.left);
            self.normalise(&layer.attended_norm, &mut hidden);
            layer.widened.apply(&hidden, &mut scratch.wide, &mut scratch.left);
            rows::gelu(&mut scratch.wide);
            layer.narrowed.add(&scratch.wide, &mut hidden, &mut scratch.left);
            self.normalise(&layer.narrowed_norm, &mut hidden);
        }
        hidden
    }

    fn embedded(&self, texts: &[Text]) -> Vec<f32> {
        let tokens: usize = texts.iter().map(|text| text.tokens.len()).sum();
        let mut hidden = Vec::with_capacity(tokens * self.width);
        for text in texts {
            for (at, token) in text.tokens.iter().enumerate() {
                let places = &self.positions[usize::from(at >= text.second)];
                let place = &places[at * self.width..][..self.width];
                self.words.push(*token as usize, place, &mut hidden);
            }
        }
        self.normalise(&self.norm, &mut hidden);
        hidden
    }

    fn normalise(&self, norm: &Norm, hidden: &mut [f32]) {
        rows::layer_norm(hidden, &norm.scale, &norm.shift, self.epsilon);
    }

    /// Fills `context` from `projected`.
    fn attend(&self, texts: &[Text], scratch: &mut Scratch) {
        let (width, head_width) = (self.width, self.width / self.heads);
        let Scratch { projected, context, scores, keys, values, left, .. } = scratch;
        context.clear();
        context.resize(projected.len() / 3, 0.0);
        let mut first = 0;
        for text in texts {
            let tokens = text.tokens.len();
            let part = |start: usize| View {
                values: &projected[first * 3 * width + start..],
                rows: tokens,
                columns: head_width,
                row_stride: 3 * width,
                column_stride: 1,
            };
            for head in (0..width).step_by(head_width) {
                keys.fill(part(width + head).transposed());
                values.fill(part(2 * width + head));
                scores.clear();
                scores.resize(tokens * tokens, 0.0);
                keys.side().multiply_add(part(head), scores, tokens, left);
                rows::softmax(scores, tokens);
                let weights = View {
                    values: scores,
                    rows: tokens,
                    columns: tokens,
                    row_stride: tokens,
                    column_stride: 1,
                };
                values.side().multiply_add(weights, &mut context[first * width + head..], width, left);
            }
            first += tokens;
        }
    }
}

impl Linear {
    fn apply(&self, input: &[f32], output: &mut Vec<f32>, scratch: &mut Vec<f32>) {
        output.clear();
        output.resize(input.len() / self.weights.side().rows * self.bias.len(), 0.0);
        self.add(input, output, scratch);
    }

    /// Adds what the layer makes of `input` to `output`.
    fn add(&self, input: &[f32], output: &mut [f32], scratch: &mut Vec<f32>) {
        let (from, to) = (self.weights.side().rows, self.bias.len());
        for row in output.chunks_exact_mut(to) {
            for (value, bias) in row.iter_mut().zip(&self.bias) {
                *value += bias;
            }
        }
        let input = View {
            values: input,
            rows: input.len() / from,
            columns: from,
            row_stride: from,
            column_stride: 1,
        };
        self.weights.side().multiply_add(input, output, to, scratch);
    }
}

impl Right {
    fn side(&self) -> Side<'_> {
        match self {
            Right::Packed(weights) => weights.side(),
            Right::Bytes(weights) => weights.side(),
        }
    }
}

/// What is read: tokens, of which those from `second` on are a second text.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) tokens: Vec<u32>,
    pub(crate) second: usize,
}
