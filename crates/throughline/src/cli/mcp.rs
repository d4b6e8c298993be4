//! `throughline mcp`: the tools for agents, over stdin and stdout.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::logging;
use super::one_of::one_of;
use super::output::Output;
use crate::config::Overrides;
use crate::door::Door;
use crate::mcp::{Server, Surroundings, Toolset, stdio};
use crate::places::Places;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The sets of tools to offer, with commas [default: core,backlog,sessions]
    #[arg(long, value_name = "SETS", value_delimiter = ',', hide_default_value = true, default_values_t = Toolset::USUAL, value_parser = one_of::<Toolset>(Toolset::ALL.map(Toolset::as_str)))]
    pub(super) tools: Vec<Toolset>,
}

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    if io::stdin().is_terminal() {
        output.say(
            "this waits for a client that writes JSON-RPC messages, one a line, and ends with its input; \
             `throughline install CLIENT` connects one",
        );
    }
    crate::heap::give_back();
    let door = Door::load(overrides, |problem| output.warn(problem))?;
    tracing_subscriber::registry().with(logging::layer(output)).with(logging::file(&door.config)).init();
    stdio::serve(
        Server::new(Places::new(Arc::new(door)), &args.tools).within(Surroundings::of_this_process()),
    )?;
    Ok(ExitCode::SUCCESS)
}
