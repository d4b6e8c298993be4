//! `throughline task show`: items whole.

use std::process::ExitCode;

use anyhow::Result;
use serde_json::json;

use super::super::app::App;
use crate::wire::item::Item;
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Their ids
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let mut items: Vec<Item> = vec![];
    for id in &args.ids {
        items.push(engine.item(&caller, id)?.into());
    }
    let texts: Vec<String> = items.iter().map(text).collect();
    app.output.show(&json!({ "tasks": items }), |_| texts.join("\n\n"));
    Ok(ExitCode::SUCCESS)
}

/// An item for people to read.
pub(in crate::cli) fn text(item: &Item) -> String {
    let mut lines = vec![
        format!("{}  {}", item.id, item.title),
        format!("status      {} since {}", item.status, readable(item.status_since.0)),
    ];
    let mut add = |name: &str, value: &str| lines.push(format!("{name:<11} {value}"));
    add("type", item.item_type);
    let fields = [
        ("below", item.parent_id.as_deref()),
        ("priority", item.priority),
        ("due", item.due_date.as_deref()),
    ];
    fields.iter().for_each(|(name, value)| value.iter().for_each(|value| add(name, value)));
    if item.child_count > 0 {
        add("has", &format!("{} below it", item.child_count));
    }
    if item.requires_context == Some(false) {
        add("context", "none: isolated work");
    }
    for (name, ids) in [("depends on", &item.depends_on), ("blocks", &item.blocks)] {
        if !ids.is_empty() {
            add(name, &ids.join(", "));
        }
    }
    item.blocked_reason.iter().for_each(|reason| add("blocked by", reason));
    for reference in &item.references {
        let title = reference.title.as_ref().map(|title| format!(" ({title})")).unwrap_or_default();
        add("see", &format!("{}{title}", reference.url));
    }
    item.evidence.iter().for_each(|evidence| add("evidence", evidence));
    item.summary.iter().for_each(|summary| add("done", summary));
    if let Some(validation) = &item.validation {
        let report = validation.report.as_ref().map(|report| format!(": {report}")).unwrap_or_default();
        add("checked", &format!("{}{report}", if validation.valid { "valid" } else { "not valid" }));
    }
    add("created", &format!("{}, changed {}", readable(item.created_at.0), readable(item.updated_at.0)));
    item.source_key.iter().for_each(|key| add("imported", key));
    if !item.description.is_empty() {
        lines.push(format!("\n{}", item.description));
    }
    lines.join("\n")
}
