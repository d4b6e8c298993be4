//! Tiny models in each format against vectors computed by evals/embedding/reference_bert.py, and folders that are
//! no model.

mod tiny;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::folder::{self, Use};
use super::{Error, LocalModel, LocalSettings, Pooling};
use tiny::{Format, Numbers, WIDTH, framed, onnx, safetensors, write_rest};

const FIRST: &str = "Alpha beta";
const SECOND: &str = "gamma unknown délta alpha gamma";
const FIRST_MEAN: [f32; WIDTH] = [
    0.067437, -0.006478, 0.082382, 0.106112, 0.116421, -0.078052, 0.111029, -0.051856, -0.072084, 0.070199,
    0.110851, -0.127669, 0.145908, 0.175946, 0.232814, -0.239899, 0.117283, 0.533125, 0.123601, 0.067093,
    -0.171264, 0.071612, -0.326979, 0.143399, 0.021683, 0.143904, 0.055315, -0.214126, -0.199007, -0.107537,
    -0.131019, -0.349104,
];
const FIRST_CLS: [f32; WIDTH] = [
    0.069803, -0.012706, 0.081336, 0.116905, 0.118967, -0.077560, 0.108278, -0.050390, -0.073705, 0.069841,
    0.113783, -0.128192, 0.146506, 0.170572, 0.232424, -0.239724, 0.117969, 0.531486, 0.123070, 0.070570,
    -0.171522, 0.070489, -0.316836, 0.144280, 0.020540, 0.143662, 0.055850, -0.214951, -0.201886, -0.106210,
    -0.143115, -0.351424,
];
const SECOND_MEAN: [f32; WIDTH] = [
    0.059241, -0.007577, 0.084703, 0.109777, 0.107159, -0.076418, 0.107007, -0.054011, -0.072936, 0.076414,
    0.111250, -0.128010, 0.146297, 0.171117, 0.225514, -0.230235, 0.118062, 0.535211, 0.151604, 0.072081,
    -0.170655, 0.065298, -0.334910, 0.159346, 0.020652, 0.143842, 0.060677, -0.216171, -0.210335, -0.107382,
    -0.103745, -0.336855,
];
const SECOND_CLS: [f32; WIDTH] = [
    0.063219, -0.012873, 0.083119, 0.122265, 0.107464, -0.076503, 0.104741, -0.052035, -0.075366, 0.076376,
    0.114735, -0.128281, 0.146607, 0.162956, 0.224769, -0.232204, 0.118485, 0.533697, 0.148107, 0.074596,
    -0.169066, 0.062648, -0.326088, 0.158954, 0.019395, 0.143548, 0.060404, -0.217650, -0.215749, -0.106716,
    -0.119617, -0.338456,
];

#[test]
fn every_format_gives_the_reference_vectors() {
    let files = [
        ("model.safetensors", safetensors(Format::F32)),
        ("model.safetensors", safetensors(Format::F16)),
        ("model.onnx", onnx(Numbers::Floats, "MatMul")),
        ("model_quantized.onnx", onnx(Numbers::Bytes, "MatMul")),
        ("onnx/model.onnx", onnx(Numbers::Bytes, "MatMul")),
        ("any.onnx", onnx(Numbers::Floats, "MatMul")),
    ];
    for (name, bytes) in files {
        let folder = model(name, &bytes);
        let mean = open(folder.path(), Some(Pooling::Mean)).embed_passages(&[FIRST, SECOND]).unwrap();
        assert_close(&mean, &[FIRST_MEAN, SECOND_MEAN], name);
        let cls = open(folder.path(), Some(Pooling::Cls)).embed_passages(&[FIRST, SECOND]).unwrap();
        assert_close(&cls, &[FIRST_CLS, SECOND_CLS], name);
    }
}

#[test]
fn a_vector_does_not_depend_on_the_texts_beside_it() {
    let folder = model("model.safetensors", &safetensors(Format::F32));
    let model = open(folder.path(), None);
    let many: Vec<&str> = [FIRST, SECOND, "", "x . x"].into_iter().cycle().take(200).collect();
    let together = model.embed_passages(&many).unwrap();
    for (text, vector) in many.iter().zip(&together) {
        assert_eq!(&model.embed_passages(&[text]).unwrap()[0], vector);
    }
    assert_eq!(model.embed_passages(&[]).unwrap(), [[0.0; 0]; 0]);
    assert_eq!(model.dimensions(), WIDTH);
}

#[test]
fn queries_have_a_prefix_and_long_texts_an_end() {
    let folder = model("model.safetensors", &safetensors(Format::F32));
    let settings = LocalSettings {
        query_prefix: Some("alpha ".to_owned()),
        max_tokens: Some(5),
        ..settings(folder.path(), None)
    };
    let model = LocalModel::open(&settings).unwrap();
    assert_close(&[model.embed_query("beta").unwrap()], &[FIRST_MEAN], "query");
    let long = format!("{FIRST} {}", "x ".repeat(1000));
    assert_close(&model.embed_passages(&[&long]).unwrap(), &[FIRST_MEAN], "cut off");
    let whole = open(folder.path(), None).embed_passages(&[&long]).unwrap();
    assert!(whole[0].iter().all(|value| value.is_finite()), "as many tokens as there are positions");
}

#[test]
fn the_name_tells_models_and_their_use_apart() {
    let folder = model("model.safetensors", &safetensors(Format::F32));
    let name = |pooling| open(folder.path(), Some(pooling)).model().to_owned();
    assert_eq!(name(Pooling::Mean), name(Pooling::Mean));
    assert_ne!(name(Pooling::Mean), name(Pooling::Cls));
    let mean = name(Pooling::Mean);
    let mut weights = safetensors(Format::F32);
    *weights.last_mut().unwrap() ^= 1;
    fs::write(folder.path().join("model.safetensors"), weights).unwrap();
    assert_ne!(name(Pooling::Mean), mean);
}

#[test]
fn a_folder_says_how_its_model_is_used() {
    let parent = TempDir::new().unwrap();
    let used = |name: &str, files: &[(&str, &str)]| {
        let folder = parent.path().join(name);
        fs::create_dir_all(folder.join("1_Pooling")).unwrap();
        for (file, text) in files {
            fs::write(folder.join(file), text).unwrap();
        }
        folder::how_to_use(&settings(&folder, None)).unwrap()
    };
    let search = "Represent this sentence for searching relevant passages: ";
    assert_eq!(used("any", &[]), usage(Pooling::Mean, "", "", None));
    assert_eq!(used("arctic-embed-s", &[]), usage(Pooling::Cls, search, "", None));
    assert_eq!(used("e5-small", &[]), usage(Pooling::Mean, "query: ", "passage: ", None));
    let told = [("config.json", r#"{"_name_or_path": "BAAI/bge-small-en"}"#)];
    assert_eq!(used("mine", &told), usage(Pooling::Cls, search, "", None));
    let told = [
        ("1_Pooling/config.json", r#"{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}"#),
        ("config_sentence_transformers.json", r#"{"prompts": {"query": "q: ", "document": "d: "}}"#),
        ("sentence_bert_config.json", r#"{"max_seq_length": 256}"#),
    ];
    assert_eq!(used("bge-small", &told), usage(Pooling::Mean, "q: ", "d: ", Some(256)));
}

#[test]
fn errors_say_what_would_help() {
    let weights = safetensors(Format::F32);
    let bpe = r#"{"model": {"type": "BPE", "vocab": {}}}"#;
    let cased = r#"{"normalizer": {"lowercase": false}, "model": {"type": "WordPiece", "vocab": {}}}"#;
    let dense = r#"[{"type": "sentence_transformers.models.Dense"}]"#;
    let many = "[CLS]\n[SEP]\n[UNK]\n".repeat(9);
    let fused = onnx(Numbers::Floats, "FusedMatMul");
    // A file and what it holds instead, or that it is gone.
    type Change<'a> = (&'a str, Option<&'a [u8]>);
    let cases: [(&[Change<'_>], &str); 12] = [
        (&[("model.safetensors", None)], "no model.safetensors or model.onnx in {}; download a model there"),
        (
            &[("vocab.txt", None)],
            "no tokenizer.json or vocab.txt in {}; copy one from where the model came from",
        ),
        (
            &[("tokenizer.json", Some(bpe.as_bytes()))],
            "{}/tokenizer.json: tokenizer of type BPE is not supported: use a WordPiece (BERT) model",
        ),
        (
            &[("tokenizer.json", Some(cased.as_bytes()))],
            "{}/tokenizer.json: a tokenizer that keeps upper case is not supported: use an uncased model",
        ),
        (&[("vocab.txt", Some(b"a"))], "{}/vocab.txt: the vocabulary has no [CLS]; download the model again"),
        (
            &[("vocab.txt", Some(many.as_bytes()))],
            "{}/model.safetensors: the tokenizer has ids up to 26, the model knows 12 of them; download the model again",
        ),
        (
            &[("config.json", Some(br#"{"model_type": "roberta"}"#))],
            "{}/config.json: model_type roberta is not supported: use a model of the BERT family, such as MiniLM or bge",
        ),
        (
            &[("config.json", None)],
            "{}/model.safetensors: without config.json nothing says how many attention heads the model has; \
             download the model again",
        ),
        (
            &[("config.json", Some(br#"{"num_attention_heads": 5}"#))],
            "{}/model.safetensors: 32 dimensions cannot be shared by 5 heads; download the model again",
        ),
        (
            &[("modules.json", Some(dense.as_bytes()))],
            "{}/modules.json: a layer after the pooling is not supported: use a model without Dense",
        ),
        (
            &[("model.safetensors", None), ("model.onnx", Some(&fused))],
            "{}/model.onnx: operator FusedMatMul of encoder.layer.0.attention.self.query is not supported: use \
             model.safetensors, or a plain float or int8 export of the model",
        ),
        (
            &[("model.safetensors", None), ("a.onnx", Some(b"")), ("b.onnx", Some(b""))],
            "2 ONNX files in {} and none is called model.onnx; rename the one to use",
        ),
    ];
    for (changes, message) in cases {
        let folder = model("model.safetensors", &weights);
        for (name, content) in changes {
            match content {
                Some(content) => fs::write(folder.path().join(name), content).unwrap(),
                None => fs::remove_file(folder.path().join(name)).unwrap(),
            }
        }
        let error = LocalModel::open(&settings(folder.path(), None)).unwrap_err();
        assert_eq!(error.to_string(), message.replace("{}", &folder.path().display().to_string()));
    }
}

#[test]
fn damaged_safetensors_are_errors() {
    let entry =
        |entry: &str| framed(&format!(r#"{{"embeddings.word_embeddings.weight": {entry}}}"#), &[0; 64]);
    let cases = [
        (vec![], "the file is too short for a header"),
        (vec![0xFF; 8], "a header of 18446744073709551615 bytes does not fit the file of 8"),
        (framed("{", &[]), "the header is not JSON: EOF while parsing an object at line 1 column 1"),
        (framed("[]", &[]), "the header is not a JSON object"),
        (entry("{}"), "the header's entry for embeddings.word_embeddings.weight makes no sense"),
        (
            entry(r#"{"dtype": "F32", "shape": [2, 9], "data_offsets": [0, 72]}"#),
            "the header's entry for embeddings.word_embeddings.weight makes no sense",
        ),
        (
            entry(r#"{"dtype": "F32", "shape": [9223372036854775807, 4], "data_offsets": [0, 64]}"#),
            "embeddings.word_embeddings.weight of shape [9223372036854775807, 4] cannot have 64 bytes",
        ),
        (
            entry(r#"{"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}"#),
            "the word embeddings are not a matrix",
        ),
    ];
    for (bytes, why) in cases {
        let error = open_error("model.safetensors", &bytes);
        assert!(
            error.to_string().ends_with(&format!("model.safetensors: {why}; download the model again")),
            "{error}"
        );
    }
}

#[test]
fn weights_that_do_not_fit_or_are_none_are_errors() {
    let weights = safetensors(Format::F32);
    let damaged = |from: &str, to: &str| {
        let header = String::from_utf8_lossy(&weights[8..weights.len() / 4]).into_owned();
        let at = 8 + header.find(from).unwrap();
        [&weights[..at], to.as_bytes(), &weights[at + to.len()..]].concat()
    };
    let error = open_error("model.safetensors", &damaged("[48,32]", "[32,48]"));
    let why = "encoder.layer.0.intermediate.dense has the shape [32, 48], but [48, 32] would fit the rest; \
               download the model again";
    assert!(error.to_string().ends_with(why), "{error}");
    let error = open_error("model.safetensors", &damaged("F32", "I32"));
    assert!(
        error.to_string().ends_with("in the format I32 is not supported: use a file of F32, F16 or BF16")
    );

    let mut endless = weights.clone();
    let values = endless.len() - 4 * WIDTH;
    endless[values..].copy_from_slice(&[f32::NAN.to_le_bytes(); WIDTH].concat());
    let folder = model("model.safetensors", &endless);
    let error = open(folder.path(), None).embed_query("x").unwrap_err();
    assert!(matches!(error, Error::NotFinite { .. }), "{error}");
}

#[test]
fn no_damage_makes_a_panic() {
    for (name, whole) in
        [("model.safetensors", safetensors(Format::F16)), ("model.onnx", onnx(Numbers::Bytes, "MatMul"))]
    {
        let folder = model(name, &whole);
        for step in 0..150 {
            let mut bytes = whole.clone();
            let at = step * 7919 % bytes.len();
            match step % 3 {
                0 => bytes.truncate(at),
                1 => bytes[at] = 0xFF,
                _ => bytes[at % 4000] ^= 1 << (step % 8),
            }
            fs::write(folder.path().join(name), &bytes).unwrap();
            // Whether the damage is found is not the question here.
            if let Ok(model) = LocalModel::open(&settings(folder.path(), None)) {
                let _found = model.embed_query(FIRST);
            }
        }
    }
}

/// Takes a folder with any supported model of English: `THROUGHLINE_TEST_MODEL_DIR=… cargo test -- --ignored`.
#[test]
#[ignore = "needs a downloaded model"]
fn a_real_model_knows_what_belongs_together() {
    let Some(directory) = std::env::var_os("THROUGHLINE_TEST_MODEL_DIR") else { return };
    let model = open(Path::new(&directory), None);
    let query = model.embed_query("How do I change my password?").unwrap();
    let texts = [
        "To set a new password, open the account settings and choose security.",
        "The bakery at the river sells fresh bread every morning.",
        "Das Wetter wird morgen sonnig.",
    ];
    let passages = model.embed_passages(&texts).unwrap();
    let close: Vec<f32> = passages.iter().map(|passage| cosine(passage, &query)).collect();
    assert!(close[0] > close[1] + 0.1 && close[0] > close[2] + 0.1, "{}: {close:?}", model.model());
    assert!(passages.iter().all(|passage| (cosine(passage, passage) - 1.0).abs() < 1e-5));
}

/// A folder with this file of weights and all else that a model needs.
fn model(name: &str, weights: &[u8]) -> TempDir {
    let folder = TempDir::new().unwrap();
    write_rest(folder.path());
    fs::create_dir(folder.path().join("onnx")).unwrap();
    fs::write(folder.path().join(name), weights).unwrap();
    folder
}

fn settings(directory: &Path, pooling: Option<Pooling>) -> LocalSettings {
    LocalSettings { directory: directory.to_owned(), pooling, query_prefix: None, max_tokens: None }
}

fn open(directory: &Path, pooling: Option<Pooling>) -> LocalModel {
    LocalModel::open(&settings(directory, pooling)).unwrap()
}

fn open_error(name: &str, weights: &[u8]) -> Error {
    let folder = model(name, weights);
    LocalModel::open(&settings(folder.path(), None)).unwrap_err()
}

fn usage(pooling: Pooling, query: &str, passage: &str, max_tokens: Option<usize>) -> Use {
    Use { pooling, query_prefix: query.to_owned(), passage_prefix: passage.to_owned(), max_tokens }
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn assert_close(found: &[Vec<f32>], expected: &[[f32; WIDTH]], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        let difference = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs());
        let worst = difference.fold(0.0, f32::max);
        assert!(worst < 1e-5, "{what}: {worst} away from the reference");
    }
}
