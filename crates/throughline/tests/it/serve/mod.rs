//! `throughline serve`: the real program on a real socket.

mod api;
mod dashboard;
mod guard;
mod http;
mod limits;
mod listen;
mod logs;
mod mcp_sessions;
mod mcp_stateless;
mod model;
mod product;
mod remote_hooks;
mod shutdown;
mod stream;
mod tokens;
mod traces;
