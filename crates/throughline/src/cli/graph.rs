//! `throughline graph`: everything that is linked, for other programs.

use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::graph::Breadth;

use super::app::App;
use crate::wire::error::Usage;
use crate::wire::graph::{Graph, dot};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How to write it; --json is always JSON
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    format: Format,
    /// Only the links of this record, by its whole id
    #[arg(long, value_name = "ID")]
    around: Option<String>,
    /// Every event too, not only those that memories come from
    #[arg(long)]
    events: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Json,
    Dot,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    if args.format == Format::Dot && app.output.is_json() {
        return Err(Usage("--json is always JSON; leave it out for --format dot".to_owned()).into());
    }
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let breadth = if args.events { Breadth::Everything } else { Breadth::Knowledge };
    let graph = Graph::from(engine.graph(&caller, breadth, args.around.as_deref())?);
    if let Some(id) = &args.around
        && graph.nodes.is_empty()
    {
        let also = if args.events { "" } else { "; --events adds those of every event" };
        app.output
            .warn(&format!("no link of {id} is known: give a whole id, as lists with --json show it{also}"));
    }
    app.output.show(&graph, |graph| match args.format {
        Format::Json => serde_json::to_string_pretty(graph).expect("our shapes are valid JSON"),
        Format::Dot => dot(graph),
    });
    Ok(ExitCode::SUCCESS)
}
