//! `throughline checkpoint show`.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use super::Named;
use crate::wire::context::excerpt;
use crate::wire::hold::checkpoint::Shown;
use crate::wire::time::readable;

const EXCERPT_CHARS: usize = 80;

pub(super) fn run(named: &Named, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let shown = engine.checkpoint(&app.reader(engine)?, named.id.as_deref())?;
    app.output.show(&Shown::from(shown), render);
    Ok(ExitCode::SUCCESS)
}

fn render(shown: &Shown) -> String {
    let checkpoint = &shown.checkpoint;
    let mut text = format!(
        "checkpoint {} of {} ({}), {}\n{}\n",
        checkpoint.id,
        readable(checkpoint.created_at.0),
        checkpoint.reason,
        checkpoint.agent,
        checkpoint.title
    );
    let stand = shown.stand.as_object().into_iter().flatten();
    for (key, value) in stand.filter(|(_, value)| !value.is_null() && **value != serde_json::json!([])) {
        text.push_str(&format!("{key}: {value}\n"));
    }
    for entry in &shown.working_set {
        let content = excerpt(&entry.content, EXCERPT_CHARS);
        text.push_str(&format!(
            "  {} {} {} {}: {content}\n",
            entry.id, entry.tier, entry.state, entry.entry_type
        ));
    }
    text
}
