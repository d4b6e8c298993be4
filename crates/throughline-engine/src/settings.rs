//! What can be set about the engine's behaviour, in its own terms.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use throughline_inference::complete::{self, Usage};
use throughline_inference::embed::Choice;

use crate::compact;
use crate::hold;
use crate::recall::Weights;
use crate::remember::files;
use crate::turn::Policy;

#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Texts of more bytes are stored compressed.
    pub pack_over_bytes: usize,
    /// Larger contents are refused.
    pub max_content_bytes: usize,
    /// A session without events for this long is over.
    pub idle_after: Duration,
    /// A history shows at most so much unless asked otherwise.
    pub history: Window,
    pub roles: BTreeMap<String, Role>,
    /// Where workflow files are looked for, below the project's root.
    pub workflow_folders: Vec<PathBuf>,
    pub jobs: Jobs,
    pub recall: Recall,
    /// Whether sessions become memories by themselves.
    pub generate_memories: bool,
    /// Memories as files that people read and change.
    pub files: files::Policy,
    /// What is told at prompts.
    pub turn: Policy,
    pub patterns: Patterns,
    /// What counts how much in working sets.
    pub hold: hold::Policy,
    /// When sessions are compacted.
    pub compaction: compact::Policy,
    pub code: Code,
    /// A model beside the table inside the binary, whose vectors are made in the background.
    pub embedding: Option<Choice>,
    /// A model that helps to turn sessions into memories and summaries.
    pub model: Model,
}

/// Which model is asked, and how much.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub choice: Option<complete::Choice>,
    /// For one question with all its attempts.
    pub timeout: Duration,
    /// A project's, per day in UTC.
    pub daily_tokens: u64,
    /// Of a session, so much is shown in one question.
    pub prompt_tokens: u64,
    pub answer_tokens: u64,
    pub prices: Option<Prices>,
}

/// For a million tokens each, in whatever currency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prices {
    pub input: f64,
    pub output: f64,
}

impl Prices {
    pub fn of(self, usage: Usage) -> f64 {
        (usage.tokens_in as f64 * self.input + usage.tokens_out as f64 * self.output) / 1e6
    }
}

/// How much of a session's newest history to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub turns: usize,
    pub max_tokens: u64,
}

/// What a role (`chatmode`) brings with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Role {
    pub static_files: Vec<PathBuf>,
    pub scopes: Vec<String>,
    pub tool_sets: Vec<String>,
    pub max_tokens: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jobs {
    /// A worker that has not finished after this long is taken for dead.
    pub lease: Duration,
    /// After so many failed runs a job is given up, visibly.
    pub max_attempts: i64,
    /// The wait after the first failure; it doubles with each further one.
    pub first_backoff: Duration,
}

/// What is looked at of a project's files, and what of them is an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Code {
    /// Whether sessions ask for an index of the files they work on.
    pub index: bool,
    /// No more files than this are looked at.
    pub max_files: usize,
    /// So many files are read at the same time, and no more than there are cores.
    pub threads: usize,
    /// What is less relevant is not an answer.
    pub floor: f64,
    /// No more of the text is shown, over all results.
    pub max_bytes: usize,
}

impl Default for Code {
    fn default() -> Code {
        Code { index: true, max_files: 200_000, threads: 2, floor: 0.12, max_bytes: 48 * 1024 }
    }
}

/// What becomes of patterns that finished sessions show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patterns {
    /// Those that are at least this sure hold without being approved; 1 is for none.
    pub approve_above: f64,
}

/// How what is found is ordered, and what is too far from the query to be shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recall {
    pub weights: Weights,
    /// After this long a record counts half as recent.
    pub half_life: Duration,
    /// What is less relevant is not an answer.
    pub floor: f64,
    /// So many events that are not indexed yet are taken in before a search.
    pub catch_up_events: i64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            pack_over_bytes: 16 * 1024,
            max_content_bytes: 8 * 1024 * 1024,
            idle_after: Duration::from_secs(60 * 60),
            history: Window { turns: 30, max_tokens: 20_000 },
            roles: BTreeMap::new(),
            workflow_folders: vec![".throughline/workflows".into(), ".claude/workflows".into()],
            jobs: Jobs {
                lease: Duration::from_secs(5 * 60),
                max_attempts: 5,
                first_backoff: Duration::from_secs(2),
            },
            recall: Recall {
                weights: Weights { relevance: 0.4, recency: 0.3, importance: 0.3 },
                half_life: Duration::from_secs(180 * 24 * 60 * 60),
                floor: 0.15,
                catch_up_events: 5000,
            },
            generate_memories: true,
            files: files::Policy::default(),
            turn: Policy::default(),
            patterns: Patterns { approve_above: 1.0 },
            hold: hold::Policy::default(),
            compaction: compact::Policy::default(),
            code: Code::default(),
            embedding: None,
            model: Model {
                choice: None,
                timeout: Duration::from_secs(60),
                daily_tokens: 200_000,
                prompt_tokens: 8000,
                answer_tokens: 2000,
                prices: None,
            },
        }
    }
}
