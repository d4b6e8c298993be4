//! Which hooks of ours a client runs, and whether it runs them more than once.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::client::{Client, Format, Target, When};
use super::format::json::has_trailing_comma;
use super::places::{Base, Scope};
use super::program::NAME;
use super::{Ledger, Setup, clients, disk, entries, find};

impl Setup {
    pub(super) fn is_installed(&self, client: &Client, scope: Scope, ledger: &Ledger) -> bool {
        let targets = client.targets(scope, &self.places, &self.program);
        targets.iter().any(|target| match ledger.record(&target.path) {
            // Several clients may read one file, and only one of them may be connected.
            Some(record) => record.is_of(client.name, scope),
            None => !self.programs(target).is_empty(),
        })
    }

    /// Whether it was written from here, and not by somebody who shares the project.
    pub(super) fn is_recorded(&self, client: &Client, scope: Scope, ledger: &Ledger) -> bool {
        let targets = client.targets(scope, &self.places, &self.program);
        let mut records = targets.iter().filter_map(|target| ledger.record(&target.path));
        records.any(|record| record.is_of(client.name, scope))
    }

    /// Says so when this client, or another that reads its files, would run our hooks twice.
    pub(super) fn doubled(&self, client: &Client) -> Vec<String> {
        let readers = clients::ALL.iter().filter(|other| other.runs_hooks_of.contains(&client.name));
        readers.chain([&client]).filter_map(|client| self.runs_twice(client)).collect()
    }

    pub(super) fn runs_twice(&self, client: &Client) -> Option<String> {
        let own = self.hook_files(client);
        let others: Vec<PathBuf> = client
            .runs_hooks_of
            .iter()
            .filter_map(|name| find(name).ok())
            .flat_map(|other| self.hook_files(other))
            .collect();
        let plugin = self.claude_plugin().filter(|_| {
            client.name == clients::CLAUDE_CODE || client.runs_hooks_of.contains(&clients::CLAUDE_CODE)
        });
        let all: Vec<String> =
            own.iter().chain(&others).chain(&plugin).map(|path| self.places.shown(path)).collect();
        let is_used = !own.is_empty() || (client.is_here(&self.places) && !others.is_empty());
        (all.len() > 1 && is_used).then(|| {
            let title = client.title;
            format!("{title} runs our hooks from each of {}: keep one of them", all.join(" and "))
        })
    }

    /// The plugin and the settings would both bring the hooks.
    pub(super) fn covered_by_settings(&self) -> Option<String> {
        let client = find(clients::CLAUDE_CODE).ok()?;
        let files = self.hook_files(client);
        let shown: Vec<String> = files.iter().map(|path| self.places.shown(path)).collect();
        (!shown.is_empty()).then(|| {
            let settings = shown.join(" and ");
            format!("{settings} holds our hooks as well; `throughline uninstall claude-code` before you enable the plugin")
        })
    }

    /// The files in which a client would find our hooks, in either scope.
    fn hook_files(&self, client: &Client) -> Vec<PathBuf> {
        let targets = Scope::ALL.iter().flat_map(|s| client.targets(*s, &self.places, &self.program));
        let mut files: Vec<PathBuf> =
            targets.filter(|target| self.runs_hooks(target)).map(|target| target.path).collect();
        files.dedup();
        files
    }

    /// What in the client's settings is in the way.
    pub(super) fn obstacles(&self, client: &Client, scope: Scope) -> Vec<String> {
        let met = client.obstacles.iter().filter(|obstacle| obstacle.scope == scope).filter_map(|obstacle| {
            let path = self.places.path(obstacle.base, obstacle.path);
            let text = text(&path)?;
            let value = entries::value(&text, obstacle.format).ok()?;
            let found = value.pointer(obstacle.at)?;
            let is_met = match obstacle.when {
                When::True => *found == Json::Bool(true),
                When::False => *found == Json::Bool(false),
                When::There => true,
                When::BeyondJson => serde_json::from_str::<Json>(&text).is_err(),
                When::TrailingComma => has_trailing_comma(&text),
            };
            is_met.then(|| format!("{}: {}", self.places.shown(&path), obstacle.says))
        });
        met.collect()
    }

    /// The programs that our entries in the file start; none where there is no such file or it cannot be read.
    pub(super) fn programs(&self, target: &Target) -> Vec<String> {
        let found =
            target.ours(&self.program).and_then(|ours| Some((ours, read(&target.path, ours.format)?)));
        found.map(|(ours, value)| ours.programs(&value)).unwrap_or_default()
    }

    fn runs_hooks(&self, target: &Target) -> bool {
        let found =
            target.ours(&self.program).and_then(|ours| Some((ours, read(&target.path, ours.format)?)));
        found.is_some_and(|(ours, value)| ours.runs_hooks(&value))
    }

    /// Our plugin, where Claude Code has installed it.
    fn claude_plugin(&self) -> Option<PathBuf> {
        let path = self.places.path(Base::Claude, "plugins/installed_plugins.json");
        let text = String::from_utf8(disk::read(&path).ok()?.content?).ok()?;
        text.contains(&format!("\"{NAME}@")).then_some(path)
    }
}

/// Whoever only looks around passes over what cannot be read; `doctor` names it.
fn read(path: &Path, format: Format) -> Option<Json> {
    entries::value(&text(path)?, format).ok()
}

fn text(path: &Path) -> Option<String> {
    let text = String::from_utf8(disk::read(path).ok()?.content?).ok()?;
    Some(text.trim_start_matches('\u{feff}').to_owned())
}
