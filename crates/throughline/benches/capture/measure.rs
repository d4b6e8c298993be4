//! CPU time of processes and of work in this one, and tables of it.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// The CPU time, user and system, of a whole process with all its threads.
pub(crate) fn child_cpu_ms(command: &mut Command) -> f64 {
    fed_cpu_ms(command, "")
}

/// The same, of a process that is told something first.
#[expect(clippy::zombie_processes, reason = "`end_of` waits for it")]
pub(crate) fn fed_cpu_ms(command: &mut Command, input: &str) -> f64 {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a process");
    let mut pipe = child.stdin.take().expect("a pipe");
    // A program that does nothing may be gone before it is told.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    let mut output = Vec::new();
    child.stdout.take().expect("a pipe").read_to_end(&mut output).expect("its output");
    let (status, cpu_ms) = end_of(&child);
    assert_eq!(status, 0, "a failure is no measurement");
    cpu_ms
}

/// How a process ended, and what it cost: only whoever waits for it is told.
#[expect(unsafe_code, reason = "the standard library does not tell what a process cost")]
fn end_of(child: &Child) -> (i32, f64) {
    let pid = i32::try_from(child.id()).expect("a process id");
    let mut status = 0;
    // SAFETY: both structures are ours, valid when zeroed, and written before they are read.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(libc::wait4(pid, &raw mut status, 0, &raw mut usage), pid, "its end");
        usage
    };
    let ms = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    (status, ms(usage.ru_utime) + ms(usage.ru_stime))
}

/// The first number is the time on a CPU in nanoseconds.
fn cpu_ns(process: &Path) -> u64 {
    let text = fs::read_to_string(process.join("schedstat")).expect("this bench needs Linux");
    text.split_whitespace().next().and_then(|first| first.parse().ok()).expect("a number of nanoseconds")
}

pub(crate) struct Cost {
    pub(crate) cpu_s: f64,
    pub(crate) wall_s: f64,
}

impl Cost {
    #[expect(clippy::disallowed_methods, reason = "a bench measures real time")]
    pub(crate) fn of(work: impl FnOnce()) -> Cost {
        let thread = Path::new("/proc/thread-self");
        let (cpu, wall) = (cpu_ns(thread), Instant::now());
        work();
        Cost { cpu_s: (cpu_ns(thread) - cpu) as f64 / 1e9, wall_s: wall.elapsed().as_secs_f64() }
    }
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

pub(crate) enum Target {
    AtMost(f64),
    AtLeast(f64),
}

pub(crate) fn verdict(what: &str, value: f64, target: Target) -> String {
    let (met, bound) = match target {
        Target::AtMost(most) => (value <= most, format!("at most {most}")),
        Target::AtLeast(least) => (value >= least, format!("at least {least}")),
    };
    let value = if value < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") };
    format!("{what}: {value}, target {bound}: {}", if met { "met" } else { "NOT met" })
}

pub(crate) fn row(name: &str, value: &str, unit: &str) -> String {
    format!("  {name:<24} {value:>10}  {unit}")
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
pub(crate) fn print(lines: &[String]) {
    for line in lines {
        println!("{line}");
    }
}

#[expect(clippy::disallowed_methods, reason = "cold processes are what is measured")]
pub(crate) fn command(program: &Path) -> Command {
    Command::new(program)
}
