//! `throughline resource …`: documents kept beside the items.

mod list;
mod show;
mod write;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use throughline_engine::backlog::{Uri, resource_path};

use super::app::App;
use crate::wire::error::Usage;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// The resources, what was written last first
    List(list::Args),
    /// The text of a resource
    Show(show::Args),
    /// Write a resource, or change one place in it
    Write(Box<write::Args>),
}

pub(super) fn run(command: Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::List(args) => list::run(&args, app),
        Command::Show(args) => show::run(&args, app),
        Command::Write(args) => write::run(*args, app),
    }
}

/// A path by itself is the address of a resource.
fn address(text: &str) -> Result<String> {
    let address = if text.contains("://") { text.to_owned() } else { Uri::of_resource(text) };
    resource_path(&address).map_err(Usage::of)?;
    Ok(address)
}
