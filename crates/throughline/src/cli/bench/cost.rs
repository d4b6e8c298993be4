//! CPU time and memory of this process.

use std::time::Duration;

/// A moment in the CPU time of this thread, where the system counts it, else on the clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spent(Duration);

impl Spent {
    pub(super) fn now() -> Spent {
        Spent(cpu_time())
    }

    pub(super) fn since(start: Spent) -> Duration {
        cpu_time().saturating_sub(start.0)
    }
}

#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(clock).elapsed()
}

/// A moment on the clock: for what another process or a network has a part in.
#[expect(clippy::disallowed_methods, reason = "what something costs is real time")]
pub(super) fn clock() -> std::time::Instant {
    std::time::Instant::now()
}

/// Megabytes in memory now.
pub(super) fn resident_megabytes() -> Option<f64> {
    megabytes_in("/proc/self/status")
}

/// The same of another process.
pub(super) fn megabytes_of(process: u32) -> Option<f64> {
    megabytes_in(&format!("/proc/{process}/status"))
}

fn megabytes_in(file: &str) -> Option<f64> {
    let status = std::fs::read_to_string(file).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
