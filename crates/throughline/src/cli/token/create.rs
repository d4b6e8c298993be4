//! `throughline token create`.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::admit::NewToken;
use throughline_engine::store::token::Role;

use super::super::app::App;
use super::super::one_of::one_of;
use super::shown;
use crate::wire::error::Usage;
use crate::wire::token::Token;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// What it is for, for example laptop or ci
    #[arg(value_name = "NAME")]
    name: String,
    /// What its holder may do: read, write as well, or everything
    #[arg(long, value_name = "ROLE", default_value = "write", value_parser = one_of::<Role>(Role::ALL.iter().map(|role| role.as_str())))]
    role: Role,
    /// For every project, not only this one
    #[arg(long)]
    all_projects: bool,
    /// How long it is valid, for example 12h or 90d [default: until it is revoked]
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    expires_in: Option<Duration>,
}

/// A token and, this once, its text.
#[derive(Debug, Serialize)]
struct Created {
    token: String,
    #[serde(flatten)]
    shown: Token,
}

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    if args.expires_in.is_some_and(|lasts| lasts.is_zero()) {
        return Err(
            Usage("a token that lasts no time is of no use; say for instance 12h or 90d".into()).into()
        );
    }
    let engine = app.engine()?;
    let project = if args.all_projects { None } else { Some(app.project(engine)?) };
    let new = NewToken {
        name: args.name,
        role: args.role,
        project,
        actor: app.config.actor.clone(),
        lasts: args.expires_in,
    };
    let (token, text) = engine.create_token(new)?;
    app.output.show(&Created { token: text, shown: shown(engine, token)? }, told);
    Ok(ExitCode::SUCCESS)
}

fn told(created: &Created) -> String {
    let Token { id, role, project, .. } = &created.shown;
    let whole = "every project".to_owned();
    let project = project.as_ref().unwrap_or(&whole);
    format!(
        "{}\n{id}: {role} on {project}. This is the only time it is shown; send it as `Authorization: Bearer …`",
        created.token
    )
}

fn length(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is no length of time; write for instance 12h or 90d");
    let days = text.strip_suffix('d').and_then(|days| days.parse::<u32>().ok());
    if let Some(days) = days {
        return Ok(Duration::from_secs(u64::from(days) * 24 * 60 * 60));
    }
    let span: jiff::SignedDuration = text.parse().map_err(|_| wrong())?;
    Duration::try_from(span).map_err(|_| wrong())
}
