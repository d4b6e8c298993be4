//! What work costs: CPU time and the clock, of this process and of those that it starts.

use std::time::{Duration, Instant};

use anyhow::Result;

/// What one piece of work cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    /// Of the whole process, with every thread that took part.
    pub(super) cpu: Duration,
    /// Until the answer: what another process, a server or a disk had a part in is in it.
    pub(super) clock: Duration,
    /// The most that a process of its own had in memory.
    pub(super) megabytes: Option<f64>,
}

impl Cost {
    pub(super) fn of<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(Cost, T), E> {
        let (cpu, began) = (cpu_time(), clock());
        let done = work()?;
        let cost = Cost { cpu: cpu_time().saturating_sub(cpu), clock: began.elapsed(), megabytes: None };
        Ok((cost, done))
    }

    /// The share of each of so many that were done at once.
    pub(super) fn for_each_of(self, count: usize) -> Cost {
        let share = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
        Cost { cpu: self.cpu / share, clock: self.clock / share, ..self }
    }
}

#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(clock).elapsed()
}

/// A moment on the clock.
#[expect(clippy::disallowed_methods, reason = "what something costs is real time")]
pub(super) fn clock() -> Instant {
    Instant::now()
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
