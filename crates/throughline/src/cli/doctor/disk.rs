//! What the product takes up on the disk, how fast that grows, and whether there is room left.

use std::path::Path;

use throughline_engine::Engine;
use tracing::level_filters::LevelFilter;

use super::super::app::App;
use super::Finding;
use crate::log_file::LogFile;
use crate::wire::size::megabytes;

const DAY_MICROS: i64 = 86_400_000_000;
/// Less than this is soon full.
const SCARCE_BYTES: u64 = 200_000_000;

pub(super) fn finding(app: &App<'_>, engine: &Engine) -> Finding {
    let size = match engine.store().bytes() {
        Ok(size) => size,
        Err(error) => return Finding::failed("disk", &error.into()),
    };
    let backups = folder_bytes(&app.config.backups());
    let growth = per_day(engine, size)
        .map_or_else(String::new, |bytes| format!(", growing by {} a day", megabytes(bytes)));
    let detail = format!("database {}{growth}, backups {}", megabytes(size), megabytes(backups));
    match free_bytes(&app.config.home) {
        Some(free) if free < SCARCE_BYTES => Finding::warning(
            "disk",
            format!(
                "{detail}; only {} are left on the disk: free some, or move the data with THROUGHLINE_HOME",
                megabytes(free)
            ),
        ),
        _ => Finding::ok("disk", detail),
    }
}

/// Where servers keep their log.
pub(super) fn log(app: &App<'_>) -> Finding {
    let settings = &app.config.diagnostics;
    if settings.level == LevelFilter::OFF {
        return Finding::ok("log file", "none is written (diagnostics.level)".to_owned());
    }
    let file = LogFile::new(&app.config.home, settings);
    let (path, level, most) = (file.path(), settings.level, megabytes(file.most_bytes()));
    let size = if path.exists() { megabytes(file.bytes()) } else { "nothing yet".to_owned() };
    Finding::ok("log file", format!("{}, from {level} on, {size} of {most} at most", path.display()))
}

/// On average since the first project, once that is some days ago.
fn per_day(engine: &Engine, size: u64) -> Option<u64> {
    let projects = engine.projects().ok()?;
    let first = projects.iter().map(|described| described.project.created_at.0).min()?;
    let days = u64::try_from((engine.now().0 - first) / DAY_MICROS).ok()?;
    (days >= 2).then(|| size / days)
}

/// What cannot be read counts nothing.
fn folder_bytes(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.flatten().filter_map(|entry| Some(entry.metadata().ok()?.len())).sum()
}

#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<u64> {
    None
}
