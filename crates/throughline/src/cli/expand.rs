//! `throughline expand`: the full text of what a search showed in short.

use std::process::ExitCode;

use anyhow::Result;

use super::app::App;
use super::task::whole;
use crate::wire::memory::{Entry, Expanded};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Ids of memories, events and items; addresses of resources
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// At most so many tokens of text
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let root = app.own_folder(engine)?.map(|folder| folder.root.as_path());
    let expanded = Expanded::at(engine.expand(&caller, &args.ids, args.max_tokens)?, engine.now(), root);
    let found = !expanded.entries.is_empty() || expanded.missing.is_empty();
    app.output.show(&expanded, text);
    Ok(if found { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn text(expanded: &Expanded) -> String {
    let mut lines: Vec<String> = expanded.entries.iter().map(entry).collect();
    lines.extend(expanded.missing.iter().map(|missing| format!("{}: {}", missing.id, missing.why)));
    if !expanded.left_out.is_empty() {
        lines.push(format!("left out for lack of tokens: {}", expanded.left_out.join(", ")));
    }
    lines.join("\n\n")
}

fn entry(entry: &Entry) -> String {
    if let Some(item) = &entry.item {
        return format!("{}{}", whole(item), below(entry));
    }
    let about = match (&entry.memory, &entry.event) {
        (Some(shown), _) => {
            let memory = &shown.memory;
            let stale: Vec<String> = shown
                .cites
                .iter()
                .filter(|cited| cited.stale)
                .map(|cited| format!("\ncites {}", cited.line()))
                .collect();
            format!(
                "{} ({} {}, confidence {}){}",
                memory.title,
                memory.source,
                memory.kind,
                memory.confidence,
                stale.concat()
            )
        }
        (None, Some(event)) => format!("{} by {}, session {}", event.kind, event.actor, event.session_id),
        (None, None) => String::new(),
    };
    let heading = format!("{} {about}", entry.id);
    format!("{}\n{}{}", heading.trim_end(), entry.text, cut(entry))
}

/// The text of an item below its fields; the title stands there already.
fn below(entry: &Entry) -> String {
    let title = entry.item.as_ref().map(|item| item.title.as_str());
    if title == Some(entry.text.as_str()) { cut(entry) } else { format!("\n\n{}{}", entry.text, cut(entry)) }
}

fn cut(entry: &Entry) -> String {
    match entry.tokens_cut {
        0 => String::new(),
        n => format!("\n… {n} tokens more (--max-tokens)"),
    }
}
