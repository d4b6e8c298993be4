//! What was measured, row by row, and the one table that shows it.

use std::time::Duration;

use serde::Serialize;

use super::super::output::table;
use super::cost::{Cost, resident_megabytes};

#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) database: &'static str,
    pub(super) rows: Vec<Row>,
}

/// One thing, done so often among so many.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    what: &'static str,
    among: usize,
    of: &'static str,
    times: usize,
    cpu_ms: Spread,
    clock_ms: Spread,
    /// Of this process after it, or the most of one that was started for it.
    resident_mb: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// Milliseconds.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Spread {
    pub(super) p50: f64,
    pub(super) p95: f64,
    pub(super) p99: f64,
    pub(super) most: f64,
}

impl Row {
    pub(super) fn of(what: &'static str, (among, of): (usize, &'static str), costs: &[Cost]) -> Row {
        let children = costs.iter().filter_map(|cost| cost.megabytes).reduce(f64::max);
        Row {
            what,
            among,
            of,
            times: costs.len(),
            cpu_ms: Spread::of(costs.iter().map(|cost| cost.cpu)),
            clock_ms: Spread::of(costs.iter().map(|cost| cost.clock)),
            resident_mb: children.or_else(resident_megabytes).map(f64::round),
            note: None,
        }
    }

    pub(super) fn noted(self, note: String) -> Row {
        Row { note: Some(note), ..self }
    }
}

impl Spread {
    pub(super) fn of(times: impl IntoIterator<Item = Duration>) -> Spread {
        let mut times: Vec<Duration> = times.into_iter().collect();
        times.sort_unstable();
        let at = |share: f64| {
            let place = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len().max(1)) - 1;
            times.get(place).map_or(0.0, |time| (time.as_secs_f64() * 1e6).round() / 1e3)
        };
        Spread { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1.0) }
    }
}

const HEADER: [&str; 12] = [
    "what",
    "among",
    "of",
    "times",
    "cpu p50 ms",
    "p95",
    "p99",
    "clock p50 ms",
    "p95",
    "p99",
    "resident mb",
    "",
];

pub(super) fn text(report: &Report) -> String {
    let rows = report.rows.iter().map(|row| {
        let ms = |spread: Spread| [spread.p50, spread.p95, spread.p99].map(|ms| format!("{ms:.3}"));
        let mut cells =
            vec![row.what.to_owned(), row.among.to_string(), row.of.to_owned(), row.times.to_string()];
        cells.extend(ms(row.cpu_ms));
        cells.extend(ms(row.clock_ms));
        cells.push(row.resident_mb.map_or_else(|| "?".to_owned(), |megabytes| format!("{megabytes:.0}")));
        cells.push(row.note.clone().unwrap_or_default());
        cells
    });
    format!("on {}\n{}", report.database, table(&HEADER, rows))
}
