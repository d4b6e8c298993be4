//! The file that long-lived processes keep their log in: lines of several processes in one file, which is put aside at a
//! size; a few are kept, so that all of them together have a bound.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use throughline_engine::capture::redact;

use crate::config::DiagnosticsSettings;
use crate::hooks::make_private;

const FOLDER: &str = "logs";
const NAME: &str = "throughline";
/// What is longer is cut off: one line must not fill a file.
const MAX_LINE: usize = 16 * 1024;

#[derive(Debug)]
pub(crate) struct LogFile {
    folder: PathBuf,
    max_bytes: u64,
    keep: u32,
    /// Opened for the first line: most processes have nothing to say.
    open: Mutex<Option<File>>,
}

impl LogFile {
    pub(crate) fn new(home: &Path, settings: &DiagnosticsSettings) -> LogFile {
        let (max_bytes, keep) = (settings.max_bytes, settings.keep);
        LogFile { folder: home.join(FOLDER), max_bytes, keep, open: Mutex::default() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(format!("{NAME}.log"))
    }

    /// What is there now, of all files together.
    pub(crate) fn bytes(&self) -> u64 {
        let files = (1..=self.keep).map(|age| self.earlier(age)).chain([self.path()]);
        files.filter_map(|file| Some(fs::metadata(file).ok()?.len())).sum()
    }

    /// What there can be at most.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.max_bytes.saturating_mul(u64::from(self.keep) + 1)
    }

    fn append(&self, line: &[u8]) -> io::Result<()> {
        let text = String::from_utf8_lossy(line);
        let text = redact::text(&text).text;
        let cut = text.floor_char_boundary(MAX_LINE);
        let line = format!("{}\n", text[..cut].trim_end());
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = match open.take() {
            // Another process may have put it aside.
            Some(file) if is_called(&file, &self.path()) => file,
            _ => self.create()?,
        };
        let size = file.metadata()?.len();
        if size > 0 && size + line.len() as u64 > self.max_bytes {
            file = self.rotate(&file)?;
        }
        // One write of one line: lines of several processes do not mix.
        file.write_all(line.as_bytes())?;
        *open = Some(file);
        Ok(())
    }

    /// Puts the full file aside, unless somebody who had it too was quicker, and begins another.
    fn rotate(&self, full: &File) -> io::Result<File> {
        full.lock()?;
        if is_called(full, &self.path()) {
            for age in (1..self.keep).rev() {
                move_if_there(&self.earlier(age), &self.earlier(age + 1))?;
            }
            match self.keep {
                0 => fs::remove_file(self.path())?,
                _ => move_if_there(&self.path(), &self.earlier(1))?,
            }
        }
        let fresh = self.create();
        full.unlock()?;
        fresh
    }

    fn create(&self) -> io::Result<File> {
        make_private(&self.folder)?;
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(self.path())
    }

    fn earlier(&self, age: u32) -> PathBuf {
        self.folder.join(format!("{NAME}.{age}.log"))
    }
}

/// Each event comes as one write.
impl Write for &LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.append(line)?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn move_if_there(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        moved => moved,
    }
}

/// Whether the open file still has this name.
#[cfg(unix)]
fn is_called(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let same = |named: fs::Metadata| {
        file.metadata().is_ok_and(|open| (open.dev(), open.ino()) == (named.dev(), named.ino()))
    };
    fs::metadata(path).is_ok_and(same)
}

#[cfg(not(unix))]
fn is_called(file: &File, path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|named| file.metadata().is_ok_and(|open| open.len() == named.len()))
}
