//! `throughline pattern list`.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use super::super::output::table;
use crate::wire::pattern::Patterns;

pub(super) fn run(app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    app.output.show(&Patterns::from(engine.patterns(&caller)?), text);
    Ok(ExitCode::SUCCESS)
}

fn text(answer: &Patterns) -> String {
    if answer.patterns.is_empty() {
        return "no patterns; `throughline pattern mine` looks for some".to_owned();
    }
    let rows = answer.patterns.iter().map(|pattern| {
        vec![
            pattern.id.clone(),
            pattern.state.to_owned(),
            format!("{:.2}", pattern.confidence),
            pattern.belief.clone(),
        ]
    });
    table(&["id", "state", "confidence", "belief"], rows)
}
