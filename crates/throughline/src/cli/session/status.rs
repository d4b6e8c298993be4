//! `throughline session status`.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::session::{Compaction, Injections, Loaded, Status};

use super::super::app::App;
use super::Named;
use crate::wire;
use crate::wire::session::state_name;
use crate::wire::time::{length, readable};

pub(super) fn run(named: &Named, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let status = engine.session_status(&caller, named.session.as_deref(), &app.folder)?;
    let text = render(&status);
    app.output.show(&wire::session::Status::from(status), |_| text);
    Ok(ExitCode::SUCCESS)
}

fn render(status: &Status) -> String {
    let session = &status.scratchpad.session;
    let kinds: Vec<String> = status.by_kind.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let mut lines = vec![
        format!("session     {} ({} {})", session.id, session.client, session.client_session),
        format!("state       {}", state_name(status.state)),
        format!("role        {}", session.chatmode),
        format!("started     {} for {}", readable(session.started_at), length(status.duration)),
        format!("events      {} ({})", status.events, kinds.join(", ")),
        format!("tokens      about {}", status.tokens),
        format!("recalled    {} memories", status.memories_recalled),
        told(&status.injections),
        compaction(&status.compaction),
        format!("scratchpad  version {}: {}", status.scratchpad.version, status.scratchpad.state),
    ];
    lines.extend(
        status
            .workflow
            .as_ref()
            .map(|loaded| format!("workflow    {}", workflow(session.workflow.as_deref(), loaded))),
    );
    lines.join("\n")
}

fn compaction(state: &Compaction) -> String {
    let due = state.due.map(|cause| format!("; due ({cause})")).unwrap_or_default();
    format!(
        "compaction  {} summaries, {} events since ({} of {} turns, {} of {} tokens){due}",
        state.summaries,
        state.events_since,
        state.turns_since,
        state.turns_limit,
        state.tokens_since,
        state.tokens_limit
    )
}

/// What the model was told, and why, the newest last.
fn told(injections: &Injections) -> String {
    let mut text = format!(
        "injected    {} times, {} tokens, {} memories",
        injections.count, injections.tokens, injections.memories
    );
    for note in injections.newest.iter().rev() {
        text.push_str(&format!("\n            {} {}", readable(note.at), note.summary));
    }
    text
}

fn workflow(name: Option<&str>, loaded: &Loaded) -> String {
    let name = name.unwrap_or_default();
    match loaded {
        Loaded::Read { path, .. } => format!("{name} from {}", path.display()),
        Loaded::Ignored { path, problem } => format!("{name}: {} is ignored: {problem}", path.display()),
        Loaded::Missing { .. } => format!("{name}: no such file in the workflow folders"),
    }
}
