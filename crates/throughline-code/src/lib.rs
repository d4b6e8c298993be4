//! Source files: which of a folder are worth reading, which language they are in, the chunks and symbols they are made
//! of, and the history they have in git. Knows no database.

pub mod chunk;
pub mod git;
pub mod walk;

mod language;
mod source;

pub use language::Language;
pub use source::{MAX_BYTES, Refused, read};
