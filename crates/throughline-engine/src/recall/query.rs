//! What can be asked for, and which collections it is about.

use std::collections::HashSet;
use std::path::PathBuf;

use throughline_store::event;
use throughline_store::id::text_enum;
use throughline_store::index_page::Collection;
use throughline_store::memory::{self, Scope};
use throughline_store::time::Timestamp;

use super::Weights;
use super::allowed::Labels;
use crate::capture::SessionRef;
use crate::index::code::document::{language_label, symbol_label};
use crate::index::terms::label;

/// What to find.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub text: String,
    /// Of these kinds; of all when empty.
    pub kinds: Vec<Kind>,
    /// Memories of these kinds; of all when empty.
    pub memory_kinds: Vec<memory::Kind>,
    pub scope: Option<Scope>,
    /// With all of these tags.
    pub tags: Vec<String>,
    /// Not older than this.
    pub since: Option<Timestamp>,
    pub limit: usize,
    /// What counts how much; as set when not given.
    pub weights: Option<Weights>,
    /// What is less relevant is no answer; as set when not given.
    pub floor: Option<f64>,
    pub by: By,
    pub breadth: Breadth,
    /// Not these, by the numbers of their documents; only with one kind asked for, which they are of.
    pub except: HashSet<i64>,
    /// The session that asks: what other roles did is not shown to it.
    pub asking: Option<SessionRef>,
    pub code: CodeQuery,
}

/// Where the files are, and what narrows a search of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CodeQuery {
    pub files: Files,
    /// The path begins so, or has this part.
    pub path: Option<String>,
    /// A symbol of this name, whole or its last part.
    pub symbol: Option<String>,
    pub language: Option<String>,
    /// What the work that asks has touched so far.
    pub touched: Vec<String>,
}

/// What results are compared with before they are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Files {
    /// There are no files here, so none is found.
    #[default]
    Nowhere,
    In(PathBuf),
    /// With nothing: for measuring on what once was.
    AsIndexed,
}

/// How many of a query's words are looked up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Breadth {
    #[default]
    AllWords,
    /// So many of those that the fewest documents have: for a query that is a document itself.
    Telling {
        words: usize,
        /// Words that fewer documents have find nobody else.
        documents: u64,
    },
}

/// What relevance is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum By {
    #[default]
    WordsAndMeaning,
    /// To measure what each is worth.
    Words,
    Meaning,
}

text_enum! {
    /// What can be found.
    Kind {
        Memory = "memory",
        Decision = "decision",
        Belief = "belief",
        Event = "event",
        /// Items of the backlog, of every type.
        Task = "task",
        Resource = "resource",
        /// Pieces of the project's files; only where it is asked for.
        Code = "code",
    }
}

impl Query {
    /// What was overruled or forgotten since is found by those who ask for what happened.
    pub(super) fn is_about_the_present(&self) -> bool {
        !self.kinds.contains(&Kind::Event)
    }

    pub fn of(text: impl Into<String>, limit: usize) -> Query {
        Query {
            text: text.into(),
            kinds: vec![],
            memory_kinds: vec![],
            scope: None,
            tags: vec![],
            since: None,
            limit,
            weights: None,
            floor: None,
            by: By::default(),
            breadth: Breadth::default(),
            except: HashSet::new(),
            asking: None,
            code: CodeQuery::default(),
        }
    }
}

/// Which collections a query is about, and what their documents must have.
pub(super) fn collections(query: &Query) -> Vec<(Collection, Labels)> {
    let asks = |kind: Kind| query.kinds.is_empty() || query.kinds.contains(&kind);
    let mut collections = vec![];
    if asks(Kind::Memory) || asks(Kind::Decision) || asks(Kind::Belief) {
        collections.push((Collection::Memories, memory_labels(query)));
    }
    let about_memories = query.scope.is_some() || !query.tags.is_empty() || !query.memory_kinds.is_empty();
    if !about_memories && (asks(Kind::Event) || asks(Kind::Decision)) {
        let decisions = vec![vec![label("kind", event::Kind::Decision.as_str())]];
        let labels = if asks(Kind::Event) { Labels::default() } else { Labels(decisions) };
        collections.push((Collection::Events, labels));
    }
    if !about_memories {
        let beside = [(Kind::Task, Collection::Items), (Kind::Resource, Collection::Resources)];
        let asked = beside.into_iter().filter(|(kind, _)| asks(*kind));
        collections.extend(asked.map(|(_, collection)| (collection, Labels::default())));
    }
    if query.asks_for_code() {
        collections.push((Collection::Chunks, code_labels(&query.code)));
    }
    collections
}

impl Query {
    /// Code is no answer to a question about the project's memory, unless it is asked for.
    pub(crate) fn asks_for_code(&self) -> bool {
        self.kinds.contains(&Kind::Code) && self.code.files != Files::Nowhere
    }
}

fn code_labels(code: &CodeQuery) -> Labels {
    let symbol = code.symbol.iter().map(|name| vec![symbol_label(name)]);
    Labels(symbol.chain(code.language.iter().map(|name| vec![language_label(name)])).collect())
}

fn memory_labels(query: &Query) -> Labels {
    let mut kinds = query.memory_kinds.clone();
    if !query.kinds.is_empty() && !query.kinds.contains(&Kind::Memory) {
        let asked = [(Kind::Decision, memory::Kind::Decision), (Kind::Belief, memory::Kind::Belief)];
        kinds.extend(asked.into_iter().filter(|(kind, _)| query.kinds.contains(kind)).map(|(_, kind)| kind));
    }
    let mut groups = vec![];
    if !kinds.is_empty() {
        groups.push(kinds.iter().map(|kind| label("kind", kind.as_str())).collect());
    }
    groups.extend(query.scope.map(|scope| vec![label("scope", scope.as_str())]));
    groups.extend(query.tags.iter().map(|tag| vec![label("tag", tag)]));
    Labels(groups)
}
