//! What the folder says of itself, in JSON.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_engine::orient::{Orientation, repository};

use super::{Section, age};

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Repository {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) branch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) purpose: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) languages: Vec<String>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    pub(super) commands: Section<Command>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    pub(super) entry_points: Section<EntryPoint>,
    #[serde(skip_serializing_if = "Section::is_empty")]
    pub(super) rules: Section<Rule>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) commits: Vec<Commit>,
    #[serde(skip_serializing_if = "HotFiles::is_empty")]
    pub(super) hot_files: HotFiles,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Command {
    pub(super) does: String,
    pub(super) run: String,
    pub(super) source: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct EntryPoint {
    pub(super) path: String,
    pub(super) what: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Rule {
    pub(super) text: String,
    pub(super) source: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) age: String,
    pub(super) subject: String,
}

/// The files that changed most in the newest commits.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HotFiles {
    /// In so many commits.
    pub(super) commits: usize,
    pub(super) total: i64,
    pub(super) shown: Vec<HotFile>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HotFile {
    pub(super) path: String,
    pub(super) changed: usize,
}

impl HotFiles {
    pub(super) fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl Repository {
    pub(super) fn of(found: &repository::Repository, orientation: &Orientation) -> Repository {
        let activity = found.activity.as_ref();
        let commit = |commit: &repository::RecentCommit| Commit {
            id: commit.id.clone(),
            age: age(orientation, commit.at),
            subject: commit.subject.clone(),
        };
        Repository {
            branch: activity.and_then(|activity| activity.branch.clone()),
            purpose: found.purpose.clone(),
            languages: found.languages.iter().map(ToString::to_string).collect(),
            commands: Section::of(&found.commands, |command| Command {
                does: command.does.to_string(),
                run: command.run,
                source: command.source,
            }),
            entry_points: Section::of(&found.entry_points, |entry| EntryPoint {
                path: entry.path,
                what: entry.what,
            }),
            rules: Section::of(&found.guidance, |rule| Rule { text: rule.text, source: rule.source }),
            commits: activity
                .map(|activity| activity.commits.iter().map(commit).collect())
                .unwrap_or_default(),
            hot_files: activity.map_or(HotFiles { commits: 0, total: 0, shown: vec![] }, HotFiles::from),
        }
    }
}

impl From<&repository::Activity> for HotFiles {
    fn from(activity: &repository::Activity) -> HotFiles {
        let file = |file: &repository::HotFile| HotFile { path: file.path.clone(), changed: file.commits };
        HotFiles {
            commits: activity.examined,
            total: activity.hot_files.total,
            shown: activity.hot_files.shown.iter().map(file).collect(),
        }
    }
}
