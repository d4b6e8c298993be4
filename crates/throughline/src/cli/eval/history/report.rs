//! How it came out: the figures of each history and of each file.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::super::output::table;

#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) days: u64,
    pub(super) histories: Vec<Measured>,
    /// Over all histories of a file.
    pub(super) by_file: BTreeMap<String, Total>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Measured {
    pub(super) file: String,
    pub(super) seed: u64,
    pub(super) sessions: usize,
    pub(super) events: i64,
    pub(super) said: usize,
    pub(super) traps: usize,
    pub(super) facts: usize,
    pub(super) present: usize,
    pub(super) memories: usize,
    pub(super) junk: usize,
    /// Facts that more than one memory tells.
    pub(super) doubled: usize,
    /// What held once, by the way it came back.
    pub(super) stale: BTreeMap<&'static str, usize>,
    /// Facts that a question about them brings, by the way it is asked.
    pub(super) answered: BTreeMap<&'static str, usize>,
    pub(super) without_lineage: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) errors: Vec<String>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Total {
    pub(super) present: f64,
    pub(super) junk: f64,
    pub(super) stale: usize,
    /// The share of the facts that a search of the memories answers, and of those that a prompt alone brings.
    pub(super) answered: f64,
    pub(super) told: f64,
    pub(super) doubled: usize,
    pub(super) without_lineage: usize,
}

impl Measured {
    fn answered_by(&self, way: &str) -> usize {
        self.answered.get(way).copied().unwrap_or(0)
    }
}

impl Report {
    pub(super) fn of(days: u64, histories: Vec<Measured>) -> Report {
        let mut by_file: BTreeMap<String, Total> = BTreeMap::new();
        let names: Vec<String> = histories.iter().map(|one| one.file.clone()).collect();
        for name in names {
            let of_file: Vec<&Measured> = histories.iter().filter(|one| one.file == name).collect();
            let sum = |of: fn(&Measured) -> usize| of_file.iter().map(|one| of(one)).sum::<usize>();
            let share = |part: usize, all: usize| if all == 0 { 0.0 } else { part as f64 / all as f64 };
            let total = Total {
                present: share(sum(|one| one.present), sum(|one| one.facts)),
                junk: share(sum(|one| one.junk), sum(|one| one.memories)),
                stale: sum(|one| one.stale.values().sum()),
                answered: share(sum(|one| one.answered_by("recall")), sum(|one| one.facts)),
                told: share(sum(|one| one.answered_by("turn")), sum(|one| one.facts)),
                doubled: sum(|one| one.doubled),
                without_lineage: sum(|one| one.without_lineage),
            };
            by_file.insert(name, total);
        }
        Report { days, histories, by_file }
    }
}

pub(super) fn text(report: &Report) -> String {
    let rows = report.histories.iter().map(|one| {
        let stale: usize = one.stale.values().sum();
        vec![
            one.file.clone(),
            one.seed.to_string(),
            one.sessions.to_string(),
            one.events.to_string(),
            format!("{}/{}", one.said, one.traps),
            format!("{}/{}", one.present, one.facts),
            format!("{}/{}", one.answered_by("recall"), one.answered_by("turn")),
            one.memories.to_string(),
            one.junk.to_string(),
            one.doubled.to_string(),
            stale.to_string(),
            one.without_lineage.to_string(),
        ]
    });
    let heads = [
        "file",
        "seed",
        "sessions",
        "events",
        "said/traps",
        "present",
        "found/told",
        "memories",
        "junk",
        "doubled",
        "stale",
        "no lineage",
    ];
    let mut lines = vec![format!("histories of {} days", report.days), table(&heads, rows)];
    for (file, total) in &report.by_file {
        lines.push(format!(
            "{file}: {:.3} of the facts present and current, {:.3} of the memories junk, {} past facts returned, {:.3} found by a \
             question, {:.3} told at a prompt that asks, {} facts told twice, {} memories without lineage",
            total.present,
            total.junk,
            total.stale,
            total.answered,
            total.told,
            total.doubled,
            total.without_lineage
        ));
    }
    lines.extend(
        report
            .histories
            .iter()
            .flat_map(|one| one.errors.iter().map(move |error| format!("{} {} {error}", one.file, one.seed))),
    );
    lines.join("\n")
}
