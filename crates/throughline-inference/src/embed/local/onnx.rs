//! Weights in an ONNX file of a BERT, as floats or quantised to int8. The graph is not run: it is only followed
//! from a layer's bias, which keeps its name, to its weights, which do not.

use std::collections::HashMap;
use std::path::Path;

use super::Error;
use super::protobuf::{Field, Fields, Malformed, numbers};
use super::weights::{self, FIRST_TENSOR, Format, Tensor, Weights};

/// What the quantiser of ONNX Runtime appends to the name of a tensor.
const QUANTISED: &str = "_quantized";

const USE_INSTEAD: &str = "use model.safetensors, or a plain float or int8 export of the model";

pub(super) struct Onnx<'a> {
    path: &'a Path,
    tensors: HashMap<&'a str, Stored<'a>>,
    nodes: Vec<Node<'a>>,
    /// The node that makes the value of this name.
    makers: HashMap<&'a str, usize>,
    prefix: &'a str,
}

#[derive(Default)]
struct Node<'a> {
    operator: &'a str,
    inputs: Vec<&'a str>,
    outputs: Vec<&'a str>,
}

#[derive(Default)]
struct Stored<'a> {
    name: &'a str,
    shape: Vec<usize>,
    data_type: u64,
    bytes: &'a [u8],
    integers: Vec<u64>,
    elsewhere: bool,
}

impl<'a> Onnx<'a> {
    pub(super) fn read(path: &'a Path, bytes: &'a [u8]) -> Result<Onnx<'a>, Error> {
        let malformed = |_| Error::malformed(path, "the file is not a whole ONNX model".to_owned());
        let mut onnx =
            Onnx { path, tensors: HashMap::new(), nodes: Vec::new(), makers: HashMap::new(), prefix: "" };
        onnx.read_model(bytes).map_err(malformed)?;
        let names = onnx.tensors.keys();
        let mut plain = names.map(|name| name.strip_suffix(QUANTISED).unwrap_or(name));
        let prefix = plain.find_map(|name| name.strip_suffix(FIRST_TENSOR));
        onnx.prefix = prefix.ok_or_else(|| Error::not_bert(path, FIRST_TENSOR))?;
        Ok(onnx)
    }

    fn read_model(&mut self, bytes: &'a [u8]) -> Result<(), Malformed> {
        for field in Fields::of(bytes) {
            if let (7, Field::Bytes(graph)) = field? {
                self.read_graph(graph)?;
            }
        }
        Ok(())
    }

    fn read_graph(&mut self, graph: &'a [u8]) -> Result<(), Malformed> {
        for field in Fields::of(graph) {
            match field? {
                (1, Field::Bytes(node)) => {
                    let node = Node::read(node)?;
                    self.makers.extend(node.outputs.iter().map(|output| (*output, self.nodes.len())));
                    self.nodes.push(node);
                }
                (5, Field::Bytes(tensor)) => {
                    let stored = Stored::read(tensor)?;
                    self.tensors.insert(stored.name, stored);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn numbers(&self, stored: &Stored<'_>) -> Result<Vec<f32>, Error> {
        let name = stored.name;
        if stored.elsewhere {
            let what = format!("{name} kept in a file of its own");
            return Err(Error::unsupported(self.path, &what, USE_INSTEAD));
        }
        let values = stored.values().ok_or_else(|| {
            let what = format!("{name} of ONNX data type {}", stored.data_type);
            Error::unsupported(self.path, &what, USE_INSTEAD)
        })?;
        if weights::volume(&stored.shape) != Some(values.len()) {
            let (shape, found) = (&stored.shape, values.len());
            return Err(self.malformed(format!("{name} of shape {shape:?} cannot have {found} values")));
        }
        Ok(values)
    }

    /// The tensor of the full name, which is stored as it is or quantised.
    fn full(&self, name: &str) -> Result<Tensor, Error> {
        if let Some(stored) = self.tensors.get(name) {
            return Ok(Tensor { shape: stored.shape.clone(), values: self.numbers(stored)? });
        }
        let part = |suffix: &str| self.tensors.get(format!("{name}{suffix}").as_str());
        let stored = part(QUANTISED).ok_or_else(|| Error::not_bert(self.path, name))?;
        let scale = part("_scale").ok_or_else(|| self.malformed(format!("{name} has no scale")))?;
        let zero = part("_zero_point").map_or(Ok(vec![0.0]), |zero| self.numbers(zero))?;
        let (mut values, scale) = (self.numbers(stored)?, self.numbers(scale)?);
        let columns = stored.shape.last().copied().unwrap_or(1);
        let fits = |per: usize| per == 1 || per == columns;
        if columns == 0 || !fits(scale.len()) || !fits(zero.len()) {
            return Err(self.malformed(format!("{name} has a scale of another shape")));
        }
        for row in values.chunks_exact_mut(columns) {
            for ((value, scale), zero) in row.iter_mut().zip(scale.iter().cycle()).zip(zero.iter().cycle()) {
                *value = (*value - zero) * scale;
            }
        }
        Ok(Tensor { shape: stored.shape.clone(), values })
    }

    /// The name of the matrix whose product the value of this name is, but for scale and type.
    fn multiplied(&self, value: &str) -> Result<&'a str, &'a str> {
        let mut waiting = vec![value];
        let mut stopped = "";
        // Each step takes a node nearer to the inputs; a file that goes in circles ends here too.
        for _ in 0..16 {
            let Some(node) = waiting.pop().and_then(|name| self.makers.get(name)) else { continue };
            let node = &self.nodes[*node];
            match (node.operator, &node.inputs[..]) {
                ("MatMul" | "MatMulInteger", [_, weights, ..]) => return Ok(weights),
                ("Mul" | "Cast", inputs) => waiting.extend(inputs),
                ("DynamicQuantizeLinear", _) => {}
                (other, _) => stopped = other,
            }
        }
        Err(stopped)
    }
}

impl Weights for Onnx<'_> {
    fn tensor(&self, name: &str) -> Result<Tensor, Error> {
        self.full(&format!("{}{name}", self.prefix))
    }

    fn linear(&self, name: &str) -> Result<Tensor, Error> {
        let bias = format!("{}{name}.bias", self.prefix);
        let users = self.nodes.iter().filter(|node| node.inputs.contains(&bias.as_str()));
        let mut stopped = "";
        for node in users {
            let other = node.inputs.iter().find(|input| **input != bias);
            let found = match (node.operator, other) {
                ("Add", Some(product)) => self.multiplied(product),
                (operator, _) => Err(operator),
            };
            match found {
                Ok(weights) => {
                    return Ok(self.full(weights.strip_suffix(QUANTISED).unwrap_or(weights))?.transposed());
                }
                Err(operator) => stopped = operator,
            }
        }
        if stopped.is_empty() {
            return Err(Error::not_bert(self.path, &bias));
        }
        Err(Error::unsupported(self.path, &format!("operator {stopped} of {name}"), USE_INSTEAD))
    }

    fn layers(&self) -> usize {
        weights::layers(self.tensors.keys().copied(), self.prefix)
    }

    fn malformed(&self, why: String) -> Error {
        Error::malformed(self.path, why)
    }
}

impl<'a> Node<'a> {
    fn read(message: &'a [u8]) -> Result<Node<'a>, Malformed> {
        let mut node = Node::default();
        for field in Fields::of(message) {
            match field? {
                (1, Field::Bytes(input)) => node.inputs.push(text(input)?),
                (2, Field::Bytes(output)) => node.outputs.push(text(output)?),
                (4, Field::Bytes(operator)) => node.operator = text(operator)?,
                _ => {}
            }
        }
        Ok(node)
    }
}

impl<'a> Stored<'a> {
    fn read(message: &'a [u8]) -> Result<Stored<'a>, Malformed> {
        let mut stored = Stored::default();
        for field in Fields::of(message) {
            match field? {
                (1, dimensions) => {
                    for length in numbers(dimensions).ok_or(Malformed)? {
                        stored.shape.push(usize::try_from(length).map_err(|_| Malformed)?);
                    }
                }
                (2, Field::Number(data_type)) => stored.data_type = data_type,
                (4, Field::Bytes(floats) | Field::Fixed(floats)) => stored.bytes = floats,
                (5, integers) => stored.integers.extend(numbers(integers).ok_or(Malformed)?),
                (8, Field::Bytes(name)) => stored.name = text(name)?,
                (9, Field::Bytes(raw)) => stored.bytes = raw,
                (14, Field::Number(place)) => stored.elsewhere = place == 1,
                _ => {}
            }
        }
        Ok(stored)
    }

    fn values(&self) -> Option<Vec<f32>> {
        let integers = || self.integers.iter().map(|integer| integer.cast_signed() as f32);
        match self.data_type {
            1 => Some(Format::F32.decode(self.bytes)),
            2 => Some(self.bytes.iter().map(|byte| f32::from(*byte)).chain(integers()).collect()),
            3 => {
                let bytes = self.bytes.iter().map(|byte| f32::from(byte.cast_signed()));
                Some(bytes.chain(integers()).collect())
            }
            10 => Some(Format::F16.decode(self.bytes)),
            16 => Some(Format::Bf16.decode(self.bytes)),
            _ => None,
        }
    }
}

fn text(bytes: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(bytes).map_err(|_| Malformed)
}
