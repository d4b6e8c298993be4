//! Whether the files that a commit changed are found by what it says, on the state before it: a repository's own history
//! is the set of questions.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;
use throughline_engine::clock::Clock;
use throughline_engine::code::git::{BlobId, Change, Commit, Repository};
use throughline_engine::code::walk::is_foreign;
use throughline_engine::ids::Ids;
use throughline_engine::index::code::Touched;
use throughline_engine::project::Folder;
use throughline_engine::recall::{By, CodeQuery, Files, Found, Kind, Query, Weights};
use throughline_engine::store::actor::{Actor, ActorKind};
use throughline_engine::store::time::Timestamp;
use throughline_engine::store::{Durability, Location, Options, Store};
use throughline_engine::{Caller, Engine};

use super::super::app::App;
use super::super::output::{Output, table};
use crate::config::Overrides;

// Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Repositories
    #[arg(value_name = "REPO", required = true)]
    repositories: Vec<PathBuf>,
    /// How many of the newest commits that can be asked about
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    commits: u32,
    /// How many of the newest of them to pass over: what was tuned on some commits is measured on others
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,
}

/// Commits that change more files are about none of them.
const MOST_FILES: usize = 10;
/// So many chunks are looked at to rank files.
const RANKED: usize = 150;
/// How far back commits are looked through for those that can be asked about.
const LOOKED_THROUGH: usize = 40;
const QUERY_BYTES: usize = 2000;
/// Commits before the first question whose changes are known.
const HISTORY: usize = 500;

const METHODS: [(&str, By); 3] =
    [("words", By::Words), ("meaning", By::Meaning), ("hybrid", By::WordsAndMeaning)];

#[derive(Debug, Serialize)]
struct Report {
    repositories: Vec<Measured>,
}

#[derive(Debug, Serialize)]
struct Measured {
    repository: String,
    commits: usize,
    files: usize,
    rows: Vec<Row>,
}

/// Means over commits, in percent, but for the reciprocal rank.
#[derive(Debug, Default, Clone, Serialize)]
struct Row {
    method: &'static str,
    recall_1: f64,
    recall_5: f64,
    recall_10: f64,
    mrr: f64,
    milliseconds: f64,
}

/// What a commit asks, and the files that answer.
#[derive(Debug)]
struct Question {
    commit: Commit,
    parent: Commit,
    text: String,
    gold: Vec<String>,
}

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let app = App::load(overrides, output)?;
    let mut repositories = vec![];
    for path in &args.repositories {
        if !path.is_dir() {
            bail!("there is no folder {}; name a git repository", path.display());
        }
        let repository = Repository::discover(path)?;
        let repository = repository.with_context(|| format!("{} is in no git repository", path.display()))?;
        let questions = questions(&repository, args.commits as usize, args.skip)?;
        if questions.is_empty() {
            bail!("no commit of {} says which of its files it is about", path.display());
        }
        output.say(&format!("{}: {} commits", path.display(), questions.len()));
        let ground = Ground::open(&app, overrides)?;
        repositories.push(ground.measure(name(path), &repository, &questions, output)?);
    }
    output.show(&Report { repositories }, text);
    Ok(ExitCode::SUCCESS)
}

fn name(path: &std::path::Path) -> String {
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let telling = parts.iter().rev().find(|part| !matches!(part.as_str(), "repo" | ".git" | "/" | "."));
    telling.cloned().unwrap_or_default()
}

/// The newest commits that can be asked about, the oldest of them first: along first parents, so that each state follows
/// from the one before.
fn questions(repository: &Repository, count: usize, skip: usize) -> Result<Vec<Question>> {
    let Some(head) = repository.head()?.commit() else { bail!("the repository has no commit yet") };
    let mut questions = vec![];
    let mut passed_over = 0;
    let mut commit = repository.commit(head)?;
    for _ in 0..count.saturating_add(skip).saturating_mul(LOOKED_THROUGH) {
        if questions.len() == count {
            break;
        }
        let Some(parent) = commit.parents.first() else { break };
        let parent = repository.commit(*parent)?;
        if commit.parents.len() == 1 && !is_routine(&commit) {
            let changed = repository.changed_files(&commit, MOST_FILES)?;
            let gold: Vec<String> = changed
                .files
                .into_iter()
                .filter(|file| file.change != Change::Added && !is_foreign(&file.path))
                .map(|file| file.path)
                .collect();
            let is_question = !changed.more && !gold.is_empty();
            if is_question && passed_over < skip {
                passed_over += 1;
            } else if is_question {
                questions.push(Question { text: asked(&commit), parent: parent.clone(), gold, commit });
            }
        }
        commit = parent;
    }
    questions.reverse();
    Ok(questions)
}

/// Releases and updates of dependencies say nothing about the code they change.
fn is_routine(commit: &Commit) -> bool {
    let subject = commit.subject.to_lowercase();
    let beginnings = [
        "bump",
        "release",
        "version",
        "merge",
        "revert",
        "chore(deps",
        "build(deps",
        "update dependenc",
        "prepare",
    ];
    let is_version = subject.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    let words = subject.split_whitespace().count();
    is_version
        || words < 2
        || beginnings.iter().any(|beginning| subject.starts_with(beginning))
        || subject.contains("dependabot")
}

/// Without what names people and other places.
fn asked(commit: &Commit) -> String {
    let is_trailer = |line: &&str| {
        let key = line.split_once(':').map_or("", |(key, _)| key).to_lowercase();
        key.ends_with("-by") || key == "change-id" || key == "closes" || key == "cc"
    };
    let body: Vec<&str> = commit.body.lines().filter(|line| !is_trailer(line)).collect();
    let text = format!("{}\n{}", commit.subject, body.join("\n"));
    text[..text.floor_char_boundary(QUERY_BYTES)].to_owned()
}

/// A database for one repository, whose clock stands where a question is asked.
struct Ground {
    engine: Engine,
    caller: Caller,
    now: Arc<AtomicI64>,
    /// Lives as long as the database in it.
    _folder: tempfile::TempDir,
}

impl Ground {
    /// In a temporary file, unless a database is named on the command line.
    fn open(app: &App<'_>, overrides: &Overrides) -> Result<Ground> {
        let folder = tempfile::tempdir()
            .context("cannot create a folder for the evaluation; set TMPDIR to one that you may write to")?;
        let location = match &overrides.database {
            Some(_) => app.config.location.clone(),
            None => Location::File(folder.path().join("throughline.db")),
        };
        let options = Options { durability: Durability::Process, ..app.config.options.clone() };
        let now = Arc::new(AtomicI64::new(0));
        let hand = Arc::clone(&now);
        let clock = Clock::from_fn(move || Timestamp(hand.load(Ordering::Relaxed)));
        let store = Store::open(location, options)?;
        let engine = Engine::new(store, clock, Ids::system(), app.config.settings.clone());
        let place = Folder { root: folder.path().to_owned(), git: None };
        // By the folder, which is another each time: a database that was named may know an earlier evaluation.
        let project = engine.project(&place, None)?.id;
        let actor = Actor { kind: ActorKind::User, name: "eval".to_owned() };
        Ok(Ground { engine, caller: Caller { project, actor }, now, _folder: folder })
    }

    fn measure(
        &self,
        name: String,
        repository: &Repository,
        questions: &[Question],
        output: &Output,
    ) -> Result<Measured> {
        let mut state: HashMap<String, BlobId> = HashMap::new();
        let mut rows: Vec<Row> = METHODS.iter().map(|(method, _)| Row { method, ..Row::default() }).collect();
        self.know(repository, &questions[0].parent)?;
        let bar = output.steps(questions.len() as u64);
        for question in questions {
            self.now.store(question.commit.at.saturating_mul(1_000_000), Ordering::Relaxed);
            self.go_to(repository, &question.parent, &mut state)?;
            for (row, (_, by)) in rows.iter_mut().zip(METHODS) {
                self.ask(question, by, row)?;
            }
            let touched = Touched::of(&question.commit, 0, question.gold.clone());
            self.engine.note_commits(&self.caller, &question.commit.id.to_string(), &[touched])?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        let count = questions.len() as f64;
        for row in &mut rows {
            for share in [&mut row.recall_1, &mut row.recall_5, &mut row.recall_10] {
                *share = (*share * 1000.0 / count).round() / 10.0;
            }
            row.mrr = (row.mrr * 1000.0 / count).round() / 1000.0;
            row.milliseconds = (row.milliseconds * 10.0 / count).round() / 10.0;
        }
        Ok(Measured { repository: name, commits: questions.len(), files: state.len(), rows })
    }

    /// The commits up to this one.
    fn know(&self, repository: &Repository, newest: &Commit) -> Result<()> {
        let mut touched = vec![];
        for commit in repository.commits_from([newest.id]).take(HISTORY) {
            let commit = commit?;
            let changed = repository.changed_files(&commit, MOST_FILES)?;
            if commit.parents.len() == 1 && !changed.more {
                let paths = changed.files.into_iter().map(|file| file.path).collect();
                touched.push(Touched::of(&commit, 0, paths));
            }
        }
        Ok(self.engine.note_commits(&self.caller, &newest.id.to_string(), &touched)?)
    }

    /// Brings the index to the state of a commit, from the state it is in.
    fn go_to(
        &self,
        repository: &Repository,
        commit: &Commit,
        state: &mut HashMap<String, BlobId>,
    ) -> Result<()> {
        let files: HashMap<String, BlobId> =
            repository.files(commit)?.into_iter().filter(|(path, _)| !is_foreign(path)).collect();
        let gone: Vec<String> = state.keys().filter(|path| !files.contains_key(*path)).cloned().collect();
        let mut changed = vec![];
        for (path, blob) in &files {
            if state.get(path) != Some(blob) {
                changed.push((path.clone(), repository.content(*blob)?));
            }
        }
        changed.sort_unstable();
        self.engine.index_sources(&self.caller, &changed, &gone)?;
        *state = files;
        while self.engine.work_one("eval")?.is_some() {}
        Ok(())
    }

    fn ask(&self, question: &Question, by: By, row: &mut Row) -> Result<()> {
        let query = Query {
            kinds: vec![Kind::Code],
            weights: Some(Weights::RELEVANCE),
            floor: Some(0.0),
            by,
            code: CodeQuery { files: Files::AsIndexed, ..CodeQuery::default() },
            ..Query::of(&question.text, RANKED)
        };
        let started = instant();
        let recalled = self.engine.recall(&self.caller, &query)?;
        row.milliseconds += started.elapsed().as_secs_f64() * 1000.0;
        let mut seen = HashSet::new();
        let mut ranked: Vec<&str> = vec![];
        for hit in &recalled.hits {
            if let Found::Code(code) = &hit.found
                && seen.insert(code.file.path.as_str())
            {
                ranked.push(&code.file.path);
            }
        }
        let gold: HashSet<&str> = question.gold.iter().map(String::as_str).collect();
        let found = |k: usize| ranked.iter().take(k).filter(|path| gold.contains(*path)).count();
        let recall = |k: usize| found(k) as f64 / gold.len().min(k) as f64;
        row.recall_1 += recall(1);
        row.recall_5 += recall(5);
        row.recall_10 += recall(10);
        let first = ranked.iter().position(|path| gold.contains(path));
        row.mrr += first.map_or(0.0, |place| 1.0 / (place + 1) as f64);
        Ok(())
    }
}

fn text(report: &Report) -> String {
    let rows = report.repositories.iter().flat_map(|measured| {
        measured.rows.iter().map(|row| {
            vec![
                measured.repository.clone(),
                measured.commits.to_string(),
                measured.files.to_string(),
                row.method.to_owned(),
                format!("{:.1}", row.recall_1),
                format!("{:.1}", row.recall_5),
                format!("{:.1}", row.recall_10),
                format!("{:.3}", row.mrr),
                format!("{:.1}", row.milliseconds),
            ]
        })
    });
    table(
        &["repository", "commits", "files", "method", "recall@1", "recall@5", "recall@10", "mrr", "ms"],
        rows,
    )
}

#[expect(clippy::disallowed_methods, reason = "how long an answer takes is real time")]
fn instant() -> Instant {
    Instant::now()
}
