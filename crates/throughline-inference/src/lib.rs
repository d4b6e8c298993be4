//! What a text costs and means, and what a model makes of it: tokens, vectors, completions. Local by default.

pub mod complete;
pub mod embed;
pub mod tokens;

mod server;
