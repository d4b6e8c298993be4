//! `throughline import git`: the commits of this project's repository.

use std::collections::HashSet;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use serde_json::Value as Json;
use throughline_engine::capture::Outcome;
use throughline_engine::code::git::{CommitId, Repository};
use throughline_engine::store::event::{Filter, Order};
use throughline_engine::{Caller, Engine, Error};

use super::super::app::App;
use crate::hooks::commit::TARGET;
use crate::import::git;
use crate::wire::time::Asked;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Only commits since then: a time, a date, or how long ago (30d)
    #[arg(long, value_name = "WHEN")]
    since: Option<Asked>,
    /// At most so many, the newest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Only say what there is to import
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer {
    dry_run: bool,
    commits: usize,
    imported: u64,
    already_there: u64,
}

const BATCH: usize = 400;

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let folder = &app.folder.root;
    let repository = Repository::discover(folder)?;
    let Some(repository) = repository else {
        bail!(Error::Invalid(format!(
            "{} is in no git repository; change to a folder of one",
            folder.display()
        )));
    };
    let engine = app.engine()?;
    let caller = if args.dry_run { app.reader(engine)? } else { app.caller(engine)? };
    let ids = wanted(args, engine, &repository)?;
    let noticed = noticed(engine, &caller)?;
    let bar = app.output.progress(ids.len() as u64);
    let mut answer = Answer { dry_run: args.dry_run, commits: ids.len(), imported: 0, already_there: 0 };
    // Read again one by one: the log has the oldest first, and a long history does not fit into memory.
    for ids in ids.rchunks(BATCH) {
        let mut batch = vec![];
        for id in ids.iter().rev().filter(|id| !noticed.has(id)) {
            let observed = git::observed(&repository.commit(*id)?, &folder.display().to_string());
            engine.check_observation(&observed.1).with_context(|| format!("commit {id}"))?;
            batch.push(observed);
        }
        answer.already_there += (ids.len() - batch.len()) as u64;
        let outcomes: Vec<Outcome> = match args.dry_run {
            true => engine.foresee_past(&caller.project, &batch)?,
            false => {
                let recorded = engine.capture_past(&caller.project, batch)?;
                recorded.into_iter().map(|recorded| recorded.outcome).collect()
            }
        };
        let appended = outcomes.iter().filter(|outcome| **outcome == Outcome::Appended).count();
        answer.imported += appended as u64;
        answer.already_there += (outcomes.len() - appended) as u64;
        bar.inc(ids.len() as u64);
    }
    if answer.imported > 0 && !args.dry_run {
        engine.settle(&caller, &git::session())?;
    }
    bar.finish_and_clear();
    app.output.show(&answer, text);
    Ok(ExitCode::SUCCESS)
}

/// The newest first.
fn wanted(args: &Args, engine: &Engine, repository: &Repository) -> Result<Vec<CommitId>> {
    let since = args.since.map(|since| since.resolve(engine.now()).0 / 1_000_000);
    let mut ids = vec![];
    let most = args.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    for commit in repository.commits()?.take(most) {
        let commit = commit?;
        if since.is_some_and(|since| commit.at < since) {
            break;
        }
        ids.push(commit.id);
    }
    Ok(ids)
}

/// Commits that hooks have noticed, by the beginnings of their ids that git prints.
struct Noticed(HashSet<String>);

impl Noticed {
    fn has(&self, id: &CommitId) -> bool {
        let id = id.to_string();
        (7..=id.len()).any(|end| self.0.contains(&id[..end]))
    }
}

fn noticed(engine: &Engine, caller: &Caller) -> Result<Noticed> {
    let filter = Filter { target: Some(TARGET.to_owned()), ..Filter::default() };
    let events = engine.events(caller, &filter, Order::OldestFirst, i64::MAX)?.events;
    let by_hook = events
        .iter()
        .filter(|event| !event.client_key.as_ref().is_some_and(|key| key.starts_with("commit ")));
    let sha = |parts: &str| {
        let parts: Json = serde_json::from_str(parts).ok()?;
        Some(parts.get("sha")?.as_str()?.to_owned())
    };
    Ok(Noticed(by_hook.filter_map(|event| sha(event.parts.as_deref()?)).collect()))
}

fn text(answer: &Answer) -> String {
    let Answer { commits, imported, already_there, .. } = answer;
    let did = if answer.dry_run { "would import" } else { "imported" };
    format!("{did} {imported} of {commits} commits, {already_there} were there already")
}
