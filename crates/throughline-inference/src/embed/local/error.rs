//! Why a folder cannot be used as a model, and what would help.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file that a model needs is not there.
    #[error("{0}")]
    Missing(String),
    #[error("{}: {error}; make it readable for you", .path.display())]
    Read { path: PathBuf, error: io::Error },
    /// The file is damaged, or not what its name says.
    #[error("{}: {why}; download the model again", .path.display())]
    Malformed { path: PathBuf, why: String },
    /// The file is sound, but of a kind that is not read here.
    #[error("{}: {what} is not supported: {instead}", .path.display())]
    Unsupported { path: PathBuf, what: String, instead: String },
    /// The weights lead to numbers that are none.
    #[error("the model {model} gave a vector that is not finite: its weights are damaged; download it again")]
    NotFinite { model: String },
}

impl Error {
    pub(super) fn read(path: &Path, error: io::Error) -> Error {
        Error::Read { path: path.to_owned(), error }
    }

    pub(super) fn malformed(path: &Path, why: String) -> Error {
        Error::Malformed { path: path.to_owned(), why }
    }

    pub(super) fn unsupported(path: &Path, what: &str, instead: &str) -> Error {
        Error::Unsupported { path: path.to_owned(), what: what.to_owned(), instead: instead.to_owned() }
    }

    pub(super) fn not_bert(path: &Path, missing: &str) -> Error {
        let what = format!("a model without {missing}");
        Error::unsupported(path, &what, "use a model of the BERT family, such as MiniLM, bge or arctic-embed")
    }
}
