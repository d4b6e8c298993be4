//! Memory files on the disk: only below the project's root, through no link, of a bounded size, replaced whole or not at all.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Component, Path, PathBuf};

use crate::{Error, Result};

pub(super) const MAX_FILE_BYTES: usize = 1024 * 1024;

/// The folder as it is written in file names, checked to lie below the root.
pub(super) fn below(folder: &Path) -> Result<String> {
    let mut parts = vec![];
    for part in folder.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(Error::Invalid(format!(
                    "{} is not below the project's folder; name a folder inside of it",
                    folder.display()
                )));
            }
        }
    }
    Ok(parts.join("/"))
}

/// What the file says; nothing where there is none.
pub(super) fn read(root: &Path, file: &str) -> Result<Option<String>> {
    let path = real(root, file)?;
    let found = match fs::symlink_metadata(&path) {
        Ok(found) => found,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(cannot("read", file, &error)),
    };
    if !found.is_file() {
        return Err(Error::Invalid(format!("{file} is not a file; move it away")));
    }
    if found.len() > MAX_FILE_BYTES as u64 {
        return Err(Error::Invalid(format!("{file} has more than {MAX_FILE_BYTES} bytes; shorten it")));
    }
    let bytes = fs::read(&path).map_err(|error| cannot("read", file, &error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::Invalid(format!("{file} is not UTF-8 text; convert it to UTF-8")))?;
    Ok(Some(text))
}

/// Puts a text in the place of what was read, unless somebody wrote there meanwhile. `name` is for nobody else.
pub(super) fn replace(
    root: &Path,
    file: &str,
    (before, text): (Option<&str>, &str),
    name: &str,
) -> Result<()> {
    if text.len() > MAX_FILE_BYTES {
        return Err(Error::Invalid(format!(
            "{file} would have more than {MAX_FILE_BYTES} bytes; archive some memories, or spread them over more memory.files.shelves"
        )));
    }
    let path = real(root, file)?;
    let folder = path.parent().unwrap_or(root);
    fs::create_dir_all(folder).map_err(|error| cannot("write", file, &error))?;
    // Once more: a folder that was made just now is one of ours.
    real(root, file)?;
    let beside = folder.join(format!(".throughline-{name}"));
    let outcome = write_beside(&beside, &path, text)
        .map_err(|error| cannot("write", file, &error))
        .and_then(|()| unchanged(root, file, before))
        .and_then(|()| fs::rename(&beside, &path).map_err(|error| cannot("replace", file, &error)));
    if outcome.is_err() {
        // Nothing but what we wrote, and there may be none.
        let _ = fs::remove_file(&beside);
        return outcome;
    }
    sync_folder(folder);
    Ok(())
}

/// Removes a file that says what was read.
pub(super) fn remove(root: &Path, file: &str, before: &str) -> Result<()> {
    unchanged(root, file, Some(before))?;
    fs::remove_file(real(root, file)?).map_err(|error| cannot("remove", file, &error))
}

fn unchanged(root: &Path, file: &str, before: Option<&str>) -> Result<()> {
    if read(root, file)?.as_deref() == before {
        return Ok(());
    }
    Err(Error::Conflict(format!("{file} was changed by another program just now; run this again")))
}

fn write_beside(beside: &Path, path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = fs::File::create_new(beside)?;
    file.write_all(text.as_bytes())?;
    if let Ok(found) = fs::metadata(path) {
        file.set_permissions(found.permissions())?;
    }
    file.sync_all()
}

/// The path, when neither it nor a folder on the way to it is a link.
fn real(root: &Path, file: &str) -> Result<PathBuf> {
    let mut path = root.to_owned();
    for part in Path::new(file).components() {
        let Component::Normal(part) = part else {
            return Err(Error::Invalid(format!(
                "{file} is not below the project's folder; name a path inside of it"
            )));
        };
        path.push(part);
        if fs::symlink_metadata(&path).is_ok_and(|found| found.file_type().is_symlink()) {
            return Err(Error::Invalid(format!(
                "{} is a link, which may lead out of the project; put a plain file or folder there",
                path.display()
            )));
        }
    }
    Ok(path)
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn cannot(what: &str, file: &str, error: &std::io::Error) -> Error {
    let fix = match error.kind() {
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            "a file stands where its folder should be: name another"
        }
        _ => "check its permissions and the disk's space",
    };
    Error::Invalid(format!("cannot {what} {file}: {error}; {fix}"))
}

/// The rename itself must survive; not every system can do that for a folder.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}
