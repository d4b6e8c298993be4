//! `throughline serve`: the real program on a real socket.

mod guard;
mod http;
mod listen;
mod mcp_sessions;
mod mcp_stateless;
mod product;
mod shutdown;
