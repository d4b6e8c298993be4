//! Whole processes of this program, from their start to their end: what a cold start costs. A program that measures itself
//! cold has to start itself.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use super::cost::{Cost, clock};
use super::place::Place;

/// Runs this program in the place, with something to read, and says what it cost.
#[expect(clippy::disallowed_methods, reason = "a cold process is what is measured")]
pub(super) fn run(place: &Place, args: &[&str], input: &str) -> Result<Cost> {
    let mut command = Command::new(std::env::current_exe().context("this program cannot be found")?);
    alone(&mut command);
    command.args(args).env("THROUGHLINE_HOME", &place.folder);
    command.env("THROUGHLINE_PROJECT", place.project).env("THROUGHLINE_ACTOR", "agent:bench");
    if let Some(url) = &place.server {
        command.env("THROUGHLINE_DATABASE_URL", url);
    }
    let began = clock();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // Who does not read may be gone before everything is said.
        let _ = pipe.write_all(input.as_bytes());
    }
    let mut said = vec![];
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_end(&mut said)?;
    }
    let (is_success, cost) = end_of(&mut child)?;
    if !is_success {
        bail!("`throughline {}` failed: {}", args.join(" "), String::from_utf8_lossy(&said));
    }
    Ok(Cost { clock: began.elapsed(), ..cost })
}

/// What the user has set is about the user's own memory.
pub(super) fn alone(command: &mut Command) {
    let ours = std::env::vars_os().map(|(name, _)| name);
    for name in ours.filter(|name| name.to_string_lossy().starts_with("THROUGHLINE_")) {
        command.env_remove(name);
    }
}

/// How it ended, and its CPU time and memory: only whoever waits for it is told.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library does not tell what a process cost")]
fn end_of(child: &mut std::process::Child) -> Result<(bool, Cost)> {
    use std::time::Duration;
    let pid = i32::try_from(child.id())?;
    let mut status = 0;
    // SAFETY: both structures are ours, valid when zeroed, and written before they are read.
    let (waited, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(pid, &raw mut status, 0, &raw mut usage), usage)
    };
    if waited != pid {
        bail!("the process cannot be waited for: {}", std::io::Error::last_os_error());
    }
    let time = |time: libc::timeval| {
        Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0))
            + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or(0))
    };
    let cpu = time(usage.ru_utime) + time(usage.ru_stime);
    Ok((status == 0, Cost { cpu, megabytes: Some(usage.ru_maxrss as f64 / 1024.0), ..Cost::default() }))
}

#[cfg(not(unix))]
fn end_of(child: &mut std::process::Child) -> Result<(bool, Cost)> {
    Ok((child.wait()?.success(), Cost::default()))
}
