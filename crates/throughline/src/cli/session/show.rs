//! `throughline session show`: the newest part of a session, as a person reads it.

use std::process::ExitCode;

use anyhow::Result;
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
    #[arg(long, value_name = "N")]
    turns: Option<usize>,
    /// At most so many tokens
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let preset = app.config.settings.history;
    let window = Window {
        turns: args.turns.unwrap_or(preset.turns),
        max_tokens: args.max_tokens.unwrap_or(preset.max_tokens),
    };
    let history = engine.history(&caller, args.named.session.as_deref(), window)?;
    let text = render(&history);
    app.output.show(&wire::session::History::from(history), |_| text);
    Ok(ExitCode::SUCCESS)
}

pub(in crate::cli) fn render(history: &History) -> String {
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
