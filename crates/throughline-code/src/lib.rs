//! Source files: which language they are in, the history they have in git, and later their chunks and symbols. Knows no
//! database.

pub mod git;

mod language;

pub use language::Language;
