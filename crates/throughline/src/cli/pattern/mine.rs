//! `throughline pattern mine`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::capture::{During, SessionRef};

use super::super::app::App;
use crate::wire::pattern::{Mined, Suggested};

pub(super) fn run(app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let during = During { session: SessionRef::Own, opening: app.opening() };
    let mined = Mined::from(engine.mine_patterns(&caller, &during)?);
    app.output.show(&mined, text);
    Ok(ExitCode::SUCCESS)
}

fn text(mined: &Mined) -> String {
    let line = |one: &Suggested| {
        format!(
            "{} {} ({} of {} cases, confidence {}, {} events): {}",
            one.action,
            one.id,
            one.held,
            one.cases,
            one.confidence,
            one.evidence.len(),
            one.belief
        )
    };
    let mut lines: Vec<String> = mined.patterns.iter().map(line).collect();
    lines.push(format!("{} patterns in {} finished sessions", mined.patterns.len(), mined.sessions));
    lines.extend(mined.model.as_ref().map(|model| match &model.without {
        Some(why) => format!("the built-in wording, without the model: {why}"),
        None => format!("{} in the words of the model", model.worded),
    }));
    lines.join("\n")
}
