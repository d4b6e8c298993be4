//! `throughline install` and `throughline uninstall`: connects clients and takes it back.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;

use super::output::Output;
use crate::door::current_folder;
use crate::install::{Action, Mode, Outcome, Plugin, Scope, Setup, Verb};
use crate::wire::error::{Usage, message};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// claude-code, codex, gemini-cli, opencode, cursor, vscode, copilot-cli, windsurf, cline, goose, or all
    client: String,
    /// Show what would change, as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Whose settings; without it `install` writes yours, and `uninstall` takes out all that was installed from here
    #[arg(long, value_enum)]
    scope: Option<Scope>,
    /// Claude Code's plugin in this folder, instead of its settings
    #[arg(long, value_name = "DIR", conflicts_with = "scope")]
    plugin: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct Answer {
    dry_run: bool,
    clients: Vec<Outcome>,
    failed: Vec<Failed>,
    /// What is left in the files of other projects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<Elsewhere>,
}

#[derive(Debug, Serialize)]
struct Elsewhere {
    client: String,
    path: PathBuf,
}

#[derive(Debug, Serialize)]
struct Failed {
    client: &'static str,
    message: String,
}

pub(super) fn run(verb: Verb, args: &Args, output: &Output) -> Result<ExitCode> {
    let setup = Setup::load(&current_folder()?.root)?;
    let mode = if args.dry_run { Mode::Try } else { Mode::Write };
    let mut answer = Answer { dry_run: args.dry_run, clients: vec![], failed: vec![], elsewhere: vec![] };
    if let Some(folder) = &args.plugin {
        if args.client != "claude-code" {
            return Err(Usage("--plugin goes with claude-code only; leave it out".to_owned()).into());
        }
        answer.clients.push(setup.run_plugin(verb, &Plugin(folder.clone()), mode)?);
    } else {
        let meant = setup.meant(verb, &args.client, args.scope)?;
        let is_one = args.client != "all";
        for (client, scope) in meant {
            match setup.run(verb, client, scope, mode) {
                Ok(outcome) => answer.clients.push(outcome),
                Err(error) if is_one => return Err(error),
                // The others are none the worse for it.
                Err(error) => answer.failed.push(Failed { client, message: message(&error) }),
            }
        }
    }
    if verb == Verb::Uninstall && mode == Mode::Write {
        let left = setup.elsewhere(&args.client)?.into_iter();
        answer.elsewhere.extend(left.map(|(client, path)| Elsewhere { client, path }));
    }
    output.show(&answer, |answer| text(verb, answer));
    Ok(if answer.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn text(verb: Verb, answer: &Answer) -> String {
    let mut lines: Vec<String> = Vec::new();
    for outcome in &answer.clients {
        lines.push(format!("{} ({})", outcome.title, outcome.scope.name()));
        let unchanged = outcome.files.iter().filter(|file| file.action == Action::Unchanged).count();
        for file in outcome.files.iter().filter(|file| file.action != Action::Unchanged) {
            lines.push(format!("  {:<10} {}", said(file.action, answer.dry_run), file.path.display()));
            lines.extend(
                file.backup.iter().map(|copy| format!("             a copy is in {}", copy.display())),
            );
            lines.extend((!file.diff.is_empty()).then(|| file.diff.trim_end().to_owned()));
        }
        match (verb, unchanged) {
            (_, 0) => {}
            (Verb::Install, _) if unchanged == outcome.files.len() => {
                lines.push("  everything is in place already".to_owned());
            }
            (Verb::Uninstall, _) if unchanged == outcome.files.len() => {
                lines.push("  nothing of ours is there".to_owned());
            }
            (_, _) => lines.push(format!("  {unchanged} files stay as they are")),
        }
        lines.extend(outcome.notes.iter().map(|note| format!("  note: {note}")));
        lines.extend(outcome.steps.iter().map(|step| format!("  to do: {step}")));
    }
    lines.extend(answer.failed.iter().map(|failed| format!("{} FAILED: {}", failed.client, failed.message)));
    lines.extend(answer.elsewhere.iter().map(|left| {
        let Elsewhere { client, path } = left;
        format!(
            "still in {}; `throughline uninstall {client} --scope project` in that project takes it out",
            path.display()
        )
    }));
    if answer.clients.is_empty() && answer.failed.is_empty() {
        lines.push(match verb {
            Verb::Install => "no client was found here; name one".to_owned(),
            Verb::Uninstall => "nothing is installed".to_owned(),
        });
    }
    lines.join("\n")
}

fn said(action: Action, is_try: bool) -> &'static str {
    match (action, is_try) {
        (Action::Created, false) => "created",
        (Action::Changed, false) => "changed",
        (Action::Restored, false) => "restored",
        (Action::Removed, false) => "removed",
        (Action::Created, true) => "to create",
        (Action::Changed, true) => "to change",
        (Action::Restored, true) => "to restore",
        (Action::Removed, true) => "to remove",
        (Action::Unchanged, _) => "unchanged",
        (Action::LeftAlone, _) => "left alone",
    }
}
