//! What fits: entries are taken in the order of their roles until the tokens are spent. A large one is tried in less
//! detail, then left out, and the next is still tried, so that it hides nobody behind it.

use throughline_inference::tokens;

use super::answer::{
    Activity, Dependency, Document, Entity, Full, Hydration, Known, Metadata, Omission, Outcome, Passage,
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
    Passage(&'a Passage),
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
    pub(super) code: Candidates<Passage>,
    pub(super) resources: Candidates<Document>,
    pub(super) activity: Candidates<Activity>,
    pub(super) metadata: Metadata,
}

const RECOUNTS: u32 = 4;
/// What stands between two entries.
const SEPARATOR: u64 = 1;
/// What a role's name and brackets cost with its first entry.
const HEADING: u64 = 7;
/// What it costs to say that entries of a role are shown in less detail.
const IN_SHORT: u64 = 8;

pub(super) fn fit(draft: Draft, rendering: &dyn Rendering) -> Hydration {
    let mut purse = Purse::new(skeleton(&draft), rendering);
    let (blocking, others): (Vec<Dependency>, Vec<Dependency>) =
        draft.dependencies.list.into_iter().partition(Dependency::is_blocking);

    purse.fill(draft.session, &SESSION);
    purse.fill(draft.suggestions, &SUGGESTIONS);
    purse.take(blocking, &DEPENDENCIES);
    purse.fill(draft.children, &of_items(Role::Children, |answer, it| answer.children.push(it)));
    purse.fill(draft.siblings, &of_items(Role::Siblings, |answer, it| answer.siblings.push(it)));
    purse.take(others, &DEPENDENCIES);
    purse.close(Role::Dependencies, draft.dependencies.total);
    purse.fill(
        draft.cross_referenced,
        &of_items(Role::CrossReferenced, |answer, it| answer.cross_referenced.push(it)),
    );
    purse
        .fill(draft.referenced_by, &of_items(Role::ReferencedBy, |answer, it| answer.referenced_by.push(it)));
    purse.fill(draft.ancestors, &of_items(Role::Ancestors, |answer, it| answer.ancestors.push(it)));
    purse.fill(draft.descendants, &of_items(Role::Descendants, |answer, it| answer.descendants.push(it)));
    purse.fill(draft.memories, &of_memories(Role::Memories, |answer, it| answer.memories.push(it)));
    purse.fill(draft.decisions, &of_memories(Role::Decisions, |answer, it| answer.decisions.push(it)));
    purse.fill(draft.related, &of_items(Role::Related, |answer, it| answer.related.push(it)));
    purse.fill(draft.code, &CODE);
    purse.fill(draft.resources, &RESOURCES);
    purse.fill(draft.activity, &ACTIVITY);
    settle(purse.answer, rendering)
}

/// How entries of a role are shown, in full or in less detail, and where.
struct Form<T> {
    role: Role,
    piece: fn(&T) -> Piece<'_>,
    downgraded: fn(&T) -> Option<T>,
    put: fn(&mut Hydration, T),
}

const SESSION: Form<SessionSummary> = Form {
    role: Role::Session,
    piece: |it| Piece::Session(it),
    downgraded: |_| None,
    put: |answer, it| answer.session_summary = Some(it),
};
const SUGGESTIONS: Form<Suggestion> = Form {
    role: Role::Suggestions,
    piece: |it| Piece::Suggestion(it),
    downgraded: |_| None,
    put: |answer, it| answer.suggestions.push(it),
};
const DEPENDENCIES: Form<Dependency> = Form {
    role: Role::Dependencies,
    piece: |it| Piece::Dependency(it),
    downgraded: Dependency::downgraded,
    put: |answer, it| answer.dependencies.push(it),
};
const CODE: Form<Passage> = Form {
    role: Role::Code,
    piece: |it| Piece::Passage(it),
    downgraded: Passage::downgraded,
    put: |answer, it| answer.code.push(it),
};
const RESOURCES: Form<Document> = Form {
    role: Role::Resources,
    piece: |it| Piece::Document(it),
    downgraded: Document::downgraded,
    put: |answer, it| answer.resources.push(it),
};
const ACTIVITY: Form<Activity> = Form {
    role: Role::Activity,
    piece: |it| Piece::Activity(it),
    downgraded: |_| None,
    put: |answer, it| answer.activity.push(it),
};

fn of_items(role: Role, put: fn(&mut Hydration, Entity)) -> Form<Entity> {
    Form { role, piece: |it| Piece::Entity(it), downgraded: Entity::downgraded, put }
}

fn of_memories(role: Role, put: fn(&mut Hydration, Known)) -> Form<Known> {
    Form { role, piece: |it| Piece::Known(it), downgraded: Known::downgraded, put }
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
        (Role::Code, draft.code.total),
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
        code: vec![],
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

/// An answer that grows, and the tokens that are left for it.
struct Purse<'a> {
    answer: Hydration,
    rendering: &'a dyn Rendering,
    left: u64,
    /// Whether what is left was counted since something was bought.
    counted: bool,
    /// How often it may still be counted.
    recounts: u32,
}

impl<'a> Purse<'a> {
    fn new(mut answer: Hydration, rendering: &'a dyn Rendering) -> Purse<'a> {
        let most = answer.metadata.max_tokens.get();
        let left = most.saturating_sub(cut::fit(&mut answer, rendering, most));
        Purse { answer, rendering, left, counted: true, recounts: RECOUNTS }
    }

    fn fill<T>(&mut self, candidates: Candidates<T>, form: &Form<T>) {
        self.take(candidates.list, form);
        self.close(form.role, candidates.total);
    }

    /// Takes what fits, one by one.
    fn take<T>(&mut self, list: Vec<T>, form: &Form<T>) {
        for entry in list {
            let step = match self.try_to_buy(entry, Outcome::Shown, form) {
                Ok(step) => step,
                Err((entry, left_out)) => {
                    let less = (form.downgraded)(&entry);
                    less.map_or(left_out, |less| {
                        self.try_to_buy(less, Outcome::Downgraded, form)
                            .unwrap_or_else(|(_, left_out)| left_out)
                    })
                }
            };
            self.answer.trace.push(step);
        }
    }

    /// Puts an entry into the answer; gives it back when there is no room.
    fn try_to_buy<T>(&mut self, entry: T, outcome: Outcome, form: &Form<T>) -> Result<Step, (T, Step)> {
        let piece = (form.piece)(&entry);
        let mut price = tokens::count(&self.rendering.piece(&piece)) + SEPARATOR;
        if self.shown(form.role) == 0 {
            price += HEADING;
        }
        if outcome == Outcome::Downgraded && self.downgraded(form.role) == 0 {
            price += IN_SHORT;
        }
        let step = step(form.role, &piece, price, outcome);
        if !self.can_pay(price) {
            return Err((entry, Step { outcome: Outcome::NoRoom, ..step }));
        }
        self.left -= price;
        self.counted = false;
        (form.put)(&mut self.answer, entry);
        if outcome == Outcome::Downgraded {
            // Said already now, so that it is counted.
            let omitted = self.answer.metadata.omitted.iter_mut();
            omitted.filter(|omission| omission.role == form.role).for_each(|it| it.downgraded += 1);
        }
        Ok(step)
    }

    /// Prices are for entries alone, and together they cost a little less: before one is left out, what is left is
    /// counted, though not again and again for the little that the last ones leave.
    fn can_pay(&mut self, price: u64) -> bool {
        if price > self.left && !self.counted && self.recounts > 0 {
            let spent = tokens::count(&self.rendering.whole(&self.answer));
            self.left = self.answer.metadata.max_tokens.get().saturating_sub(spent);
            self.counted = true;
            self.recounts -= 1;
        }
        price <= self.left
    }

    fn shown(&self, role: Role) -> usize {
        self.answer.trace.iter().filter(|step| step.role == role && step.outcome != Outcome::NoRoom).count()
    }

    fn downgraded(&self, role: Role) -> usize {
        let of_role = self.answer.trace.iter().filter(|step| step.role == role);
        of_role.filter(|step| step.outcome == Outcome::Downgraded).count()
    }

    /// Notes what is not shown of a role. Where that is nothing, nothing has to be said about it.
    fn close(&mut self, role: Role, total: usize) {
        let (shown, downgraded) = (self.shown(role), self.downgraded(role));
        let omitted = &mut self.answer.metadata.omitted;
        omitted.retain(|omission| omission.role != role);
        if shown < total || downgraded > 0 {
            omitted.push(Omission { role, total, shown, downgraded });
            omitted.sort_by_key(|omission| omission.role);
        }
        self.counted &= total == 0;
    }
}

fn step(role: Role, piece: &Piece<'_>, tokens: u64, outcome: Outcome) -> Step {
    let (id, relevance) = match piece {
        Piece::Session(session) => (session.session.to_string(), None),
        Piece::Suggestion(suggestion) => (suggestion.item.to_string(), None),
        Piece::Dependency(dependency) => (dependency.entity.item.id.to_string(), None),
        Piece::Entity(entity) => (entity.item.id.to_string(), entity.relevance),
        Piece::Known(known) => (known.memory.id.to_string(), Some(known.relevance)),
        Piece::Passage(passage) => (passage.code.place(), Some(passage.relevance)),
        Piece::Document(document) => (Uri::of_resource(&document.resource.path), document.relevance),
        Piece::Activity(activity) => (activity.item.clone(), None),
    };
    Step { role, id, relevance, tokens, outcome }
}

/// Counts the answer as it is sent and writes the count into it. Entries were priced one by one; should the whole cost
/// more than its parts, the last ones become less or go again.
fn settle(mut answer: Hydration, rendering: &dyn Rendering) -> Hydration {
    let most = answer.metadata.max_tokens.get();
    loop {
        let guess = answer.metadata.token_estimate;
        let others = tokens::count(&rendering.whole(&answer)) - tokens_of(guess);
        // The count is part of what is counted.
        let count = others + tokens_of(others + tokens_of(others));
        answer.metadata.token_estimate = count;
        if count <= most || !lessen_last(&mut answer) {
            return answer;
        }
    }
}

/// A number's tokens: one for every three digits, whatever stands around it.
fn tokens_of(number: u64) -> u64 {
    u64::from(number.checked_ilog10().unwrap_or(0) / 3 + 1)
}

/// Makes a reference of what was taken last, or takes it out again.
fn lessen_last(answer: &mut Hydration) -> bool {
    let bought = answer.trace.iter().rposition(|step| step.outcome != Outcome::NoRoom);
    let Some(place) = bought else { return false };
    let role = answer.trace[place].role;
    let before = answer.trace[place].outcome;
    let outcome = lessen(answer, role);
    answer.trace[place].outcome = outcome;
    let shown = answer.trace.iter().filter(|it| it.role == role && it.outcome != Outcome::NoRoom).count();
    let omitted = &mut answer.metadata.omitted;
    if !omitted.iter().any(|omission| omission.role == role) {
        omitted.push(Omission {
            role,
            total: shown + usize::from(outcome == Outcome::NoRoom),
            shown,
            downgraded: 0,
        });
        omitted.sort_by_key(|omission| omission.role);
    }
    for omission in omitted.iter_mut().filter(|omission| omission.role == role) {
        omission.shown = shown;
        omission.downgraded += usize::from(outcome == Outcome::Downgraded);
        omission.downgraded -= usize::from(before == Outcome::Downgraded);
    }
    true
}

/// What becomes of the last entry of a role.
fn lessen(answer: &mut Hydration, role: Role) -> Outcome {
    fn last<T>(list: &mut Vec<T>, downgraded: fn(&T) -> Option<T>) -> Outcome {
        let less = list.pop().and_then(|entry| downgraded(&entry));
        let outcome = if less.is_some() { Outcome::Downgraded } else { Outcome::NoRoom };
        list.extend(less);
        outcome
    }
    match role {
        Role::Focal | Role::Parent => Outcome::NoRoom,
        Role::Session => {
            answer.session_summary = None;
            Outcome::NoRoom
        }
        Role::Suggestions => last(&mut answer.suggestions, |_| None),
        Role::Dependencies => last(&mut answer.dependencies, Dependency::downgraded),
        Role::Children => last(&mut answer.children, Entity::downgraded),
        Role::Siblings => last(&mut answer.siblings, Entity::downgraded),
        Role::CrossReferenced => last(&mut answer.cross_referenced, Entity::downgraded),
        Role::ReferencedBy => last(&mut answer.referenced_by, Entity::downgraded),
        Role::Ancestors => last(&mut answer.ancestors, Entity::downgraded),
        Role::Descendants => last(&mut answer.descendants, Entity::downgraded),
        Role::Memories => last(&mut answer.memories, Known::downgraded),
        Role::Decisions => last(&mut answer.decisions, Known::downgraded),
        Role::Related => last(&mut answer.related, Entity::downgraded),
        Role::Code => last(&mut answer.code, Passage::downgraded),
        Role::Resources => last(&mut answer.resources, Document::downgraded),
        Role::Activity => last(&mut answer.activity, |_| None),
    }
}
