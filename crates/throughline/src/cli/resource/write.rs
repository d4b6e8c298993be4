//! `throughline resource write`: whole, or in one place.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use throughline_engine::backlog::Edit;

use super::super::app::App;
use super::super::lines::{SHORTEN, read_text};
use super::super::task::Within;
use super::address;
use crate::wire::resource::Written;

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("edit").required(true).args(["content", "file", "append", "insert", "replace"]))]
pub(in crate::cli) struct Args {
    /// Its address or path: throughline://resource/notes/plan.md, or notes/plan.md
    #[arg(value_name = "URI")]
    uri: String,
    /// The whole text, in place of what is there; - reads it from stdin
    #[arg(long, value_name = "TEXT")]
    content: Option<String>,
    /// A file that has the whole text; - is stdin
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A text to put at the end
    #[arg(long, value_name = "TEXT")]
    append: Option<String>,
    /// Lines to put after a line (--after-line)
    #[arg(long, value_name = "TEXT", requires = "after_line")]
    insert: Option<String>,
    /// After which line; 0 is before the first
    #[arg(long, value_name = "N", requires = "insert", conflicts_with_all = ["content", "file", "append", "replace"])]
    after_line: Option<usize>,
    /// A text that occurs exactly once, to be replaced (--with)
    #[arg(long, value_name = "TEXT", requires = "with")]
    replace: Option<String>,
    /// What takes its place
    #[arg(long, value_name = "TEXT", requires = "replace", conflicts_with_all = ["content", "file", "append", "insert"])]
    with: Option<String>,
    #[command(flatten)]
    within: Within,
}

/// More than a resource may have, so that the refusal is that of resources.
const MAX_BYTES: usize = 16 * 1024 * 1024;

pub(super) fn run(args: Args, app: &App<'_>) -> Result<ExitCode> {
    let uri = address(&args.uri)?;
    let (edit, within) = edit(args)?;
    let engine = app.engine()?;
    let caller = app.caller(engine)?;
    let during = within.during(app)?;
    let written = Written::from(engine.write_resource(&caller, &uri, &edit, &during)?);
    app.output.show(&written, |written| {
        format!(
            "{} {} (version {}, {} bytes)",
            written.operation, written.uri, written.version, written.bytes
        )
    });
    Ok(ExitCode::SUCCESS)
}

fn edit(args: Args) -> Result<(Edit, Within)> {
    let file = match args.content.as_deref() {
        Some("-") => Some(PathBuf::from("-")),
        _ => args.file,
    };
    let edit = if let Some(file) = file {
        Edit::Create { content: read_text(Path::new(&file), MAX_BYTES, SHORTEN)? }
    } else if let Some(text) = args.append {
        Edit::Append { text }
    } else if let (Some(text), Some(after_line)) = (args.insert, args.after_line) {
        Edit::Insert { after_line, text }
    } else if let (Some(old), Some(new)) = (args.replace, args.with) {
        Edit::StrReplace { old, new }
    } else {
        Edit::Create { content: args.content.unwrap_or_default() }
    };
    Ok((edit, args.within))
}
