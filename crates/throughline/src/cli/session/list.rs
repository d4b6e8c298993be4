//! `throughline session list`.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::Engine;
use throughline_engine::session::Page;
use throughline_engine::store::session::{Filter, Which};

use super::super::app::App;
use super::super::output::table;
use crate::wire::session::{Listed, state_name};
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Only those that have not ended
    #[arg(long)]
    open: bool,
    /// Only in this role
    #[arg(long, value_name = "ROLE")]
    chatmode: Option<String>,
}

#[derive(Serialize)]
struct Answer {
    sessions: Vec<Listed>,
    shown: usize,
    total: i64,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let filter = Filter {
        client_session: None,
        chatmode: args.chatmode.clone(),
        which: if args.open { Which::Open } else { Which::All },
        after: None,
    };
    let page = engine.sessions(&caller, &filter, args.limit.into())?;
    let text = text(engine, &page);
    let listed = |session| Listed::of(session, engine);
    let sessions: Vec<Listed> = page.sessions.into_iter().map(listed).collect();
    app.output.show(&Answer { shown: sessions.len(), sessions, total: page.total }, |_| text);
    Ok(ExitCode::SUCCESS)
}

fn text(engine: &Engine, page: &Page) -> String {
    if page.sessions.is_empty() {
        return "no sessions".to_owned();
    }
    let rows = page.sessions.iter().map(|session| {
        vec![
            session.id.to_string(),
            session.client.clone(),
            session.client_session.clone(),
            session.chatmode.clone(),
            state_name(engine.session_state(session)),
            session.last_sequence.to_string(),
            readable(session.last_event_at),
        ]
    });
    let header = ["id", "client", "client's id", "role", "state", "events", "last event (utc)"];
    format!("{}\n{} of {} sessions", table(&header, rows), page.sessions.len(), page.total)
}
