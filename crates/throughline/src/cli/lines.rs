//! Lines of JSON from a file or from stdin, each bounded in size, each error with the file and the line number.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::de::DeserializeOwned;

use crate::wire::error::unread;

pub(super) struct Lines {
    reader: Box<dyn BufRead>,
    /// For people: whose lines they are.
    source: String,
    format: &'static str,
    max_bytes: usize,
    number: usize,
}

/// Some programs begin a file with it.
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Lines {
    /// `-` is stdin. `format` ends the sentence "write one JSON object a line, …".
    pub(super) fn open(path: &Path, max_bytes: usize, format: &'static str) -> Result<Lines> {
        let reader: Box<dyn BufRead> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(open(path)?))
        };
        Ok(Lines { reader, source: name(path), format, max_bytes, number: 0 })
    }

    /// Lines that we have written ourselves.
    pub(super) fn again(file: File, max_bytes: usize) -> Lines {
        let (reader, source) = (Box::new(BufReader::new(file)), "the checked lines".to_owned());
        Lines { reader, source, format: "as it was checked", max_bytes, number: 0 }
    }

    /// The next line that is not blank, decoded and then turned into what the caller needs.
    pub(super) fn next<T: DeserializeOwned, U>(
        &mut self,
        turn: impl Fn(T) -> Result<U>,
    ) -> Result<Option<U>> {
        loop {
            let Some(line) = self.read()? else { return Ok(None) };
            if line.trim().is_empty() {
                continue;
            }
            let decoded = self.decode(line.trim()).and_then(&turn);
            return decoded.map(Some).with_context(|| self.place());
        }
    }

    fn read(&mut self) -> Result<Option<String>> {
        let mut bytes = Vec::new();
        self.number += 1;
        let limit = self.max_bytes as u64 + 1;
        let read = self.reader.by_ref().take(limit).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| unread(Path::new(&self.source), &error))?;
        if read == 0 {
            return Ok(None);
        }
        if read > self.max_bytes {
            bail!(
                "{} is longer than {} bytes; split it, or raise log.max_content_bytes",
                self.place(),
                self.max_bytes
            );
        }
        match String::from_utf8(bytes) {
            Ok(mut line) => {
                if self.number == 1 && line.starts_with(BYTE_ORDER_MARK) {
                    line.remove(0);
                }
                Ok(Some(line))
            }
            Err(e) => bail!(
                "{} is not valid UTF-8 (at byte {}); convert the input to UTF-8",
                self.place(),
                e.utf8_error().valid_up_to() + 1
            ),
        }
    }

    fn place(&self) -> String {
        format!("{}, line {}", self.source, self.number)
    }

    fn decode<T: DeserializeOwned>(&self, line: &str) -> Result<T> {
        let fix = format!("write one JSON object a line, {}", self.format);
        // A list would be taken for the fields in their order.
        if !line.starts_with('{') {
            bail!("this is no JSON object; {fix}");
        }
        serde_json::from_str(line).map_err(|error| {
            // Without the decoder's own line number, which is always 1 here.
            let text = error.to_string();
            let what = text.split(" at line ").next().unwrap_or(&text);
            anyhow::anyhow!("{what} (column {}); {fix}", error.column())
        })
    }
}

/// What to do about a text that is too long, where no setting allows a longer one.
pub(super) const SHORTEN: &str = "give a shorter text with a reference to the file";

/// What to do when lines that were checked cannot be put aside.
pub(super) const UNKEPT: &str = "cannot keep the checked lines; free some space";

/// A file without a name for lines that were checked.
pub(super) fn spool(home: &Path) -> Result<File> {
    tempfile::tempfile_in(home)
        .or_else(|_| tempfile::tempfile())
        .context("cannot create a temporary file; set TMPDIR to a folder that you may write to")
}

/// A whole text of at most `max_bytes`; `-` is stdin. `fix` says what to do when it is longer.
pub(super) fn read_text(path: &Path, max_bytes: usize, fix: &str) -> Result<String> {
    let source: Box<dyn io::Read> =
        if path == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(open(path)?) };
    let (name, mut bytes) = (name(path), Vec::new());
    let read = source.take(max_bytes as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| unread(Path::new(&name), &error))?;
    if bytes.len() > max_bytes {
        bail!("{name} has more than {max_bytes} bytes; {fix}");
    }
    String::from_utf8(bytes).map_err(|e| {
        let place = e.utf8_error().valid_up_to() + 1;
        anyhow::anyhow!("{name} is not valid UTF-8 (at byte {place}); convert it to UTF-8 first")
    })
}

fn open(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| unread(path, &error))
}

fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}
