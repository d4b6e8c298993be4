//! What a workflow file sets for the sessions that name it: its front matter, read leniently.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize};

/// The settings of a workflow; what the file does not set is the project's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct Workflow {
    pub title: Option<String>,
    pub session: SessionPart,
    pub memory: MemoryPart,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct SessionPart {
    pub compaction: CompactionPart,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct CompactionPart {
    pub strategy: Option<Strategy>,
    #[serde(deserialize_with = "one_or_many")]
    pub checkpoint_on: Vec<Trigger>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_budget: Option<i64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct MemoryPart {
    pub generation: GenerationPart,
    pub retrieval: RetrievalPart,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct GenerationPart {
    #[serde(deserialize_with = "one_or_many")]
    pub trigger: Vec<Trigger>,
    pub extract_topics: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct RetrievalPart {
    pub scopes: Vec<Scope>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    SlidingWindow,
    TokenTruncation,
    RecursiveSummarization,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    ValidationGate,
    SessionEnd,
    Idle,
    Turns,
    Tokens,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    User,
    Session,
    App,
}

/// What became of a workflow that a session names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loaded {
    Read {
        path: PathBuf,
        workflow: Box<Workflow>,
    },
    /// The file is there but its front matter is ignored, for this reason.
    Ignored {
        path: PathBuf,
        problem: String,
    },
    Missing {
        looked_in: Vec<PathBuf>,
    },
}

const EXTENSIONS: [&str; 2] = ["prompt.md", "md"];
const MAX_BYTES: u64 = 1024 * 1024;

/// Reads the workflow called `name` below the project's root; never fails.
pub(crate) fn load(root: &Path, folders: &[PathBuf], name: &str) -> Loaded {
    // A session's workflow comes from outside: it may name a file in these folders and nothing else.
    let is_plain = !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != "..";
    let candidates = inside(folders)
        .flat_map(|folder| EXTENSIONS.map(|ext| root.join(folder).join(format!("{name}.{ext}"))));
    match candidates.filter(|_| is_plain).find(|path| path.is_file()) {
        Some(path) => read(path),
        None => Loaded::Missing { looked_in: folders.to_vec() },
    }
}

/// Every workflow file of the project whose front matter is ignored, with the reason.
pub fn problems(root: &Path, folders: &[PathBuf]) -> Vec<(PathBuf, String)> {
    let files = inside(folders).filter_map(|folder| fs::read_dir(root.join(folder)).ok()).flatten().flatten();
    let mut markdown: Vec<PathBuf> = files
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "md"))
        .collect();
    markdown.sort();
    let ignored = markdown.into_iter().filter_map(|path| match read(path) {
        Loaded::Ignored { path, problem } => Some((path, problem)),
        Loaded::Read { .. } | Loaded::Missing { .. } => None,
    });
    ignored.collect()
}

/// The folders come from the project's own settings and may not lead out of it.
fn inside(folders: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    folders.iter().filter(move |folder| folder.components().all(stays))
}

fn read(path: PathBuf) -> Loaded {
    let text = match fs::metadata(&path) {
        Ok(file) if file.len() > MAX_BYTES => {
            Err(format!("the file is larger than {MAX_BYTES} bytes; shorten it"))
        }
        Ok(_) => fs::read_to_string(&path)
            .map_err(|e| format!("cannot be read: {e}; make it a text in UTF-8 that you may read")),
        Err(e) => Err(format!("cannot be read: {e}; make it readable for you")),
    };
    match text.and_then(|text| parse(&text)) {
        Ok(workflow) => Loaded::Read { path, workflow: Box::new(workflow) },
        Err(problem) => Loaded::Ignored { path, problem },
    }
}

/// The front matter between two lines of `---` at the top; a file without any sets nothing.
fn parse(text: &str) -> Result<Workflow, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let Some(rest) = text.strip_prefix("---\n") else { return Ok(Workflow::default()) };
    let end = rest.find("\n---\n").or_else(|| rest.strip_suffix("\n---").map(str::len));
    let Some(end) = end else {
        return Err("line 1: the front matter has no closing line of ---; add one".to_owned());
    };
    serde_saphyr::from_str(&rest[..end]).map_err(|error| {
        // The opening line of dashes is line 1 of the file.
        let line = error.location().map_or(1, |location| location.line() + 1);
        format!("line {line}: {}; correct the line", error.to_string().lines().next().unwrap_or_default())
    })
}

fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Trigger>, D::Error> {
    #[derive(Deserialize, Serialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(Trigger),
        Many(Vec<Trigger>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(trigger) => vec![trigger],
        OneOrMany::Many(triggers) => triggers,
    })
}

#[cfg(test)]
mod tests {
    use super::{Scope, Strategy, Trigger, parse};

    #[test]
    fn front_matter_sets_what_it_names() {
        let workflow = parse(
            "---\ntitle: Create a service\nsession:\n  type: workflow\n  compaction:\n    \
             strategy: recursive_summarization\n    checkpoint_on: validation_gate\nmemory:\n  generation:\n    \
             trigger: [validation_gate, session_end]\n    extract_topics: [decisions]\n  retrieval:\n    \
             proactive: true\n    scopes: [user, app]\n---\n# Body\n",
        )
        .unwrap();
        assert_eq!(workflow.title.as_deref(), Some("Create a service"));
        assert_eq!(workflow.session.compaction.strategy, Some(Strategy::RecursiveSummarization));
        assert_eq!(workflow.session.compaction.checkpoint_on, [Trigger::ValidationGate]);
        assert_eq!(workflow.memory.generation.trigger, [Trigger::ValidationGate, Trigger::SessionEnd]);
        assert_eq!(workflow.memory.retrieval.scopes, [Scope::User, Scope::App]);
    }

    #[test]
    fn bad_front_matter_is_reported_with_its_line() {
        let cases = [
            ("---\ntitle: a\nsession:\n  compaction:\n    strategy: magic\n---\n", "line 5"),
            ("---\ntitle: [a\n---\n", "line "),
            ("---\ntitle: a\n", "line 1"),
        ];
        for (text, line) in cases {
            let problem = parse(text).unwrap_err();
            assert!(problem.starts_with(line), "{text:?}: {problem}");
        }
        assert_eq!(parse("# No front matter\n"), Ok(super::Workflow::default()));
    }
}
