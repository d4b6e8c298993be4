//! `throughline model test`.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use crate::wire::model::Tested;

pub(super) fn run(app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let tested = Tested::from(engine.test_model(&app.caller(engine)?)?);
    app.output.show(&tested, |tested| {
        let cost = tested.cost.map_or_else(String::new, |cost| format!(", cost {cost:.6}"));
        format!(
            "{} answers in {} ms ({} tokens in, {} out{cost})",
            tested.model, tested.duration_ms, tested.tokens_in, tested.tokens_out
        )
    });
    Ok(ExitCode::SUCCESS)
}
