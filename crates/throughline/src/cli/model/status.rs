//! `throughline model status`.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use super::super::output::table;
use crate::wire::model::{Calls, Failure, Status};
use crate::wire::time::readable;

pub(super) fn run(app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let status = Status::from(engine.model_status(&app.reader(engine)?)?);
    app.output.show(&status, text);
    Ok(ExitCode::SUCCESS)
}

fn text(status: &Status) -> String {
    if status.provider == "none" {
        return "no model; everything works without one (`throughline config set model.provider` chooses one)".to_owned();
    }
    let model = status.model.as_deref().unwrap_or("cannot be asked here");
    let budget = &status.budget;
    let mut lines = vec![
        format!("model      {} ({model})", status.provider),
        format!("budget     {} of {} tokens left today", budget.left, budget.daily),
        format!("fallbacks  {} today", status.fallbacks),
        format!("answers    {} kept", status.answers_kept),
    ];
    lines.extend(status.problem.iter().map(|problem| format!("problem    {problem}")));
    lines.extend(status.rests_until.iter().map(|until| format!("rests      until {}", readable(until.0))));
    if !status.today.is_empty() {
        lines.push(format!("\n{}", calls(&status.today)));
    }
    if !status.failures.is_empty() {
        lines.push(format!("\n{}", failures(&status.failures)));
    }
    lines.join("\n")
}

fn calls(today: &[Calls]) -> String {
    let row = |calls: &Calls| {
        vec![
            calls.purpose.clone(),
            calls.outcome.clone(),
            calls.calls.to_string(),
            calls.tokens_in.to_string(),
            calls.tokens_out.to_string(),
            format!("{:.4}", calls.cost),
        ]
    };
    table(&["for", "outcome", "calls", "tokens in", "out", "cost"], today.iter().map(row))
}

fn failures(failures: &[Failure]) -> String {
    let row = |failure: &Failure| {
        let (purpose, outcome) = (failure.purpose.clone(), failure.outcome.clone());
        vec![readable(failure.at.0), purpose, outcome, failure.detail.clone()]
    };
    table(&["failed (utc)", "for", "outcome", "why"], failures.iter().map(row))
}
