//! `throughline belief show`: why it is 0.85, step by step.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use super::super::output::table;
use crate::wire::belief::{Belief, Step};
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Its id, or the beginning of it
    #[arg(value_name = "ID")]
    id: String,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let belief = Belief::at(engine.belief(&caller, &args.id)?, engine.now());
    app.output.show(&belief, text);
    Ok(ExitCode::SUCCESS)
}

fn text(belief: &Belief) -> String {
    let memory = &belief.memory;
    let mut text = format!("belief {} ({})\n{}\n\n", memory.id, memory.status, memory.content);
    let rows = belief.steps.iter().map(row);
    text.push_str(&table(&["time (utc)", "what", "change", "sure", "because", "event"], rows));
    text.push_str(&format!("\n\n{} in {} steps", memory.confidence, belief.steps.len()));
    if let Some(now) = memory.confidence_now {
        text.push_str(&format!("; {now} by now, because nobody confirmed it lately"));
    }
    text
}

fn row(step: &Step) -> Vec<String> {
    let because = [step.reason.clone(), step.because_of.as_ref().map(|event| format!("event {event}"))];
    vec![
        step.at.map(|at| readable(at.0)).unwrap_or_default(),
        step.action.clone(),
        format!("{:+.3}", step.change),
        format!("{:.3}", step.confidence),
        because.into_iter().flatten().collect::<Vec<_>>().join("; "),
        step.event_id.clone().unwrap_or_default(),
    ]
}
