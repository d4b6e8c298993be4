//! The vectors of a model from a local folder: a sentence-embedding model of the BERT family, as safetensors or
//! as ONNX, computed here without any other runtime.

mod error;
mod folder;
mod load;
mod onnx;
mod protobuf;
mod safetensors;
#[cfg(test)]
mod tests;
mod tokenizer;
mod weights;

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

pub use self::error::Error;

use self::folder::Use;
use self::onnx::Onnx;
use self::safetensors::Safetensors;
use self::tokenizer::Tokenizer;
use crate::bert::{Bert, Text};

/// Tokens that are worked on together: enough for the products of matrices to be fast, few enough for the caches.
const BATCH_TOKENS: usize = 256;

/// The model, and where it is to be used otherwise than its folder says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalSettings {
    pub directory: PathBuf,
    pub pooling: Option<Pooling>,
    /// What goes before a query, not before a passage.
    pub query_prefix: Option<String>,
    /// Longer texts are cut off.
    pub max_tokens: Option<usize>,
}

/// How the vectors of the tokens become the vector of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    Mean,
    /// The vector of the token that stands before the text.
    Cls,
}

#[derive(Debug)]
pub struct LocalModel {
    name: String,
    bert: Bert,
    tokenizer: Tokenizer,
    usage: Use,
    max_tokens: usize,
}

impl LocalModel {
    pub fn open(settings: &LocalSettings) -> Result<LocalModel, Error> {
        let directory = &settings.directory;
        let path = folder::weights(directory)?;
        let usage = folder::how_to_use(settings)?;
        let tokenizer = Tokenizer::open(directory)?;
        let bert = open(directory, &path)?;
        if tokenizer.last_id() as usize >= bert.vocabulary() || bert.max_tokens() < 3 {
            let (last, known) = (tokenizer.last_id(), bert.vocabulary());
            let why = format!("the tokenizer has ids up to {last}, the model knows {known} of them");
            return Err(Error::malformed(&path, why));
        }
        // Start, end and at least one token of the text.
        let max_tokens = usage.max_tokens.unwrap_or(usize::MAX).clamp(3, bert.max_tokens());
        let hash =
            fingerprint(&path, usage.pooling, max_tokens).map_err(|error| Error::read(&path, error))?;
        let name = format!("{}-{:08x}", folder::name(directory), hash as u32);
        Ok(LocalModel { name, bert, tokenizer, usage, max_tokens })
    }

    /// The folder's name and a hash: vectors of the same name can be compared.
    pub fn model(&self) -> &str {
        &self.name
    }

    pub fn dimensions(&self) -> usize {
        self.bert.width
    }

    /// A vector of length one for each text.
    pub fn embed_passages(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error> {
        let tokens = texts.iter().map(|text| self.tokens(&self.usage.passage_prefix, text));
        self.embed(&tokens.collect::<Vec<_>>())
    }

    /// The vector of length one of a text that is searched for.
    pub fn embed_query(&self, text: &str) -> Result<Vec<f32>, Error> {
        Ok(self.embed(&[self.tokens(&self.usage.query_prefix, text)])?.concat())
    }

    fn tokens(&self, prefix: &str, text: &str) -> Text {
        let tokens = if prefix.is_empty() {
            self.tokenizer.encode(text, self.max_tokens)
        } else {
            self.tokenizer.encode(&format!("{prefix}{text}"), self.max_tokens)
        };
        Text { second: tokens.len(), tokens }
    }

    fn embed(&self, mut texts: &[Text]) -> Result<Vec<Vec<f32>>, Error> {
        let mut vectors = Vec::with_capacity(texts.len());
        while !texts.is_empty() {
            let (batch, rest) = texts.split_at(batch(texts));
            let hidden = self.bert.begin(batch).every_row();
            let mut hidden = hidden.chunks_exact(self.dimensions());
            for text in batch {
                let rows = hidden.by_ref().take(text.tokens.len());
                vectors.push(self.pooled(rows.collect::<Vec<_>>().as_slice())?);
            }
            texts = rest;
        }
        Ok(vectors)
    }

    fn pooled(&self, rows: &[&[f32]]) -> Result<Vec<f32>, Error> {
        let used = match self.usage.pooling {
            Pooling::Mean => rows,
            Pooling::Cls => &rows[..1],
        };
        let mut vector = vec![0.0; self.dimensions()];
        for row in used {
            for (sum, value) in vector.iter_mut().zip(*row) {
                *sum += value;
            }
        }
        // The sum has the direction of the mean, and the length becomes one anyway.
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        if !length.is_normal() {
            return Err(Error::NotFinite { model: self.name.clone() });
        }
        Ok(vector.into_iter().map(|value| value / length).collect())
    }
}

fn open(directory: &Path, weights: &Path) -> Result<Bert, Error> {
    let shape = folder::shape(directory)?;
    if weights.extension().is_some_and(|end| end == "onnx") {
        let bytes = fs::read(weights).map_err(|error| Error::read(weights, error))?;
        return load::bert(&Onnx::read(weights, &bytes)?, shape);
    }
    load::bert(&Safetensors::open(weights)?, shape)
}

/// How many texts from the start make a batch; at least one.
fn batch(texts: &[Text]) -> usize {
    let mut tokens = 0;
    let fitting = texts.iter().take_while(|text| {
        tokens += text.tokens.len();
        tokens <= BATCH_TOKENS
    });
    fitting.count().max(1)
}

/// A hash of all that a passage's vector depends on: how it is made, the size of the weights and samples of them.
fn fingerprint(path: &Path, pooling: Pooling, max_tokens: usize) -> std::io::Result<u64> {
    const SAMPLES: u64 = 64;
    const SAMPLE_BYTES: u64 = 4096;
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    let mut sampled = format!("{pooling:?} {max_tokens} {bytes}").into_bytes();
    for sample in 0..SAMPLES {
        file.seek(SeekFrom::Start(bytes / SAMPLES * sample))?;
        (&mut file).take(SAMPLE_BYTES).read_to_end(&mut sampled)?;
    }
    // FNV-1a: the same on every machine and in every version, which the standard hasher does not promise.
    Ok(sampled.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    }))
}
