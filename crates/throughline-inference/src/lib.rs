//! What a text costs and means, and what a model makes of it: tokens, vectors, completions. Local by default.

mod bert;

pub mod complete;
pub mod embed;
pub mod read;
pub mod tokens;

mod server;
