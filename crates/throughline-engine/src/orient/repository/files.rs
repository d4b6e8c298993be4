//! The files of a folder, as far as a newcomer would look: names to a certain depth, and the beginning of a few texts.
//! Nothing is followed out of the folder, and nothing is written.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::capture::{mark, redact};

use super::Deadline;

pub(super) struct Files {
    root: PathBuf,
    /// From the top, with `/`; those higher up first, in the order of names.
    names: Vec<String>,
}

const MAX_NAMES: usize = 2_000;
const MAX_DEPTH: usize = 4;
const MAX_BYTES: u64 = 64 * 1024;
/// Made by tools, or somebody else's.
const NOT_OURS: [&str; 13] = [
    "node_modules",
    "target",
    "vendor",
    "third_party",
    "dist",
    "build",
    "out",
    "venv",
    "env",
    "__pycache__",
    "bower_components",
    "Pods",
    "site-packages",
];

impl Files {
    pub(super) fn of(root: &Path, deadline: &Deadline<'_>) -> Files {
        let mut names = vec![];
        let mut folders = VecDeque::from([(String::new(), 0)]);
        while let Some((folder, depth)) = folders.pop_front() {
            if names.len() >= MAX_NAMES || deadline.has_passed() {
                break;
            }
            let (files, below) = entries(root, &folder);
            names.extend(files);
            if depth + 1 < MAX_DEPTH {
                folders.extend(below.into_iter().map(|below| (below, depth + 1)));
            }
        }
        names.truncate(MAX_NAMES);
        Files { root: root.to_owned(), names }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    pub(super) fn has_folder(&self, folder: &str) -> bool {
        self.names.iter().any(|known| known.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }

    /// A file at the top by its name in any case.
    pub(super) fn at_top(&self, name: &str) -> Option<&str> {
        self.names().find(|known| known.eq_ignore_ascii_case(name))
    }

    /// The beginning of a text without secrets and without what we put before models. Nothing where there is no such
    /// file, where it is a link out of the folder, or no text.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let path = fs::canonicalize(self.root.join(name)).ok()?;
        if !path.starts_with(&self.root) || !path.is_file() {
            return None;
        }
        let mut bytes = vec![];
        File::open(path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        let text = readable(bytes)?;
        Some(redact::text(&mark::strip(&text)).text.into_owned())
    }
}

/// Those of the files that are there.
pub(super) fn texts(root: &Path, names: &[&str]) -> Vec<String> {
    let Ok(root) = root.canonicalize() else { return vec![] };
    let files = Files { root, names: vec![] };
    names.iter().filter_map(|name| files.text(name)).collect()
}

/// The files and the folders right below a folder. What cannot be listed has none.
fn entries(root: &Path, folder: &str) -> (Vec<String>, Vec<String>) {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return (vec![], vec![]) };
    let (mut files, mut folders) = (vec![], vec![]);
    for entry in entries.flatten().take(MAX_NAMES) {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                let is_ours = !name.starts_with('.') && !NOT_OURS.contains(&name.as_str());
                folders.extend(is_ours.then_some(path));
            }
            Ok(_) => files.push(path),
            Err(_) => {}
        }
    }
    files.sort();
    folders.sort();
    (files, folders)
}

/// Nothing of what is no text: bytes of zero, or much that is no UTF-8.
fn readable(bytes: Vec<u8>) -> Option<String> {
    if bytes.contains(&0) {
        return None;
    }
    let text = String::from_utf8_lossy(&bytes);
    let unreadable = text.matches(char::REPLACEMENT_CHARACTER).count();
    (unreadable <= 1 + text.len() / 200).then(|| text.trim_start_matches('\u{feff}').to_owned())
}
