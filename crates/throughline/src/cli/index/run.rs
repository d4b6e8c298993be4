//! `throughline index run`: everything that makes things findable, here and now.

use std::path::Path;

use anyhow::Result;
use throughline_engine::index::code::{Bound, CodeProgress};
use throughline_engine::work::Outcome;
use throughline_engine::{Caller, Engine};

use super::super::app::App;

/// What the index is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    WhatIsThere,
    Nothing,
}

/// Does the work here and now, instead of waiting for a long-lived process to do it.
pub(super) fn run(app: &App<'_>, from: From) -> Result<Option<CodeProgress>> {
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    if from == From::Nothing {
        engine.rebuild_index(&caller)?;
    }
    let folder = app.own_folder(engine)?;
    let progress = folder.map(|folder| code(engine, &caller, &folder.root, app)).transpose()?;
    engine.request_indexing(&caller)?;
    let worker = format!("index-{}", std::process::id());
    while let Some(run) = engine.work_one(&worker)? {
        if let Outcome::Failed { error, .. } | Outcome::Dead { error } = &run.outcome {
            app.output.warn(&format!("{} {}: {error}", run.job.kind, run.job.key));
        }
    }
    Ok(progress)
}

fn code(engine: &Engine, caller: &Caller, root: &Path, app: &App<'_>) -> Result<CodeProgress> {
    let bar = app.output.steps(0);
    let progress = engine.index_code(caller, root, Bound::Everything, &mut |progress| {
        let done = progress.changed as u64;
        bar.set_length(done + progress.left as u64);
        bar.set_position(done);
    })?;
    bar.finish_and_clear();
    if progress.more {
        app.output.warn(&format!(
            "there are more than {} files; the rest is not looked at (code.max_files)",
            progress.files
        ));
    }
    Ok(progress)
}

pub(super) fn told(progress: &CodeProgress) -> String {
    format!(
        "{} files: {} taken in, {} moved, {} removed; {} not source, {} too large, {} not readable",
        progress.files,
        progress.changed - progress.refused,
        progress.moved,
        progress.removed,
        progress.refused,
        progress.large,
        progress.unreadable
    )
}
