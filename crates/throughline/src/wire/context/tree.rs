//! A context as the tree it stands in: from the furthest item above down to the furthest below.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde::Serialize;
use throughline_engine::hydrate::{Hydration, Piece};

use super::markdown;
use super::shape::{Dependency, Entity, Focal, Rest, SessionSummary, Suggestion, entities};

/// The tree, and beside it what is not in it.
#[derive(Debug, Serialize)]
pub(super) struct Nested {
    tree: Node,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_summary: Option<SessionSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dependencies: Vec<Dependency>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cross_referenced: Vec<Entity>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    referenced_by: Vec<Entity>,
    #[serde(flatten)]
    rest: Rest,
}

#[derive(Debug, Serialize)]
struct Node {
    #[serde(flatten)]
    item: Shown,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Node>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Shown {
    Focal(Box<Focal>),
    Entity(Box<Entity>),
}

impl From<&Hydration> for Nested {
    fn from(answer: &Hydration) -> Nested {
        Nested {
            tree: root(answer),
            session_summary: answer.session_summary.as_ref().map(SessionSummary::from),
            suggestions: answer.suggestions.iter().map(Suggestion::from).collect(),
            dependencies: answer.dependencies.iter().map(Dependency::from).collect(),
            cross_referenced: entities(&answer.cross_referenced),
            referenced_by: entities(&answer.referenced_by),
            rest: Rest::from(answer),
        }
    }
}

fn root(answer: &Hydration) -> Node {
    let focal = &answer.focal.entry.item.id;
    let mut below: HashMap<String, Vec<Entity>> = HashMap::new();
    let children = answer.children.iter().map(|child| (focal.to_string(), child));
    let further =
        answer.descendants.iter().filter_map(|item| Some((item.item.parent.as_ref()?.to_string(), item)));
    for (parent, item) in children.chain(further) {
        below.entry(parent).or_default().push(Entity::from(item));
    }
    let mut node = Node {
        item: Shown::Focal(Box::new(Focal::from(&answer.focal))),
        children: taken(focal.as_str(), &mut below),
    };
    // Whose parent has no place in the tree is shown below the focal item, where it belongs by its steps.
    let mut orphans: Vec<(String, Vec<Entity>)> = below.drain().collect();
    orphans.sort_by(|a, b| a.0.cmp(&b.0));
    node.children.extend(orphans.into_iter().flat_map(|(_, items)| items).map(leaf));
    if let Some(parent) = &answer.parent {
        let mut beside = vec![node];
        beside.extend(entities(&answer.siblings).into_iter().map(leaf));
        node = Node { item: Shown::Entity(Box::new(Entity::from(parent))), children: beside };
    }
    for ancestor in &answer.ancestors {
        node = Node { item: Shown::Entity(Box::new(Entity::from(ancestor))), children: vec![node] };
    }
    node
}

fn leaf(entity: Entity) -> Node {
    Node { item: Shown::Entity(Box::new(entity)), children: vec![] }
}

/// What is below an item, taken out of what is left.
fn taken(id: &str, below: &mut HashMap<String, Vec<Entity>>) -> Vec<Node> {
    let items = below.remove(id).unwrap_or_default();
    items
        .into_iter()
        .map(|entity| {
            let children = taken(&entity.id, below);
            Node { item: Shown::Entity(Box::new(entity)), children }
        })
        .collect()
}

/// The tree as lines, the whole of the focal item, then the rest as lists.
pub(super) fn drawn(answer: &Hydration) -> String {
    let item = &answer.focal.entry.item;
    let mut text = String::new();
    draw(&mut text, &root(answer), answer, "", "");
    let _ = write!(text, "\n{} {}", item.id, item.item_type);
    markdown::facts(&mut text, item);
    markdown::body(&mut text, answer);
    let rest = [
        ("Last session", answer.session_summary.iter().map(Piece::Session).collect::<Vec<_>>()),
        ("Suggestions", answer.suggestions.iter().map(Piece::Suggestion).collect()),
        ("Dependencies", answer.dependencies.iter().map(Piece::Dependency).collect()),
        ("Refers to", answer.cross_referenced.iter().map(Piece::Entity).collect()),
        ("Referred to by", answer.referenced_by.iter().map(Piece::Entity).collect()),
        ("Memories", answer.memories.iter().map(Piece::Known).collect()),
        ("Decisions", answer.decisions.iter().map(Piece::Known).collect()),
        ("Related", answer.related.iter().map(Piece::Entity).collect()),
        ("Code", answer.code.iter().map(Piece::Passage).collect()),
        ("Resources", answer.resources.iter().map(Piece::Document).collect()),
        ("Activity", answer.activity.iter().map(Piece::Activity).collect()),
    ];
    for (heading, pieces) in rest.into_iter().filter(|(_, pieces)| !pieces.is_empty()) {
        let _ = write!(text, "\n{heading}\n");
        pieces.iter().for_each(|piece| text.push_str(&markdown::piece(piece)));
    }
    markdown::footer(&mut text, answer);
    text
}

fn draw(text: &mut String, node: &Node, answer: &Hydration, lead: &str, below: &str) {
    let line = match &node.item {
        Shown::Focal(_) => {
            let item = &answer.focal.entry.item;
            format!("{} [{}] {}  ◀", item.id, item.status, item.title)
        }
        Shown::Entity(entity) => {
            format!("{} [{}] {}{}", entity.id, entity.status, entity.title, entity.details())
        }
    };
    let _ = writeln!(text, "{lead}{line}");
    let last = node.children.len().saturating_sub(1);
    for (place, child) in node.children.iter().enumerate() {
        let (mark, bar) = if place == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        draw(text, child, answer, &format!("{below}{mark}"), &format!("{below}{bar}"));
    }
}
