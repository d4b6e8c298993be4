//! `throughline eval stated`: facts that somebody hands in, each in many wordings, then what only sounds like them, then what
//! contradicts them: through the real way to a memory, all in one project unless asked otherwise.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::remember::Statement;
use throughline_engine::store::id::MemoryId;
use throughline_engine::store::memory::{Filter, Memory};
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
    /// Facts in many wordings, one JSON object on each line; nothing was fitted to any but `tenfold.jsonl`
    #[arg(value_name = "FILE", default_values = ["evals/consolidation/tenfold.jsonl", "evals/consolidation/unseen.jsonl", "evals/consolidation/outside.jsonl", "evals/consolidation/fair.jsonl", "evals/consolidation/anew.jsonl", "evals/consolidation/afresh.jsonl", "evals/consolidation/newest.jsonl", "evals/consolidation/latest.jsonl", "evals/consolidation/recent.jsonl", "evals/consolidation/further.jsonl", "evals/consolidation/customs.jsonl", "evals/consolidation/habits.jsonl"])]
    files: Vec<PathBuf>,
    /// A project for each fact, where nothing else is known
    #[arg(long)]
    apart: bool,
    /// List the facts that ended as several memories, and those that outlived their opposite
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
    /// Statements that were taken for one of another fact.
    mixed_up: usize,
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
        let facts = lines::<Phrasings>(file, "consolidation")?;
        let together = if args.apart { 1 } else { facts.len().max(1) };
        for facts in facts.chunks(together) {
            let project = Project::new(bench.engine(), bench.caller(&told.file)?);
            let wrong = project.tell(facts, &mut told)?;
            report.errors.extend(wrong.into_iter().filter(|_| args.errors));
        }
        report.files.push(told);
    }
    output.show(&report, text);
    Ok(ExitCode::SUCCESS)
}

/// A project that facts are told to.
struct Project<'a> {
    engine: &'a Engine,
    caller: Caller,
    /// Which fact each memory came from.
    facts: HashMap<MemoryId, usize>,
    /// What was taken for another fact or for its end, and what that is told by.
    mixed_up: Vec<String>,
}

impl<'a> Project<'a> {
    fn new(engine: &'a Engine, caller: Caller) -> Project<'a> {
        Project { engine, caller, facts: HashMap::new(), mixed_up: vec![] }
    }

    /// All wordings, what is near them, what contradicts them; then what became of it. Says which facts are several memories,
    /// which were taken for each other, and which are not replaced.
    fn tell(mut self, facts: &[Phrasings], told: &mut Told) -> Result<Vec<String>> {
        let longest = facts.iter().map(|fact| fact.same.len()).max().unwrap_or(0);
        for turn in 0..longest {
            self.say(facts, |fact| fact.same.get(turn).into_iter().collect())?;
        }
        told.mixed_up += self.mixed_up.len();
        let mut wrong = std::mem::take(&mut self.mixed_up);
        let own = self.in_use()?;
        self.say(facts, |fact| fact.other.iter().collect())?;
        let with_others = self.in_use()?;
        self.say(facts, |fact| fact.opposite.first().into_iter().collect())?;
        let at_the_end = self.in_use()?;
        for fact in facts {
            let memories: Vec<&str> = wordings(&fact.same, &own).collect();
            if memories.len() > 1 {
                wrong.push(format!("{}: {}", fact.id, memories.join(" | ")));
            }
            let left: Vec<&str> = wordings(&fact.same, &at_the_end).collect();
            told.facts += 1;
            told.wordings += fact.same.len();
            told.memories += memories.len();
            told.single += usize::from(memories.len() == 1);
            told.others += fact.other.len();
            told.others_kept += wordings(&fact.other, &with_others).count();
            told.left += left.len();
            let opposite = fact.opposite.first().map_or("", String::as_str);
            let is_replaced = left.is_empty() && at_the_end.contains(opposite);
            told.replaced += usize::from(is_replaced);
            if !is_replaced {
                wrong.push(format!("{}: not replaced by \"{opposite}\": {}", fact.id, left.join(" | ")));
            }
        }
        Ok(wrong)
    }

    fn say(&mut self, facts: &[Phrasings], texts: impl Fn(&Phrasings) -> Vec<&String>) -> Result<()> {
        for (number, fact) in facts.iter().enumerate() {
            for text in texts(fact) {
                for remembered in self.engine.remember(&self.caller, vec![Statement::of(text)])? {
                    let memory = remembered.memory;
                    self.facts.entry(memory.id.clone()).or_insert(number);
                    let is_another =
                        |one: &&Memory| self.facts.get(&one.id).is_some_and(|fact| *fact != number);
                    let taken = std::iter::once(&memory).chain(&remembered.superseded).filter(is_another);
                    let taken =
                        taken.map(|one| format!("{}: {text} taken for what {} tells", fact.id, one.content));
                    self.mixed_up.extend(taken);
                }
            }
        }
        Ok(())
    }

    fn in_use(&self) -> Result<HashSet<String>> {
        let filter = Filter { active_at: Some(self.engine.now()), ..Filter::default() };
        let listed = self.engine.memories(&self.caller, &filter, i64::MAX)?;
        Ok(listed.memories.into_iter().map(|memory| memory.content).collect())
    }
}

/// Which of the texts are memories.
fn wordings<'a>(texts: &'a [String], memories: &HashSet<String>) -> impl Iterator<Item = &'a str> {
    texts.iter().filter(|text| memories.contains(*text)).map(String::as_str)
}

fn text(report: &Report) -> String {
    let header = [
        "file",
        "facts",
        "wordings",
        "memories",
        "one memory",
        "mixed up",
        "others kept",
        "replaced",
        "past left",
    ];
    let rows = report.files.iter().map(|told| {
        vec![
            told.file.clone(),
            told.facts.to_string(),
            told.wordings.to_string(),
            told.memories.to_string(),
            told.single.to_string(),
            told.mixed_up.to_string(),
            format!("{} of {}", told.others_kept, told.others),
            told.replaced.to_string(),
            told.left.to_string(),
        ]
    });
    [table(&header, rows), report.errors.join("\n")].join("\n").trim_end().to_owned()
}
