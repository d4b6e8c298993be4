//! `throughline import agents-md|claude-memory`: what files say is known becomes memories, each once; what they say no
//! more is told and stays.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use serde::Serialize;
use throughline_engine::capture::{SessionRef, redact};
use throughline_engine::remember::Statement;
use throughline_engine::store::memory::{Filter, Memory, Source as Origin, Status};
use throughline_engine::{Caller, Engine};

use super::super::app::App;
use crate::import::knowledge::{self, Found, Source};
use crate::import::{Homes, sameness};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The files [default: those that the project has]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only say what there is to import
    #[arg(long)]
    dry_run: bool,
}

/// Whose files they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shelf {
    Instructions,
    ClaudeMemory,
}

#[derive(Serialize, Default)]
pub(in crate::cli) struct Answer {
    dry_run: bool,
    files: usize,
    imported: usize,
    already_there: usize,
    /// Memories whose statement is not in the file any more.
    removed: Vec<Removed>,
    /// What could not be remembered.
    problems: Vec<String>,
}

#[derive(Serialize)]
struct Removed {
    memory: String,
    file: String,
    title: String,
}

pub(super) fn run(shelf: Shelf, args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let root = &app.folder.root;
    let files = match (shelf, args.paths.is_empty()) {
        (_, false) => args.paths.clone(),
        (Shelf::Instructions, true) => knowledge::instructions(root),
        (Shelf::ClaudeMemory, true) => knowledge::claude_memory(root, Homes::of_this_machine().as_ref())?,
    };
    let answer = bring(shelf, files, args.dry_run, app)?;
    if !args.paths.is_empty() && answer.is_nothing() {
        bail!(
            "nothing in these files reads as a statement; name files of instructions or notes, in Markdown"
        );
    }
    app.output.show(&answer, text);
    Ok(ExitCode::SUCCESS)
}

impl Answer {
    fn is_nothing(&self) -> bool {
        self.imported + self.already_there == 0 && self.removed.is_empty() && self.problems.is_empty()
    }
}

/// What Claude Code has noted by itself becomes memories.
pub(in crate::cli) fn adopt_claude(dry_run: bool, app: &App<'_>) -> Result<Answer> {
    let files = knowledge::claude_own_memory(&app.folder.root, Homes::of_this_machine().as_ref())?;
    bring(Shelf::ClaudeMemory, files, dry_run, app)
}

fn bring(shelf: Shelf, files: Vec<PathBuf>, dry_run: bool, app: &App<'_>) -> Result<Answer> {
    let sources = knowledge::read(&app.folder.root, files)?;
    let engine = app.engine()?;
    let caller = if dry_run { app.reader(engine)? } else { app.caller(engine)? };
    let bar = app.output.progress(sources.len() as u64);
    let mut answer = Answer { dry_run, files: sources.len(), ..Answer::default() };
    for source in sources {
        import(shelf, source, (engine, &caller), app, &mut answer)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(answer)
}

fn import(
    shelf: Shelf,
    source: Source,
    (engine, caller): (&Engine, &Caller),
    app: &App<'_>,
    answer: &mut Answer,
) -> Result<()> {
    let filter = Filter { tag: Some(source.name.clone()), ..Filter::default() };
    let known = engine.memories(caller, &filter, i64::MAX)?.memories;
    let mut said: HashSet<String> = HashSet::new();
    // Also what was forgotten since: a file must not bring it back.
    let told: HashSet<String> = known.iter().map(|memory| sameness(&memory.content)).collect();
    let mut statements = vec![];
    for found in source.found {
        let same = sameness(&redact::text(&found.text).text);
        if !said.insert(same.clone()) {
            continue;
        }
        if told.contains(&same) {
            answer.already_there += 1;
            continue;
        }
        statements.push(statement(shelf, &source.name, found, app));
    }
    let removed = removed(&source.name, known, &said, engine);
    for statement in statements {
        if answer.dry_run {
            answer.imported += 1;
            continue;
        }
        let from = statement.from.clone().unwrap_or_default();
        match engine.remember(caller, vec![statement]) {
            Ok(_) => answer.imported += 1,
            Err(throughline_engine::Error::Invalid(why)) => answer.problems.push(format!("{from}: {why}")),
            Err(error) => return Err(error.into()),
        }
    }
    for memory in removed {
        // What the file says instead may have taken its place.
        if engine.memory(caller, &memory.memory)?.status == Status::Active {
            answer.removed.push(memory);
        }
    }
    Ok(())
}

fn statement(shelf: Shelf, file: &str, found: Found, app: &App<'_>) -> Statement {
    let session = match shelf {
        Shelf::Instructions => "agents-md",
        Shelf::ClaudeMemory => "claude-memory",
    };
    Statement {
        title: found.title,
        kind: found.kind,
        scope: found.scope,
        tags: vec![file.to_owned()],
        source: Origin::Bootstrap,
        from: Some(found.place),
        session: SessionRef::Of { client: "import".to_owned(), session: session.to_owned() },
        opening: app.opening(),
        ..Statement::of(found.text)
    }
}

/// Only what came from the file and from nobody else, and holds still.
fn removed(file: &str, known: Vec<Memory>, said: &HashSet<String>, engine: &Engine) -> Vec<Removed> {
    let now = engine.now();
    let is_gone = |memory: &Memory| {
        memory.source == Origin::Bootstrap
            && memory.status_at(now) == Status::Active
            && !said.contains(&sameness(&memory.content))
    };
    let tell = |memory: Memory| Removed {
        memory: memory.id.to_string(),
        file: file.to_owned(),
        title: memory.title,
    };
    known.into_iter().filter(is_gone).map(tell).collect()
}

pub(in crate::cli) fn text(answer: &Answer) -> String {
    let Answer { files, imported, already_there, .. } = answer;
    let did = if answer.dry_run { "would import" } else { "imported" };
    let mut lines =
        vec![format!("{did} {imported} statements from {files} files, {already_there} were there already")];
    if !answer.removed.is_empty() {
        lines.push("not in the files any more, and still remembered:".to_owned());
        let told = |removed: &Removed| format!("  {} {} ({})", removed.memory, removed.title, removed.file);
        lines.extend(answer.removed.iter().map(told));
    }
    lines.extend(answer.problems.iter().map(|problem| format!("left out {problem}")));
    lines.join("\n")
}
