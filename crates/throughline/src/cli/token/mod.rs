//! `throughline token …`: who may come in over the network.

mod create;
mod list;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use throughline_engine::Engine;
use throughline_engine::store::token::Token as Record;

use super::app::App;
use crate::wire::token::Token;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Make a token; it is shown once
    Create(create::Args),
    /// The tokens, without what makes them worth something
    List,
    /// Make a token worth nothing from now on
    Revoke {
        /// Its id, the beginning of it, or its name
        #[arg(value_name = "TOKEN")]
        token: String,
    },
}

pub(super) fn run(command: Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::Create(args) => create::run(args, app),
        Command::List => list::run(app),
        Command::Revoke { token } => revoke(&token, app),
    }
}

fn revoke(name: &str, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let revoked = shown(engine, engine.revoke_token(name)?)?;
    app.output.show(&revoked, |token| format!("{} ({}) is worth nothing any more", token.id, token.name));
    Ok(ExitCode::SUCCESS)
}

/// With the name of its project in place of the id.
fn shown(engine: &Engine, token: Record) -> Result<Token> {
    let project = token.project.as_ref().map(|id| engine.describe_project(id)).transpose()?;
    Ok(Token::at(token, project.map(|known| known.project.name), engine.now()))
}
