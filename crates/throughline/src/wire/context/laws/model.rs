//! The naive truth: all items and all events in memory, and every role found by looking at each of them.

use std::collections::{HashMap, HashSet};

use throughline_engine::store::event::{Event, Filter, Kind as EventKind, Order};
use throughline_engine::store::item::{self, Item, Type};

use super::backlog::Backlog;

pub(super) struct Model {
    /// In the order of creation.
    pub(super) items: Vec<Item>,
    place: HashMap<String, usize>,
    children: HashMap<String, Vec<String>>,
    depends_on: HashMap<String, Vec<String>>,
    /// What each item's texts name, in order, whether it is there or not.
    names: HashMap<String, Vec<String>>,
    /// By position.
    pub(super) events: Vec<Event>,
}

impl Model {
    pub(super) fn of(backlog: &Backlog) -> Model {
        let project = &backlog.caller.project;
        let items = backlog.engine.store().read(|conn| item::after(conn, project, 0, i64::MAX)).unwrap();
        let mut children: HashMap<String, Vec<String>> = HashMap::new();
        for item in &items {
            if let Some(parent) = &item.parent {
                children.entry(parent.to_string()).or_default().push(item.id.to_string());
            }
        }
        let events = backlog
            .engine
            .events(&backlog.caller, &Filter::default(), Order::OldestFirst, i64::MAX)
            .unwrap()
            .events;
        Model {
            place: items.iter().enumerate().map(|(place, item)| (item.id.to_string(), place)).collect(),
            names: items.iter().map(|item| (item.id.to_string(), named_by(item))).collect(),
            depends_on: backlog.depends_on.clone().into_iter().collect(),
            children,
            events,
            items,
        }
    }

    pub(super) fn get(&self, id: &str) -> Option<&Item> {
        self.place.get(id).map(|place| &self.items[*place])
    }

    pub(super) fn item(&self, id: &str) -> &Item {
        self.get(id).unwrap_or_else(|| panic!("{id} is not in the backlog"))
    }

    /// Never the item itself.
    pub(super) fn parent(&self, id: &str) -> Option<&Item> {
        let parent = self.item(id).parent.as_ref()?;
        self.get(parent.as_str()).filter(|parent| parent.id.as_str() != id)
    }

    pub(super) fn children(&self, id: &str) -> Vec<String> {
        let mut children = self.children.get(id).cloned().unwrap_or_default();
        children.retain(|child| child != id);
        children
    }

    pub(super) fn siblings(&self, id: &str) -> Vec<String> {
        let Some(parent) = self.parent(id) else { return vec![] };
        let mut siblings = self.children(parent.id.as_str());
        siblings.retain(|sibling| sibling != id);
        siblings
    }

    /// Above the parent, the closest first, each with its steps; where a way leads back, a child is no ancestor.
    pub(super) fn ancestors(&self, id: &str, depth: usize) -> Vec<(String, usize)> {
        let mut seen = HashSet::from([id.to_owned()]);
        let mut chain = vec![];
        let mut next = self.item(id).parent.clone();
        while let Some(above) = next.filter(|above| seen.insert(above.to_string()) && chain.len() < depth) {
            next = self.get(above.as_str()).and_then(|item| item.parent.clone());
            chain.push(above.to_string());
        }
        let is_child = |above: &String| self.item(above).parent.as_ref().is_some_and(|it| it.as_str() == id);
        chain.into_iter().zip(1..).skip(1).filter(|(above, _)| !is_child(above)).collect()
    }

    /// Below the children, each once with its fewest steps.
    pub(super) fn descendants(&self, id: &str, depth: usize) -> HashMap<String, usize> {
        let mut steps_to = HashMap::from([(id.to_owned(), 0)]);
        let mut level = vec![id.to_owned()];
        for steps in 1..=depth {
            let below: Vec<String> = level.iter().flat_map(|above| self.children(above)).collect();
            level = below.into_iter().filter(|id| !steps_to.contains_key(id)).collect();
            steps_to.extend(level.iter().map(|id| (id.clone(), steps)));
        }
        steps_to.retain(|_, steps| *steps > 1);
        steps_to
    }

    pub(super) fn depends_on(&self, id: &str) -> &[String] {
        self.depends_on.get(id).map_or(&[], Vec::as_slice)
    }

    /// The whole chain that an item waits for, with the steps to each; what is finished waits for nothing.
    pub(super) fn upstream(&self, id: &str) -> HashMap<String, usize> {
        let mut steps_to = HashMap::from([(id.to_owned(), 0)]);
        let mut level = vec![id.to_owned()];
        for steps in 1.. {
            let goes_on = |id: &String| steps == 1 || !self.item(id).status.is_finished();
            let first: Vec<String> =
                level.iter().filter(|id| goes_on(id)).flat_map(|id| self.depends_on(id).to_vec()).collect();
            level = vec![];
            for id in first {
                if self.get(&id).is_some() && !steps_to.contains_key(&id) {
                    steps_to.insert(id.clone(), steps);
                    level.push(id);
                }
            }
            if level.is_empty() {
                break;
            }
        }
        steps_to.remove(id);
        steps_to
    }

    /// Who waits for an item.
    pub(super) fn waiting(&self, id: &str) -> Vec<String> {
        let waits = |item: &&Item| {
            item.id.as_str() != id && self.depends_on(item.id.as_str()).iter().any(|first| first == id)
        };
        self.items.iter().filter(waits).map(|item| item.id.to_string()).collect()
    }

    /// What an item names that is there and not itself, in order, each once.
    pub(super) fn named(&self, id: &str) -> Vec<String> {
        let mut seen = HashSet::new();
        let names = self.names.get(id).into_iter().flatten();
        names
            .filter(|name| name.as_str() != id && self.get(name).is_some())
            .filter(|name| seen.insert((*name).clone()))
            .cloned()
            .collect()
    }

    /// Who names an item, the newest first.
    pub(super) fn naming(&self, id: &str) -> Vec<String> {
        let items = self.items.iter().rev().map(|item| item.id.to_string());
        items.filter(|other| other != id && self.names[other].iter().any(|name| name == id)).collect()
    }

    /// What was done to these items in the backlog, the newest first.
    pub(super) fn done_to(&self, items: &HashSet<String>) -> Vec<&Event> {
        let is_about = |event: &&Event| event.item_id.as_ref().is_some_and(|id| items.contains(id));
        let mut events: Vec<&Event> =
            self.events.iter().filter(|event| is_public(event.kind)).filter(is_about).collect();
        events.sort_by_key(|event| std::cmp::Reverse((event.at, event.position)));
        events
    }
}

/// What everybody may see of the log.
fn is_public(kind: EventKind) -> bool {
    [
        EventKind::ItemCreated,
        EventKind::ItemUpdated,
        EventKind::ItemDeleted,
        EventKind::TaskCompleted,
        EventKind::ResourceWritten,
    ]
    .contains(&kind)
}

fn named_by(item: &Item) -> Vec<String> {
    let urls = item.references.iter().flat_map(|it| std::iter::once(&it.url).chain(&it.title));
    let texts = urls.chain([&item.description]).chain(&item.evidence).chain(&item.blocked_reason);
    texts.chain(&item.summary).flat_map(|text| ids(text)).collect()
}

/// A prefix as a word, a dash, and a word of four digits or more.
fn ids(text: &str) -> Vec<String> {
    let is_of_a_word = |c: char| (c.is_alphanumeric() && c < '\u{0E00}') || c == '_';
    let mut found = vec![];
    let mut before: Option<&str> = None;
    for part in text.split('-') {
        let first = part.split(|c| !is_of_a_word(c)).next().unwrap_or_default();
        let prefix = before.map(str::to_uppercase).filter(|it| Type::ALL.iter().any(|ty| ty.prefix() == it));
        if let Some(prefix) = prefix
            && first.len() >= 4
            && first.bytes().all(|byte| byte.is_ascii_digit())
        {
            found.push(format!("{prefix}-{first}"));
        }
        before = part.rsplit(|c| !is_of_a_word(c)).next();
    }
    found
}
