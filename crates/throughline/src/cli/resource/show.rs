//! `throughline resource show`: the text, as it was written.

use std::process::ExitCode;

use anyhow::Result;

use super::super::app::App;
use super::address;
use crate::wire::resource::Resource;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Its address or path: throughline://resource/notes/plan.md, or notes/plan.md
    #[arg(value_name = "URI")]
    uri: String,
}

pub(super) fn run(args: &Args, app: &App<'_>) -> Result<ExitCode> {
    let address = address(&args.uri)?;
    let engine = app.engine()?;
    let caller = app.reader(engine)?;
    let resource = Resource::from(engine.resource(&caller, &address)?);
    app.output.show(&resource, |resource| resource.content.clone());
    Ok(ExitCode::SUCCESS)
}
