//! `throughline demo`: a week of two agents on a sample project, through the same doors as any week, in a folder of its own.

mod ground;
mod play;
mod tell;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;

use super::output::Output;
use super::serve;
use ground::Ground;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Keep the demo's folder and say how to go on with it
    #[arg(long)]
    keep: bool,
    /// End after telling, without the dashboard; so does --json
    #[arg(long)]
    no_serve: bool,
    /// Open the dashboard in your browser
    #[arg(long, conflicts_with = "no_serve")]
    open: bool,
}

pub(super) fn run(args: &Args, output: &Output) -> Result<ExitCode> {
    let ground = Ground::new()?;
    let played = play::week(&ground)?;
    let told = tell::told(&ground, played)?;
    let text = tell::text(&told, ground.engine.now());
    output.show(&told, |_| text);
    if !args.no_serve && !output.is_json() {
        let opening = if args.open { serve::Opening::Browser } else { serve::Opening::Nothing };
        output.raw("\n# 6. The dashboard, until Ctrl-C\n");
        serve::any_port(Arc::clone(&ground.door), output, opening)?;
    }
    ground.door.close();
    if args.keep {
        let home = ground.keep();
        output.say(&format!(
            "kept; go on with it: THROUGHLINE_HOME={} throughline --project shop search paging",
            home.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}
