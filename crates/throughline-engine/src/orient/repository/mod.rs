//! What a folder says of itself to somebody who has never seen it: what the project is, how to build and test it, where it
//! begins, what its rules are, what changed lately. All of it was written by others and is shown as such: cleaned, cut and
//! without secrets. Reads little, in bounded time, and writes nothing.

mod activity;
mod commands;
mod entries;
mod files;
mod guidance;
mod manifest;
mod prose;
mod purpose;
mod tasks;
#[cfg(test)]
mod tests;
mod usual;

pub use activity::{Activity, HotFile, RecentCommit};
pub use commands::{Command, Does};
pub use entries::EntryPoint;
pub use guidance::Guidance;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use throughline_code::Language;
use throughline_store::time::Timestamp;

use super::Shown;
use crate::clock::Clock;
use files::Files;
use manifest::Manifests;
use prose::Block;

#[derive(Debug, Clone, PartialEq)]
pub struct Repository {
    pub purpose: Option<String>,
    /// Those with the most files first.
    pub languages: Vec<Language>,
    pub commands: Shown<Command>,
    pub entry_points: Shown<EntryPoint>,
    pub guidance: Shown<Guidance>,
    pub activity: Option<Activity>,
}

/// Until when there is time to look further.
pub(super) struct Deadline<'a> {
    clock: &'a Clock,
    until: Timestamp,
}

impl Deadline<'_> {
    fn of(clock: &Clock, time: Duration) -> Deadline<'_> {
        Deadline { clock, until: clock.now().plus(time) }
    }

    fn has_passed(&self) -> bool {
        self.clock.now() > self.until
    }
}

/// A hook waits for all of this, and has 300 ms for everything.
const TIME_FOR_NAMES: Duration = Duration::from_millis(20);
const TIME_FOR_HISTORY: Duration = Duration::from_millis(40);
const COMMANDS: usize = 8;
const ENTRY_POINTS: usize = 6;
const GUIDANCE: usize = 8;
const LANGUAGES: usize = 3;

/// What the project's own files tell agents.
pub(crate) fn told_to_agents(root: &str) -> Vec<String> {
    files::texts(Path::new(root), &guidance::FILES)
}

/// Nothing where the folder says nothing, or is nobody's project: home and the root of the machine.
pub(super) fn look(root: &Path, clock: &Clock) -> Option<Repository> {
    let is_everything = root.parent().is_none() || std::env::home_dir().is_some_and(|home| home == root);
    if is_everything || !root.is_dir() {
        return None;
    }
    let files = Files::of(root, &Deadline::of(clock, TIME_FOR_NAMES));
    let manifests = Manifests::of(&files);
    let readme = purpose::readme(&files).map(|text| prose::blocks(&text)).unwrap_or_default();
    let guidance = guidance::documents(&files);
    let rules = guidance::rules(&guidance);
    let purpose = purpose::purpose(&readme, &manifests);
    let told = telling(&files, guidance, readme);
    let found = Repository {
        purpose,
        languages: languages(&files),
        commands: shown(commands::commands(&files, &manifests, &told), COMMANDS),
        entry_points: shown(entries::entry_points(&files, &manifests), ENTRY_POINTS),
        guidance: shown(rules, GUIDANCE),
        activity: activity::activity(root, &Deadline::of(clock, TIME_FOR_HISTORY)),
    };
    (!found.is_silent()).then_some(found)
}

/// The documents that tell how to work here, those for agents first.
fn telling(
    files: &Files,
    mut documents: Vec<(String, Vec<Block>)>,
    readme: Vec<Block>,
) -> Vec<(String, Vec<Block>)> {
    let contributing = ["CONTRIBUTING.md", "CONTRIBUTING.rst", ".github/CONTRIBUTING.md", "DEVELOPMENT.md"];
    for name in contributing {
        documents.extend(files.text(name).map(|text| (name.to_owned(), prose::blocks(&text))));
    }
    documents.push((commands::README.to_owned(), readme));
    documents
}

fn shown<T>(mut all: Vec<T>, at_most: usize) -> Shown<T> {
    let total = all.len() as i64;
    all.truncate(at_most);
    Shown { shown: all, total }
}

fn languages(files: &Files) -> Vec<Language> {
    let mut counts: BTreeMap<Language, usize> = BTreeMap::new();
    for language in files.names().filter_map(Language::of_path).filter(|language| language.is_code()) {
        *counts.entry(language).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    let mut counts: Vec<(Language, usize)> =
        counts.into_iter().filter(|(_, count)| count * 20 >= all).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().take(LANGUAGES).map(|(language, _)| language).collect()
}

impl Repository {
    fn is_silent(&self) -> bool {
        self.purpose.is_none()
            && self.commands.total == 0
            && self.entry_points.total == 0
            && self.guidance.total == 0
            && self.activity.is_none()
    }
}
