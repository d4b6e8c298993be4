//! The forward pass of a BERT: tokens in, a row of hidden states for each token out.
//!
//! The texts of a batch lie one after the other without padding: all layers work on rows, only attention asks
//! which text a row belongs to. So a text's vectors do not depend on the texts beside it.

use super::Error;
use super::matrix::{Packed, View};
use super::rows;
use super::weights::{Tensor, Weights};

/// What the weights alone do not tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// `None` if it is what models of this width have.
    pub(super) heads: Option<usize>,
    /// `None` if it is as many as there are weights for.
    pub(super) layers: Option<usize>,
    pub(super) epsilon: f32,
}

#[derive(Debug)]
pub(super) struct Bert {
    words: Tensor,
    /// Position and segment together: a text is always the first segment.
    positions: Tensor,
    norm: Norm,
    layers: Vec<Layer>,
    width: usize,
    heads: usize,
    epsilon: f32,
}

#[derive(Debug)]
struct Layer {
    /// Queries, keys and values in one.
    projection: Linear,
    attended: Linear,
    attended_norm: Norm,
    widened: Linear,
    narrowed: Linear,
    narrowed_norm: Norm,
}

#[derive(Debug)]
struct Linear {
    weights: Packed,
    bias: Vec<f32>,
}

#[derive(Debug)]
struct Norm {
    scale: Vec<f32>,
    shift: Vec<f32>,
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
    pub(super) fn load(weights: &dyn Weights, shape: Shape) -> Result<Bert, Error> {
        let words = weights.tensor("embeddings.word_embeddings.weight")?;
        let [_, width] = words.shape[..] else {
            return Err(weights.malformed("the word embeddings are not a matrix".to_owned()));
        };
        let heads = match shape.heads {
            Some(heads) => heads,
            None => usual_heads(width).ok_or_else(|| {
                let why = "without config.json nothing says how many attention heads the model has; copy it \
                           from where the model came from";
                weights.malformed(why.to_owned())
            })?,
        };
        if heads == 0 || width == 0 || width % heads != 0 {
            return Err(weights.malformed(format!("{width} dimensions cannot be shared by {heads} heads")));
        }
        let from = Loader { weights, width, heads };
        let layers = shape.layers.unwrap_or_else(|| weights.layers());
        Ok(Bert {
            positions: from.positions()?,
            norm: from.norm("embeddings.LayerNorm")?,
            layers: (0..layers).map(|number| from.layer(number)).collect::<Result<_, _>>()?,
            words,
            width,
            heads,
            epsilon: shape.epsilon,
        })
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn vocabulary(&self) -> usize {
        self.words.values.len() / self.width
    }

    pub(super) fn max_tokens(&self) -> usize {
        self.positions.values.len() / self.width
    }

    /// A row for each token of each text. Tokens are inside the vocabulary, texts not over `max_tokens`.
    pub(super) fn forward(&self, texts: &[Vec<u32>]) -> Vec<f32> {
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

    fn embedded(&self, texts: &[Vec<u32>]) -> Vec<f32> {
        let mut hidden = Vec::with_capacity(texts.iter().map(Vec::len).sum::<usize>() * self.width);
        for text in texts {
            for (token, place) in text.iter().zip(self.positions.values.chunks_exact(self.width)) {
                let word = &self.words.values[*token as usize * self.width..][..self.width];
                hidden.extend(word.iter().zip(place).map(|(word, place)| word + place));
            }
        }
        self.normalise(&self.norm, &mut hidden);
        hidden
    }

    fn normalise(&self, norm: &Norm, hidden: &mut [f32]) {
        rows::layer_norm(hidden, &norm.scale, &norm.shift, self.epsilon);
    }

    /// Fills `context` from `projected`.
    fn attend(&self, texts: &[Vec<u32>], scratch: &mut Scratch) {
        let (width, head_width) = (self.width, self.width / self.heads);
        let Scratch { projected, context, scores, keys, values, left, .. } = scratch;
        context.clear();
        context.resize(projected.len() / 3, 0.0);
        let mut first = 0;
        for text in texts {
            let tokens = text.len();
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
                keys.multiply_add(part(head), scores, tokens, left);
                rows::softmax(scores, tokens);
                let weights = View {
                    values: scores,
                    rows: tokens,
                    columns: tokens,
                    row_stride: tokens,
                    column_stride: 1,
                };
                values.multiply_add(weights, &mut context[first * width + head..], width, left);
            }
            first += tokens;
        }
    }
}

impl Linear {
    fn apply(&self, input: &[f32], output: &mut Vec<f32>, scratch: &mut Vec<f32>) {
        output.clear();
        output.resize(input.len() / self.weights.rows() * self.weights.columns(), 0.0);
        self.add(input, output, scratch);
    }

    /// Adds what the layer makes of `input` to `output`.
    fn add(&self, input: &[f32], output: &mut [f32], scratch: &mut Vec<f32>) {
        let (from, to) = (self.weights.rows(), self.weights.columns());
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
        self.weights.multiply_add(input, output, to, scratch);
    }
}

/// Reads the parts of a model and holds them to the shapes that fit together.
struct Loader<'a> {
    weights: &'a dyn Weights,
    width: usize,
    heads: usize,
}

impl Loader<'_> {
    fn layer(&self, number: usize) -> Result<Layer, Error> {
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let widened = self.weights.tensor(&name("intermediate.dense.bias"))?.values.len();
        if widened == 0 {
            return Err(self.weights.malformed(format!("layer {number} is empty")));
        }
        Ok(Layer {
            projection: self.projection(&name("attention.self"))?,
            attended: self.linear(&name("attention.output.dense"), self.width, self.width)?,
            attended_norm: self.norm(&name("attention.output.LayerNorm"))?,
            widened: self.linear(&name("intermediate.dense"), self.width, widened)?,
            narrowed: self.linear(&name("output.dense"), widened, self.width)?,
            narrowed_norm: self.norm(&name("output.LayerNorm"))?,
        })
    }

    fn projection(&self, name: &str) -> Result<Linear, Error> {
        let mut all = Tensor { shape: vec![3 * self.width, self.width], values: Vec::new() };
        let mut biases = Vec::new();
        // The scores are divided by this; to divide the queries' weights once comes to the same.
        let scale = 1.0 / ((self.width / self.heads) as f32).sqrt();
        for (part, factor) in [("query", scale), ("key", 1.0), ("value", 1.0)] {
            let (weights, bias) = self.parts(&format!("{name}.{part}"), self.width, self.width)?;
            all.values.extend(weights.values.iter().map(|value| value * factor));
            biases.extend(bias.iter().map(|value| value * factor));
        }
        Ok(Linear { weights: Packed::new(all.view().transposed()), bias: biases })
    }

    fn linear(&self, name: &str, from: usize, to: usize) -> Result<Linear, Error> {
        let (weights, bias) = self.parts(name, from, to)?;
        Ok(Linear { weights: Packed::new(weights.view().transposed()), bias })
    }

    fn parts(&self, name: &str, from: usize, to: usize) -> Result<(Tensor, Vec<f32>), Error> {
        let weights = self.shaped(name, self.weights.linear(name)?, &[to, from])?;
        Ok((weights, self.vector(&format!("{name}.bias"), to)?))
    }

    fn norm(&self, name: &str) -> Result<Norm, Error> {
        Ok(Norm {
            scale: self.vector(&format!("{name}.weight"), self.width)?,
            shift: self.vector(&format!("{name}.bias"), self.width)?,
        })
    }

    fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, Error> {
        Ok(self.shaped(name, self.weights.tensor(name)?, &[length])?.values)
    }

    fn positions(&self) -> Result<Tensor, Error> {
        let read = |name: &str| {
            let table = self.weights.tensor(name)?;
            let rows = table.shape.first().copied().unwrap_or(0).max(1);
            self.shaped(name, table, &[rows, self.width])
        };
        let mut positions = read("embeddings.position_embeddings.weight")?;
        let segments = read("embeddings.token_type_embeddings.weight")?;
        for row in positions.values.chunks_exact_mut(self.width) {
            for (value, segment) in row.iter_mut().zip(&segments.values) {
                *value += segment;
            }
        }
        Ok(positions)
    }

    fn shaped(&self, name: &str, tensor: Tensor, shape: &[usize]) -> Result<Tensor, Error> {
        if tensor.shape != shape {
            let why = format!("{name} has the shape {:?}, but {shape:?} would fit the rest", tensor.shape);
            return Err(self.weights.malformed(why));
        }
        Ok(tensor)
    }
}

/// The heads of every published BERT of this width that embeds texts.
fn usual_heads(width: usize) -> Option<usize> {
    match width {
        384 | 768 => Some(12),
        1024 => Some(16),
        _ => None,
    }
}
