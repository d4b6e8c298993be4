//! `/metrics`: what the server did and how it stands, as Prometheus reads it.

use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::Result;
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use throughline_engine::clock::Clock;
use throughline_engine::index::Standing;
use throughline_engine::recall::Searches;
use throughline_engine::store::job::{Due, State as JobState};
use throughline_engine::{Caller, Engine};

use super::api::Api;
use super::connections::Connections;
use super::problem::failed;
use super::stream::Hub;
use crate::door::{Door, Known};
use crate::places::Ran;
use crate::took::Times;
use crate::traces::Counts;
use crate::wire::code::Health;

#[derive(Default)]
pub(super) struct Metrics(Times<Answered>);

/// What is counted together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Answered {
    route: String,
    method: &'static str,
    status: u16,
}

/// What else of a server can be counted.
pub(super) struct Beside {
    pub(super) hub: Arc<Hub>,
    pub(super) doors: Connections,
    /// Where they are sent anywhere.
    pub(super) traces: Option<Arc<Counts>>,
}

pub(super) fn route(metrics: Arc<Metrics>, api: &Arc<Api>, beside: Beside) -> Router {
    let (api, beside) = (api.clone(), Arc::new(beside));
    Router::new().route("/metrics", get(async move || told(&metrics, &api, &beside).await))
}

/// Counts what goes through.
pub(super) async fn count(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let clock = Clock::system();
    let began = clock.now();
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = named(request.method());
    let response = next.run(request).await;
    let answered = Answered { route, method, status: response.status().as_u16() };
    metrics.0.add(answered, clock.now().since(began));
    response
}

/// Anybody may make up a method; each would be remembered.
fn named(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    known.into_iter().find(|known| *known == method.as_str()).unwrap_or("other")
}

/// How the database stands, of all projects but for the index, which is that of the server's own.
struct Stands {
    positions: Vec<i64>,
    jobs: Vec<(JobState, i64)>,
    due: Vec<Due>,
    oldest_wait: f64,
    index: Vec<Standing>,
    code: Option<Health>,
    searches: Searches,
}

fn stands(door: &Door) -> Result<Stands> {
    let engine = door.engine()?;
    let due = engine.jobs_due()?;
    let oldest_wait = due.iter().map(|due| engine.now().since(due.since).as_secs_f64()).fold(0.0, f64::max);
    let (index, code) = index(door, engine)?;
    Ok(Stands {
        positions: engine.projects()?.iter().map(|one| one.project.last_position).collect(),
        jobs: engine.job_tally()?,
        due,
        oldest_wait,
        index,
        code,
        searches: engine.searches(),
    })
}

fn index(door: &Door, engine: &Engine) -> Result<(Vec<Standing>, Option<Health>)> {
    let Known::Project(project) = door.known_project(engine)? else { return Ok((vec![], None)) };
    let caller = Caller { project, actor: door.config.actor.clone() };
    let code = engine.code_health(&caller)?.map(|health| Health::at(&health, engine.now()));
    Ok((engine.index_standing(&caller)?, code))
}

async fn told(metrics: &Metrics, api: &Api, beside: &Beside) -> Response {
    let stands = match api.places.run(stands).await {
        Ok(stands) => stands,
        Err(error) => return failed(error),
    };
    let mut text = metrics.0.text(
        "throughline_http_request_duration_seconds",
        "How long requests took.",
        |Answered { route, method, status }| {
            format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"")
        },
    );
    gauge(
        &mut text,
        "throughline_connections_open",
        "How many connections are open.",
        beside.doors.open() as f64,
    );
    gauge(&mut text, "throughline_streams_open", "How many streams are open.", beside.hub.open() as f64);
    gauge(&mut text, "throughline_calls_running", "Calls of the engine.", api.places.in_use() as f64);
    let events: i64 = stands.positions.iter().sum();
    gauge(&mut text, "throughline_projects", "Projects of the database.", stands.positions.len() as f64);
    gauge(&mut text, "throughline_events", "Events of all projects.", events as f64);
    jobs(&mut text, &stands, api);
    found(&mut text, stands.searches);
    if let Some(counts) = &beside.traces {
        traces(&mut text, counts);
    }
    standing(&mut text, &stands.index);
    if let Some(health) = &stands.code {
        code(&mut text, health);
    }
    let version = env!("CARGO_PKG_VERSION");
    family(&mut text, "throughline_build_info", "gauge", "Which program this is.");
    let _ = writeln!(text, "throughline_build_info{{version=\"{version}\"}} 1");
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

fn jobs(text: &mut String, stands: &Stands, api: &Api) {
    family(text, "throughline_jobs", "gauge", "Background jobs by state.");
    for (state, count) in &stands.jobs {
        let _ = writeln!(text, "throughline_jobs{{state=\"{state}\"}} {count}");
    }
    family(text, "throughline_job_queue_depth", "gauge", "Background jobs that could run now.");
    for Due { kind, count, .. } in &stands.due {
        let _ = writeln!(text, "throughline_job_queue_depth{{kind=\"{kind}\"}} {count}");
    }
    let help = "For how long the oldest of them has waited.";
    gauge(text, "throughline_job_queue_oldest_seconds", help, stands.oldest_wait);
    text.push_str(&api.places.jobs().text(
        "throughline_job_duration_seconds",
        "How long background jobs of this process took.",
        |Ran { kind, outcome }| format!("kind=\"{kind}\",outcome=\"{outcome}\""),
    ));
}

fn found(text: &mut String, searches: Searches) {
    counter(text, "throughline_searches_total", "Searches since this process began.", searches.asked);
    let help = "Those of them that found something.";
    counter(text, "throughline_searches_answered_total", help, searches.answered);
    let help = "Those of them that did without the chosen model, or without an index of the files.";
    counter(text, "throughline_searches_fallback_total", help, searches.fell_back);
}

fn traces(text: &mut String, counts: &Counts) {
    let name = "throughline_trace_spans_total";
    family(
        text,
        name,
        "counter",
        "Spans that were sent, that found no room, and that the collector refused.",
    );
    for (result, count) in counts.told() {
        let _ = writeln!(text, "{name}{{result=\"{result}\"}} {count}");
    }
}

fn standing(text: &mut String, index: &[Standing]) {
    family(text, "throughline_index_documents", "gauge", "What can be found in the server's project.");
    for standing in index {
        let Standing { collection, documents, .. } = standing;
        let _ = writeln!(text, "throughline_index_documents{{collection=\"{collection}\"}} {documents}");
    }
    let help = "Records that are not in the index yet.";
    let unindexed: i64 = index.iter().map(|standing| standing.unindexed).sum();
    gauge(text, "throughline_index_unindexed", help, unindexed as f64);
}

fn code(text: &mut String, health: &Health) {
    let shares = [
        ("stale_ratio", "The share of files that changed since they were indexed.", health.stale_ratio),
        ("hit_rate", "The share of searches of code that found something.", health.hit_rate),
        ("fallback_rate", "The share of searches of code without an index.", health.fallback_rate),
        ("stale_results", "The share of results whose file had changed or was gone.", health.stale_results),
    ];
    for (name, help, share) in shares {
        gauge(text, &format!("throughline_code_{name}"), help, share);
    }
}

fn gauge(text: &mut String, name: &str, help: &str, value: f64) {
    family(text, name, "gauge", help);
    let _ = writeln!(text, "{name} {value}");
}

fn counter(text: &mut String, name: &str, help: &str, value: u64) {
    family(text, name, "counter", help);
    let _ = writeln!(text, "{name} {value}");
}

fn family(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}
