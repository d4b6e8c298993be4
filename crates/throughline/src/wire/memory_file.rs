//! What came of bringing memories and files in step, in JSON.

use serde::Serialize;
use throughline_engine::remember::files::{Fenced, Synced, What};

#[derive(Debug, Serialize)]
pub(crate) struct Sync {
    /// Nothing had to be done, or nothing is left to do.
    pub(crate) in_step: bool,
    pub(crate) dry_run: bool,
    pub(crate) files: Vec<File>,
    pub(crate) changes: Vec<Change>,
    pub(crate) conflicts: usize,
    pub(crate) problems: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) agents_md: Option<AgentsFile>,
}

#[derive(Debug, Serialize)]
pub(crate) struct File {
    pub(crate) file: String,
    pub(crate) memories: usize,
    pub(crate) written: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Change {
    pub(crate) what: &'static str,
    pub(crate) file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory: Option<String>,
    pub(crate) text: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct AgentsFile {
    pub(crate) file: String,
    pub(crate) written: bool,
    pub(crate) memories: usize,
}

impl Sync {
    /// `is_done` where what was found was also carried out.
    pub(crate) fn of(synced: Synced, fenced: Option<Fenced>, is_done: bool) -> Sync {
        let settled = synced.conflicts() == 0 && synced.problems.is_empty();
        let untouched = synced.is_in_step() && fenced.as_ref().is_none_or(|fenced| !fenced.is_changed);
        let line = |line: usize| (line > 0).then_some(line);
        Sync {
            in_step: if is_done { settled } else { untouched },
            dry_run: !is_done,
            conflicts: synced.conflicts(),
            files: synced
                .files
                .into_iter()
                .map(|seen| File {
                    file: seen.file,
                    memories: seen.blocks,
                    written: seen.is_written && is_done,
                })
                .collect(),
            changes: synced
                .changes
                .into_iter()
                .map(|change| Change {
                    what: change.what.as_str(),
                    file: change.file,
                    line: line(change.line),
                    memory: change.memory.map(|id| id.to_string()),
                    text: change.text,
                })
                .collect(),
            problems: synced.problems,
            agents_md: fenced.map(|fenced| AgentsFile {
                file: fenced.file,
                written: fenced.is_changed && is_done,
                memories: fenced.memories,
            }),
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut lines: Vec<String> = self.changes.iter().map(Change::text).collect();
        lines.extend(self.problems.iter().map(|problem| format!("problem: {problem}")));
        let written = self.files.iter().filter(|file| file.written);
        let wrote = |file: &str, memories: usize| {
            format!("wrote {file} ({memories} {})", if memories == 1 { "memory" } else { "memories" })
        };
        lines.extend(written.map(|file| wrote(&file.file, file.memories)));
        let agents = self.agents_md.iter().filter(|agents| agents.written);
        lines.extend(agents.map(|agents| wrote(&agents.file, agents.memories)));
        if self.conflicts > 0 {
            lines.push(
                "both texts of a conflict stand in the file: delete the one that is wrong, or run this again with \
                 --prefer file or --prefer memory"
                    .to_owned(),
            );
        }
        if self.changes.iter().any(|change| change.what == What::Contradicts.as_str()) {
            lines.push(
                "what contradicts another bullet stands beside it: delete the one that is wrong".to_owned(),
            );
        }
        lines.push(match (self.in_step, self.dry_run) {
            (true, _) => "in step".to_owned(),
            (false, true) => "not in step; nothing was changed".to_owned(),
            (false, false) => "not in step".to_owned(),
        });
        lines.join("\n")
    }
}

impl Change {
    fn text(&self) -> String {
        let line = self.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{:<12} {}{line}: {}", self.what.replace('_', " "), self.file, self.text)
    }
}
