//! What taking secrets out costs, file by file, over the text below a folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use throughline_engine::capture::redact;

use super::super::output::Output;
use super::cost::Cost;
use super::report::{Report, Row, text};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Where the text is
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// Stop after so many megabytes
    #[arg(long, value_name = "N", default_value_t = 64)]
    megabytes: usize,
}

pub(super) fn run(args: &Args, output: &Output) -> Result<()> {
    let texts = texts_below(&args.folder, args.megabytes << 20);
    if texts.is_empty() {
        bail!("there is no text below {}; name a folder that has some", args.folder.display());
    }
    let megabytes = texts.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    let mut found = 0;
    let mut redacted = |text: &String| {
        let (cost, count) = Cost::of(|| anyhow::Ok(redact::text(text).count))?;
        found += count;
        anyhow::Ok(cost)
    };
    let costs = texts.iter().map(&mut redacted).collect::<Result<Vec<_>>>()?;
    let seconds = costs.iter().map(|cost| cost.cpu.as_secs_f64()).sum::<f64>();
    let speed = megabytes / seconds.max(f64::EPSILON);
    let note = format!("{megabytes:.0} MB, {speed:.0} MB per CPU second, {found} redactions");
    let row = Row::of("redact a file", (texts.len(), "files"), &costs).noted(note);
    output.show(&Report { database: "no database", rows: vec![row] }, text);
    Ok(())
}

/// What cannot be read as text is no text.
fn texts_below(root: &Path, most: usize) -> Vec<String> {
    let (mut texts, mut bytes) = (vec![], 0);
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path) {
                bytes += text.len();
                texts.push(text);
            }
            if bytes >= most {
                return texts;
            }
        }
    }
    texts
}
