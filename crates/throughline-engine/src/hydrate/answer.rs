//! What a hydration answers with. The laws are in the types: the focal item has no fidelity to get wrong, an item is
//! in an answer only with its place, and what was left out is counted, never set.

use throughline_store::actor::Actor;
use throughline_store::event::Kind as EventKind;
use throughline_store::id::{ItemId, SessionId, text_enum};
use throughline_store::item::Item;
use throughline_store::memory::Memory;
use throughline_store::resource::Resource;
use throughline_store::time::Timestamp;

use super::found::Place;
use super::request::{Depth, MaxTokens, Role};
use crate::backlog::Entry;
use crate::recall::Code;

/// Everything that matters for an item, inside a budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Hydration {
    pub focal: Full,
    pub parent: Option<Summary>,
    pub session_summary: Option<SessionSummary>,
    pub suggestions: Vec<Suggestion>,
    pub dependencies: Vec<Dependency>,
    pub children: Vec<Entity>,
    pub siblings: Vec<Entity>,
    pub cross_referenced: Vec<Entity>,
    pub referenced_by: Vec<Entity>,
    pub ancestors: Vec<Entity>,
    pub descendants: Vec<Entity>,
    pub memories: Vec<Known>,
    pub decisions: Vec<Known>,
    pub related: Vec<Entity>,
    pub code: Vec<Passage>,
    pub resources: Vec<Document>,
    pub activity: Vec<Activity>,
    pub metadata: Metadata,
    /// What became of every candidate.
    pub trace: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Metadata {
    pub depth: Depth,
    pub resolved_from: ResolvedFrom,
    pub max_tokens: MaxTokens,
    /// How many tokens the answer has as it is sent.
    pub token_estimate: u64,
    pub stages: Vec<Stage>,
    /// Where not everything is shown as it would be without limits.
    pub omitted: Vec<Omission>,
    pub text_cut: bool,
}

impl Metadata {
    /// Whether anything was cut, downgraded, capped or left out.
    pub fn truncated(&self) -> bool {
        self.text_cut || !self.omitted.is_empty()
    }
}

text_enum! {
    ResolvedFrom {
        Id = "id",
        Query = "query",
    }
}

text_enum! {
    /// In the order in which they run.
    Stage {
        Focal = "focal_resolution",
        Relational = "relational_expansion",
        References = "cross_reference_traversal",
        Dependencies = "dependency_chain",
        Semantic = "semantic_enrichment",
        Code = "code_retrieval",
        Session = "session_memory",
        Temporal = "temporal_overlay",
        Suggestions = "suggestions",
        Budget = "token_budgeting",
    }
}

/// How many there are of a role in truth, and how many are shown, some of them in less detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Omission {
    pub role: Role,
    pub total: usize,
    pub shown: usize,
    pub downgraded: usize,
}

/// The whole of an item. Long texts are cut when the item alone would be too much.
#[derive(Debug, Clone, PartialEq)]
pub struct Full {
    pub entry: Entry,
    /// The fields that were cut; the whole is at the item's address.
    pub cut: Vec<&'static str>,
    pub(super) place: Place,
}

/// An item in a few lines, cut when it must be.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    pub item: Box<Item>,
    pub(super) place: Place,
}

text_enum! {
    Fidelity {
        Full = "full",
        Summary = "summary",
        Reference = "reference",
    }
}

/// No more of a description is ever shown in short.
const SHOWN_BYTES: usize = 2048;

/// An item beside the focal one.
#[derive(Debug, Clone, PartialEq)]
pub struct Entity {
    pub item: Box<Item>,
    pub fidelity: Brief,
    /// Steps from the focal item, from two on.
    pub graph_depth: Option<usize>,
    /// How well it matches the focal item, when that is why it is here.
    pub relevance: Option<f64>,
    pub(super) place: Place,
}

text_enum! {
    /// What an item beside the focal one can be shown as.
    Brief {
        Summary = "summary",
        Reference = "reference",
    }
}

impl Entity {
    /// Keeps of the item what can be shown of it in short: answers are kept, and an item may be long.
    pub(super) fn new(place: Place, mut item: Item, fidelity: Brief) -> Entity {
        item.description.truncate(item.description.floor_char_boundary(SHOWN_BYTES));
        item.description.shrink_to_fit();
        (item.evidence, item.references) = (vec![], vec![]);
        (item.summary, item.validation, item.extra) = (None, None, None);
        Entity { item: Box::new(item), fidelity, graph_depth: None, relevance: None, place }
    }

    /// The same with less about it; nothing when there is no less.
    pub(super) fn downgraded(&self) -> Option<Entity> {
        match self.fidelity {
            Brief::Summary => Some(Entity { fidelity: Brief::Reference, ..self.clone() }),
            Brief::Reference => None,
        }
    }
}

/// What must come first, or what waits.
#[derive(Debug, Clone, PartialEq)]
pub struct Dependency {
    pub entity: Entity,
    pub relation: Relation,
    /// The item that it is the dependency of, or the dependent.
    pub of: ItemId,
}

text_enum! {
    Relation {
        /// The focal item waits for it, directly or through others.
        DependsOn = "depends_on",
        /// It waits for the focal item.
        Blocks = "blocks",
    }
}

impl Dependency {
    /// Whether the focal item cannot go on because of it.
    pub fn is_blocking(&self) -> bool {
        self.relation == Relation::DependsOn && !self.entity.item.status.is_finished()
    }

    pub(super) fn downgraded(&self) -> Option<Dependency> {
        self.entity.downgraded().map(|entity| Dependency { entity, ..self.clone() })
    }
}

/// A memory that bears on the focal item.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    pub memory: Box<Memory>,
    /// As of now: what nobody confirms is less sure with time.
    pub confidence: f64,
    pub fidelity: Brief,
    pub relevance: f64,
}

impl Known {
    pub(super) fn downgraded(&self) -> Option<Known> {
        match self.fidelity {
            Brief::Summary => Some(Known { fidelity: Brief::Reference, ..self.clone() }),
            Brief::Reference => None,
        }
    }
}

/// A document that bears on the focal item.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub resource: Box<Resource>,
    pub fidelity: Brief,
    /// How well it matches, when that is why it is here.
    pub relevance: Option<f64>,
}

impl Document {
    pub(super) fn downgraded(&self) -> Option<Document> {
        match self.fidelity {
            Brief::Summary => Some(Document { fidelity: Brief::Reference, ..self.clone() }),
            Brief::Reference => None,
        }
    }
}

/// A place in the project's files that bears on the focal item.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    pub code: Box<Code>,
    pub fidelity: Brief,
    pub relevance: f64,
}

impl Passage {
    pub(super) fn downgraded(&self) -> Option<Passage> {
        match self.fidelity {
            Brief::Summary => Some(Passage { fidelity: Brief::Reference, ..self.clone() }),
            Brief::Reference => None,
        }
    }
}

/// What the last session did to the focal item and its children.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionSummary {
    pub session: SessionId,
    pub actor: Actor,
    pub started_at: Timestamp,
    pub ended_at: Timestamp,
    pub operations: usize,
    pub summary: String,
}

/// Something that happened to the focal item or an item beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activity {
    pub at: Timestamp,
    pub kind: EventKind,
    pub item: String,
    pub actor: Actor,
    pub summary: String,
}

/// What could be done next, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    pub action: Action,
    pub item: ItemId,
    pub reason: String,
}

text_enum! {
    Action {
        Complete = "complete",
        Unblock = "unblock",
        Reopened = "check_dependency",
        Stale = "resume_or_release",
        AddEvidence = "add_evidence",
    }
}

/// What became of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub role: Role,
    pub id: String,
    pub relevance: Option<f64>,
    /// Of the form that was tried last.
    pub tokens: u64,
    pub outcome: Outcome,
}

text_enum! {
    Outcome {
        Shown = "shown",
        Downgraded = "downgraded",
        NoRoom = "no_room",
    }
}

impl Hydration {
    /// How many items the answer has over all roles, the session summary counted as one.
    pub fn total_items(&self) -> usize {
        1 + usize::from(self.parent.is_some())
            + usize::from(self.session_summary.is_some())
            + self.suggestions.len()
            + self.dependencies.len()
            + self.relatives().map(<[Entity]>::len).sum::<usize>()
            + self.memories.len()
            + self.decisions.len()
            + self.code.len()
            + self.resources.len()
            + self.activity.len()
    }

    /// The lists of items, in the order of their roles.
    fn relatives(&self) -> impl Iterator<Item = &[Entity]> {
        [
            &self.children,
            &self.siblings,
            &self.cross_referenced,
            &self.referenced_by,
            &self.ancestors,
            &self.descendants,
            &self.related,
        ]
        .into_iter()
        .map(Vec::as_slice)
    }
}
