//! `throughline task …`: the work, in a tree.

mod block;
mod complete;
mod create;
mod delete;
mod export;
pub(super) mod import;
mod list;
mod show;
mod unblock;
mod update;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use throughline_engine::backlog::Entry;
use throughline_engine::capture::During;

use super::app::App;
use super::lines::{SHORTEN, read_text};
use crate::wire::error::Usage;
use crate::wire::item::{Item, Reference};
use crate::wire::observation::session_ref;

pub(super) use show::text as whole;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// The items, what changed last first
    List(list::Args),
    /// Items whole
    Show(show::Args),
    /// Add an item
    Create(Box<create::Args>),
    /// Change an item
    Update(Box<update::Args>),
    /// Finish an item
    Complete(complete::Args),
    /// The work on an item cannot go on
    Block(block::Args),
    /// The work on an item can go on
    Unblock(unblock::Args),
    /// Take items out of the backlog; what was below them moves up
    Delete(delete::Args),
    /// Items from markdown files, GitHub-style issues or beads; again doubles nothing
    Import(import::Args),
    /// The backlog as markdown files, GitHub-style issues or beads
    Export(export::Args),
}

pub(super) fn run(command: Command, app: &App<'_>) -> Result<ExitCode> {
    match command {
        Command::List(args) => list::run(args, app),
        Command::Show(args) => show::run(&args, app),
        Command::Create(args) => create::run(*args, app),
        Command::Update(args) => update::run(*args, app),
        Command::Complete(args) => complete::run(args, app),
        Command::Block(args) => block::run(args, app),
        Command::Unblock(args) => unblock::run(args, app),
        Command::Delete(args) => delete::run(args, app),
        Command::Import(args) => import::run(args, app),
        Command::Export(args) => export::run(&args, app),
    }
}

// In which session a change is made. Not a doc comment: it would replace the help of the command.
#[derive(Debug, clap::Args)]
pub(super) struct Within {
    /// The session it belongs to: its id or the client's own; opened when unknown [default: your own]
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// The client that the session belongs to
    #[arg(long, value_name = "CLIENT", requires = "session")]
    client: Option<String>,
}

impl Within {
    pub(super) fn during(self, app: &App<'_>) -> Result<During> {
        let session = session_ref(self.client, self.session).map_err(Usage)?;
        Ok(During { session, opening: app.opening() })
    }
}

/// Shows what an item became, in one sentence for people.
fn changed(entry: Entry, verb: &str, app: &App<'_>) -> ExitCode {
    app.output
        .show(&Item::from(entry), |item| format!("{verb} {}: {} ({})", item.id, item.title, item.status));
    ExitCode::SUCCESS
}

/// More than an item may have, so that the refusal is that of items.
const MAX_TEXT_BYTES: usize = 16 * 1024 * 1024;

/// `-` reads it from stdin.
fn text_or_stdin(text: String) -> Result<String> {
    if text == "-" { read_text(Path::new("-"), MAX_TEXT_BYTES, SHORTEN) } else { Ok(text) }
}

/// `URL` or `URL=TITLE`. In the query of a URL an equals sign belongs to the URL, but a second one in the same value
/// begins the title.
fn reference(text: &str) -> Result<Reference, String> {
    let query = text.find('?').map_or(0, |start| {
        let value = text[start..].rfind('&').map_or(start, |at| start + at);
        text[value..].find('=').map_or(text.len(), |at| value + at + 1)
    });
    let split = text[query..].find('=').map(|at| text.split_at(query + at));
    let (url, title) = match split {
        Some((url, title)) if !title.trim_start_matches('=').is_empty() => (url, Some(title[1..].to_owned())),
        _ => (text, None),
    };
    if url.is_empty() {
        return Err("a reference needs an address; write URL or URL=TITLE".to_owned());
    }
    Ok(Reference { url: url.to_owned(), title })
}

#[cfg(test)]
mod tests {
    use super::reference;

    #[test]
    fn an_equals_sign_of_an_address_is_no_title() {
        for (text, url, title) in [
            ("https://example.org", "https://example.org", None),
            ("https://example.org=The spec", "https://example.org", Some("The spec")),
            ("TASK-0001=a=b", "TASK-0001", Some("a=b")),
            ("https://example.org/?a=1&b=2", "https://example.org/?a=1&b=2", None),
            ("https://example.org/?a=1&b=2=Two", "https://example.org/?a=1&b=2", Some("Two")),
            ("https://example.org/?t=abc==", "https://example.org/?t=abc==", None),
            ("https://example.org/?flag", "https://example.org/?flag", None),
            ("https://example.org=", "https://example.org=", None),
        ] {
            let found = reference(text).unwrap();
            assert_eq!((found.url.as_str(), found.title.as_deref()), (url, title), "{text}");
        }
        assert!(reference("=title").is_err() && reference("").is_err());
    }
}
