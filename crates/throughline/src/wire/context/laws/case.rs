//! One request to a generated backlog, its answer, and how the answer looks from the outside.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value as Json;
use throughline_engine::hydrate::{
    Brief, Depth, Entity, Focus, Hydration, Include, Limits, MaxTokens, Rendering as _, Request, Role,
};

use super::super::Format;
use super::backlog::Backlog;
use super::chance::{Chance, words};
use super::model::Model;

pub(super) struct Case<'a> {
    pub(super) backlog: &'a Backlog,
    pub(super) model: &'a Model,
    pub(super) request: Request,
    pub(super) format: Format,
    pub(super) answer: Arc<Hydration>,
    /// The answer as it is sent.
    pub(super) sent: String,
}

/// An entry that is an item, as an answer shows it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seen {
    pub(super) id: String,
    pub(super) fidelity: Brief,
    pub(super) graph_depth: Option<usize>,
    pub(super) relevance: Option<f64>,
}

/// The roles whose entries are items, in the order in which they are given places.
pub(super) const PLACES: [Role; 8] = [
    Role::Dependencies,
    Role::Children,
    Role::Siblings,
    Role::Ancestors,
    Role::Descendants,
    Role::CrossReferenced,
    Role::ReferencedBy,
    Role::Related,
];

pub(super) fn entities(answer: &Hydration, role: Role) -> Vec<&Entity> {
    match role {
        Role::Dependencies => answer.dependencies.iter().map(|it| &it.entity).collect(),
        Role::Children => answer.children.iter().collect(),
        Role::Siblings => answer.siblings.iter().collect(),
        Role::CrossReferenced => answer.cross_referenced.iter().collect(),
        Role::ReferencedBy => answer.referenced_by.iter().collect(),
        Role::Ancestors => answer.ancestors.iter().collect(),
        Role::Descendants => answer.descendants.iter().collect(),
        Role::Related => answer.related.iter().collect(),
        _ => vec![],
    }
}

/// How many entries a role shows.
pub(super) fn shown(answer: &Hydration, role: Role) -> usize {
    match role {
        Role::Focal => 1,
        Role::Parent => usize::from(answer.parent.is_some()),
        Role::Session => usize::from(answer.session_summary.is_some()),
        Role::Suggestions => answer.suggestions.len(),
        Role::Memories => answer.memories.len(),
        Role::Decisions => answer.decisions.len(),
        Role::Resources => answer.resources.len(),
        Role::Activity => answer.activity.len(),
        Role::Code => answer.code.len(),
        _ => entities(answer, role).len(),
    }
}

impl Case<'_> {
    pub(super) fn focal(&self) -> &str {
        self.answer.focal.entry.item.id.as_str()
    }

    pub(super) fn seen(&self, role: Role) -> Vec<Seen> {
        let seen = |entity: &&Entity| Seen {
            id: entity.item.id.to_string(),
            fidelity: entity.fidelity,
            graph_depth: entity.graph_depth,
            relevance: entity.relevance,
        };
        entities(&self.answer, role).iter().map(seen).collect()
    }

    pub(super) fn ids(&self, role: Role) -> Vec<String> {
        self.seen(role).into_iter().map(|seen| seen.id).collect()
    }

    /// Everybody who was given a place in a role, whether there was room or not.
    pub(super) fn candidates(&self, role: Role) -> Vec<String> {
        self.answer.trace.iter().filter(|step| step.role == role).map(|step| step.id.clone()).collect()
    }

    /// Who had a place before a role was looked at.
    pub(super) fn placed_before(&self, role: Role) -> HashSet<String> {
        let earlier = PLACES.iter().take_while(|earlier| **earlier != role);
        let parent = self.answer.parent.as_ref().map(|parent| parent.item.id.to_string());
        earlier
            .flat_map(|earlier| self.candidates(*earlier))
            .chain(parent)
            .chain([self.focal().to_owned()])
            .collect()
    }

    pub(super) fn total(&self, role: Role) -> usize {
        let omitted = self.answer.metadata.omitted.iter().find(|omission| omission.role == role);
        omitted.map_or(shown(&self.answer, role), |omission| omission.total)
    }

    /// The answer parsed back, where it is sent as JSON.
    pub(super) fn json(&self) -> Option<Json> {
        match self.format {
            Format::Json | Format::PrettyJson => Some(serde_json::from_str(&self.sent).unwrap()),
            Format::Markdown | Format::WrappedMarkdown | Format::Tree | Format::DrawnTree => None,
        }
    }
}

pub(super) const FORMATS: [Format; 6] = [
    Format::Json,
    Format::PrettyJson,
    Format::Markdown,
    Format::WrappedMarkdown,
    Format::Tree,
    Format::DrawnTree,
];

pub(super) fn request(chance: &mut Chance, backlog: &Backlog) -> (Request, Format) {
    let yes = |chance: &mut Chance| Include::when(chance.percent(80));
    let request = Request {
        files: throughline_engine::recall::Files::Nowhere,
        focus: focus(chance, backlog),
        depth: Depth::new(1 + chance.next() % 3).unwrap(),
        max_tokens: MaxTokens::new(budget(chance)).unwrap(),
        related: yes(chance),
        activity: yes(chance),
        session: yes(chance),
        limits: limits(chance),
    };
    (request, *chance.pick(&FORMATS))
}

fn focus(chance: &mut Chance, backlog: &Backlog) -> Focus {
    // The first ones have the most around them, the last one may have no log.
    let bound = if chance.percent(40) { backlog.ids.len().min(6) } else { backlog.ids.len() };
    let id = match chance.below(12) {
        0 => backlog.ids.last().unwrap().clone(),
        _ => backlog.ids[chance.below(bound)].clone(),
    };
    match chance.below(20) {
        0 => Focus::Query(words(chance, 4)),
        1 => Focus::Query(format!("what about {id}?")),
        2 => Focus::Query(backlog.engine.item(&backlog.caller, &id).unwrap().item.title),
        3 => Focus::Id(id.to_lowercase()),
        4 => Focus::Id(format!("TASK-{}", 8000 + chance.below(100))),
        _ => Focus::Id(id),
    }
}

fn budget(chance: &mut Chance) -> u64 {
    match chance.below(40) {
        0..=13 => 500,
        14..=23 => 500 + chance.next() % 500,
        24..=31 => 1000 + chance.next() % 3000,
        32..=37 => 4000,
        38 => 4000 + chance.next() % 12_000,
        _ => 32_000,
    }
}

fn limits(chance: &mut Chance) -> Limits {
    let mut limits = Limits::default();
    if chance.percent(50) {
        return limits;
    }
    for name in Limits::NAMES {
        if chance.percent(40) {
            limits.set(name, [0, 1, 2, 3, 7, 20, 100, 2000][chance.below(8)]).unwrap();
        }
    }
    limits
}

pub(super) fn ask<'a>(
    (backlog, model): (&'a Backlog, &'a Model),
    (request, format): (Request, Format),
) -> throughline_engine::Result<Case<'a>> {
    let answer = backlog.engine.hydrate(&backlog.caller, &request, &format)?;
    let sent = format.whole(&answer);
    Ok(Case { backlog, model, request, format, answer, sent })
}
