//! What the files beside a model's weights say about how to use it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::load::Shape;
use super::{Error, LocalSettings, Pooling};

/// Far above any vocabulary; a larger file is something else.
const TEXT_BYTES_AT_MOST: u64 = 64 << 20;

/// What a query of the bge and arctic-embed families begins with.
const SEARCH: &str = "Represent this sentence for searching relevant passages: ";

/// How a family of models wants to be used where the folder does not say: the words its name contains, the
/// pooling, what goes before a query, what goes before a passage.
const FAMILIES: [(&[&str], Pooling, &str, &str); 5] = [
    (&["bge-", "-zh"], Pooling::Cls, "为这个句子生成表示以用于检索相关文章：", ""),
    (&["bge-"], Pooling::Cls, SEARCH, ""),
    (&["arctic-embed"], Pooling::Cls, SEARCH, ""),
    (&["mxbai-embed"], Pooling::Cls, SEARCH, ""),
    (&["e5-"], Pooling::Mean, "query: ", "passage: "),
];
const OTHERS: (Pooling, &str, &str) = (Pooling::Mean, "", "");

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) pooling: Pooling,
    pub(super) query_prefix: String,
    pub(super) passage_prefix: String,
    /// As many as the model has positions for, if nothing else is said.
    pub(super) max_tokens: Option<usize>,
}

/// The caller's wishes first, then what the folder says, then what the model's family is known for.
pub(super) fn how_to_use(settings: &LocalSettings) -> Result<Use, Error> {
    let directory = &settings.directory;
    refuse_dense(directory)?;
    let (pooling, query, passage) = family(directory)?;
    let prompts = json(&directory.join("config_sentence_transformers.json"))?.unwrap_or_default();
    let prompt = |names: &[&str]| {
        let known = names.iter().find_map(|name| prompts["prompts"][name].as_str());
        known.map(ToOwned::to_owned)
    };
    Ok(Use {
        pooling: settings.pooling.or(described_pooling(directory)?).unwrap_or(pooling),
        query_prefix: settings.query_prefix.clone().or(prompt(&["query"])).unwrap_or(query.to_owned()),
        passage_prefix: prompt(&["document", "passage"]).unwrap_or(passage.to_owned()),
        max_tokens: settings.max_tokens.or(described_tokens(directory)?),
    })
}

fn family(directory: &Path) -> Result<(Pooling, &'static str, &'static str), Error> {
    let config = json(&directory.join("config.json"))?.unwrap_or_default();
    let names = [name(directory), config["_name_or_path"].as_str().unwrap_or("").to_owned()];
    let fits = |words: &[&str]| names.iter().any(|name| words.iter().all(|word| name.contains(word)));
    let known = FAMILIES.iter().find(|(words, ..)| fits(words));
    Ok(known.map_or(OTHERS, |(_, pooling, query, passage)| (*pooling, query, passage)))
}

/// The folder's own name.
pub(super) fn name(directory: &Path) -> String {
    // A relative path such as `.` has no name by itself.
    let whole = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned()
}

fn described_pooling(directory: &Path) -> Result<Option<Pooling>, Error> {
    let path = directory.join("1_Pooling/config.json");
    let Some(config) = json(&path)? else { return Ok(None) };
    let on = |mode: &str| config[format!("pooling_mode_{mode}")] == Value::Bool(true);
    if on("cls_token") {
        return Ok(Some(Pooling::Cls));
    }
    if on("mean_tokens") {
        return Ok(Some(Pooling::Mean));
    }
    Err(Error::unsupported(&path, "this pooling", "use a model with mean or cls pooling"))
}

fn described_tokens(directory: &Path) -> Result<Option<usize>, Error> {
    let config = json(&directory.join("sentence_bert_config.json"))?.unwrap_or_default();
    Ok(config["max_seq_length"].as_u64().and_then(|tokens| usize::try_from(tokens).ok()))
}

fn refuse_dense(directory: &Path) -> Result<(), Error> {
    let path = directory.join("modules.json");
    let modules = json(&path)?.unwrap_or_default();
    let kinds = modules.as_array().into_iter().flatten().filter_map(|module| module["type"].as_str());
    match kinds.into_iter().find(|kind| kind.ends_with(".Dense")) {
        Some(_) => Err(Error::unsupported(&path, "a layer after the pooling", "use a model without Dense")),
        None => Ok(()),
    }
}

/// What config.json tells about a BERT; defaults without one.
pub(super) fn shape(directory: &Path) -> Result<Shape, Error> {
    let path = directory.join("config.json");
    let Some(config) = json(&path)? else { return Ok(Shape { heads: None, layers: None, epsilon: 1e-12 }) };
    let only = |key: &str, supported: &str| match config[key].as_str() {
        Some(other) if other != supported => {
            let what = format!("{key} {other}");
            Err(Error::unsupported(&path, &what, "use a model of the BERT family, such as MiniLM or bge"))
        }
        _ => Ok(()),
    };
    only("model_type", "bert")?;
    only("hidden_act", "gelu")?;
    only("position_embedding_type", "absolute")?;
    let number = |key: &str| config[key].as_u64().and_then(|number| usize::try_from(number).ok());
    Ok(Shape {
        heads: number("num_attention_heads"),
        layers: number("num_hidden_layers"),
        epsilon: config["layer_norm_eps"].as_f64().unwrap_or(1e-12) as f32,
    })
}

/// The file with the weights: safetensors if there is one, as it needs no guessing, else the plainest ONNX.
pub(super) fn weights(directory: &Path) -> Result<PathBuf, Error> {
    let usual = ["model.safetensors", "model.onnx", "model_quantized.onnx", "onnx/model.onnx"];
    let usual = usual.into_iter().chain(["onnx/model_quantized.onnx"]).map(|name| directory.join(name));
    let mut found = usual.filter(|path| path.is_file());
    if let Some(path) = found.next() {
        return Ok(path);
    }
    let mut others = onnx_files(directory)?;
    others.extend(onnx_files(&directory.join("onnx"))?);
    match &others[..] {
        [only] => Ok(only.clone()),
        [] => Err(Error::Missing(format!(
            "no model.safetensors or model.onnx in {}; download a model there",
            directory.display()
        ))),
        _ => Err(Error::Missing(format!(
            "{} ONNX files in {} and none is called model.onnx; rename the one to use",
            others.len(),
            directory.display()
        ))),
    }
}

fn onnx_files(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::read(directory, error)),
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let paths = paths.collect::<Result<Vec<_>, _>>().map_err(|error| Error::read(directory, error))?;
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|end| end == "onnx")).collect())
}

/// The JSON in a file, or `None` without the file.
pub(super) fn json(path: &Path) -> Result<Option<Value>, Error> {
    let Some(text) = text(path)? else { return Ok(None) };
    let value = serde_json::from_str(&text);
    value.map(Some).map_err(|error| Error::malformed(path, format!("the file is not JSON: {error}")))
}

/// The text in a file, or `None` without the file.
pub(super) fn text(path: &Path) -> Result<Option<String>, Error> {
    let size = match fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::read(path, error)),
    };
    if size > TEXT_BYTES_AT_MOST {
        return Err(Error::malformed(path, format!("the file has {size} bytes, more than any model's")));
    }
    fs::read_to_string(path).map(Some).map_err(|error| Error::read(path, error))
}
