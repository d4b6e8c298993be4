//! Files are read, some at the same time, and become what is written of them.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest as _, Sha256};
use throughline_code::walk::{Entry, Stamp};
use throughline_code::{MAX_BYTES, Refused};

use super::document::{Source, source};

/// A file as it was when it was read.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    pub(super) path: String,
    pub(super) stamp: Stamp,
    pub(super) hash: String,
    pub(super) content: Result<Source, Refused>,
}

#[derive(Debug)]
pub(super) enum Look {
    Taken(Box<Taken>),
    /// Not there, or no file any more.
    Gone,
    Unreadable,
}

const HASH_CHARS: usize = 32;

impl Taken {
    pub(super) fn is_refused(&self) -> bool {
        self.content.is_err()
    }
}

/// What became of each file, in their order.
pub(super) fn files(root: &Path, entries: &[Entry], threads: usize) -> Vec<Look> {
    in_parallel(entries, threads, |entry| look(root, &entry.path))
}

pub(super) fn bytes(sources: &[(String, Vec<u8>)], threads: usize) -> Vec<Taken> {
    in_parallel(sources, threads, |(path, bytes)| {
        let stamp = Stamp { bytes: bytes.len() as u64, modified: 0 };
        taken(path, bytes, stamp)
    })
}

/// The hash of each file; nothing where it cannot be read.
pub(super) fn hashes(root: &Path, entries: &[Entry], threads: usize) -> Vec<Option<String>> {
    in_parallel(entries, threads, |entry| read(root, &entry.path).ok().map(|(bytes, _)| hash(&bytes)))
}

/// Each thread takes the next one when it is done with the last: files differ much in size.
fn in_parallel<T: Sync, R: Send>(all: &[T], threads: usize, one: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(cores);
    if threads <= 1 || all.len() < 4 {
        return all.iter().map(one).collect();
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = vec![];
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(taken) = all.get(at) else { return done };
            done.push((at, one(taken)));
        }
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Vec<(usize, R)>>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn look(root: &Path, path: &str) -> Look {
    match read(root, path) {
        Ok((bytes, stamp)) => Look::Taken(Box::new(taken(path, &bytes, stamp))),
        Err(error) => match error.kind() {
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::InvalidInput => Look::Gone,
            _ => Look::Unreadable,
        },
    }
}

/// A plain file inside the root. One that changes while it is read is read again by the next run.
pub(crate) fn read(root: &Path, path: &str) -> std::io::Result<(Vec<u8>, Stamp)> {
    let whole = root.join(path);
    // Somewhere on the way there may be a link to outside, made after the folder was walked.
    if !std::fs::canonicalize(&whole)?.starts_with(root) || std::fs::symlink_metadata(&whole)?.is_symlink() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let file = File::open(&whole)?;
    let before = file.metadata()?;
    if !before.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or(0).min(MAX_BYTES + 1));
    (&file).take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    let stamp = Stamp::of(&before);
    let unchanged = Stamp::of(&file.metadata()?) == stamp;
    Ok((bytes, if unchanged { stamp } else { Stamp { modified: -1, ..stamp } }))
}

fn taken(path: &str, bytes: &[u8], stamp: Stamp) -> Taken {
    let content = throughline_code::read(bytes).map(|text| source(path, &text));
    Taken { path: path.to_owned(), stamp, hash: hash(bytes), content }
}

pub(crate) fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let mut hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    hex.truncate(HASH_CHARS);
    hex
}
