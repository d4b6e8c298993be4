//! `throughline token list`.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;

use super::super::app::App;
use super::super::output::table;
use super::shown;
use crate::wire::time::readable;
use crate::wire::token::Token;

#[derive(Debug, Serialize)]
struct Tokens {
    tokens: Vec<Token>,
}

pub(super) fn run(app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let tokens = engine.tokens()?.into_iter().map(|token| shown(engine, token)).collect::<Result<_>>()?;
    app.output.show(&Tokens { tokens }, |answer| {
        if answer.tokens.is_empty() {
            return "no tokens; `throughline token create NAME` makes one".to_owned();
        }
        let rows = answer.tokens.iter().map(|token| {
            vec![
                token.id.clone(),
                token.name.clone(),
                token.role.to_owned(),
                token.project.clone().unwrap_or_else(|| "every".to_owned()),
                token.actor.clone(),
                token.state.to_owned(),
                readable(token.created_at.0),
            ]
        });
        table(&["id", "name", "role", "project", "actor", "state", "created (utc)"], rows)
    });
    Ok(ExitCode::SUCCESS)
}
