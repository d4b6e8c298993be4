//! What a process and everything below it use, as the system tells it.

use std::collections::HashMap;
use std::time::Duration;

use super::super::cost::megabytes_of;

/// What a tree of processes has used so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Load {
    pub(super) processes: usize,
    /// Also of processes below that have ended.
    pub(super) cpu: Duration,
    pub(super) megabytes: f64,
}

/// Linux counts CPU time in hundredths of a second towards programs.
const TICK: Duration = Duration::from_millis(10);

struct Stat {
    parent: u32,
    ticks: u32,
}

/// Nothing on systems that do not tell.
pub(super) fn load(root: u32) -> Load {
    let all = stats();
    let tree = descendants(root, &all);
    let mut load = Load { processes: tree.len(), ..Load::default() };
    for process in tree {
        load.cpu += TICK * all.get(&process).map_or(0, |stat| stat.ticks);
        load.megabytes += megabytes_of(process).unwrap_or(0.0);
    }
    load
}

/// The processes below it, without itself.
pub(super) fn below(root: u32) -> Vec<u32> {
    descendants(root, &stats()).into_iter().filter(|process| *process != root).collect()
}

/// Ends processes that outlived the one that started them.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library ends only its own children")]
pub(super) fn end(processes: &[u32]) {
    for process in processes.iter().filter_map(|process| i32::try_from(*process).ok()) {
        // SAFETY: no memory is involved; a process that is gone already is no error to us.
        unsafe { libc::kill(process, libc::SIGKILL) };
    }
}

#[cfg(not(unix))]
pub(super) fn end(_: &[u32]) {}

fn descendants(root: u32, all: &HashMap<u32, Stat>) -> Vec<u32> {
    let mut found = if all.contains_key(&root) { vec![root] } else { vec![] };
    let mut place = 0;
    while let Some(parent) = found.get(place).copied() {
        found.extend(all.iter().filter(|(_, stat)| stat.parent == parent).map(|(process, _)| *process));
        place += 1;
    }
    found
}

fn stats() -> HashMap<u32, Stat> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return HashMap::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter_map(|process| Some((process, stat(process)?))).collect()
}

/// A process may end while it is looked at.
fn stat(process: u32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may hold anything, so count from behind it.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |place: usize| fields.get(place)?.parse::<u32>().ok();
    Some(Stat { parent: number(1)?, ticks: number(11)? + number(12)? + number(13)? + number(14)? })
}
