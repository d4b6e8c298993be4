//! A file of any size, line by line: one line in memory at a time, and none that is too long.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde_json::Value as Json;

/// Longer lines hold pictures or whole files.
pub(super) const MAX_LINE_BYTES: usize = 16 << 20;
/// A chat that is one document has to be read whole.
const MAX_DOCUMENT_BYTES: usize = 64 << 20;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Line {
    Said(Json),
    /// Longer than is worth reading: so many bytes at most are.
    TooLong(usize),
    /// Not JSON, and why.
    Broken(String),
}

#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: R,
    max_bytes: usize,
    /// What ends a line; nothing where all is one.
    end: Option<u8>,
    buffer: Vec<u8>,
    /// Whether the last line was whole.
    is_ended: bool,
    /// The number of the line that was read last.
    pub(crate) number: usize,
    /// How much was read so far.
    pub(crate) bytes: u64,
}

impl Lines<BufReader<File>> {
    /// Of an opened transcript, which its name tells to be lines or one document.
    pub(crate) fn of_transcript(file: File, path: &Path) -> Lines<BufReader<File>> {
        let reader = BufReader::with_capacity(1 << 17, file);
        match path.extension().is_some_and(|end| end == "json") {
            true => Lines::of_one_document(reader, MAX_DOCUMENT_BYTES),
            false => Lines::of(reader, MAX_LINE_BYTES),
        }
    }
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn of(reader: R, max_bytes: usize) -> Lines<R> {
        Lines { reader, max_bytes, end: Some(b'\n'), buffer: vec![], is_ended: true, number: 0, bytes: 0 }
    }

    /// The whole as one line.
    pub(crate) fn of_one_document(reader: R, max_bytes: usize) -> Lines<R> {
        Lines { end: None, ..Lines::of(reader, max_bytes) }
    }

    /// The next line that is not blank.
    pub(crate) fn read(&mut self) -> io::Result<Option<Line>> {
        loop {
            let Some(fits) = self.next_line()? else { return Ok(None) };
            if !fits {
                return Ok(Some(Line::TooLong(self.max_bytes)));
            }
            if self.buffer.trim_ascii().is_empty() {
                continue;
            }
            return match self.decoded() {
                // Its client is still writing it.
                Line::Broken(_) if !self.is_ended && self.end.is_some() => Ok(None),
                line => Ok(Some(line)),
            };
        }
    }

    fn decoded(&self) -> Line {
        match serde_json::from_slice(&self.buffer) {
            Ok(json @ Json::Object(_)) => Line::Said(json),
            Ok(_) => Line::Broken("no JSON object".to_owned()),
            Err(error) => Line::Broken(unread(&error)),
        }
    }

    /// Fills the buffer with one line; false where it was too long and is not there whole.
    fn next_line(&mut self) -> io::Result<Option<bool>> {
        self.buffer.clear();
        self.number += 1;
        let (mut fits, mut any) = (true, false);
        loop {
            let chunk = self.reader.fill_buf()?;
            if chunk.is_empty() {
                return Ok(any.then_some(fits));
            }
            any = true;
            let end = chunk.iter().position(|byte| Some(*byte) == self.end);
            let line = &chunk[..end.unwrap_or(chunk.len())];
            fits &= self.buffer.len() + line.len() <= self.max_bytes;
            if fits {
                self.buffer.extend_from_slice(line);
            }
            let used = end.map_or(chunk.len(), |end| end + 1);
            self.bytes += used as u64;
            self.reader.consume(used);
            self.is_ended = end.is_some();
            if self.is_ended {
                return Ok(Some(fits));
            }
        }
    }
}

/// Why one line is no JSON.
pub(super) fn unread(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    format!("{what} (column {})", error.column())
}
