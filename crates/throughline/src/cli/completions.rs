//! `throughline completions SHELL`.

use std::process::ExitCode;

use anyhow::Result;
use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Cli;
use super::output::Output;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &Args, output: &Output) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "throughline", &mut script);
    let script = String::from_utf8(script)?;
    output
        .show(&serde_json::json!({ "shell": args.shell.to_string(), "script": script }), |_| script.clone());
    Ok(ExitCode::SUCCESS)
}
