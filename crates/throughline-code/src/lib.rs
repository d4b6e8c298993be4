//! Source files: which language they are in, and later their chunks and symbols. Knows no database.

mod language;

pub use language::Language;
