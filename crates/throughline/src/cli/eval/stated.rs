//! `throughline eval stated`: facts that somebody hands in, each in many wordings, then what only sounds like them, then what
//! contradicts them: through the real way to a memory, in a project for each fact.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::remember::Statement;
use throughline_engine::store::memory::Filter;
use throughline_engine::{Caller, Engine};

use super::super::app::App;
use super::super::output::{Output, table};
use super::ask::Bench;
use super::consolidation::Phrasings;
use super::lines;
use crate::config::Overrides;

// Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Facts in many wordings, one JSON object on each line; nothing was fitted to `unseen.jsonl`
    #[arg(value_name = "FILE", default_values = ["evals/consolidation/tenfold.jsonl", "evals/consolidation/unseen.jsonl"])]
    files: Vec<PathBuf>,
    /// List the facts that ended as several memories
    #[arg(long)]
    errors: bool,
}

#[derive(Debug, Default, Serialize)]
struct Report {
    files: Vec<Told>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
struct Told {
    file: String,
    facts: usize,
    wordings: usize,
    /// What they are after all wordings.
    memories: usize,
    /// Facts that are one memory then.
    single: usize,
    others: usize,
    /// Those that are memories of their own.
    others_kept: usize,
    /// Facts of which nothing is left once the opposite was said, and that is in use.
    replaced: usize,
    /// Memories of the facts that are in use all the same.
    left: usize,
}

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let app = App::load(overrides, output)?;
    let bench = Bench::open(overrides, &app.config)?;
    let mut report = Report::default();
    for file in &args.files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut told = Told { file: name, ..Told::default() };
        for fact in lines::<Phrasings>(file, "consolidation")? {
            let caller = bench.caller(&told.file)?;
            let memories = tell(bench.engine(), &caller, &fact, &mut told)?;
            if args.errors && memories.len() > 1 {
                report.errors.push(format!("{}: {}", fact.id, memories.join(" | ")));
            }
        }
        report.files.push(told);
    }
    output.show(&report, text);
    Ok(ExitCode::SUCCESS)
}

/// What the fact is after all its wordings.
fn tell(engine: &Engine, caller: &Caller, fact: &Phrasings, told: &mut Told) -> Result<Vec<String>> {
    let say = |text: &String| engine.remember(caller, vec![Statement::of(text)]);
    for wording in &fact.same {
        say(wording)?;
    }
    let own = in_use(engine, caller)?;
    for other in &fact.other {
        say(other)?;
    }
    let with_others = in_use(engine, caller)?;
    let opposite = fact.opposite.first().map(|text| say(text).map(|_| text)).transpose()?;
    let at_the_end = in_use(engine, caller)?;
    let left = fact.same.iter().filter(|wording| at_the_end.contains(*wording)).count();
    told.facts += 1;
    told.wordings += fact.same.len();
    told.memories += own.len();
    told.single += usize::from(own.len() == 1);
    told.others += fact.other.len();
    told.others_kept += fact.other.iter().filter(|other| with_others.contains(*other)).count();
    told.left += left;
    told.replaced += usize::from(left == 0 && opposite.is_some_and(|text| at_the_end.contains(text)));
    Ok(own)
}

fn in_use(engine: &Engine, caller: &Caller) -> Result<Vec<String>> {
    let filter = Filter { active_at: Some(engine.now()), ..Filter::default() };
    let listed = engine.memories(caller, &filter, 1000)?;
    Ok(listed.memories.into_iter().map(|memory| memory.content).collect())
}

fn text(report: &Report) -> String {
    let header =
        ["file", "facts", "wordings", "memories", "one memory", "others kept", "replaced", "past left"];
    let rows = report.files.iter().map(|told| {
        vec![
            told.file.clone(),
            told.facts.to_string(),
            told.wordings.to_string(),
            told.memories.to_string(),
            told.single.to_string(),
            format!("{} of {}", told.others_kept, told.others),
            told.replaced.to_string(),
            told.left.to_string(),
        ]
    });
    [table(&header, rows), report.errors.join("\n")].join("\n").trim_end().to_owned()
}
