//! `throughline feedback`: how useful memories were.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::capture::SessionRef;
use throughline_engine::remember::FeedbackOutcome;

use super::app::App;
use super::one_of::one_of;
use crate::wire::memory::{Judged, Judgement};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The memories, by id or the beginning of it
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// How they were
    #[arg(long, value_name = "OUTCOME", value_parser = one_of::<FeedbackOutcome>(FeedbackOutcome::ALL.iter().map(|outcome| outcome.as_str())))]
    outcome: FeedbackOutcome,
    /// What happened; kept in the log
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let within = (&SessionRef::Own, &app.opening());
    let judged = engine.feedback(&caller, &args.ids, args.outcome, args.note.as_deref(), within)?;
    app.output.show(&Judgement::from(judged), text);
    Ok(ExitCode::SUCCESS)
}

fn text(judgement: &Judgement) -> String {
    let line = |memory: &Judged| {
        let review = if memory.status == "quarantined" {
            ", not found before somebody approves it with `throughline memory approve` or says the same"
        } else {
            ""
        };
        format!(
            "{} {}: confidence {} → {}{review}",
            memory.id, memory.title, memory.confidence_before, memory.confidence
        )
    };
    judgement.memories.iter().map(line).collect::<Vec<_>>().join("\n")
}
