//! `doctor --fix`: settings that cannot be read, then whatever `repair` sets right.

use crate::config::{Overrides, mend};
use crate::hooks::{take_up_all, waiting};
use crate::wire::error::message;

use super::super::app::App;
use super::super::output::Output;
use super::super::repair::repaired;
use super::Finding;

/// What was done, and what could not be.
pub(super) fn fix(overrides: &Overrides, output: &Output) -> Vec<Finding> {
    let mut found: Vec<Finding> = match mend() {
        Ok(done) => done.into_iter().map(|what| Finding::fixed("settings", what)).collect(),
        Err(error) => vec![Finding::failed("settings", &error)],
    };
    let Ok(app) = App::load(overrides, output) else { return found };
    match repaired(&app) {
        Ok(repaired) => {
            found.extend(repaired.done.into_iter().map(|what| Finding::fixed("database", what)));
            found.extend(repaired.kept.map(|kept| {
                let lost: Option<u64> = repaired.tables.iter().map(|saved| saved.lost).sum();
                let lost =
                    lost.map_or_else(|| "an unknown number".to_owned(), |lost| format!("at most {lost}"));
                let saved: u64 = repaired.tables.iter().map(|saved| saved.rows).sum();
                let kept = kept.display();
                Finding::fixed(
                    "database",
                    format!("{saved} rows saved, {lost} lost; the damaged file is kept: {kept}"),
                )
            }));
        }
        Err(error) => found.push(Finding {
            check: "repair",
            verdict: super::Verdict::Failed,
            detail: message(&error.into()),
        }),
    }
    found.extend(waited(&app));
    found
}

/// What hooks had put aside.
fn waited(app: &App<'_>) -> Option<Finding> {
    let (home, before) = (&app.config.home, waiting(&app.config.home));
    if before == 0 {
        return None;
    }
    match app.engine() {
        Ok(engine) => take_up_all(&app.config, engine, "doctor"),
        Err(error) => return Some(Finding::failed("hooks", &error)),
    }
    let taken = before.saturating_sub(waiting(home));
    (taken > 0).then(|| Finding::fixed("hooks", format!("{taken} events that waited are recorded")))
}
