//! `throughline bench serve`: many clients at once on a running server, reading and writing; no error, and nothing lost.

use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use serde::Serialize;
use serde_json::json;

use super::super::output::{Output, table};
use super::client::Client;
use super::cost::{clock, megabytes_of};
use super::report::Spread;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Where the server listens, as `throughline serve` says it
    #[arg(value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7420")]
    address: String,
    /// How many clients at once
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1000))]
    clients: u32,
    /// For how long
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// The server's process, to watch its memory
    #[arg(long, value_name = "PID")]
    pid: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Report {
    clients: u32,
    seconds: f64,
    requests: usize,
    requests_per_second: f64,
    writes: usize,
    /// Written and acknowledged, and not there afterwards.
    lost_writes: i64,
    errors: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    first_errors: Vec<String>,
    reads_ms: Spread,
    writes_ms: Spread,
    /// What the server had in memory, from the first look to the last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    megabytes: Vec<f64>,
}

/// What one client did.
#[derive(Default)]
struct Done {
    reads: Vec<Duration>,
    writes: Vec<Duration>,
    /// Events that the server said it has.
    recorded: i64,
    lost: i64,
    errors: Vec<String>,
}

/// Memory is looked at so often.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Of ten requests so many write.
const WRITES_OF_TEN: usize = 3;

pub(super) fn run(args: &Args, output: &Output) -> Result<ExitCode> {
    prepare(&args.address)?;
    let started = clock();
    let until = started + Duration::from_secs(args.seconds);
    let done = Mutex::new(vec![]);
    let mut megabytes = vec![];
    thread::scope(|scope| {
        for number in 0..args.clients {
            let done = &done;
            scope.spawn(move || {
                let one = work(&args.address, number, until);
                done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(one);
            });
        }
        while clock() < until {
            megabytes.extend(args.pid.and_then(megabytes_of));
            thread::sleep(LOOK_EVERY.min(until.saturating_duration_since(clock())));
        }
    });
    let done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let report = report(args, done, megabytes, started.elapsed());
    let is_well = report.errors == 0 && report.lost_writes == 0;
    output.show(&report, text);
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Something to read.
fn prepare(address: &str) -> Result<()> {
    let mut client = Client::connect(address).context("start `throughline serve` first")?;
    for n in 0..20 {
        client.post("/api/items", &json!({"title": format!("Sell book {n} at the fair")}))?;
        let fact = json!({"content": format!("The shelf of book {n} is row {n} in hall {}", n * 7)});
        client.post("/api/memories", &fact)?;
    }
    Ok(())
}

fn work(address: &str, number: u32, until: Instant) -> Done {
    let mut done = Done::default();
    let mut client = match Client::connect(address) {
        Ok(client) => client,
        Err(error) => return Done { errors: vec![format!("{error:#}")], ..done },
    };
    let session = format!("load-{}-{number}", std::process::id());
    for turn in 0.. {
        if clock() >= until {
            break;
        }
        let began = clock();
        let is_write = (turn + number as usize) % 10 < WRITES_OF_TEN;
        let asked = if is_write { write(&mut client, &session, turn) } else { read(&mut client, turn) };
        match asked {
            Ok(events) => {
                done.recorded += events;
                if is_write { &mut done.writes } else { &mut done.reads }.push(began.elapsed());
            }
            Err(error) => {
                done.errors.push(format!("{error:#}"));
                match Client::connect(address) {
                    Ok(again) => client = again,
                    Err(_) => break,
                }
            }
        }
    }
    match there(&mut client, &session, done.recorded) {
        Ok(there) => done.lost = done.recorded - there,
        Err(error) => done.errors.push(format!("{error:#}")),
    }
    done
}

/// Says how many events it recorded.
fn write(client: &mut Client, session: &str, turn: usize) -> Result<i64> {
    if turn % 3 == 2 {
        let entry = json!({"item_type": "CODE", "content": format!("fn number_{turn}() {{}}")});
        client.post(&format!("/api/agents/agent:{session}/context/save"), &entry)?;
        return Ok(0);
    }
    let event = json!({"kind": "user_message", "client": "load", "session": session, "key": format!("{session}-{turn}"),
        "content": format!("Where is book {} at the fair?", turn % 20)});
    client.post("/api/events", &event)?;
    Ok(1)
}

fn read(client: &mut Client, turn: usize) -> Result<i64> {
    let item = turn % 20 + 1;
    let path = match turn % 7 {
        0 => format!("/api/search?query=shelf%20of%20book%20{item}&limit=5"),
        1 => "/api/items?limit=20".to_owned(),
        2 => format!("/api/items/TASK-{item:04}"),
        3 => format!("/api/context?task_id=TASK-{item:04}&max_tokens=1000"),
        4 => "/api/memories?limit=20".to_owned(),
        5 => "/api/sessions?limit=20".to_owned(),
        _ => "/api/events?limit=20".to_owned(),
    };
    client.get(&path).map(|_| 0)
}

fn there(client: &mut Client, session: &str, recorded: i64) -> Result<i64> {
    if recorded == 0 {
        return Ok(0);
    }
    let found = client.get(&format!("/api/events?session={session}&kind=user_message&limit=1"))?;
    found["total"].as_i64().ok_or_else(|| anyhow!("the answer has no total: {found}"))
}

fn report(args: &Args, done: Vec<Done>, megabytes: Vec<f64>, took: Duration) -> Report {
    let all = |of: fn(&Done) -> &Vec<Duration>| done.iter().flat_map(of).copied().collect::<Vec<_>>();
    let (reads, writes) = (all(|one| &one.reads), all(|one| &one.writes));
    let errors: Vec<&String> = done.iter().flat_map(|one| &one.errors).collect();
    let requests = reads.len() + writes.len();
    Report {
        clients: args.clients,
        seconds: took.as_secs_f64(),
        requests,
        requests_per_second: requests as f64 / took.as_secs_f64(),
        writes: writes.len(),
        lost_writes: done.iter().map(|one| one.lost).sum(),
        errors: errors.len(),
        first_errors: errors.into_iter().take(5).cloned().collect(),
        reads_ms: Spread::of(reads),
        writes_ms: Spread::of(writes),
        megabytes,
    }
}

fn text(report: &Report) -> String {
    let row = |name: &str, spread: &Spread| {
        let ms = |ms: f64| format!("{ms:.1}");
        vec![name.to_owned(), ms(spread.p50), ms(spread.p95), ms(spread.p99), ms(spread.most)]
    };
    let rows = [row("reads", &report.reads_ms), row("writes", &report.writes_ms)];
    let mut text = table(&["ms", "p50", "p95", "p99", "most"], rows);
    text.push_str(&format!(
        "\n{} clients, {:.0} s: {} requests ({:.0}/s), {} writes, {} lost, {} errors",
        report.clients,
        report.seconds,
        report.requests,
        report.requests_per_second,
        report.writes,
        report.lost_writes,
        report.errors
    ));
    report.first_errors.iter().for_each(|error| text.push_str(&format!("\n{error}")));
    if !report.megabytes.is_empty() {
        let curve: Vec<String> = report.megabytes.iter().map(|megabytes| format!("{megabytes:.0}")).collect();
        let seconds = LOOK_EVERY.as_secs();
        text.push_str(&format!("\nmemory of the server, MB every {seconds} s: {}", curve.join(" ")));
    }
    text
}
