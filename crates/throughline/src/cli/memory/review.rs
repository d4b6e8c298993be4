//! `throughline memory review`: who waits for somebody's word, and why.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use crate::wire::review::{Queue, Waiting};
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let queue = Queue::at(engine.review_queue(&caller, args.limit.into())?, engine.now());
    app.output.show(&queue, text);
    Ok(ExitCode::SUCCESS)
}

fn text(queue: &Queue) -> String {
    if queue.waiting.is_empty() {
        return "nothing waits for review".to_owned();
    }
    let mut parts: Vec<String> = queue.waiting.iter().map(told).collect();
    parts.push(format!(
        "{} of {} shown; `throughline memory approve ID…` or `throughline memory reject ID…`",
        queue.waiting.len(),
        queue.total
    ));
    parts.join("\n\n")
}

fn told(waiting: &Waiting) -> String {
    let memory = &waiting.memory;
    let title = waiting.title_beside().map(|title| format!("\n  title: {title}")).unwrap_or_default();
    format!(
        "{} ({} from {}, confidence {}, since {}){title}\n  {}\n  why: {}",
        memory.id,
        memory.kind,
        memory.source,
        memory.confidence,
        readable(waiting.since.0),
        memory.content.replace('\n', "\n  "),
        waiting.why
    )
}
