//! What a text costs and means: tokens, and later vectors and summaries. Local by default.

pub mod tokens;
