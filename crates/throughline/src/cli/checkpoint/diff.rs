//! `throughline checkpoint diff`.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use super::Named;
use crate::wire::context::excerpt;
use crate::wire::hold::checkpoint::Changes;

const EXCERPT_CHARS: usize = 80;

pub(super) fn run(named: &Named, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let changes = engine.diff_checkpoint(&app.reader(engine)?, named.id.as_deref())?;
    app.output.show(&Changes::from(changes), render);
    Ok(ExitCode::SUCCESS)
}

fn render(changes: &Changes) -> String {
    let mut text = format!("{} events since {}\n", changes.events, changes.checkpoint.id);
    let lists = [("added", &changes.added), ("changed", &changes.changed), ("removed", &changes.removed)];
    for (what, entries) in lists {
        for entry in entries {
            let content = excerpt(&entry.content, EXCERPT_CHARS);
            text.push_str(&format!("{what} {} {}: {content}\n", entry.entry_type, entry.id));
        }
    }
    for key in &changes.scratchpad {
        text.push_str(&format!("scratchpad {}: {} became {}\n", key["key"], key["was"], key["is"]));
    }
    changes.decisions.iter().for_each(|decision| text.push_str(&format!("decided {decision}\n")));
    changes.files.iter().for_each(|file| text.push_str(&format!("wrote {file}\n")));
    text
}
