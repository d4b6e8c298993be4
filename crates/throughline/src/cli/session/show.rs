//! `throughline session show`: the newest part of a session, as a person reads it.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::compact::Held;
use throughline_engine::session::History;
use throughline_engine::settings::Window;

use super::super::app::App;
use super::super::log::what;
use super::super::output::table;
use super::Named;
use crate::wire;
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    named: Named,
    /// At most so many turns; a turn begins with a user's message
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    turns: Option<u64>,
    /// At most so many tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
    /// What is held before a model: the newest summary and what came after
    #[arg(long, conflicts_with_all = ["turns", "max_tokens"])]
    held: bool,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    if args.held {
        let history = held(engine.held(&caller, args.named.session.as_deref())?);
        return Ok(shown(history, app));
    }
    let preset = app.config.settings.history;
    let window = Window {
        turns: args.turns.map_or(preset.turns, |turns| usize::try_from(turns).unwrap_or(usize::MAX)),
        max_tokens: args.max_tokens.unwrap_or(preset.max_tokens),
    };
    Ok(shown(engine.history(&caller, args.named.session.as_deref(), window)?, app))
}

fn shown(history: History, app: &App<'_>) -> ExitCode {
    let text = render(&history);
    app.output.show(&wire::session::History::from(history), |_| text);
    ExitCode::SUCCESS
}

/// The summary stands where its range stood.
fn held(held: Held) -> History {
    let events: Vec<_> = held.summary.into_iter().chain(held.events).collect();
    History {
        omitted: held.session.last_sequence - events.len() as i64,
        tokens: u64::try_from(held.tokens).unwrap_or(0),
        session: held.session,
        events,
    }
}

fn render(history: &History) -> String {
    let session = &history.session;
    let branch = session.git_branch.as_deref().map(|branch| format!(", branch {branch}")).unwrap_or_default();
    let mut text = format!(
        "session {} ({} {}, role {}{branch})\n",
        session.id, session.client, session.client_session, session.chatmode
    );
    if history.omitted > 0 {
        text.push_str(&format!("… {} events not shown (--turns, --max-tokens)\n", history.omitted));
    }
    let rows = history.events.iter().map(|event| {
        vec![
            event.sequence.to_string(),
            readable(event.at),
            event.actor.to_string(),
            event.kind.to_string(),
            what(event),
        ]
    });
    text.push_str(&table(&["seq", "time (utc)", "actor", "kind", "what"], rows));
    text.push_str(&format!("\n{} events, about {} tokens", history.events.len(), history.tokens));
    text
}
