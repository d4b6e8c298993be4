//! Whole processes, from their start to their end, against a program that does nothing at all.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::corpus::text;
use crate::measure::{Target, child_cpu_ms, command, median, print, row, verdict};

const ROUNDS: usize = 300;

/// Start, open, insert, exit: against a program that does nothing at all.
pub(crate) fn append(folder: &TempDir) -> String {
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

pub(crate) fn empty_program(folder: &TempDir) -> PathBuf {
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
