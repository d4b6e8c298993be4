//! `throughline resource list`.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use super::super::output::table;
use crate::wire::resource::Listed;
use crate::wire::time::readable;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// How many at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let listed = Listed::from(engine.resources(&caller, args.limit.into())?);
    app.output.show(&listed, text);
    Ok(ExitCode::SUCCESS)
}

fn text(listed: &Listed) -> String {
    if listed.resources.is_empty() {
        return "no resources".to_owned();
    }
    let rows = listed.resources.iter().map(|resource| {
        vec![
            resource.uri.clone(),
            resource.title.clone(),
            resource.bytes.to_string(),
            resource.version.to_string(),
            readable(resource.updated_at.0),
        ]
    });
    let header = ["address", "title", "bytes", "version", "written (utc)"];
    format!("{}\n{} of {} resources", table(&header, rows), listed.shown, listed.total)
}
