//! A commit that a command made: noticed from the client's own word, or from the command and what git answered.

use serde_json::{Map, Value as Json};
use throughline_engine::store::event::Kind;

use super::event::Seen;
use super::tool::{Use, returned_text};
use super::{field, said};

pub(crate) const TARGET: &str = "git commit";
/// As people write it; the parts have all of it.
const SHORT_SHA: usize = 12;

#[derive(Debug, Default)]
pub(crate) struct Commit {
    pub(crate) sha: Option<String>,
    pub(crate) branch: Option<String>,
    pub(crate) message: Option<String>,
}

pub(super) fn seen(used: &Use<'_>, response: Option<&Json>) -> Option<Seen> {
    let command = field::text(used.input, &["command", "command_line", "cmd"])?;
    let told = response.and_then(|response| response.get("gitOperation")?.get("commit"));
    if told.is_none() && !commits(command) {
        return None;
    }
    let printed = response.and_then(returned_text).and_then(printed).unwrap_or_default();
    let of_client = |name: &str| told.and_then(|told| field::text(told, &[name])).map(said::line);
    let commit = Commit {
        sha: of_client("sha").or(printed.sha),
        branch: of_client("branch").or(printed.branch),
        message: printed.message.or_else(|| written(command)),
    };
    Some(Seen { id: used.id.map(|id| format!("{id}/commit")), ..commit.seen() })
}

impl Commit {
    pub(crate) fn seen(&self) -> Seen {
        Seen {
            target: Some(TARGET.to_owned()),
            summary: Some(self.line()),
            parts: Some(self.parts()),
            ..Seen::of(Kind::ToolCall)
        }
    }

    fn line(&self) -> String {
        let sha = self.sha.as_deref().map(|sha| sha.get(..SHORT_SHA).unwrap_or(sha).to_owned());
        let named = [(" ", &sha), (" on ", &self.branch), (": ", &self.message)];
        let said: String = named
            .iter()
            .filter_map(|(before, part)| part.as_ref().map(|part| format!("{before}{part}")))
            .collect();
        format!("{TARGET}{said}")
    }

    fn parts(&self) -> Json {
        let named = [("sha", &self.sha), ("branch", &self.branch), ("message", &self.message)];
        let given =
            named.iter().filter_map(|(name, part)| Some(((*name).to_owned(), part.as_deref()?.into())));
        Json::Object(given.collect::<Map<String, Json>>())
    }
}

/// Whether one of the commands of a line is `git commit`, whatever options stand between.
fn commits(command: &str) -> bool {
    let parts = command.split(['\n', ';', '|', '&', '(', ')']);
    parts.into_iter().any(|part| {
        let mut words = part.split_whitespace().skip_while(|word| word.contains('='));
        if words.next() != Some("git") {
            return false;
        }
        let mut words = words.peekable();
        while let Some(option) = words.next_if(|word| word.starts_with('-')) {
            if ["-C", "-c"].contains(&option) {
                words.next();
            }
        }
        words.next() == Some("commit") && !words.any(|word| word == "--dry-run")
    })
}

/// What git prints: `[main 1a2b3c4] Message`, with `(root-commit)` before the first one's.
fn printed(text: &str) -> Option<Commit> {
    text.lines().find_map(|line| {
        let (place, message) = line.trim().strip_prefix('[')?.split_once("] ")?;
        let (branch, sha) = place.rsplit_once(' ')?;
        let is_sha = sha.len() >= 7 && sha.bytes().all(|byte| byte.is_ascii_hexdigit());
        let branch = branch.trim_end_matches(" (root-commit)");
        is_sha.then(|| Commit {
            sha: Some(sha.to_owned()),
            branch: Some(said::line(branch)),
            message: Some(said::line(message)),
        })
    })
}

/// The message on the command line: after `--message`, or after short options of which `m` is the last.
fn written(command: &str) -> Option<String> {
    let is_short = |word: &str| word.starts_with('-') && !word.starts_with("--") && word.ends_with('m');
    let mut words = command.split_inclusive([' ', '=']);
    words.find(|word| is_short(word.trim_end()) || ["--message ", "--message="].contains(word))?;
    let after = words.collect::<String>();
    let after = after.trim_start();
    let text = match after.chars().next()? {
        quote @ ('"' | '\'') => after[1..].split(quote).next(),
        _ => after.split_whitespace().next(),
    };
    text.map(said::line).filter(|text| !text.is_empty())
}
