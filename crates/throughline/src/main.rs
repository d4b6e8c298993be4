//! Throughline: every door into the engine. Parse, configure, dispatch.

mod cli;
mod config;
mod door;
mod heap;
mod hooks;
mod http;
mod import;
mod install;
mod log_file;
mod mcp;
mod places;
mod stop;
mod took;
mod traces;
mod wire;
mod worker;

fn main() -> std::process::ExitCode {
    cli::main()
}
