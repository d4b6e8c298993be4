//! What capturing costs: a cold `log append`, appends in one process, and taking secrets out. In CPU time, which
//! other work on the machine changes little. `cargo bench -p throughline --bench capture`

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use tempfile::TempDir;
use throughline_engine::capture::{Observation, SessionRef, redact};
use throughline_engine::clock::Clock;
use throughline_engine::ids::Ids;
use throughline_engine::project::Folder;
use throughline_engine::settings::Settings;
use throughline_engine::store::actor::Actor;
use throughline_engine::store::event::Kind;
use throughline_engine::store::{Location, Options, Store};
use throughline_engine::{Caller, Engine};

const ROUNDS: usize = 300;
const BATCHES: usize = 50;
const BATCH: usize = 1000;
const SINGLES: usize = 2000;
const CORPUS_BYTES: usize = 64 * 1024 * 1024;
const PASSES: usize = 3;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let verdicts = [cold_append(&folder), warm_append(&folder), redaction()];
    print(&[String::new()]);
    print(&verdicts);
}

/// Start, open, insert, exit: against a program that does nothing at all.
fn cold_append(folder: &TempDir) -> String {
    let work = folder.path().join("work");
    fs::create_dir(&work).expect("a folder");
    let throughline = |args: &[&str]| {
        let mut command = command(env!("CARGO_BIN_EXE_throughline").as_ref());
        command.args(args).current_dir(&work).env_clear();
        command.env("THROUGHLINE_HOME", folder.path().join("home")).env("USER", "bench");
        command
    };
    let lines: String = (0..1000)
        .map(|n| {
            format!(
                "{}\n",
                serde_json::json!({ "kind": "user_message", "session": "bench", "content": text(n) })
            )
        })
        .collect();
    feed(&mut throughline(&["log", "append", "--batch", "-"]), &lines);

    let empty = empty_program(folder);
    let append = ["log", "append", "--kind", "user_message", "--session", "bench", "--content", "hello"];
    let mut costs = [Vec::new(), Vec::new(), Vec::new()];
    // One round after the other, so that whatever else the machine does falls on all three alike.
    for _ in 0..ROUNDS {
        costs[0].push(child_cpu_ms(&mut command(&empty)));
        costs[1].push(child_cpu_ms(&mut throughline(&["--version"])));
        costs[2].push(child_cpu_ms(&mut throughline(&append)));
    }
    let medians = costs.map(median);
    print(&[format!("cold process, CPU ms, median of {ROUNDS} interleaved runs")]);
    for (name, ms) in
        ["empty Rust program", "throughline --version", "throughline log append"].iter().zip(medians)
    {
        print(&[row(name, &format!("{ms:.2}"), &format!("{:.2} times the empty program", ms / medians[0]))]);
    }
    verdict("cold append costs, in empty programs", medians[2] / medians[0], Target::AtMost(3.0))
}

/// The engine in one process, on a file, each answer durable against loss of power.
fn warm_append(folder: &TempDir) -> String {
    let location = Location::File(folder.path().join("warm.db"));
    let store = Store::open(location, Options::default()).expect("a database");
    let engine = Engine::new(store, Clock::system(), Ids::system(), Settings::default());
    let project = engine.project(&Folder::discover(folder.path()), Some("bench")).expect("a project");
    let actor: Actor = "agent:bench".parse().expect("an actor");
    let caller = Caller { project: project.id, actor };
    let capture = |count: usize, size: usize| {
        let batches: Vec<Vec<Observation>> =
            (0..count).map(|batch| (0..size).map(|n| observation(batch * size + n)).collect()).collect();
        let cost = Cost::of(|| {
            for batch in batches {
                engine.capture(&caller, batch).expect("an append");
            }
        });
        let events = (count * size) as f64;
        (events / cost.cpu_s, events / cost.wall_s)
    };
    let (cpu, wall) = capture(BATCHES, BATCH);
    let (single_cpu, single_wall) = capture(SINGLES, 1);
    print(&[String::new(), "appends in one process, SQLite file, durability \"power\"".to_owned()]);
    print(&[
        row(
            &format!("{BATCHES} batches of {BATCH}"),
            &format!("{cpu:.0}"),
            &format!("events per CPU second, {wall:.0} per second"),
        ),
        row(
            &format!("{SINGLES} single"),
            &format!("{single_cpu:.0}"),
            &format!("events per CPU second, {single_wall:.0} per second"),
        ),
    ]);
    verdict("batch append, events per CPU second", cpu, Target::AtLeast(50_000.0))
}

fn redaction() -> String {
    let (source, corpus) = corpus();
    let megabytes = corpus.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    let mut found = 0;
    let passes = (0..PASSES).map(|_| {
        let cost = Cost::of(|| found = corpus.iter().map(|text| redact::text(text).count).sum::<u32>());
        megabytes / cost.cpu_s
    });
    let speed = median(passes.collect());
    print(&[String::new(), format!("redaction, median of {PASSES} passes")]);
    print(&[row(
        source,
        &format!("{speed:.0}"),
        &format!("MB per CPU second; {megabytes:.0} MB in {} files, {found} redactions", corpus.len()),
    )]);
    verdict("redaction, MB per CPU second", speed, Target::AtLeast(100.0))
}

fn observation(n: usize) -> Observation {
    let kinds = [Kind::UserMessage, Kind::ModelMessage, Kind::Write];
    let session = SessionRef::Of { client: "bench".to_owned(), session: format!("session-{}", n % 4) };
    Observation {
        content: Some(text(n)),
        target: Some(format!("src/module_{}.rs", n % 100)),
        ..Observation::of(kinds[n % kinds.len()], session)
    }
}

/// A few lines, as people and models write them.
fn text(n: usize) -> String {
    format!(
        "Request {n}: the totals of an order are rounded twice.\nRound once, after the discount, and add a test \
             for three items of 0.335 each. See src/order/total.rs, fn total(&self) -> Money, and commit 4f2a91c."
    )
}

/// Sources of many crates and languages when cargo has fetched them, else those of this repository.
fn corpus() -> (&'static str, Vec<String>) {
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let fetched = cargo_home.map(|home| texts_below(&home.join("registry/src"))).unwrap_or_default();
    if fetched.is_empty() {
        return ("this repository", texts_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")));
    }
    ("fetched crates", fetched)
}

fn texts_below(root: &Path) -> Vec<String> {
    let (mut texts, mut bytes) = (Vec::new(), 0);
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                bytes += text.len();
                texts.push(text);
            }
            if bytes >= CORPUS_BYTES {
                return texts;
            }
        }
    }
    texts
}

fn empty_program(folder: &TempDir) -> PathBuf {
    let (source, program) = (folder.path().join("empty.rs"), folder.path().join("empty"));
    fs::write(&source, "fn main() {}\n").expect("a file");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status = command(Path::new(&rustc)).arg("-O").arg("-o").arg(&program).arg(&source).status();
    assert!(status.expect("rustc").success(), "an empty program must compile");
    program
}

fn feed(command: &mut Command, input: &str) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("the binary");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads its input");
    assert!(child.wait().expect("its end").success(), "the events must be there before they are measured");
}

/// The CPU time, user and system, of a whole process: the kernel still tells it after the end, until somebody waits.
fn child_cpu_ms(command: &mut Command) -> f64 {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("a process");
    let mut output = Vec::new();
    child.stdout.take().expect("a pipe").read_to_end(&mut output).expect("its output");
    let folder = PathBuf::from(format!("/proc/{}", child.id()));
    // The pipe closes a moment before the process has ended.
    while !has_ended(&folder) {
        std::hint::spin_loop();
    }
    let cpu = cpu_ns(&folder);
    assert!(child.wait().expect("its end").success(), "a failure is no measurement");
    cpu as f64 / 1e6
}

fn has_ended(process: &Path) -> bool {
    let stat = fs::read_to_string(process.join("stat")).expect("this bench needs Linux");
    stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z'))
}

/// The first number is the time on a CPU in nanoseconds.
fn cpu_ns(process: &Path) -> u64 {
    let text = fs::read_to_string(process.join("schedstat")).expect("this bench needs Linux");
    text.split_whitespace().next().and_then(|first| first.parse().ok()).expect("a number of nanoseconds")
}

struct Cost {
    cpu_s: f64,
    wall_s: f64,
}

impl Cost {
    #[expect(clippy::disallowed_methods, reason = "a bench measures real time")]
    fn of(work: impl FnOnce()) -> Cost {
        let thread = Path::new("/proc/thread-self");
        let (cpu, wall) = (cpu_ns(thread), Instant::now());
        work();
        Cost { cpu_s: (cpu_ns(thread) - cpu) as f64 / 1e9, wall_s: wall.elapsed().as_secs_f64() }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

enum Target {
    AtMost(f64),
    AtLeast(f64),
}

fn verdict(what: &str, value: f64, target: Target) -> String {
    let (met, bound) = match target {
        Target::AtMost(most) => (value <= most, format!("at most {most}")),
        Target::AtLeast(least) => (value >= least, format!("at least {least}")),
    };
    let value = if value < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") };
    format!("{what}: {value}, target {bound}: {}", if met { "met" } else { "NOT met" })
}

fn row(name: &str, value: &str, unit: &str) -> String {
    format!("  {name:<24} {value:>10}  {unit}")
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn print(lines: &[String]) {
    for line in lines {
        println!("{line}");
    }
}

#[expect(clippy::disallowed_methods, reason = "cold processes are what is measured")]
fn command(program: &Path) -> Command {
    Command::new(program)
}
