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
/// What it costs to say how many of a role are shown.
const OMISSION: u64 = 18;

pub(super) fn fit(draft: Draft, rendering: &dyn Rendering) -> Hydration {
    let most = draft.metadata.max_tokens.get();
    let mut answer = skeleton(&draft);
    let mut purse =
        Purse { left: most.saturating_sub(fit_focal(&mut answer, rendering, most)), ..Purse::new(rendering) };
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

/// Cuts the texts of the focal item and its parent as far as the budget asks for, and says what the answer costs so.
fn fit_focal(answer: &mut Hydration, rendering: &dyn Rendering, most: u64) -> u64 {
    let cost = |answer: &Hydration| tokens::count(&rendering.whole(answer));
    let whole = answer.clone();
    // A text of many times the budget need not be counted to know that it does not fit.
    if tokens::upper_bound(&whole.focal.entry.item.description) <= most.saturating_mul(8) {
        let all = cost(&whole);
        if all <= most {
            return all;
        }
    }
    let (mut fits, mut too_much) = (0, most);
    while fits + 1 < too_much {
        let middle = fits.midpoint(too_much);
        if cost(&cut_to(&whole, middle)) <= most {
            fits = middle;
        } else {
            too_much = middle;
        }
    }
    *answer = cut_to(&whole, fits);
    cost(answer)
}

/// The same with no text of more than so many tokens.
fn cut_to(whole: &Hydration, most: u64) -> Hydration {
    let mut answer = whole.clone();
    let (entry, cut) = cut::to(&whole.focal.entry, most);
    answer.metadata.text_cut = !cut.is_empty();
    answer.focal = Full { entry, cut, ..whole.focal.clone() };
    if let Some(parent) = &mut answer.parent {
        let uri = Uri::of_item(parent.item.id.as_str());
        let short = |text: &str| cut::text_to(text, most, &uri);
        let (title, description) = (short(&parent.item.title), short(&parent.item.description));
        answer.metadata.text_cut |= title != parent.item.title;
        parent.item.title = title;
        parent.item.description = description;
    }
    answer
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
            let less = downgraded(&entry);
            let forms =
                std::iter::once((entry, Outcome::Shown)).chain(less.map(|less| (less, Outcome::Downgraded)));
            let mut last = None;
            for (form, outcome) in forms {
                let price = tokens::count(&self.rendering.piece(&piece(&form))) + SEPARATOR + heading;
                let step = step(role, &piece(&form), price, outcome);
                if price <= self.left {
                    self.left -= price;
                    taken.downgraded += usize::from(outcome == Outcome::Downgraded);
                    taken.shown.push(form);
                    last = Some(step);
                    break;
                }
                last = Some(Step { outcome: Outcome::NoRoom, ..step });
            }
            self.trace.extend(last);
        }
        taken
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
        let mut count = tokens::count(&rendering.whole(&answer));
        // The count is part of what is counted.
        while count != answer.metadata.token_estimate && count <= most {
            answer.metadata.token_estimate = count;
            count = tokens::count(&rendering.whole(&answer));
        }
        if count <= most || !drop_last(&mut answer) {
            return answer;
        }
    }
}

/// Takes the last entry of the last role out again.
fn drop_last(answer: &mut Hydration) -> bool {
    let mut dropped = None;
    macro_rules! from {
        ($($role:ident: $list:ident),* $(,)?) => { $(
            if dropped.is_none() && answer.$list.pop().is_some() {
                dropped = Some((Role::$role, answer.$list.len()));
            }
        )* };
    }
    from![
        Activity: activity, Resources: resources, Related: related, Decisions: decisions, Memories: memories,
        Descendants: descendants, Ancestors: ancestors, ReferencedBy: referenced_by,
        CrossReferenced: cross_referenced, Siblings: siblings, Children: children, Dependencies: dependencies,
        Suggestions: suggestions,
    ];
    if dropped.is_none() && answer.session_summary.take().is_some() {
        dropped = Some((Role::Session, 0));
    }
    let Some((role, shown)) = dropped else { return false };
    let omitted = &mut answer.metadata.omitted;
    match omitted.iter_mut().find(|omission| omission.role == role) {
        Some(omission) => omission.shown = shown,
        None => omitted.push(Omission { role, total: shown + 1, shown, downgraded: 0 }),
    }
    answer.metadata.omitted.sort_by_key(|omission| omission.role);
    true
}
