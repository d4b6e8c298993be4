//! From a text to the ids of its tokens, with the vocabulary that came with the model.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

use super::Error;
use super::folder::{self, json};
use crate::embed::wordpiece;

#[derive(Debug)]
pub(super) struct Tokenizer {
    ids: HashMap<Box<str>, u32>,
    start: u32,
    end: u32,
    unknown: u32,
}

impl Tokenizer {
    pub(super) fn open(directory: &Path) -> Result<Tokenizer, Error> {
        let path = directory.join("tokenizer.json");
        if let Some(description) = json(&path)? {
            return Tokenizer::new(&path, described(&path, &description)?);
        }
        let path = directory.join("vocab.txt");
        let Some(text) = folder::text(&path)? else {
            return Err(Error::Missing(format!(
                "no tokenizer.json or vocab.txt in {}; copy one from where the model came from",
                directory.display()
            )));
        };
        let settings = directory.join("tokenizer_config.json");
        if json(&settings)?.is_some_and(|settings| settings["do_lower_case"] == Value::Bool(false)) {
            return Err(cased(&settings));
        }
        Tokenizer::new(&path, text.lines().map(Box::from).zip(0..).collect())
    }

    fn new(path: &Path, ids: HashMap<Box<str>, u32>) -> Result<Tokenizer, Error> {
        let special = |name: &str| {
            let id = ids.get(name).copied();
            id.ok_or_else(|| Error::malformed(path, format!("the vocabulary has no {name}")))
        };
        let (start, end, unknown) = (special("[CLS]")?, special("[SEP]")?, special("[UNK]")?);
        Ok(Tokenizer { ids, start, end, unknown })
    }

    /// The highest id that a text can contain.
    pub(super) fn last_id(&self) -> u32 {
        self.ids.values().copied().max().unwrap_or(0)
    }

    /// The ids of the text's tokens between those of start and end, cut off at `max_tokens`, which is at least 2.
    pub(super) fn encode(&self, text: &str, max_tokens: usize) -> Vec<u32> {
        let mut tokens = vec![self.start];
        wordpiece::pieces(
            text,
            |piece| self.ids.get(piece).copied(),
            |id| {
                if tokens.len() + 1 >= max_tokens {
                    return ControlFlow::Break(());
                }
                tokens.push(id.unwrap_or(self.unknown));
                ControlFlow::Continue(())
            },
        );
        tokens.push(self.end);
        tokens
    }
}

fn described(path: &Path, description: &Value) -> Result<HashMap<Box<str>, u32>, Error> {
    let model = &description["model"];
    let kind = model["type"].as_str().unwrap_or("WordPiece");
    if kind != "WordPiece" {
        let what = format!("tokenizer of type {kind}");
        return Err(Error::unsupported(path, &what, "use a WordPiece (BERT) model"));
    }
    if description["normalizer"]["lowercase"] == Value::Bool(false) {
        return Err(cased(path));
    }
    if model["continuing_subword_prefix"].as_str().is_some_and(|prefix| prefix != "##") {
        return Err(Error::unsupported(path, "another sign than ## inside words", "use a BERT model"));
    }
    let malformed = || Error::malformed(path, "the vocabulary is not a list of words with ids".to_owned());
    let words = model["vocab"].as_object().ok_or_else(malformed)?;
    let id = |id: &Value| id.as_u64().and_then(|id| u32::try_from(id).ok());
    words.iter().map(|(word, value)| Ok((word.as_str().into(), id(value).ok_or_else(malformed)?))).collect()
}

fn cased(path: &Path) -> Error {
    Error::unsupported(path, "a tokenizer that keeps upper case", "use an uncased model")
}
