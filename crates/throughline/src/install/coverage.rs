//! Which hooks of ours a client runs, and whether it runs them more than once.

use std::path::PathBuf;

use super::client::{Client, Content, Target};
use super::places::{Base, Scope};
use super::program::NAME;
use super::{Ledger, Setup, clients, disk, entries, find};

impl Setup {
    pub(super) fn is_installed(&self, client: &Client, scope: Scope, ledger: &Ledger) -> bool {
        let targets = client.targets(scope, &self.places, &self.program);
        let is_recorded = |target: &Target| {
            let record = ledger.record(&target.path);
            record.is_some_and(|record| {
                record.owners.iter().any(|owner| owner.client == client.name && owner.scope == scope)
            })
        };
        targets.iter().any(|target| is_recorded(target) || !programs(target).is_empty())
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
        let holds_hooks = |target: &Target| match &target.content {
            Content::Entries(_, entries) => entries::has_hooks(entries),
            Content::Text { .. } => false,
        };
        let mut files: Vec<PathBuf> = targets
            .filter(|target| holds_hooks(target) && runs_hooks(target))
            .map(|target| target.path)
            .collect();
        files.dedup();
        files
    }

    /// Our plugin, where Claude Code has installed it.
    fn claude_plugin(&self) -> Option<PathBuf> {
        let path = self.places.path(Base::Claude, "plugins/installed_plugins.json");
        let text = String::from_utf8(disk::read(&path).ok()?.content?).ok()?;
        text.contains(&format!("\"{NAME}@")).then_some(path)
    }
}

/// The programs that our entries in the file start; none where there is no such file or it cannot be read.
pub(super) fn programs(target: &Target) -> Vec<String> {
    let Content::Entries(_, entries) = &target.content else { return Vec::new() };
    value(target).map(|value| entries::programs(&value, entries)).unwrap_or_default()
}

fn runs_hooks(target: &Target) -> bool {
    let Content::Entries(_, entries) = &target.content else { return false };
    value(target).is_some_and(|value| entries::runs_hooks(&value, entries))
}

fn value(target: &Target) -> Option<serde_json::Value> {
    let Content::Entries(format, _) = &target.content else { return None };
    let text = String::from_utf8(disk::read(&target.path).ok()?.content?).ok()?;
    entries::value(text.trim_start_matches('\u{feff}'), *format).ok()
}
