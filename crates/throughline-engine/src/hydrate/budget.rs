//! What fits: entries are taken in the order of their roles until the tokens are spent. A large one is tried in less
//! detail, then left out, and the next is still tried, so that it hides nobody behind it.

use throughline_inference::tokens;

use super::answer::{
    Activity, Dependency, Document, Entity, Full, Hydration, Known, Metadata, Omission, Outcome,
    SessionSummary, Step, Suggestion, Summary,
};
use super::cut;
use super::relations::Candidates;
use super::request::Role;
use crate::backlog::Uri;

/// How an answer is written. The budget holds for what is sent, so it is the writing that is counted.
pub trait Rendering {
    fn whole(&self, answer: &Hydration) -> String;
    /// One entry, as it stands in the whole.
    fn piece(&self, piece: &Piece<'_>) -> String;
    /// Different for renderings that write differently.
    fn name(&self) -> &'static str;
}

/// One entry of an answer.
#[derive(Debug)]
pub enum Piece<'a> {
    Session(&'a SessionSummary),
    Suggestion(&'a Suggestion),
    Dependency(&'a Dependency),
    Entity(&'a Entity),
    Known(&'a Known),
    Document(&'a Document),
    Activity(&'a Activity),
}

/// Everything that was found, before it is known what fits.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) focal: Full,
    pub(super) parent: Option<Summary>,
    pub(super) session: Candidates<SessionSummary>,
    pub(super) suggestions: Candidates<Suggestion>,
    pub(super) dependencies: Candidates<Dependency>,
    pub(super) children: Candidates<Entity>,
    pub(super) siblings: Candidates<Entity>,
    pub(super) cross_referenced: Candidates<Entity>,
    pub(super) referenced_by: Candidates<Entity>,
    pub(super) ancestors: Candidates<Entity>,
    pub(super) descendants: Candidates<Entity>,
    pub(super) memories: Candidates<Known>,
    pub(super) decisions: Candidates<Known>,
    pub(super) related: Candidates<Entity>,
    pub(super) resources: Candidates<Document>,
    pub(super) activity: Candidates<Activity>,
    pub(super) metadata: Metadata,
}

/// What stands between two entries.
const SEPARATOR: u64 = 1;
/// What a role's name and brackets cost with its first entry.
const HEADING: u64 = 7;
/// No entry costs less.
const CHEAPEST: u64 = 8;
/// What it costs to say how many of a role are shown.
const OMISSION: u64 = 18;

pub(super) fn fit(draft: Draft, rendering: &dyn Rendering) -> Hydration {
    let most = draft.metadata.max_tokens.get();
    let mut answer = skeleton(&draft);
    let mut purse =
        Purse { left: most.saturating_sub(cut::fit(&mut answer, rendering, most)), ..Purse::new(rendering) };
    let (blocking, others): (Vec<Dependency>, Vec<Dependency>) =
        draft.dependencies.list.into_iter().partition(Dependency::is_blocking);

    answer.session_summary =
        purse.fill(Role::Session, draft.session, |it| Piece::Session(it), |_| None).pop();
    answer.suggestions =
        purse.fill(Role::Suggestions, draft.suggestions, |it| Piece::Suggestion(it), |_| None);
    let mut dependencies =
        purse.take(Role::Dependencies, blocking, |it| Piece::Dependency(it), Dependency::downgraded);
    answer.children = purse.items(Role::Children, draft.children);
    answer.siblings = purse.items(Role::Siblings, draft.siblings);
    dependencies.and(purse.take(
        Role::Dependencies,
        others,
        |it| Piece::Dependency(it),
        Dependency::downgraded,
    ));
    answer.dependencies = purse.close(Role::Dependencies, draft.dependencies.total, dependencies);
    answer.cross_referenced = purse.items(Role::CrossReferenced, draft.cross_referenced);
    answer.referenced_by = purse.items(Role::ReferencedBy, draft.referenced_by);
    answer.ancestors = purse.items(Role::Ancestors, draft.ancestors);
    answer.descendants = purse.items(Role::Descendants, draft.descendants);
    answer.memories = purse.fill(Role::Memories, draft.memories, |it| Piece::Known(it), Known::downgraded);
    answer.decisions = purse.fill(Role::Decisions, draft.decisions, |it| Piece::Known(it), Known::downgraded);
    answer.related = purse.items(Role::Related, draft.related);
    answer.resources =
        purse.fill(Role::Resources, draft.resources, |it| Piece::Document(it), Document::downgraded);
    answer.activity = purse.fill(Role::Activity, draft.activity, |it| Piece::Activity(it), |_| None);

    answer.metadata.omitted = purse.omitted;
    answer.metadata.omitted.sort_by_key(|omission| omission.role);
    answer.trace = purse.trace;
    settle(answer, rendering, most)
}

/// The answer with nothing but the focal item and its parent in it, and all that could have to be said about the rest.
fn skeleton(draft: &Draft) -> Hydration {
    let totals = [
        (Role::Session, draft.session.total),
        (Role::Suggestions, draft.suggestions.total),
        (Role::Dependencies, draft.dependencies.total),
        (Role::Children, draft.children.total),
        (Role::Siblings, draft.siblings.total),
        (Role::CrossReferenced, draft.cross_referenced.total),
        (Role::ReferencedBy, draft.referenced_by.total),
        (Role::Ancestors, draft.ancestors.total),
        (Role::Descendants, draft.descendants.total),
        (Role::Memories, draft.memories.total),
        (Role::Decisions, draft.decisions.total),
        (Role::Related, draft.related.total),
        (Role::Resources, draft.resources.total),
        (Role::Activity, draft.activity.total),
    ];
    let there = totals.into_iter().filter(|(_, total)| *total > 0);
    let omitted = there.map(|(role, total)| Omission { role, total, shown: total, downgraded: 0 }).collect();
    Hydration {
        focal: draft.focal.clone(),
        parent: draft.parent.clone(),
        session_summary: None,
        suggestions: vec![],
        dependencies: vec![],
        children: vec![],
        siblings: vec![],
        cross_referenced: vec![],
        referenced_by: vec![],
        ancestors: vec![],
        descendants: vec![],
        memories: vec![],
        decisions: vec![],
        related: vec![],
        resources: vec![],
        activity: vec![],
        metadata: Metadata {
            omitted,
            token_estimate: draft.metadata.max_tokens.get(),
            ..draft.metadata.clone()
        },
        trace: vec![],
    }
}

/// What was taken of a role.
struct Taken<T> {
    shown: Vec<T>,
    downgraded: usize,
}

impl<T> Taken<T> {
    fn and(&mut self, more: Taken<T>) {
        self.shown.extend(more.shown);
        self.downgraded += more.downgraded;
    }
}

/// The tokens that are left, and what was bought with the others.
struct Purse<'a> {
    left: u64,
    rendering: &'a dyn Rendering,
    omitted: Vec<Omission>,
    trace: Vec<Step>,
}

impl<'a> Purse<'a> {
    fn new(rendering: &'a dyn Rendering) -> Purse<'a> {
        Purse { left: 0, rendering, omitted: vec![], trace: vec![] }
    }

    fn items(&mut self, role: Role, candidates: Candidates<Entity>) -> Vec<Entity> {
        self.fill(role, candidates, |it| Piece::Entity(it), Entity::downgraded)
    }

    fn fill<T>(
        &mut self,
        role: Role,
        candidates: Candidates<T>,
        piece: fn(&T) -> Piece<'_>,
        downgraded: fn(&T) -> Option<T>,
    ) -> Vec<T> {
        let taken = self.take(role, candidates.list, piece, downgraded);
        self.close(role, candidates.total, taken)
    }

    /// Takes what fits, one by one.
    fn take<T>(
        &mut self,
        role: Role,
        list: Vec<T>,
        piece: fn(&T) -> Piece<'_>,
        downgraded: fn(&T) -> Option<T>,
    ) -> Taken<T> {
        let mut taken = Taken { shown: vec![], downgraded: 0 };
        for entry in list {
            let heading = if taken.shown.is_empty() { HEADING } else { 0 };
            if self.buys(role, &piece(&entry), (heading, Outcome::Shown)) {
                taken.shown.push(entry);
                continue;
            }
            let Some(less) = downgraded(&entry) else { continue };
            // It is the same candidate, whose story is told once.
            self.trace.pop();
            if self.buys(role, &piece(&less), (heading, Outcome::Downgraded)) {
                taken.downgraded += 1;
                taken.shown.push(less);
            }
        }
        taken
    }

    /// Pays for an entry if there is enough left, and notes what became of it.
    fn buys(&mut self, role: Role, piece: &Piece<'_>, (heading, as_what): (u64, Outcome)) -> bool {
        // Nothing is that cheap, so nothing has to be counted to know it.
        let price = if self.left < CHEAPEST {
            CHEAPEST
        } else {
            tokens::count(&self.rendering.piece(piece)) + SEPARATOR + heading
        };
        let fits = price <= self.left;
        if fits {
            self.left -= price;
        }
        self.trace.push(step(role, piece, price, if fits { as_what } else { Outcome::NoRoom }));
        fits
    }

    /// Notes what is not shown of a role. Where that is nothing, nothing has to be said about it.
    fn close<T>(&mut self, role: Role, total: usize, taken: Taken<T>) -> Vec<T> {
        let omission = Omission { role, total, shown: taken.shown.len(), downgraded: taken.downgraded };
        if omission.shown < total || omission.downgraded > 0 {
            self.omitted.push(omission);
        } else if total > 0 {
            self.left += OMISSION;
        }
        taken.shown
    }
}

fn step(role: Role, piece: &Piece<'_>, tokens: u64, outcome: Outcome) -> Step {
    let (id, relevance) = match piece {
        Piece::Session(session) => (session.session.to_string(), None),
        Piece::Suggestion(suggestion) => (suggestion.item.to_string(), None),
        Piece::Dependency(dependency) => (dependency.entity.item.id.to_string(), None),
        Piece::Entity(entity) => (entity.item.id.to_string(), entity.relevance),
        Piece::Known(known) => (known.memory.id.to_string(), Some(known.relevance)),
        Piece::Document(document) => (Uri::of_resource(&document.resource.path), document.relevance),
        Piece::Activity(activity) => (activity.item.clone(), None),
    };
    Step { role, id, relevance, tokens, outcome }
}

/// Counts the answer as it is sent and writes the count into it. Entries were priced one by one; should the whole cost
/// more than its parts, the last ones go again.
fn settle(mut answer: Hydration, rendering: &dyn Rendering, most: u64) -> Hydration {
    loop {
        let guess = answer.metadata.token_estimate;
        let others = tokens::count(&rendering.whole(&answer)) - tokens_of(guess);
        // The count is part of what is counted.
        let count = others + tokens_of(others + tokens_of(others));
        answer.metadata.token_estimate = count;
        if count <= most || !drop_last(&mut answer) {
            return answer;
        }
    }
}

/// A number's tokens: one for every three digits, whatever stands around it.
fn tokens_of(number: u64) -> u64 {
    u64::from(number.checked_ilog10().unwrap_or(0) / 3 + 1)
}

/// Takes out again what was taken last.
fn drop_last(answer: &mut Hydration) -> bool {
    let shown = answer.trace.iter_mut().rev().find(|step| step.outcome != Outcome::NoRoom);
    let Some(step) = shown else { return false };
    let downgraded = usize::from(step.outcome == Outcome::Downgraded);
    let role = step.role;
    step.outcome = Outcome::NoRoom;
    let shown = pop(answer, role);
    let omitted = &mut answer.metadata.omitted;
    match omitted.iter_mut().find(|omission| omission.role == role) {
        Some(omission) => {
            omission.shown = shown;
            omission.downgraded -= downgraded;
        }
        None => omitted.push(Omission { role, total: shown + 1, shown, downgraded: 0 }),
    }
    omitted.sort_by_key(|omission| omission.role);
    true
}

/// Takes the last entry out of a role and says how many are left.
fn pop(answer: &mut Hydration, role: Role) -> usize {
    fn last<T>(list: &mut Vec<T>) -> usize {
        list.pop();
        list.len()
    }
    match role {
        Role::Focal | Role::Parent | Role::Code => 0,
        Role::Session => {
            answer.session_summary = None;
            0
        }
        Role::Suggestions => last(&mut answer.suggestions),
        Role::Dependencies => last(&mut answer.dependencies),
        Role::Children => last(&mut answer.children),
        Role::Siblings => last(&mut answer.siblings),
        Role::CrossReferenced => last(&mut answer.cross_referenced),
        Role::ReferencedBy => last(&mut answer.referenced_by),
        Role::Ancestors => last(&mut answer.ancestors),
        Role::Descendants => last(&mut answer.descendants),
        Role::Memories => last(&mut answer.memories),
        Role::Decisions => last(&mut answer.decisions),
        Role::Related => last(&mut answer.related),
        Role::Resources => last(&mut answer.resources),
        Role::Activity => last(&mut answer.activity),
    }
}
