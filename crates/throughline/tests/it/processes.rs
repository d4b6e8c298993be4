//! Many real processes on one database, and processes that are killed: nothing acknowledged is ever lost.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Child;
use std::sync::Barrier;
use std::thread;

use serde_json::{Value as Json, json};

use crate::fixture::{Home, at, jsonl, on_both, texts};

on_both!(
    sixteen_processes_append_to_four_sessions,
    cold_processes_append_to_one_session,
    a_killed_writer_loses_nothing_acknowledged,
    a_killed_batch_is_all_or_nothing,
    a_killed_import_is_all_or_nothing,
    four_workers_close_each_idle_session_once,
    the_job_of_a_killed_worker_is_taken_over,
);

const STREAM: [&str; 5] = ["log", "append", "--stream", "-", "--json"];

/// Where an event stands in the log, as it was acknowledged or as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    id: String,
    session: String,
    sequence: i64,
    position: i64,
}

/// Places by the key that the client gave.
type Places = BTreeMap<String, Place>;

fn sixteen_processes_append_to_four_sessions(home: &Home) {
    let lines = |process: usize| -> Vec<Json> {
        (0..1000).map(|n| line(&format!("{process}-{n}"), &format!("session-{}", n % 4))).collect()
    };
    // The database does not exist yet: its creation is part of the race.
    let answers = at_once(16, |process| home.call(&STREAM).input(jsonl(&lines(process))).run().ok());
    let mut acknowledged = Places::new();
    for (process, answer) in answers.iter().enumerate() {
        acknowledged.extend(matched(&lines(process), answer));
    }
    assert_eq!(acknowledged.len(), 16_000);

    let log = sound_log(home);
    assert_holds(&log, &acknowledged);
    assert_eq!(log.len(), acknowledged.len(), "nothing else");
    let sequences = sequences(&log);
    assert_eq!(sequences.len(), 4);
    assert!(sequences.values().all(|sequences| sequences.len() == 4000));
}

fn cold_processes_append_to_one_session(home: &Home) {
    let acknowledged = at_once(8, |thread| {
        let appended = (0..25).map(|n| {
            let key = format!("{thread}-{n}");
            let content = format!("text of {key}");
            let flags =
                ["--kind", "user_message", "--session", "shared", "--key", &key, "--content", &content];
            let answer = home.json(&[&["log", "append"], &flags[..]].concat());
            (key, place(&answer))
        });
        appended.collect::<Places>()
    });
    let acknowledged: Places = acknowledged.into_iter().flatten().collect();
    assert_eq!(acknowledged.len(), 200);
    let log = sound_log(home);
    assert_holds(&log, &acknowledged);
    assert_eq!(log.len(), acknowledged.len(), "nothing else");
}

fn a_killed_writer_loses_nothing_acknowledged(home: &Home) {
    let mut chance = Chance(20_261_115);
    let mut acknowledged = Places::new();
    let mut fed = Vec::new();
    for round in 0..200 {
        let lines: Vec<Json> =
            (0..60).map(|n| line(&format!("{round}-{n}"), &format!("session-{}", round % 4))).collect();
        acknowledged.extend(stream_killed(home, &lines, &mut chance));
        fed.extend(lines);
        if round % 20 == 19 {
            home.check();
        }
    }
    let log = sound_log(home);
    assert_holds(&log, &acknowledged);

    let is_unsure = |line: &&Json| !acknowledged.contains_key(line["key"].as_str().unwrap());
    let unsure: Vec<Json> = fed.iter().filter(is_unsure).cloned().collect();
    assert!(
        !unsure.is_empty() && !acknowledged.is_empty(),
        "some of both, or the kills came at no random moment"
    );
    let answer = home.batch(&unsure);
    let there = answer["already_there"].as_u64().unwrap();
    assert_eq!(there, (log.len() - acknowledged.len()) as u64, "written, though not acknowledged");
    let complete = sound_log(home);
    assert_eq!(complete.len(), fed.len(), "each line once");
    assert_holds(&complete, &log);
}

fn a_killed_batch_is_all_or_nothing(home: &Home) {
    let mut chance = Chance(7);
    let batch = |round: usize| -> String {
        let session = format!("batch-{round}");
        jsonl(&(0..5000).map(|n| line(&format!("{round}-{n}"), &session)).collect::<Vec<_>>())
    };
    let spawn = |round: usize| Fed::start(home, &["log", "append", "--batch", "-"], batch(round));
    let moments = spawn(0).polls_to_end();
    for round in 1..=20 {
        spawn(round).kill_after(chance.below(moments + moments / 10));
        let sizes = session_sizes(home);
        assert!(sizes.values().all(|size| *size == 5000), "all or none of each batch: {sizes:?}");
    }
    let again = home.call(&["log", "append", "--batch", "-"]).input(batch(20)).json();
    let total = again["appended"].as_u64().unwrap() + again["already_there"].as_u64().unwrap();
    assert_eq!(
        (total, session_sizes(home)["batch-20"]),
        (5000, 5000),
        "the same batch again is whole and not doubled"
    );
    home.check();
}

fn a_killed_import_is_all_or_nothing(home: &Home) {
    let mut chance = Chance(11);
    let file = home.path().join("log.jsonl");
    let path = file.to_str().unwrap();
    let elsewhere = home.fresh();
    let lines: Vec<Json> = (0..2000).map(|n| line(&format!("{n}"), &format!("session-{}", n % 4))).collect();
    elsewhere.batch(&lines);
    elsewhere.ok(&["log", "export", "--output", path]);
    let import = |home: &Home| Fed::start(home, &["log", "import", path], String::new());

    let moments = import(&home.fresh()).polls_to_end();
    for _ in 0..10 {
        import(home).kill_after(chance.below(moments + moments / 10));
        let total = home.json(&["log", "tail", "-n", "1"])["total"].as_u64().unwrap();
        assert!(total == 0 || total == 2000, "all or none, not {total}");
    }
    let tally = home.json(&["log", "import", path]);
    assert_eq!(tally["imported"].as_u64().unwrap() + tally["already_there"].as_u64().unwrap(), 2000);
    let copy = home.ok(&["log", "export"]);
    assert!(copy == fs::read_to_string(&file).unwrap(), "the imported log is the exported one");
    home.check();
}

fn four_workers_close_each_idle_session_once(home: &Home) {
    idle_sessions(home, "idle", 40);
    let answers = at_once(4, |_| home.json(&["jobs", "run"]));
    let runs = answers.iter().flat_map(|answer| answer["runs"].as_array().unwrap());
    let runs: Vec<&Json> = runs.filter(|run| run["kind"] == "close_idle_session").collect();
    let mut keys: Vec<&str> = runs.iter().map(|run| run["key"].as_str().unwrap()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!((runs.len(), keys.len()), (40, 40), "{runs:?}");
    assert!(runs.iter().all(|run| run["outcome"] == "done"), "{runs:?}");
    assert_closed_once(home, 40);
}

fn the_job_of_a_killed_worker_is_taken_over(home: &Home) {
    home.write("work/shop/.throughline.toml", "[jobs]\nlease = \"1ms\"\n");
    let mut chance = Chance(3);
    let work = || Fed::start(home, &["jobs", "run"], String::new());
    idle_sessions(home, "measured", 20);
    let moments = work().polls_to_end();
    let mut sessions = 20;
    let orphan = loop {
        idle_sessions(home, &format!("idle-{sessions}"), 20);
        sessions += 20;
        assert!(sessions < 1000, "no worker was ever killed in the middle of a job");
        work().kill_after(chance.below(moments));
        if let Some(key) = running_job(home) {
            break key;
        }
    };
    let runs = home.json(&["jobs", "run"]);
    let taken_over = runs["runs"].as_array().unwrap().iter().find(|run| run["key"] == orphan.as_str());
    assert_eq!(taken_over.expect("the lease ran out")["outcome"], "done");
    assert_eq!(home.json(&["jobs", "list"])["jobs"], json!([]));
    assert_closed_once(home, sessions);
}

fn line(key: &str, session: &str) -> Json {
    json!({ "kind": "user_message", "session": session, "content": format!("text of {key}"), "key": key })
}

/// Runs `body` so many times at once, each in a thread of its own.
pub(crate) fn at_once<T: Send>(times: usize, body: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let start = Barrier::new(times);
    thread::scope(|scope| {
        let run = |n| {
            let (start, body) = (&start, &body);
            move || {
                start.wait();
                body(n)
            }
        };
        let threads: Vec<_> = (0..times).map(|n| scope.spawn(run(n))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Feeds the lines to a live stream and kills it at a random moment; what had been acknowledged by then.
fn stream_killed(home: &Home, lines: &[Json], chance: &mut Chance) -> Places {
    let mut child = home.call(&STREAM).spawn();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let (first, rest) = lines.split_at(chance.below(lines.len() + 1));
    let mut answers = String::new();
    input.write_all(jsonl(first).as_bytes()).unwrap();
    for _ in 0..chance.below(first.len().min(40) + 1) {
        output.read_line(&mut answers).unwrap();
    }
    input.write_all(jsonl(rest).as_bytes()).unwrap();
    let scale = chance.below(15);
    let moments = chance.below(1 << scale);
    kill_after(child, moments);
    output.read_to_string(&mut answers).unwrap();
    matched(lines, &answers[..answers.rfind('\n').map_or(0, |end| end + 1)])
}

/// Asks so many times whether the process has ended by itself, which takes about a microsecond each, then kills it.
pub(crate) fn kill_after(mut child: Child, moments: usize) {
    for _ in 0..moments {
        if child.try_wait().unwrap().is_some() {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A process that gets its whole input while it runs.
struct Fed {
    child: Child,
    feeder: thread::JoinHandle<()>,
}

impl Fed {
    fn start(home: &Home, args: &[&str], input: String) -> Fed {
        let mut child = home.call(args).spawn();
        let mut stdin = child.stdin.take().unwrap();
        let feeder = thread::spawn(move || {
            // A killed process leaves its input unread.
            let _ = stdin.write_all(input.as_bytes());
        });
        Fed { child, feeder }
    }

    /// How often `kill_after` can ask until the process ends by itself.
    fn polls_to_end(mut self) -> usize {
        let polls = (1..).find(|_| self.child.try_wait().unwrap().is_some()).unwrap();
        self.feeder.join().unwrap();
        assert!(self.child.wait().unwrap().success());
        polls
    }

    fn kill_after(self, moments: usize) {
        kill_after(self.child, moments);
        self.feeder.join().unwrap();
    }
}

/// The answers by the keys of the lines, which are answered in order.
fn matched(lines: &[Json], answers: &str) -> Places {
    let answers = answers.lines().map(|answer| {
        let answer = serde_json::from_str(answer).unwrap_or_else(|e| panic!("{e}: {answer:?}"));
        place(&answer)
    });
    lines.iter().map(|line| line["key"].as_str().unwrap().to_owned()).zip(answers).collect()
}

fn place(event: &Json) -> Place {
    let text =
        |field: &str| event[field].as_str().unwrap_or_else(|| panic!("no {field}: {event}")).to_owned();
    Place {
        id: text("id"),
        session: text("session_id"),
        sequence: event["sequence"].as_i64().unwrap(),
        position: event["position"].as_i64().unwrap(),
    }
}

/// The whole log by key, after looking that it obeys its laws.
fn sound_log(home: &Home) -> Places {
    home.check();
    let events = home.events();
    let log: Places =
        events.iter().map(|event| (event["client_key"].as_str().unwrap().to_owned(), place(event))).collect();
    assert_eq!(log.len(), events.len(), "every key once");
    let mut positions: Vec<i64> = log.values().map(|place| place.position).collect();
    positions.sort_unstable();
    assert!(positions.into_iter().eq(1..=log.len() as i64), "positions without gap");
    for (session, sequences) in sequences(&log) {
        let count = sequences.len() as i64;
        assert!(sequences.into_iter().eq(1..=count), "sequences of {session} without gap");
    }
    for event in &events {
        assert_eq!(event["content"], format!("text of {}", event["client_key"].as_str().unwrap()));
    }
    log
}

fn sequences(log: &Places) -> BTreeMap<&str, Vec<i64>> {
    let mut sequences: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for place in log.values() {
        sequences.entry(&place.session).or_default().push(place.sequence);
    }
    sequences.values_mut().for_each(|sequences| sequences.sort_unstable());
    sequences
}

fn assert_holds(log: &Places, acknowledged: &Places) {
    for (key, place) in acknowledged {
        assert_eq!(log.get(key), Some(place), "{key} was acknowledged");
    }
}

/// How many events each session has, by the client's name for it.
fn session_sizes(home: &Home) -> BTreeMap<String, i64> {
    let answer = home.json(&["session", "list", "-n", "1000"]);
    let sessions = answer["sessions"].as_array().unwrap().iter();
    sessions
        .map(|session| {
            (session["client_session"].as_str().unwrap().to_owned(), session["events"].as_i64().unwrap())
        })
        .collect()
}

/// Opens sessions with one event each that is long past.
fn idle_sessions(home: &Home, name: &str, count: usize) {
    let lines = (0..count).map(|n| {
        json!({ "kind": "user_message", "session": format!("{name}-{n}"), "at": at("10:00:00"), "content": "hello" })
    });
    home.batch(&lines.collect::<Vec<_>>());
}

fn running_job(home: &Home) -> Option<String> {
    let jobs = home.json(&["jobs", "list", "-n", "1000"]);
    let running = jobs["jobs"].as_array().unwrap().iter().find(|job| job["state"] == "running")?;
    Some(running["key"].as_str().unwrap().to_owned())
}

/// Each session has its one event and one note that says how it ended.
fn assert_closed_once(home: &Home, sessions: usize) {
    let sizes = session_sizes(home);
    assert_eq!(sizes.len(), sessions);
    let notes = home.events_with(&["--kind", "system_event"]);
    let (looks, notes): (Vec<Json>, Vec<Json>) =
        notes.into_iter().partition(|note| note["target"] == "memory_generation");
    assert_eq!(sizes.values().sum::<i64>(), (2 * sessions + looks.len()) as i64, "{sizes:?}");
    assert_eq!(notes.len(), sessions);
    assert!(texts(&notes, "target").iter().all(|target| *target == "session_summary"), "{notes:?}");
    assert_eq!(home.json(&["session", "list", "--open"])["total"], 0);
    home.check();
}

/// A repeatable source of chance (SplitMix64).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % bound.max(1) as u64) as usize
    }
}
