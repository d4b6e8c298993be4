//! A BERT of two small layers, the same as in evals/embedding/reference_bert.py, written in each supported format.

use std::fs;
use std::path::Path;

pub(super) const WIDTH: usize = 32;
const WIDE: usize = 48;
const POSITIONS: usize = 16;
pub(super) const VOCABULARY: [&str; 12] =
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "alpha", "be", "##ta", "gamma", "delta", ".", "x"];
pub(super) const CONFIG: &str = r#"{"model_type": "bert", "hidden_act": "gelu", "num_hidden_layers": 2,
    "num_attention_heads": 4, "layer_norm_eps": 1e-12}"#;

pub(super) struct Tensor {
    pub(super) name: String,
    pub(super) shape: Vec<usize>,
    /// In 256ths.
    values: Vec<i32>,
}

impl Tensor {
    fn floats(&self) -> Vec<u8> {
        self.values.iter().flat_map(|value| (*value as f32 / 256.0).to_le_bytes()).collect()
    }
}

pub(super) fn tensors() -> Vec<Tensor> {
    let mut shapes = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![VOCABULARY.len(), WIDTH]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![POSITIONS, WIDTH]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, WIDTH]),
        ("embeddings.LayerNorm.weight".to_owned(), vec![WIDTH]),
        ("embeddings.LayerNorm.bias".to_owned(), vec![WIDTH]),
    ];
    for number in 0..2 {
        for (name, shape) in [
            ("attention.self.query", vec![WIDTH, WIDTH]),
            ("attention.self.key", vec![WIDTH, WIDTH]),
            ("attention.self.value", vec![WIDTH, WIDTH]),
            ("attention.output.dense", vec![WIDTH, WIDTH]),
            ("attention.output.LayerNorm", vec![WIDTH]),
            ("intermediate.dense", vec![WIDE, WIDTH]),
            ("output.dense", vec![WIDTH, WIDE]),
            ("output.LayerNorm", vec![WIDTH]),
        ] {
            let bias = vec![shape[0]];
            shapes.push((format!("encoder.layer.{number}.{name}.weight"), shape));
            shapes.push((format!("encoder.layer.{number}.{name}.bias"), bias));
        }
    }
    let mut state = 1_u32;
    let mut next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as i32 - 128
    };
    let tensor = |(name, shape): (String, Vec<usize>)| {
        let values = (0..shape.iter().product()).map(&mut next).collect();
        Tensor { name, shape, values }
    };
    shapes.into_iter().map(tensor).collect()
}

/// What a model needs beside its weights.
pub(super) fn write_rest(directory: &Path) {
    fs::write(directory.join("config.json"), CONFIG).unwrap();
    fs::write(directory.join("vocab.txt"), VOCABULARY.join("\n")).unwrap();
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    F32,
    F16,
}

pub(super) fn safetensors(format: Format) -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for tensor in tensors() {
        let start = data.len();
        let dtype = match format {
            Format::F32 => {
                data.extend(tensor.floats());
                "F32"
            }
            Format::F16 => {
                data.extend(tensor.values.iter().flat_map(|value| half(*value).to_le_bytes()));
                "F16"
            }
        };
        let entry = serde_json::json!({
            "dtype": dtype, "shape": tensor.shape, "data_offsets": [start, data.len()]
        });
        header.insert(tensor.name, entry);
    }
    framed(&serde_json::Value::Object(header).to_string(), &data)
}

pub(super) fn framed(header: &str, data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

/// So many 256ths, at most 128, in half precision.
fn half(value: i32) -> u16 {
    let sign = if value < 0 { 0x8000 } else { 0 };
    let size = value.unsigned_abs();
    let Some(high) = size.checked_ilog2() else { return sign };
    let fraction = (size << (10 - high)) & 0x3FF;
    sign | ((high as u16 + 7) << 10) | fraction as u16
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Numbers {
    Floats,
    Bytes,
}

/// The graph as far as it is followed: a product and a sum for each layer, under the names that exporters give.
pub(super) fn onnx(numbers: Numbers, product: &str) -> Vec<u8> {
    let mut graph = Vec::new();
    for (count, tensor) in tensors().into_iter().enumerate() {
        let layer = tensor.name.strip_suffix(".weight").filter(|_| tensor.shape.len() == 2);
        let layer = layer.filter(|name| name.starts_with("encoder"));
        let Some(layer) = layer else {
            let is_table = tensor.shape.len() == 2;
            graph.extend(stored(&tensor, if is_table { numbers } else { Numbers::Floats }, 2));
            continue;
        };
        let turned = turned(&tensor, format!("onnx::MatMul_{count}"));
        graph.extend(stored(&turned, numbers, 3));
        graph.extend(nodes(layer, &turned.name, numbers, product));
    }
    field(7, &graph)
}

fn nodes(layer: &str, weights: &str, numbers: Numbers, product: &str) -> Vec<u8> {
    let bias = format!("{layer}.bias");
    let (out, whole, cast) = (format!("{layer}/out"), format!("{layer}/whole"), format!("{layer}/cast"));
    match numbers {
        Numbers::Floats => {
            [node(product, &["in", weights], &out), node("Add", &[&bias, &out], "sum")].concat()
        }
        Numbers::Bytes => [
            node("MatMulInteger", &["in", &format!("{weights}_quantized"), "zero"], &whole),
            node("Cast", &[&whole], &cast),
            node("Mul", &[&cast, "scale"], &out),
            node("Add", &[&out, &bias], "sum"),
        ]
        .concat(),
    }
}

fn turned(tensor: &Tensor, name: String) -> Tensor {
    let [rows, columns] = tensor.shape[..] else { panic!("a matrix") };
    let at = |index: usize| tensor.values[index % rows * columns + index / rows];
    Tensor { name, shape: vec![columns, rows], values: (0..rows * columns).map(at).collect() }
}

/// As a tensor of floats, or as one of bytes (`byte_type` 2 unsigned, 3 signed) with its scale and zero.
fn stored(tensor: &Tensor, numbers: Numbers, byte_type: u8) -> Vec<u8> {
    if numbers == Numbers::Floats {
        return initializer(&tensor.name, &tensor.shape, 1, &field(9, &tensor.floats()));
    }
    let zero = if byte_type == 2 { 128 } else { 0 };
    let bytes: Vec<u8> = tensor.values.iter().map(|value| (value + zero) as u8).collect();
    let name = |end: &str| format!("{}{end}", tensor.name);
    [
        initializer(&name("_quantized"), &tensor.shape, byte_type, &field(9, &bytes)),
        initializer(&name("_scale"), &[], 1, &field(4, &(1.0_f32 / 256.0).to_le_bytes())),
        initializer(&name("_zero_point"), &[], byte_type, &field(5, &number(zero as u64))),
    ]
    .concat()
}

fn initializer(name: &str, shape: &[usize], data_type: u8, content: &[u8]) -> Vec<u8> {
    let shape = field(1, &shape.iter().flat_map(|length| number(*length as u64)).collect::<Vec<_>>());
    field(5, &[&shape[..], &[2 << 3, data_type], &field(8, name.as_bytes()), content].concat())
}

fn node(operator: &str, inputs: &[&str], output: &str) -> Vec<u8> {
    let inputs = inputs.iter().flat_map(|input| field(1, input.as_bytes())).collect::<Vec<_>>();
    field(1, &[inputs, field(2, output.as_bytes()), field(4, operator.as_bytes())].concat())
}

fn field(tag: u8, content: &[u8]) -> Vec<u8> {
    [&[tag << 3 | 2], &number(content.len() as u64)[..], content].concat()
}

fn number(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}
