//! `/metrics`: what the server did and how it stands, as Prometheus reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use throughline_engine::clock::Clock;

use super::api::Api;
use super::problem::failed;
use super::stream::Hub;

#[derive(Default)]
pub(super) struct Metrics(Mutex<BTreeMap<Answered, Taken>>);

/// What is counted together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Answered {
    route: String,
    method: String,
    status: u16,
}

/// How many, and how long they took.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    count: u64,
    seconds: f64,
    /// How many took no longer than each of the bounds.
    within: [u64; BOUNDS.len()],
}

const BOUNDS: [f64; 8] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

pub(super) fn route(metrics: Arc<Metrics>, api: &Arc<Api>, hub: &Arc<Hub>) -> Router {
    let (api, hub) = (api.clone(), hub.clone());
    Router::new().route("/metrics", get(async move || told(&metrics, &api, &hub).await))
}

/// Counts what goes through.
pub(super) async fn count(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let clock = Clock::system();
    let began = clock.now();
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = request.method().to_string();
    let response = next.run(request).await;
    metrics.add(Answered { route, method, status: response.status().as_u16() }, clock.now().since(began));
    response
}

impl Metrics {
    fn add(&self, answered: Answered, taken: Duration) {
        let seconds = taken.as_secs_f64();
        let mut all = self.lock();
        let sum = all.entry(answered).or_default();
        sum.count += 1;
        sum.seconds += seconds;
        for (place, bound) in BOUNDS.iter().enumerate() {
            sum.within[place] += u64::from(seconds <= *bound);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Answered, Taken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn text(&self) -> String {
        const NAME: &str = "throughline_http_request_duration_seconds";
        let mut text = format!("# HELP {NAME} How long requests took.\n# TYPE {NAME} histogram\n");
        for (Answered { route, method, status }, taken) in self.lock().iter() {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            for (bound, within) in BOUNDS.iter().zip(taken.within) {
                let _ = writeln!(text, "{NAME}_bucket{{{labels},le=\"{bound}\"}} {within}");
            }
            let _ = writeln!(text, "{NAME}_bucket{{{labels},le=\"+Inf\"}} {}", taken.count);
            let _ = writeln!(text, "{NAME}_sum{{{labels}}} {}", taken.seconds);
            let _ = writeln!(text, "{NAME}_count{{{labels}}} {}", taken.count);
        }
        text
    }
}

async fn told(metrics: &Metrics, api: &Api, hub: &Hub) -> Response {
    let asked = api.places.run(|door| {
        let engine = door.engine()?;
        let projects: Vec<i64> = engine.projects()?.iter().map(|one| one.project.last_position).collect();
        Ok((projects, engine.job_tally()?))
    });
    let (projects, jobs) = match asked.await {
        Ok(asked) => asked,
        Err(error) => return failed(error),
    };
    let mut text = metrics.text();
    gauge(&mut text, "throughline_streams_open", "How many streams are open.", hub.open() as i64);
    gauge(&mut text, "throughline_calls_running", "Calls of the engine.", api.places.in_use() as i64);
    gauge(&mut text, "throughline_projects", "Projects of the database.", projects.len() as i64);
    gauge(&mut text, "throughline_events", "Events of all projects.", projects.iter().sum());
    let name = "throughline_jobs";
    let _ = writeln!(text, "# HELP {name} Background jobs by state.\n# TYPE {name} gauge");
    for (state, count) in jobs {
        let _ = writeln!(text, "{name}{{state=\"{state}\"}} {count}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(
        text,
        "# TYPE throughline_build_info gauge\nthroughline_build_info{{version=\"{version}\"}} 1"
    );
    let mut response = text.into_response();
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

fn gauge(text: &mut String, name: &str, help: &str, value: i64) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
}
