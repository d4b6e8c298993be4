//! `throughline memory show`: one memory, how it stands, and where it came from.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use crate::wire::graph::Edge;
use crate::wire::memory::Shown;
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
    let root = app.own_folder(engine)?.map(|folder| folder.root.as_path());
    let shown = Shown::at(engine.memory(&caller, &args.id)?, engine.now(), root);
    app.output.show(&shown, text);
    Ok(ExitCode::SUCCESS)
}

fn text(shown: &Shown) -> String {
    let memory = &shown.memory;
    let mut lines = vec![
        format!("memory      {}", memory.id),
        format!("title       {}", memory.title),
        format!("kind        {}, scope {}, {}", memory.kind, memory.scope, memory.status),
        format!("importance  {}, confidence {}", memory.importance, memory.confidence),
        format!("source      {} by {}", memory.source, memory.actor),
        format!("created     {}", readable(memory.created_at.0)),
    ];
    let times =
        [("occurred", memory.occurred_at), ("expires", memory.expires_at), ("ended", memory.ended_at)];
    for (what, at) in times {
        lines.extend(at.map(|at| format!("{what:<11} {}", readable(at.0))));
    }
    let more = [
        ("because", &memory.end_reason),
        ("state key", &memory.state_key),
        ("supersedes", &memory.supersedes),
        ("replaced by", &memory.superseded_by),
    ];
    for (what, text) in more {
        lines.extend(text.as_ref().map(|text| format!("{what:<11} {text}")));
    }
    if !memory.tags.is_empty() {
        lines.push(format!("tags        {}", memory.tags.join(", ")));
    }
    let last = memory.last_used_at.map(|at| format!(", last {}", readable(at.0))).unwrap_or_default();
    lines.push(format!("used        {} times{last}", memory.use_count));
    let confirmed = memory.last_verified_at.map(|at| format!("confirmed   {}", readable(at.0)));
    lines.extend(confirmed);
    if let Some(decay) = &shown.decay {
        let now = memory.confidence_now.unwrap_or(memory.confidence);
        lines.push(format!("decays      {decay}: {now} now"));
    }
    for origin in &shown.lineage {
        let said = origin.said.as_ref().map(|said| format!(": {said}")).unwrap_or_default();
        lines.push(format!("from        event {} of session {}{said}", origin.event_id, origin.session_id));
    }
    lines.extend(shown.cites.iter().map(|cited| format!("cites       {}", cited.line())));
    lines.extend(shown.links.iter().map(|link| linked(link, &memory.id)));
    lines.push(String::new());
    lines.push(memory.content.clone());
    lines.join("\n")
}

/// A link as seen from the memory.
fn linked(link: &Edge, id: &str) -> String {
    if link.from.id == id {
        format!("link        {} {} {}", link.kind, link.to.kind, link.to.id)
    } else {
        format!("link        {} {} {} this", link.from.kind, link.from.id, link.kind)
    }
}
