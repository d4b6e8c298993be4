//! The forward pass of a BERT: tokens in, a row of hidden states for each token out.
//!
//! The texts of a batch lie one after the other without padding: all layers work on rows, only attention asks
//! which text a row belongs to. So a text's vectors do not depend on the texts beside it.

pub(crate) mod matrix;
mod rows;
mod whole;

use self::matrix::{Bytes, Packed, View};
use self::whole::Room;

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
    room: Room,
}

impl Bert {
    pub(crate) fn vocabulary(&self) -> usize {
        self.words.count(self.width)
    }

    pub(crate) fn max_tokens(&self) -> usize {
        self.positions[0].len() / self.width
    }

    /// Tokens are inside the vocabulary, texts not over `max_tokens`.
    pub(crate) fn begin<'a>(&'a self, texts: &'a [Text]) -> Pass<'a> {
        Pass {
            bert: self,
            texts,
            hidden: self.embedded(texts),
            layers: &self.layers,
            scratch: Scratch::default(),
        }
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

    /// Fills `context`, a row for each token that is asked for, from `projected`.
    fn attend(&self, texts: &[Text], asked: Asked, scratch: &mut Scratch) {
        let (width, head_width) = (self.width, self.width / self.heads);
        let Scratch { projected, context, scores, keys, values, left, .. } = scratch;
        context.clear();
        context.resize(texts.iter().map(|text| asked.of(text)).sum::<usize>() * width, 0.0);
        let (mut first, mut first_asked) = (0, 0);
        for text in texts {
            let (tokens, asked) = (text.tokens.len(), asked.of(text));
            let part = |start: usize, rows: usize| View {
                values: &projected[first * 3 * width + start..],
                rows,
                columns: head_width,
                row_stride: 3 * width,
                column_stride: 1,
            };
            for head in (0..width).step_by(head_width) {
                keys.fill(part(width + head, tokens).transposed());
                values.fill(part(2 * width + head, tokens));
                scores.clear();
                scores.resize(asked * tokens, 0.0);
                keys.side().multiply_add(part(head, asked), scores, tokens, left);
                rows::softmax(scores, tokens);
                let weights = View::of_rows(scores, tokens);
                values.side().multiply_add(weights, &mut context[first_asked * width + head..], width, left);
            }
            first += tokens;
            first_asked += asked;
        }
    }
}

/// Texts on their way through the layers.
pub(crate) struct Pass<'a> {
    bert: &'a Bert,
    texts: &'a [Text],
    hidden: Vec<f32>,
    /// Those that are still before them.
    layers: &'a [Layer],
    scratch: Scratch,
}

impl Pass<'_> {
    /// Through the next few layers; the first row is then what is made of the first token up to there.
    pub(crate) fn through(&mut self, layers: usize) -> &[f32] {
        let (next, left) = self.layers.split_at(layers);
        self.layers = left;
        for layer in next {
            self.pass(layer, Asked::Every);
        }
        &self.hidden
    }

    /// A row for each token of each text.
    pub(crate) fn every_row(mut self) -> Vec<f32> {
        self.through(self.layers.len());
        self.hidden
    }

    /// A row for the first token of each text: what is made of the others in the last layer is left out.
    pub(crate) fn first_rows(mut self) -> Vec<f32> {
        self.through(self.layers.len().saturating_sub(1));
        if let Some(last) = self.layers.first() {
            self.pass(last, Asked::First);
        }
        self.hidden
    }

    fn pass(&mut self, layer: &Layer, asked: Asked) {
        let Pass { bert, texts, hidden, scratch, .. } = self;
        layer.projection.apply(hidden, &mut scratch.projected, &mut scratch.room);
        bert.attend(texts, asked, scratch);
        asked.keep(texts, hidden, bert.width);
        layer.attended.add(&scratch.context, hidden, &mut scratch.room);
        bert.normalise(&layer.attended_norm, hidden);
        layer.widened.apply(hidden, &mut scratch.wide, &mut scratch.room);
        rows::gelu(&mut scratch.wide);
        layer.narrowed.add(&scratch.wide, hidden, &mut scratch.room);
        bert.normalise(&layer.narrowed_norm, hidden);
    }
}

/// The tokens of a text of which something is asked.
#[derive(Clone, Copy)]
enum Asked {
    Every,
    First,
}

impl Asked {
    fn of(self, text: &Text) -> usize {
        match self {
            Asked::Every => text.tokens.len(),
            Asked::First => 1,
        }
    }

    /// Leaves the rows that are asked for.
    fn keep(self, texts: &[Text], rows: &mut Vec<f32>, width: usize) {
        let (mut from, mut to) = (0, 0);
        for text in texts {
            rows.copy_within(from..from + self.of(text) * width, to);
            from += text.tokens.len() * width;
            to += self.of(text) * width;
        }
        rows.truncate(to);
    }
}

impl Linear {
    fn apply(&self, input: &[f32], output: &mut Vec<f32>, room: &mut Room) {
        output.clear();
        output.resize(input.len() / self.weights.rows() * self.bias.len(), 0.0);
        self.add(input, output, room);
    }

    /// Adds what the layer makes of `input` to `output`.
    fn add(&self, input: &[f32], output: &mut [f32], room: &mut Room) {
        for row in output.chunks_exact_mut(self.bias.len()) {
            for (value, bias) in row.iter_mut().zip(&self.bias) {
                *value += bias;
            }
        }
        self.weights.multiply_add(input, output, room);
    }
}

impl Right {
    fn rows(&self) -> usize {
        match self {
            Right::Packed(weights) => weights.side().rows,
            Right::Bytes(weights) => weights.side().rows,
        }
    }

    /// Adds `left * self` to `sums`; both lie row after row.
    fn multiply_add(&self, left: &[f32], sums: &mut [f32], room: &mut Room) {
        let weights = match self {
            Right::Packed(weights) => weights.side(),
            Right::Bytes(weights) => return weights.multiply_add(left, sums, room),
        };
        weights.multiply_add(View::of_rows(left, weights.rows), sums, weights.columns, room.packed());
    }
}

/// What is read: tokens, of which those from `second` on are a second text.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) tokens: Vec<u32>,
    pub(crate) second: usize,
}
