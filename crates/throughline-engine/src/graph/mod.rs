//! Everything that is linked, as one graph: what the links say, and what the records say themselves.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use throughline_store::Connection;
use throughline_store::event::{self, Event, Filter, Order};
use throughline_store::id::{ItemId, MemoryId, SessionId};
use throughline_store::item;
use throughline_store::link::{self, Kind, Link, Node};
use throughline_store::memory::{self, Memory};

use crate::capture::shortened;
use crate::{Caller, Engine, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    /// With what each is called, where that is known.
    pub nodes: Vec<(Node, Option<String>)>,
    pub edges: Vec<Link>,
}

/// How much of the log is part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breadth {
    /// The events that memories come from and that say something about them.
    Knowledge,
    /// Every event, with its session, what caused it and what it comes after.
    Everything,
}

const PAGE: i64 = 2000;
const LABEL_CHARS: usize = 80;

impl Engine {
    /// The graph of a project; around one record when it is named by its id.
    pub fn graph(&self, caller: &Caller, breadth: Breadth, around: Option<&str>) -> Result<Graph> {
        self.store.read(|conn| {
            let mut drawn = Drawn { edges: link::list(conn, &caller.project)?, labels: BTreeMap::new() };
            drawn.memories(conn, caller)?;
            drawn.items(conn, caller)?;
            if breadth == Breadth::Everything {
                drawn.events(conn, caller)?;
            }
            Ok(drawn.around(around))
        })
    }
}

struct Drawn {
    edges: Vec<Link>,
    labels: BTreeMap<Node, String>,
}

impl Drawn {
    fn memories(&mut self, conn: &mut dyn Connection, caller: &Caller) -> Result<()> {
        let mut after = 0;
        loop {
            let page = memory::after(conn, &caller.project, after, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.number;
            for memory in &page {
                self.memory(memory);
                for origin in memory::origins(conn, &caller.project, &memory.id)? {
                    self.edge(Node::memory(&memory.id), Kind::DerivedFrom, Node::event(&origin.event));
                    self.edge(Node::event(&origin.event), Kind::PartOf, Node::session(&origin.session));
                }
            }
        }
    }

    fn memory(&mut self, memory: &Memory) {
        let node = Node::memory(&memory.id);
        if let Some(old) = &memory.supersedes {
            self.edge(node.clone(), Kind::Supersedes, Node::memory(old));
        }
        self.labels.insert(node, shortened(&memory.title, LABEL_CHARS));
    }

    fn items(&mut self, conn: &mut dyn Connection, caller: &Caller) -> Result<()> {
        let mut after = 0;
        loop {
            let page = item::after(conn, &caller.project, after, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.number;
            for item in &page {
                if let Some(parent) = &item.parent {
                    self.edge(Node::item(&item.id), Kind::PartOf, Node::item(parent));
                }
                self.labels.insert(Node::item(&item.id), shortened(&item.title, LABEL_CHARS));
            }
        }
    }

    fn events(&mut self, conn: &mut dyn Connection, caller: &Caller) -> Result<()> {
        let mut newest: BTreeMap<SessionId, Node> = BTreeMap::new();
        let mut after = 0;
        loop {
            let filter = Filter { after_position: Some(after), ..Filter::default() };
            let page = event::list(conn, &caller.project, &filter, Order::OldestFirst, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.position;
            for event in &page {
                let before = newest.insert(event.session_id.clone(), Node::event(&event.id));
                self.event(event, before);
            }
        }
    }

    fn event(&mut self, event: &Event, before: Option<Node>) {
        let node = Node::event(&event.id);
        self.edge(node.clone(), Kind::PartOf, Node::session(&event.session_id));
        if let Some(before) = before {
            self.edge(node.clone(), Kind::Follows, before);
        }
        if let Some(cause) = &event.triggered_by {
            self.edge(node.clone(), Kind::TriggeredBy, Node::event(cause));
        }
        if let Some(memory) = &event.informs {
            self.edge(node.clone(), Kind::Informs, Node::memory(&MemoryId::from(memory.clone())));
        }
        if let Some(item) = &event.item_id {
            self.edge(node.clone(), Kind::References, Node::item(&ItemId::from(item.clone())));
        }
        self.labels.insert(node, shortened(&event.summary, LABEL_CHARS));
    }

    fn edge(&mut self, from: Node, kind: Kind, to: Node) {
        self.edges.push(Link { from, kind, to });
    }

    /// Each edge once, in order, with the nodes at their ends.
    fn around(mut self, id: Option<&str>) -> Graph {
        let key = |link: &Link| (link.from.clone(), link.kind, link.to.clone());
        self.edges.retain(|link| id.is_none_or(|id| link.from.id == id || link.to.id == id));
        self.edges.sort_by_key(key);
        self.edges.dedup();
        let nodes: BTreeSet<&Node> = self.edges.iter().flat_map(|link| [&link.from, &link.to]).collect();
        let named = |node: &Node| (node.clone(), self.labels.get(node).cloned());
        Graph { nodes: nodes.into_iter().map(named).collect(), edges: self.edges }
    }
}
