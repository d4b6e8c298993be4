//! `throughline doctor`: finds and explains what is wrong, each with what to do.

mod disk;
mod fix;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use throughline_engine::clock::Clock;
use throughline_engine::session::workflow_problems;
use throughline_engine::store::job::State;
use throughline_engine::store::time::Timestamp;
use throughline_engine::{Caller, Engine, Error};

use super::app::App;
use super::output::{Output, table};
use crate::config::{Overrides, home};
use crate::door::Known;
use crate::hooks::{Failures, waiting};
use crate::install::Setup;
use crate::traces::probe as takes_traces;
use crate::wire::comparison;
use crate::wire::error::message;
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only reads the settings of agents; does not start them to hear what they make of them
    #[arg(long)]
    no_ask: bool,
    /// Sets right what can be: settings that cannot be read, and what `repair` does. What is replaced is kept
    #[arg(long)]
    fix: bool,
}

const DAY_MICROS: i64 = 86_400_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Ok,
    /// By this run.
    Fixed,
    Warning,
    Failed,
}

#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    verdict: Verdict,
    detail: String,
}

#[derive(Debug, Serialize)]
struct Findings {
    healthy: bool,
    findings: Vec<Finding>,
}

pub(super) fn run(args: &Args, overrides: &Overrides, output: &Output) -> Result<ExitCode> {
    let mut findings = vec![data_folder()];
    if args.fix {
        findings.extend(fix::fix(overrides, output));
    }
    match App::load(overrides, output) {
        Err(error) => findings.push(Finding::failed("settings", &error)),
        Ok(app) => look(&app, args, &mut findings),
    }
    let healthy = findings.iter().all(|finding| finding.verdict != Verdict::Failed);
    output.show(&Findings { healthy, findings }, |answer| text(&answer.findings));
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn look(app: &App<'_>, args: &Args, findings: &mut Vec<Finding>) {
    findings.push(settings(app));
    findings.push(hooks(app));
    findings.push(disk::log(app));
    findings.extend(traces(app));
    findings.extend(workflows(app));
    findings.extend(clients(app, args));
    let engine = match app.engine() {
        Ok(engine) => engine,
        Err(error) => return findings.push(Finding::failed("database", &error)),
    };
    findings.push(Finding::ok("database", app.config.location.to_string()));
    findings.push(disk::finding(app, engine));
    findings.push(project(app, engine));
    findings.push(jobs(engine));
    findings.push(search(app, engine));
    findings.extend(model(app, engine));
    findings.push(integrity(engine));
}

fn data_folder() -> Finding {
    let home = match home() {
        Ok(home) => home,
        Err(error) => return Finding::failed("data folder", &error),
    };
    match probe(&home) {
        Ok(()) => Finding::ok("data folder", home.display().to_string()),
        Err(error) => Finding {
            check: "data folder",
            verdict: Verdict::Failed,
            detail: format!(
                "{} cannot be written: {error}; make it writable or choose another with THROUGHLINE_HOME",
                home.display()
            ),
        },
    }
}

fn probe(home: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(home)?;
    tempfile::tempfile_in(home).map(|_| ())
}

fn settings(app: &App<'_>) -> Finding {
    match app.config.unknown() {
        [] => Finding::ok("settings", format!("{} values, all known", app.config.values().len())),
        unknown => Finding::warning(
            "settings",
            format!(
                "ignored: {}; correct them, or take them out with `throughline doctor --fix`",
                unknown.join("; ")
            ),
        ),
    }
}

/// What hooks could not do, which they tell nobody else.
fn hooks(app: &App<'_>) -> Finding {
    let failures = match Failures::read(&app.config.home) {
        Ok(failures) => failures,
        Err(error) => {
            let told = format!(
                "what failed cannot be read: {error}; make {} readable for you",
                app.config.home.display()
            );
            return Finding::warning("hooks", told);
        }
    };
    let day_ago = Timestamp(Clock::system().now().0 - DAY_MICROS);
    let waiting = match waiting(&app.config.home) {
        0 => String::new(),
        count => format!("; {count} events wait to be recorded by the next hook"),
    };
    let is_off = if app.config.hooks.enabled { "" } else { "switched off; " };
    match failures.since(day_ago) {
        [] if waiting.is_empty() => Finding::ok("hooks", format!("{is_off}no failures in the last day")),
        [] => Finding::warning("hooks", format!("{is_off}no failures in the last day{waiting}")),
        recent @ [.., last] => {
            let event = last.event.as_deref().map_or_else(String::new, |event| format!(" {event}"));
            let told = format!("{}{event}: {}", last.client, last.problem);
            let count = recent.len();
            Finding::warning(
                "hooks",
                format!("{is_off}{count} failures in the last day, the last: {told}{waiting}"),
            )
        }
    }
}

/// Only where traces are sent anywhere.
fn traces(app: &App<'_>) -> Option<Finding> {
    let settings = app.config.traces.as_ref()?;
    let url = &settings.url;
    Some(match takes_traces(settings) {
        Ok(()) => Finding::ok("traces", format!("{url} takes them")),
        Err(error) => Finding::warning(
            "traces",
            format!("{url} does not take them: {error:#}; they are dropped, and /metrics counts them"),
        ),
    })
}

fn workflows(app: &App<'_>) -> Vec<Finding> {
    let problems = workflow_problems(&app.folder.root, &app.config.settings.workflow_folders);
    problems
        .into_iter()
        .map(|(path, problem)| {
            Finding::warning("workflow", format!("{} is ignored: {problem}", path.display()))
        })
        .collect()
}

/// Only those that are installed: what their files hold, then what they say themselves.
fn clients(app: &App<'_>, args: &Args) -> Vec<Finding> {
    let look = || {
        let setup = Setup::load(&app.folder.root)?;
        let asked = if args.no_ask { Vec::new() } else { setup.ask()? };
        Ok((setup.check()?, asked))
    };
    let (checked, asked) = match look() {
        Ok(found) => found,
        Err(error) => return vec![Finding::failed("clients", &error)],
    };
    let written = checked.into_iter().map(|checked| {
        let name = format!("{} ({})", checked.client, checked.scope.name());
        match &checked.problems[..] {
            [] => Finding::ok("client", name),
            problems => Finding::warning("client", format!("{name}: {}", problems.join("; "))),
        }
    });
    let told = asked.into_iter().map(|asked| {
        let detail = format!("{}: {}", asked.client, asked.says);
        if asked.is_fine { Finding::ok("client", detail) } else { Finding::warning("client", detail) }
    });
    written.chain(told).collect()
}

fn project(app: &App<'_>, engine: &Engine) -> Finding {
    let found = engine.find_project(&app.folder, app.config.project.as_deref());
    let described =
        found.and_then(|found| found.map(|project| engine.describe_project(&project.id)).transpose());
    match described {
        Ok(Some(described)) => {
            Finding::ok("project", format!("{} by {}", described.project.name, described.keys.join(", ")))
        }
        Ok(None) => {
            Finding::ok("project", "this folder is not known yet; the first event makes it one".to_owned())
        }
        Err(Error::NotFound(why)) => Finding::warning("project", why),
        Err(error) => Finding::failed("project", &error.into()),
    }
}

/// What searches are answered with, and what they cannot find yet.
fn search(app: &App<'_>, engine: &Engine) -> Finding {
    let vectors = match engine.comparison() {
        Ok(compared) => comparison::text(&compared),
        Err(error) => return Finding::failed("search", &error.into()),
    };
    let look = || -> throughline_engine::Result<Option<(i64, Option<String>)>> {
        let Some(project) = engine.find_project(&app.folder, app.config.project.as_deref())? else {
            return Ok(None);
        };
        let caller = Caller { project: project.id, actor: app.config.actor.clone() };
        let model = engine.embedding_progress(&caller)?.map(|(model, coverages)| {
            let waiting: i64 = coverages.iter().map(|coverage| coverage.last - coverage.embedded_to).sum();
            format!("{model} ({waiting} records not embedded yet)")
        });
        Ok(Some((engine.unindexed_events(&caller)?, model)))
    };
    match look() {
        Ok(found) => {
            let (unindexed, model) = found.unwrap_or((0, None));
            let model = model.unwrap_or_else(|| "the built-in table".to_owned());
            let detail = format!("meaning by {model}, by {vectors}; {unindexed} events not indexed yet");
            Finding::ok("search", detail)
        }
        Err(Error::NotFound(_)) => {
            Finding::ok("search", format!("meaning by the built-in table, by {vectors}"))
        }
        Err(error @ Error::Model(_)) => Finding::warning(
            "search",
            format!("the chosen model fails and the built-in table is used instead: {error}"),
        ),
        Err(error) => Finding::failed("search", &error.into()),
    }
}

/// Only where one was chosen.
fn model(app: &App<'_>, engine: &Engine) -> Option<Finding> {
    app.config.settings.model.choice.as_ref()?;
    let project = app.known_project(engine).map(Known::id);
    let status = project
        .and_then(|project| Ok(engine.model_status(&Caller { project, actor: app.config.actor.clone() })?));
    let status = match status {
        Ok(status) => status,
        Err(error) => return Some(Finding::failed("model", &error)),
    };
    let left = (status.daily_tokens - status.spent_tokens).max(0);
    let detail = format!(
        "{}; {left} of {} tokens left today; built-in rules took over {} times today",
        status.model.as_deref().unwrap_or(status.provider),
        status.daily_tokens,
        status.fallbacks
    );
    let last = status.failures.first().map(|call| {
        let why = call.detail.as_deref().unwrap_or_default();
        format!("the last failure ({}): {why}", readable(call.asked_at))
    });
    // That nobody lends a model on the command line is as it should be.
    let is_wrong = status.fallbacks > 0 || status.problem.is_some() && status.provider != "client";
    let all: Vec<String> = [detail].into_iter().chain(status.problem).chain(last).collect();
    let told = all.join("; ");
    Some(if is_wrong { Finding::warning("model", told) } else { Finding::ok("model", told) })
}

fn jobs(engine: &Engine) -> Finding {
    match engine.job_tally() {
        Err(error) => Finding::failed("jobs", &error.into()),
        Ok(tally) => {
            let of = |state| tally.iter().filter(|(s, _)| *s == state).map(|(_, count)| count).sum::<i64>();
            let detail = format!(
                "{} waiting, {} running, {} dead",
                of(State::Ready),
                of(State::Running),
                of(State::Dead)
            );
            match of(State::Dead) {
                0 => Finding::ok("jobs", detail),
                _ => Finding::warning(
                    "jobs",
                    format!(
                        "{detail}; see `throughline jobs list` in their projects, then `throughline jobs retry`, or `throughline repair` for all"
                    ),
                ),
            }
        }
    }
}

fn integrity(engine: &Engine) -> Finding {
    match engine.check() {
        Err(error) => Finding::failed("integrity", &error.into()),
        Ok(health) if health.is_sound() => {
            let events: i64 = health.projects.iter().map(|project| project.events).sum();
            Finding::ok("integrity", format!("{events} events in {} projects", health.projects.len()))
        }
        Ok(health) => {
            let problems = health.problems();
            let first = problems.first().cloned().unwrap_or_default();
            let detail = format!(
                "{} problems, the first: {first}; `throughline check` lists them, `throughline doctor --fix` sets them right",
                problems.len()
            );
            Finding { check: "integrity", verdict: Verdict::Failed, detail }
        }
    }
}

impl Finding {
    fn ok(check: &'static str, detail: String) -> Finding {
        Finding { check, verdict: Verdict::Ok, detail }
    }

    fn fixed(check: &'static str, detail: String) -> Finding {
        Finding { check, verdict: Verdict::Fixed, detail }
    }

    fn warning(check: &'static str, detail: String) -> Finding {
        Finding { check, verdict: Verdict::Warning, detail }
    }

    fn failed(check: &'static str, error: &anyhow::Error) -> Finding {
        Finding { check, verdict: Verdict::Failed, detail: message(error) }
    }
}

fn text(findings: &[Finding]) -> String {
    let verdict = |verdict| match verdict {
        Verdict::Ok => "ok",
        Verdict::Fixed => "fixed",
        Verdict::Warning => "warning",
        Verdict::Failed => "FAILED",
    };
    let row = |f: &Finding| vec![verdict(f.verdict).to_owned(), f.check.to_owned(), f.detail.clone()];
    table(&["", "check", "detail"], findings.iter().map(row))
}
