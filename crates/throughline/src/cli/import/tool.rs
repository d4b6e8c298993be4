//! `throughline import basic-memory|claude-mem|mem0|server-memory`: what another memory tool keeps becomes memories, each once.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde::Serialize;
use throughline_engine::capture::{SessionRef, redact};
use throughline_engine::remember::Statement;
use throughline_engine::store::memory::{Filter, Source};

use super::super::app::App;
use crate::import::sameness;
use crate::import::tools::{Kept, Told, Tool};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The tool's file or folder
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Also what the tool keeps for other projects
    #[arg(long)]
    all: bool,
    /// Only say what there is to import
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer {
    dry_run: bool,
    tool: &'static str,
    imported: usize,
    already_there: usize,
    of_other_projects: usize,
    redactions: i64,
    left_out: usize,
    /// The first of them, with their places and why.
    problems: Vec<String>,
}

const PROBLEMS_SHOWN: usize = 10;

pub(super) fn run(tool: Tool, args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = if args.dry_run { app.reader(engine)? } else { app.caller(engine)? };
    let here = [app.folder.suggested_name(), app.config.project.clone().unwrap_or_default()];
    let belongs = |project: &str| {
        let last = project.rsplit(['/', '\\']).next().unwrap_or(project);
        args.all || project.is_empty() || here.iter().any(|name| name == project || name == last)
    };
    let Kept { told, mut left_out, of_others } = tool.read(&args.path, &belongs)?;
    if told.is_empty() && left_out.is_empty() && of_others == 0 {
        let name = tool.name();
        bail!(
            "there is nothing of {name} in {}; `throughline import {name} --help` says which file to name",
            args.path.display()
        );
    }
    let filter = Filter { tag: Some(tool.name().to_owned()), ..Filter::default() };
    // Also what was forgotten since: an import must not bring it back.
    let known = engine.memories(&caller, &filter, i64::MAX)?.memories;
    let mut said: HashSet<String> = known.iter().map(|memory| sameness(&memory.content)).collect();
    let (mut imported, mut already_there, mut redactions) = (0, 0, 0);
    let bar = app.output.steps(told.len() as u64);
    for told in told {
        bar.inc(1);
        if !said.insert(sameness(&redact::text(&told.text).text)) {
            already_there += 1;
            continue;
        }
        if args.dry_run {
            imported += 1;
            continue;
        }
        let place = told.place.clone();
        match engine.remember(&caller, vec![statement(tool, told, app)]) {
            Ok(remembered) => {
                imported += 1;
                redactions += remembered.iter().map(|one| one.redactions).sum::<i64>();
            }
            Err(throughline_engine::Error::Invalid(why)) => left_out.push(format!("{place}: {why}")),
            Err(error) => return Err(error.into()),
        }
    }
    bar.finish_and_clear();
    let answer = Answer {
        dry_run: args.dry_run,
        tool: tool.name(),
        imported,
        already_there,
        of_other_projects: of_others,
        redactions,
        left_out: left_out.len(),
        problems: left_out.into_iter().take(PROBLEMS_SHOWN).collect(),
    };
    app.output.show(&answer, text);
    let is_of_the_tool = answer.imported + answer.already_there + answer.of_other_projects > 0;
    Ok(if is_of_the_tool || answer.left_out == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn statement(tool: Tool, told: Told, app: &App<'_>) -> Statement {
    let mut tags = vec![tool.name().to_owned()];
    tags.extend(told.tags);
    tags.dedup();
    Statement {
        title: told.title,
        kind: told.kind,
        tags,
        source: Source::Bootstrap,
        from: Some(told.place),
        occurred_at: told.at,
        session: SessionRef::Of { client: "import".to_owned(), session: tool.name().to_owned() },
        opening: app.opening(),
        ..Statement::of(told.text)
    }
}

fn text(answer: &Answer) -> String {
    let Answer { tool, imported, already_there, .. } = answer;
    let did = if answer.dry_run { "would import" } else { "imported" };
    let mut lines =
        vec![format!("{did} {imported} memories from {tool}, {already_there} were there already")];
    if answer.of_other_projects > 0 {
        lines.push(format!("{} are of other projects; --all brings them in too", answer.of_other_projects));
    }
    if answer.redactions > 0 {
        lines.push(format!("{} secrets were taken out", answer.redactions));
    }
    if answer.left_out > 0 {
        lines.push(format!("{} left out:", answer.left_out));
        lines.extend(answer.problems.iter().map(|problem| format!("  {problem}")));
        if *imported + *already_there == 0 {
            lines.push(format!("`throughline import {tool} --help` says which file of {tool} to name"));
        }
    }
    lines.join("\n")
}
