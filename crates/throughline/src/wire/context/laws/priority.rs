//! Law 3: strict priority, shown by putting together the answer that should have been possible.

use anyhow::ensure;
use throughline_engine::hydrate::{
    Brief, Entity, Hydration, MaxTokens, Outcome, Rendering as _, Request, Role,
};
use throughline_engine::tokens;

use super::Verdict;
use super::case::Case;

/// The order in which the budget is spent, dependencies that block in the place of all.
const ORDER: [Role; 15] = [
    Role::Session,
    Role::Suggestions,
    Role::Dependencies,
    Role::Children,
    Role::Siblings,
    Role::CrossReferenced,
    Role::ReferencedBy,
    Role::Ancestors,
    Role::Descendants,
    Role::Memories,
    Role::Decisions,
    Role::Related,
    Role::Code,
    Role::Resources,
    Role::Activity,
];
/// Entries are priced one by one; in the whole they may cost so much less.
const ROUNDING: u64 = 40;

pub(super) fn holds(case: &Case<'_>) -> Verdict {
    roles_are_filled_in_order(case)?;
    // It takes an answer with more room; some of the cases are enough to see it.
    if !case.sent.len().is_multiple_of(8) {
        return Ok(());
    }
    for role in [Role::Children, Role::Siblings, Role::Related] {
        hidden(case, role)?;
    }
    Ok(())
}

fn roles_are_filled_in_order(case: &Case<'_>) -> Verdict {
    let steps = case.answer.trace.iter().filter(|step| step.role != Role::Dependencies);
    let places: Vec<usize> =
        steps.map(|step| ORDER.iter().position(|role| *role == step.role).unwrap()).collect();
    ensure!(places.is_sorted(), "the trace is in another order");
    Ok(())
}

/// Whether somebody was left out who had room when nothing after it is there.
fn hidden(case: &Case<'_>, role: Role) -> Verdict {
    let steps: Vec<_> = case.answer.trace.iter().filter(|step| step.role == role).collect();
    let Some(place) = steps.iter().position(|step| step.outcome == Outcome::NoRoom) else { return Ok(()) };
    let Some(mut left_out) = entity(case, role, &steps[place].id)? else { return Ok(()) };
    let mut possible = without_lower(&case.answer, role);
    let shown = steps[..place].iter().filter(|step| step.outcome != Outcome::NoRoom).count();
    let list = list(&mut possible, role);
    list.truncate(shown);
    left_out.fidelity = Brief::Reference;
    list.push(left_out);
    let count = tokens::count(&case.format.whole(&possible));
    let most = case.request.max_tokens.get();
    ensure!(
        count + ROUNDING > most,
        "{} of {role} was left out, but {count} of {most} tokens hold it with all before it",
        steps[place].id
    );
    Ok(())
}

/// The entry of a candidate, from an answer that has room for it.
fn entity(case: &Case<'_>, role: Role, id: &str) -> anyhow::Result<Option<Entity>> {
    let request = Request { max_tokens: MaxTokens::new(32_000)?, ..case.request.clone() };
    let mut answer = (*case.backlog.engine.hydrate(&case.backlog.caller, &request, &case.format)?).clone();
    Ok(list(&mut answer, role).iter().find(|entity| entity.item.id.as_str() == id).cloned())
}

fn list(answer: &mut Hydration, role: Role) -> &mut Vec<Entity> {
    match role {
        Role::Children => &mut answer.children,
        Role::Siblings => &mut answer.siblings,
        Role::Related => &mut answer.related,
        _ => panic!("{role} is not asked for"),
    }
}

/// An answer with nothing that comes after a role; what it says about those stays as long as it can be.
fn without_lower(answer: &Hydration, role: Role) -> Hydration {
    let mut answer = answer.clone();
    answer.code.clear();
    answer.resources.clear();
    answer.activity.clear();
    if role == Role::Related {
        return answer;
    }
    answer.dependencies.retain(throughline_engine::hydrate::Dependency::is_blocking);
    answer.cross_referenced.clear();
    answer.referenced_by.clear();
    answer.ancestors.clear();
    answer.descendants.clear();
    answer.memories.clear();
    answer.decisions.clear();
    answer.related.clear();
    if role == Role::Children {
        answer.siblings.clear();
    }
    let there = |role: &Role| answer.trace.iter().any(|step| step.role == *role);
    for role in ORDER.iter().filter(|role| there(role)) {
        if !answer.metadata.omitted.iter().any(|omission| omission.role == *role) {
            let total = answer.trace.iter().filter(|step| step.role == *role).count();
            let omission =
                throughline_engine::hydrate::Omission { role: *role, total, shown: 0, downgraded: 0 };
            answer.metadata.omitted.push(omission);
        }
    }
    answer
}
