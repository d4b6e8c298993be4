//! A BERT from a file of weights, whose shapes are held to fit together.

use super::Error;
use super::weights::{Tensor, Weights};
use crate::bert::matrix::Packed;
use crate::bert::{Bert, Layer, Linear, Norm, Right, Words};

/// What the weights alone do not tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// `None` if it is what models of this width have.
    pub(super) heads: Option<usize>,
    /// `None` if it is as many as there are weights for.
    pub(super) layers: Option<usize>,
    pub(super) epsilon: f32,
}

pub(super) fn bert(weights: &dyn Weights, shape: Shape) -> Result<Bert, Error> {
    let words = weights.tensor("embeddings.word_embeddings.weight")?;
    let [_, width] = words.shape[..] else {
        return Err(weights.malformed("the word embeddings are not a matrix".to_owned()));
    };
    let heads = match shape.heads {
        Some(heads) => heads,
        None => usual_heads(width).ok_or_else(|| {
            let why = "without config.json nothing says how many attention heads the model has";
            weights.malformed(why.to_owned())
        })?,
    };
    if heads == 0 || width == 0 || width % heads != 0 {
        return Err(weights.malformed(format!("{width} dimensions cannot be shared by {heads} heads")));
    }
    let from = Loader { weights, width, heads };
    let layers = shape.layers.unwrap_or_else(|| weights.layers());
    Ok(Bert {
        positions: vec![from.positions()?.values],
        norm: from.norm("embeddings.LayerNorm")?,
        layers: (0..layers).map(|number| from.layer(number)).collect::<Result<_, _>>()?,
        words: Words::Whole(words.values),
        width,
        heads,
        epsilon: shape.epsilon,
    })
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
        Ok(Linear { weights: Right::Packed(Packed::new(all.view().transposed())), bias: biases })
    }

    fn linear(&self, name: &str, from: usize, to: usize) -> Result<Linear, Error> {
        let (weights, bias) = self.parts(name, from, to)?;
        Ok(Linear { weights: Right::Packed(Packed::new(weights.view().transposed())), bias })
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

    /// Position and segment together: a text is always the first segment.
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
