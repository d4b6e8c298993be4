//! Files as they lie on the disk: read through links, replaced whole or not at all, with their permissions.

use std::fs::{self, Permissions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use tempfile::NamedTempFile;

use crate::wire::error::{unread, unwritten};

/// A file, or the place for one.
#[derive(Debug)]
pub(super) struct OnDisk {
    /// Where it really lies.
    pub(super) real: PathBuf,
    pub(super) content: Option<Vec<u8>>,
    permissions: Option<Permissions>,
}

/// Who may read a file that was not there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Private,
    PrivateProgram,
    /// As whatever else is made in the folder.
    Shared,
    SharedProgram,
}

/// A new content that lies beside the file, on the disk, and takes its place by a rename.
pub(super) struct Staged {
    file: NamedTempFile,
}

pub(super) fn read(path: &Path) -> Result<OnDisk> {
    let real = resolved(path)?;
    match fs::metadata(&real) {
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(OnDisk { real, content: None, permissions: None })
        }
        Err(e) => Err(unread(path, &e)),
        Ok(found) if !found.is_file() => bail!("{} is not a file; move it away first", path.display()),
        Ok(found) => {
            let content = fs::read(&real).map_err(|error| unread(path, &error))?;
            Ok(OnDisk { real, content: Some(content), permissions: Some(found.permissions()) })
        }
    }
}

impl OnDisk {
    pub(super) fn is_read_only(&self) -> bool {
        self.permissions.as_ref().is_some_and(Permissions::readonly)
    }

    /// Makes the folders that are missing and writes beside; says which folders were made.
    pub(super) fn stage(&self, content: &[u8], access: Access) -> Result<(Staged, Vec<PathBuf>)> {
        let folder = self.real.parent().context("a file lies in a folder")?;
        let made = make_folders(folder)?;
        let staged = beside(folder, content, access).and_then(|file| {
            if let Some(permissions) = &self.permissions {
                file.as_file().set_permissions(permissions.clone())?;
            }
            Ok(Staged { file })
        });
        match staged {
            Ok(staged) => Ok((staged, made)),
            Err(error) => {
                remove_empty(&made);
                Err(unwritten(&self.real, &error))
            }
        }
    }

    /// Nobody wrote to the file since it was read.
    pub(super) fn check_unchanged(&self) -> Result<()> {
        if read(&self.real)?.content == self.content {
            return Ok(());
        }
        bail!("{} was changed by another program just now; run this again", self.real.display())
    }

    pub(super) fn commit(&self, staged: Staged) -> Result<()> {
        staged.file.persist(&self.real).map_err(|error| unwritten(&self.real, &error.error))?;
        sync_folder(&self.real);
        Ok(())
    }

    pub(super) fn delete(&self) -> Result<()> {
        fs::remove_file(&self.real)
            .with_context(|| format!("cannot remove {}; make its folder writable", self.real.display()))
    }

    /// Back to what was read.
    pub(super) fn restore(&self, access: Access) -> Result<()> {
        match &self.content {
            Some(content) => self.commit(self.stage(content, access)?.0),
            None if self.real.exists() => self.delete(),
            None => Ok(()),
        }
    }
}

/// For files of our own.
pub(super) fn replace_private(path: &Path, content: &[u8]) -> Result<()> {
    let folder = path.parent().context("a file lies in a folder")?;
    fs::create_dir_all(folder)
        .and_then(|()| Ok(beside(folder, content, Access::Private)?.persist(path)?))
        .map_err(|error| unwritten(path, &error))?;
    sync_folder(path);
    Ok(())
}

/// Removes those that are empty, the innermost first.
pub(super) fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // One that somebody else uses by now is not empty, and stays.
        let _ = fs::remove_dir(folder);
    }
}

fn beside(folder: &Path, content: &[u8], access: Access) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".throughline-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = match access {
            Access::Private => 0o600,
            Access::PrivateProgram => 0o700,
            Access::Shared => 0o666,
            Access::SharedProgram => 0o777,
        };
        builder.permissions(Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = access; // Files there take what their folder grants.
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// The rename itself must survive; not every system can do that for a folder.
fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent().and_then(|folder| fs::File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
}

/// The folders that were not there, the outermost first.
fn make_folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let mut made: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    made.reverse();
    fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    Ok(made)
}

/// Follows links by hand: the last may lead to what is not there yet.
fn resolved(path: &Path) -> Result<PathBuf> {
    const LINKS_AT_MOST: usize = 40;
    let mut here = path.to_owned();
    for _ in 0..LINKS_AT_MOST {
        match fs::read_link(&here) {
            Ok(target) => here = here.parent().map(|folder| folder.join(&target)).unwrap_or(target),
            Err(_) => return Ok(here),
        }
    }
    bail!("{} is a link that leads nowhere; remove it first", path.display())
}
