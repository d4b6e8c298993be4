//! What a text costs and means: tokens and vectors, and later summaries. Local by default.

pub mod embed;
pub mod tokens;
