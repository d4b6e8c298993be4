//! What a transcript is read from: a file of its own, or a session in its client's database.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::lines::{Line, Lines};
use super::opencode::Messages;
use crate::wire::error::unread;

#[derive(Debug)]
pub(super) enum Source {
    File(PathBuf, Lines<BufReader<File>>),
    Session(Messages),
}

impl Source {
    pub(super) fn open(path: &Path, session: Option<&str>) -> Result<Source> {
        if let Some(session) = session {
            return Ok(Source::Session(Messages::of(path, session)?));
        }
        let file = File::open(path).map_err(|error| unread(path, &error))?;
        Ok(Source::File(path.to_owned(), Lines::of_transcript(file, path)))
    }

    pub(super) fn read(&mut self) -> Result<Option<Line>> {
        match self {
            Source::File(path, lines) => Ok(lines.read().map_err(|error| unread(path, &error))?),
            Source::Session(messages) => messages.read(),
        }
    }

    /// The number of the line or message that was read last.
    pub(super) fn number(&self) -> usize {
        match self {
            Source::File(_, lines) => lines.number,
            Source::Session(messages) => messages.number,
        }
    }

    /// How much was read so far.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Source::File(_, lines) => lines.bytes,
            Source::Session(messages) => messages.bytes,
        }
    }
}
