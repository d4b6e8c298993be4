//! What `doctor` says of the clients: files that parse, entries that are there and start this program, nothing twice.

use std::path::Path;

use anyhow::Result;

use super::client::{Client, Content, Target};
use super::ledger::Ledger;
use super::places::Scope;
use super::{Setup, clients, disk, guidance};
use crate::wire::error::message;

/// One installed client in one scope.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) client: &'static str,
    pub(crate) scope: Scope,
    /// What is wrong, each with what to do.
    pub(crate) problems: Vec<String>,
}

impl Setup {
    pub(crate) fn check(&self) -> Result<Vec<Checked>> {
        let ledger = Ledger::read(&self.home)?;
        let all = clients::ALL.iter().flat_map(|client| Scope::ALL.map(|scope| (*client, scope)));
        let installed = all.filter(|(client, scope)| self.is_installed(client, *scope, &ledger));
        Ok(installed.map(|(client, scope)| self.checked(client, scope)).collect())
    }

    fn checked(&self, client: &'static Client, scope: Scope) -> Checked {
        let targets = client.targets(scope, &self.places, &self.program);
        let again = match scope {
            Scope::User => format!("`throughline install {}`", client.name),
            Scope::Project => format!("`throughline install {} --scope project`", client.name),
        };
        let mut problems: Vec<String> =
            targets.iter().filter_map(|target| self.problem(target, &again)).collect();
        problems.extend(self.obstacles(client, scope));
        problems.extend(self.runs_twice(client));
        Checked { client: client.name, scope, problems }
    }

    fn problem(&self, target: &Target, again: &str) -> Option<String> {
        let path = self.places.shown(&target.path);
        let found = match disk::read(&target.path) {
            Err(error) => return Some(message(&error)),
            Ok(found) => found.content,
        };
        let Some(content) = found else { return Some(format!("{path} is gone; {again} writes it again")) };
        let text = String::from_utf8_lossy(&content);
        let outdated = || format!("{path} is not as this version writes it; {again} brings it up to date");
        if let Content::Text { text: wanted, .. } = &target.content {
            return (text.contains(guidance::MARK) && text != *wanted).then(outdated);
        }
        let ours = target.ours(&self.program)?;
        let value = match ours.value(text.trim_start_matches('\u{feff}')) {
            Err(error) => return Some(format!("{path}: {}; the client cannot read it", message(&error))),
            Ok(value) => value,
        };
        let programs = ours.programs(&value);
        if programs.is_empty() {
            return Some(format!("{path} holds nothing of ours any more; {again} puts it back"));
        }
        let strange = programs.iter().find(|program| !is_this_program(program, self.program.path()));
        match strange {
            Some(gone) if !Path::new(gone).exists() => {
                Some(format!("{path} starts {gone}, which is not there; {again} points it here"))
            }
            Some(other) => {
                let version = env!("CARGO_PKG_VERSION");
                Some(format!("{path} starts {other}, not this program ({version}); {again} points it here"))
            }
            None => (!ours.is_right(&value)).then(outdated),
        }
    }
}

/// The same file under whatever name, or a copy of it.
fn is_this_program(program: &str, this: &str) -> bool {
    let real = |path: &str| std::fs::canonicalize(path).ok();
    let size = |path: &str| std::fs::metadata(path).map(|file| file.len()).ok();
    let is_same_file = program == this || (real(program).is_some() && real(program) == real(this));
    let is_copy = || size(program) == size(this) && std::fs::read(program).ok() == std::fs::read(this).ok();
    is_same_file || (Path::new(program).exists() && is_copy())
}
