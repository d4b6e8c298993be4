//! Lines of JSON from a file or from stdin, each bounded in size, each error with its line number.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::de::DeserializeOwned;

pub(super) struct Lines {
    reader: Box<dyn BufRead>,
    max_bytes: usize,
    number: usize,
}

impl Lines {
    /// `-` is stdin.
    pub(super) fn open(path: &Path, max_bytes: usize) -> Result<Lines> {
        if path == Path::new("-") {
            return Ok(Lines::of(Box::new(io::stdin().lock()), max_bytes));
        }
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        Ok(Lines::of(Box::new(BufReader::new(file)), max_bytes))
    }

    pub(super) fn of(reader: Box<dyn BufRead>, max_bytes: usize) -> Lines {
        Lines { reader, max_bytes, number: 0 }
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
            let decoded = serde_json::from_str(line.trim()).map_err(|e| unreadable(&e)).and_then(&turn);
            return decoded.map(Some).with_context(|| format!("line {}", self.number));
        }
    }

    fn read(&mut self) -> Result<Option<String>> {
        let mut bytes = Vec::new();
        self.number += 1;
        let limit = self.max_bytes as u64 + 1;
        let read = self
            .reader
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut bytes)
            .context("cannot read the input")?;
        if read == 0 {
            return Ok(None);
        }
        if read > self.max_bytes {
            bail!(
                "line {} is longer than {} bytes; split it, or raise log.max_content_bytes",
                self.number,
                self.max_bytes
            );
        }
        match String::from_utf8(bytes) {
            Ok(line) => Ok(Some(line)),
            Err(e) => bail!(
                "line {} is not valid UTF-8 (at byte {}); convert the input to UTF-8",
                self.number,
                e.utf8_error().valid_up_to() + 1
            ),
        }
    }
}

/// Without the decoder's own line number, which is always 1 here.
fn unreadable(error: &serde_json::Error) -> anyhow::Error {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    anyhow::anyhow!("{what} (column {})", error.column())
}

/// What to do about a text that is too long, where no setting allows a longer one.
pub(super) const SHORTEN: &str = "give a shorter text with a reference to the file";

/// A whole text of at most `max_bytes`; `-` is stdin. `fix` says what to do when it is longer.
pub(super) fn read_text(path: &Path, max_bytes: usize, fix: &str) -> Result<String> {
    let source: Box<dyn io::Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).with_context(|| format!("cannot open {}", path.display()))?)
    };
    let mut bytes = Vec::new();
    source.take(max_bytes as u64 + 1).read_to_end(&mut bytes).context("cannot read the content")?;
    if bytes.len() > max_bytes {
        bail!("the content has more than {max_bytes} bytes; {fix}");
    }
    String::from_utf8(bytes).map_err(|e| {
        let place = e.utf8_error().valid_up_to() + 1;
        anyhow::anyhow!("the content is not valid UTF-8 (at byte {place}); convert it to UTF-8 first")
    })
}
