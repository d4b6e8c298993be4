//! `throughline memory list`.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::remember::state_key;
use throughline_engine::store::memory::{Filter, Kind, Scope};

use super::super::app::App;
use super::super::one_of::one_of;
use super::super::output::table;
use crate::wire::memory::Memory;
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Only these kinds; may be given several times
    #[arg(long = "kind", value_name = "KIND", value_parser = one_of::<Kind>(Kind::ALL.iter().map(|kind| kind.as_str())))]
    kinds: Vec<Kind>,
    /// Only this scope
    #[arg(long, value_name = "SCOPE", value_parser = one_of::<Scope>(Scope::ALL.iter().map(|scope| scope.as_str())))]
    scope: Option<Scope>,
    /// Only with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Only values of this state key
    #[arg(long, value_name = "KEY")]
    state_key: Option<String>,
    /// Also those that were superseded, forgotten or have expired, and those in quarantine
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
struct Answer {
    memories: Vec<Memory>,
    shown: usize,
    total: i64,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let now = engine.now();
    let filter = Filter {
        kinds: args.kinds.clone(),
        scope: args.scope,
        tag: args.tag.clone(),
        state_key: args.state_key.as_deref().map(state_key),
        status: None,
        active_at: (!args.all).then_some(now),
        before_number: None,
    };
    let listed = engine.memories(&caller, &filter, args.limit.into())?;
    let memories: Vec<Memory> = listed.memories.into_iter().map(|memory| Memory::at(memory, now)).collect();
    app.output.show(&Answer { shown: memories.len(), memories, total: listed.total }, text);
    Ok(ExitCode::SUCCESS)
}

fn text(answer: &Answer) -> String {
    if answer.memories.is_empty() {
        return "no memories".to_owned();
    }
    let rows = answer.memories.iter().map(|memory| {
        vec![
            memory.id.clone(),
            memory.kind.clone(),
            memory.scope.clone(),
            memory.status.clone(),
            readable(memory.created_at.0),
            memory.title.clone(),
        ]
    });
    let mut text = table(&["id", "kind", "scope", "status", "created (utc)", "title"], rows);
    if answer.total > answer.shown as i64 {
        text.push_str(&format!("\n{} of {} shown (--limit)", answer.shown, answer.total));
    }
    text
}
