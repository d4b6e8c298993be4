//! Weights in a safetensors file: a header of JSON that says where each tensor lies, then their bytes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Error;
use super::weights::{self, FIRST_TENSOR, Format, Tensor, Weights};

/// The format's own limit.
const HEADER_BYTES_AT_MOST: u64 = 100_000_000;

pub(super) struct Safetensors {
    path: PathBuf,
    file: RefCell<File>,
    entries: HashMap<String, Entry>,
    /// What stands before every name.
    prefix: String,
}

struct Entry {
    format: String,
    shape: Vec<usize>,
    start: u64,
    bytes: u64,
}

impl Safetensors {
    pub(super) fn open(path: &Path) -> Result<Safetensors, Error> {
        let mut file = File::open(path).map_err(|error| Error::read(path, error))?;
        let bytes = file.metadata().map_err(|error| Error::read(path, error))?.len();
        let (header, data_start) = header(&mut file, bytes).map_err(|why| Error::malformed(path, why))?;
        let entries = entries(&header, data_start, bytes).map_err(|why| Error::malformed(path, why))?;
        let prefix = entries.keys().find_map(|name| name.strip_suffix(FIRST_TENSOR));
        let prefix = prefix.ok_or_else(|| Error::not_bert(path, FIRST_TENSOR))?.to_owned();
        Ok(Safetensors { path: path.to_owned(), file: RefCell::new(file), entries, prefix })
    }

    fn bytes(&self, entry: &Entry) -> Result<Vec<u8>, Error> {
        // The entry lies inside the file, so the file's size bounds what is asked of the memory.
        let mut bytes = vec![0; entry.bytes as usize];
        let mut file = self.file.borrow_mut();
        let read = file.seek(SeekFrom::Start(entry.start)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|error| Error::read(&self.path, error))?;
        Ok(bytes)
    }
}

impl Weights for Safetensors {
    fn tensor(&self, name: &str) -> Result<Tensor, Error> {
        let entry = self.entries.get(&format!("{}{name}", self.prefix));
        let entry = entry.ok_or_else(|| Error::not_bert(&self.path, name))?;
        let format = match entry.format.as_str() {
            "F32" => Format::F32,
            "F16" => Format::F16,
            "BF16" => Format::Bf16,
            other => {
                let what = format!("{name} in the format {other}");
                return Err(Error::unsupported(&self.path, &what, "use a file of F32, F16 or BF16"));
            }
        };
        let volume = weights::volume(&entry.shape).and_then(|volume| volume.checked_mul(format.bytes()));
        if volume.map(|bytes| bytes as u64) != Some(entry.bytes) {
            return Err(self
                .malformed(format!("{name} of shape {:?} cannot have {} bytes", entry.shape, entry.bytes)));
        }
        Ok(Tensor { shape: entry.shape.clone(), values: format.decode(&self.bytes(entry)?) })
    }

    fn linear(&self, name: &str) -> Result<Tensor, Error> {
        self.tensor(&format!("{name}.weight"))
    }

    fn layers(&self) -> usize {
        weights::layers(self.entries.keys().map(String::as_str), &self.prefix)
    }

    fn malformed(&self, why: String) -> Error {
        Error::malformed(&self.path, why)
    }
}

/// The header, and where the tensors' bytes start.
fn header(file: &mut File, bytes: u64) -> Result<(Value, u64), String> {
    let mut length = [0; 8];
    file.read_exact(&mut length).map_err(|_| "the file is too short for a header".to_owned())?;
    let length = u64::from_le_bytes(length);
    if length > HEADER_BYTES_AT_MOST.min(bytes - 8) {
        return Err(format!("a header of {length} bytes does not fit the file of {bytes}"));
    }
    let mut text = vec![0; length as usize];
    file.read_exact(&mut text).map_err(|error| error.to_string())?;
    let header = serde_json::from_slice(&text).map_err(|error| format!("the header is not JSON: {error}"))?;
    Ok((header, 8 + length))
}

fn entries(header: &Value, data_start: u64, bytes: u64) -> Result<HashMap<String, Entry>, String> {
    let tensors = header.as_object().ok_or("the header is not a JSON object")?;
    let named = tensors.iter().filter(|(name, _)| *name != "__metadata__");
    named
        .map(|(name, value)| {
            let entry = entry(value, data_start, bytes);
            Ok((name.clone(), entry.ok_or_else(|| format!("the header's entry for {name} makes no sense"))?))
        })
        .collect()
}

fn entry(value: &Value, data_start: u64, bytes: u64) -> Option<Entry> {
    let numbers =
        |key: &str| -> Option<Vec<u64>> { value.get(key)?.as_array()?.iter().map(Value::as_u64).collect() };
    let [start, end] = numbers("data_offsets")?[..] else { return None };
    let inside = start <= end && data_start.checked_add(end)? <= bytes;
    let shape = numbers("shape")?.into_iter().map(usize::try_from).collect::<Result<_, _>>().ok()?;
    let format = value.get("dtype")?.as_str()?.to_owned();
    inside.then(|| Entry { format, shape, start: data_start + start, bytes: end - start })
}
