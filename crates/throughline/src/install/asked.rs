//! The client's own word on our server: its command that shows servers, run for `doctor` and for nothing else.

use std::io::{Read as _, Seek as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::client::Client;
use super::places::Scope;
use super::{Ledger, Setup, clients};
use crate::wire::error::message;

/// A client that starts our server to see whether it answers may take a while; one that waits for a person never ends.
const PATIENCE: Duration = Duration::from_secs(30);
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// How much of an answer is read.
const MOST_BYTES: u64 = 64 * 1024;

/// How a client is asked, and how its answer is read.
pub(super) struct Question {
    /// As it is found on the path, then its arguments.
    pub(super) command: &'static [&'static str],
    pub(super) read: fn(&Answer, &Path) -> Verdict,
}

/// What a client printed, on either stream, without colours.
pub(super) struct Answer {
    pub(super) is_success: bool,
    pub(super) text: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Fine(String),
    Problem(String),
}

/// What one client says.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) client: &'static str,
    pub(crate) is_fine: bool,
    pub(crate) says: String,
}

impl Setup {
    /// Asks every client that is installed and can be asked, all at once.
    pub(crate) fn ask(&self) -> Result<Vec<Asked>> {
        let ledger = Ledger::read(&self.home)?;
        let is_installed =
            |client: &Client| Scope::ALL.iter().any(|scope| self.is_installed(client, *scope, &ledger));
        let asked = clients::ALL.iter().filter(|client| is_installed(client));
        let questions: Vec<_> =
            asked.filter_map(|client| Some((*client, client.question.as_ref()?))).collect();
        let folder = self.places.folder(super::places::Base::Project);
        Ok(std::thread::scope(|scope| {
            let ask = |(client, question): (&'static Client, &'static Question)| {
                let folder = &folder;
                scope.spawn(move || self.answer(client, question, folder))
            };
            let threads: Vec<_> = questions.into_iter().map(ask).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect()
        }))
    }

    /// Nothing from a client whose command is not on the path: it may be used all the same.
    fn answer(&self, client: &'static Client, question: &Question, folder: &Path) -> Option<Asked> {
        let verdict = match run(question.command, folder) {
            Ok(None) => return None,
            Ok(Some(answer)) => (question.read)(&answer, Path::new(self.program.path())),
            Err(error) => Verdict::Problem(message(&error)),
        };
        let command = question.command.join(" ");
        let (is_fine, says) = match verdict {
            Verdict::Fine(word) => (true, format!("`{command}` says: {word}")),
            Verdict::Problem(word) => (false, format!("`{command}` says: {word}")),
        };
        Some(Asked { client: client.name, is_fine, says })
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "asking a client is starting it; only `doctor` does, and waits for it"
)]
/// Into a file rather than a pipe: what the client starts may hold a pipe open for longer than the client lives.
fn run(command: &[&str], folder: &Path) -> Result<Option<Answer>> {
    let [program, args @ ..] = command else { return Ok(None) };
    let mut printed = tempfile::tempfile().context("no room for the client's answer")?;
    let mut command = Command::new(named(program));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    // Some run their hooks when they end, even if they only showed a list.
    command.env("NO_COLOR", "1").env("THROUGHLINE_HOOKS", "off");
    command.stdout(printed.try_clone()?).stderr(printed.try_clone()?);
    let child = match command.spawn() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        started => started.with_context(|| format!("{program} cannot be started; try it by hand"))?,
    };
    let status = wait(child)?;
    printed.rewind()?;
    let mut text = Vec::new();
    printed.take(MOST_BYTES).read_to_end(&mut text)?;
    let text = uncoloured(&String::from_utf8_lossy(&text));
    Ok(Some(Answer { is_success: status.success(), text }))
}

/// npm writes a command file on Windows, which is found only by its whole name.
fn named(program: &str) -> String {
    if cfg!(windows) { format!("{program}.cmd") } else { program.to_owned() }
}

fn wait(mut child: std::process::Child) -> Result<ExitStatus> {
    for _ in 0..PATIENCE.as_millis() / BETWEEN_LOOKS.as_millis() {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
    child.kill()?;
    child.wait()?;
    bail!("nothing within {} seconds; try it by hand", PATIENCE.as_secs())
}

/// Without the sequences of a terminal; some clients colour what is not read by one.
fn uncoloured(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        let sequence = after.strip_prefix('[').unwrap_or(after);
        rest = sequence.find(|c: char| c.is_ascii_alphabetic()).map_or("", |end| &sequence[end + 1..]);
    }
    plain.push_str(rest);
    plain
}

impl Answer {
    /// The first line that holds `part`, without what surrounds its words.
    pub(super) fn line(&self, part: &str) -> Option<&str> {
        let line = self.text.lines().find(|line| line.contains(part))?;
        Some(line.trim_matches(|c: char| !c.is_alphanumeric()))
    }

    /// What a client's list says of our server: fine when the line holds `word`.
    pub(super) fn in_list(&self, word: &str) -> Verdict {
        match self.line(super::program::NAME) {
            Some(line) if line.to_lowercase().contains(word) => Verdict::Fine(line.to_owned()),
            Some(line) => Verdict::Problem(line.to_owned()),
            None => Verdict::Problem("no server of ours; `throughline install` writes it again".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests;
